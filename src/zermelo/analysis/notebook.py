"""Analyses in notebooks: the report with plots, or tables if matplotlib is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from zermelo.analysis import report, sentences
from zermelo.analysis.results import Analysis
from zermelo.errors import MissingExtraError
from zermelo.forms import markup, notebook_html
from zermelo.forms.columns import Columns, columns_of_rows, one_batch

Item = TypeVar("Item")


def analysis_display(analysis: Analysis) -> str:
    """Return the form of an analysis."""
    try:
        return report.inline([analysis])
    except MissingExtraError as error:
        head, rows = sentences.play_table(analysis)
        return markup.form(
            markup.lead(analysis.title),
            markup.line(sentences.analysis_sentence(analysis)),
            markup.table(rows, head, numbers=range(1, len(head))),
            markup.table(sentences.position_facts(analysis)),
            markup.note(str(error)),
        )


class AnalysisReport(Analysis):
    """An analysis that a notebook shows as a report."""

    def _repr_html_(self) -> str:
        """Return the report; without plots if matplotlib or Jinja is missing."""
        return analysis_display(self)


class Sweep(list[Analysis], Columns):
    """Analyses side by side, such as of one game with several parameters.

    A notebook shows them as a table. As columns (``to_pandas``, ``to_arrow``) a row is a game::

        sweep = zermelo.analysis.Sweep()
        games = [ConnectFour(width=3, height=h) for h in (3, 4)]
        sweep.add(games, lambda game: zermelo.solve(game).analyse())
        sweep.to_pandas()

    Attributes:
        failures: the games that could not be analysed, each with the error.
    """

    def __init__(self, analyses: Iterable[Analysis] = ()) -> None:
        """Arrange analyses side by side."""
        self.failures: list[tuple[Any, Exception]] = []
        super().__init__(analyses)

    def add(self, games: Iterable[Item], analyse: Callable[[Item], Analysis]) -> None:
        """Analyse one game after another, and keep each row as soon as it is done.

        A game that fails is kept in ``failures``, and the next one is analysed. If Ctrl-C stops it,
        the rows that are done stay.

        Args:
            games: the games, or other arguments of ``analyse``, such as numbers for a parameter.
            analyse: solves and analyses one of them.
        """
        for game in games:
            try:
                self.append(analyse(game))
            except Exception as error:  # noqa: BLE001  # one game is no reason to lose the others
                self.failures.append((game, error))

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return one_batch(columns_of_rows([analysis.summary() for analysis in self]))

    def _repr_html_(self) -> str:
        """Return a table, a row each, for notebooks."""
        names = sentences.varying_parameters(self)
        failed = [f"{game}: {error}" for game, error in self.failures]
        rows = [sentences.sweep_row(analysis, names) for analysis in self]
        return notebook_html.sweep(sentences.columns(self, names), rows, failed)
