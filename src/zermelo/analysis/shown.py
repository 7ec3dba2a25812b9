"""Analyses in notebooks: the report with plots, or tables where what draws plots is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.analysis import report, words
from zermelo.analysis.results import Analysis
from zermelo.errors import MissingExtraError
from zermelo.forms import answers, markup
from zermelo.forms.columns import Columns, gathered, one_batch


def shown(analysis: Analysis) -> str:
    """Return the form of an analysis."""
    try:
        return report.inline([analysis])
    except MissingExtraError as error:
        head, rows = words.plays(analysis)
        return markup.form(
            markup.lead(words.made(analysis)),
            markup.line(words.sentence(analysis)),
            markup.table(rows, head, numbers=range(1, len(head))),
            markup.table(words.facts(analysis)),
            markup.note(str(error)),
        )


class Sweep(list[Analysis], Columns):
    """Analyses side by side, such as of one game with several parameters.

    A notebook shows them as a table. As columns (``to_pandas``, ``to_arrow``) a row is a game::

        games = [ConnectFour(width=3, height=h) for h in (3, 4)]
        zermelo.analysis.Sweep(zermelo.solve(game).analyse() for game in games).to_pandas()
    """

    def __init__(self, analyses: Iterable[Analysis] = ()) -> None:
        """Put analyses side by side."""
        super().__init__(analyses)

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return one_batch(gathered([analysis.summary() for analysis in self]))

    def _repr_html_(self) -> str:
        """Return a table, a row each, for notebooks."""
        names = words.varying(self)
        return answers.sweep(
            words.columns(self, names), [words.row(analysis, names) for analysis in self]
        )
