"""Evaluations as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.cli.output import write_columns, write_line

if TYPE_CHECKING:
    from zermelo.agents import Evaluation


def write_evaluations(evaluations: list[Evaluation]) -> None:
    """Write the results of one agent, or of several in one table."""
    from zermelo.agents import sentences

    write_line(evaluations[0].title)
    for evaluation in evaluations:
        write_line(sentences.evaluation_sentence(evaluation))
    write_line("")
    headings, rows = sentences.evaluation_table(evaluations)
    write_columns(headings, rows, right=headings[1 + (len(evaluations) > 1) :])
    if sample_note := sentences.sample_text(evaluations):
        write_line(sample_note)
    for evaluation in evaluations:
        for line in sentences.mistake_lines(evaluation):
            write_line(line)
