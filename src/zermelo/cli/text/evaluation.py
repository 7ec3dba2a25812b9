"""An evaluation as it is written in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.cli.output import say, write_columns

if TYPE_CHECKING:
    from zermelo.agents import Evaluation


def write_evaluations(evaluations: list[Evaluation]) -> None:
    """Write what was measured of one agent, or of several side by side."""
    from zermelo.agents import sentences

    say(evaluations[0].title)
    for each in evaluations:
        say(sentences.sentence(each))
    say("")
    headings, rows = sentences.table(evaluations)
    write_columns(headings, rows, right=headings[1 + (len(evaluations) > 1) :])
    if some := sentences.sampled(evaluations):
        say(some)
    for each in evaluations:
        for line in sentences.mistakes(each):
            say(line)
