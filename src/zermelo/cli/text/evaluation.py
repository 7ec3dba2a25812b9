"""An evaluation as it is written in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.cli.output import write_columns, write_line

if TYPE_CHECKING:
    from zermelo.agents import Evaluation


def write_evaluations(evaluations: list[Evaluation]) -> None:
    """Write what was measured of one agent, or of several side by side."""
    from zermelo.agents import sentences

    write_line(evaluations[0].title)
    for each in evaluations:
        write_line(sentences.evaluation_sentence(each))
    write_line("")
    headings, rows = sentences.evaluation_table(evaluations)
    write_columns(headings, rows, right=headings[1 + (len(evaluations) > 1) :])
    if some := sentences.sample_text(evaluations):
        write_line(some)
    for each in evaluations:
        for line in sentences.mistake_lines(each):
            write_line(line)
