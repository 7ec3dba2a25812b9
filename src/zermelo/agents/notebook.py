"""Evaluations in notebooks: the report with plots, or tables if an extra for plots is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.agents import report, sentences
from zermelo.errors import MissingExtraError
from zermelo.forms import markup

if TYPE_CHECKING:
    from zermelo.agents.results import Evaluation


def evaluations_display(evaluations: Sequence[Evaluation]) -> str:
    """Return the notebook display of evaluations."""
    if not evaluations:
        return markup.form(markup.note("no evaluations"))
    try:
        return report.inline(evaluations)
    except MissingExtraError as error:
        head, rows = sentences.evaluation_table(evaluations)
        return markup.form(
            *(markup.lead(sentences.evaluation_sentence(evaluation)) for evaluation in evaluations),
            markup.table(rows, head, numbers=range(1, len(head))),
            markup.note(str(error)),
        )
