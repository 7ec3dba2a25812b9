"""Maker-Breaker tic-tac-toe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.game.placement import transversals
from zermelo.games._checks import check_word
from zermelo.games._sources import COUNTED_IN_PYTHON
from zermelo.games.lines._grid import RowsOfSquares


@dataclass(frozen=True)
class MakerBreaker(RowsOfSquares):
    """Maker wants a row of marks, Breaker a mark in every row, and both mark squares in turn.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        length: the number of marks in a row that Maker wants.
        first: the player who begins, ``maker`` or ``breaker``.
    """

    title = "Maker-Breaker Tic-tac-toe"

    rows: int = 3
    columns: int = 3
    length: int = 3
    first: str = "maker"

    facts = (
        Fact(
            {},
            "win",
            7,
            positions=5588,
            win=3289,
            loss=2299,
            tie=0,
            longest_win=7,
            longest_loss=6,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"first": "breaker"},
            "win",
            7,
            positions=5698,
            win=3581,
            loss=2117,
            tie=0,
            longest_win=7,
            longest_loss=8,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"rows": 2, "columns": 5},
            "loss",
            8,
            positions=15461,
            win=9275,
            loss=6186,
            tie=0,
            longest_win=7,
            longest_loss=8,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"columns": 4, "first": "breaker"},
            "loss",
            8,
            positions=131053,
            win=72696,
            loss=58357,
            tie=0,
            longest_win=9,
            longest_loss=8,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"columns": 4, "length": 4},
            "loss",
            6,
            positions=113791,
            win=45552,
            loss=68239,
            tie=0,
            longest_win=5,
            longest_loss=6,
            source=COUNTED_IN_PYTHON,
        ),
    )

    @property
    def players(self) -> tuple[str, str]:  # type: ignore[override]  # may be a property
        """The player who begins, and the other one."""
        return ("Maker", "Breaker") if self.first == "maker" else ("Breaker", "Maker")

    def lines(self, player: int) -> Iterable[tuple[int, ...]]:
        """Return Maker's rows, or the sets of squares that meet every row, which Breaker wants."""
        rows = self.straight(self.length)
        return rows if self.players[player] == "Maker" else transversals(rows)

    def validate(self) -> None:
        """Raise ParameterError unless the board fits and has a row, and ``first`` is known."""
        check_word("first", self.first, ("maker", "breaker"))
        super().validate()
