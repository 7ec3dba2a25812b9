"""Wild tic-tac-toe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.game.placement import MarkingGame
from zermelo.games._sources import COUNTED_IN_PYTHON
from zermelo.games.lines._grid import RowsOfSquares


@dataclass(frozen=True)
class WildTicTacToe(RowsOfSquares, MarkingGame):
    """Both players may put a cross or a ring, and three alike in a row win for whoever makes them.

    A full board without a row is a tie.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        length: the number of marks in a row that win.
        line_loses: whether a player who makes a row loses (misère) instead.
    """

    title = "Wild Tic-tac-toe"

    rows: int = 3
    columns: int = 3
    length: int = 3
    line_loses: bool = False

    choice = True

    facts = (
        Fact(
            {},
            "win",
            7,
            positions=18753,
            win=10085,
            loss=7656,
            tie=1012,
            longest_win=7,
            longest_loss=6,
            source=COUNTED_IN_PYTHON,
        ),
    )

    def lines(self) -> Iterable[tuple[int, ...]]:
        """Return each row of enough squares."""
        return self.straight(self.length)
