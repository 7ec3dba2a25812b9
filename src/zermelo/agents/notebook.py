"""Evaluations in notebooks: the report with plots, or tables if an extra for plots is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zermelo.agents import report, sentences
from zermelo.agents.results import Evaluation, evaluation_rows
from zermelo.errors import MissingExtraError
from zermelo.forms import markup
from zermelo.forms.columns import Columns, columns_of_rows, one_batch


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


class EvaluationReport(Evaluation):
    """An evaluation that a terminal shows as a table, and a notebook as a report."""

    def __str__(self) -> str:
        """Return a table of all that was measured, and the worst moves."""
        return sentences.evaluation_text([self])

    def _repr_html_(self) -> str:
        """Return the report, for notebooks; without plots if matplotlib or Jinja is missing."""
        return evaluations_display([self])


class Comparison(list[Evaluation], Columns):
    """Evaluations side by side, such as of two agents on one game.

    A notebook shows them as one report. As columns (``to_pandas``, ``to_arrow``), each row is one
    of the things measured of one agent; ``print`` writes a table of them.
    """

    def __init__(self, evaluations: Iterable[Evaluation] = ()) -> None:
        """Store the evaluations."""
        super().__init__(evaluations)

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return one_batch(columns_of_rows([row for item in self for row in evaluation_rows(item)]))

    def __str__(self) -> str:
        """Return a table of all that was measured, and the worst moves."""
        return sentences.evaluation_text(self)

    def _repr_html_(self) -> str:
        """Return the report, for notebooks."""
        return evaluations_display(self)
