"""Joust."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.games.shifting._trails import TrailGame, Trodden
from zermelo.symmetry import Symmetry, grid

LEAPS = [(r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)]


@dataclass(frozen=True)
class Joust(TrailGame):
    """Two knights leap about a board that burns behind them; a player who cannot move loses.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    rows: int = 4
    columns: int = 4

    fewest = 2
    players = ("X", "O")
    facts = (
        Fact(
            {"rows": 4, "columns": 4},
            "loss",
            12,
            positions=521,
            win=234,
            loss=287,
            tie=0,
            endless=0,
            longest_win=11,
            longest_loss=12,
            source=GAMESMAN,
        ),
        Fact(
            {"rows": 4, "columns": 5},
            "loss",
            14,
            positions=16211,
            win=7225,
            loss=8986,
            tie=0,
            endless=0,
            longest_win=13,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 8},
            "loss",
            16,
            positions=46078,
            win=20439,
            loss=25639,
            tie=0,
            endless=0,
            longest_win=15,
            longest_loss=16,
            source=ENUMERATED,
        ),
    )

    @cached_property
    def reach(self) -> list[list[int]]:
        """The squares that are a knight's leap away from each square."""
        places = [divmod(cell, self.columns) for cell in range(self.cells)]
        return [
            [
                (row + down) * self.columns + column + right
                for down, right in LEAPS
                if 0 <= row + down < self.rows and 0 <= column + right < self.columns
            ]
            for row, column in places
        ]

    def start(self) -> Trodden:
        """Return the knights in opposite corners, the first player's top left."""
        last = self.cells - 1
        return Trodden(0, last, 1 | 1 << last)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.columns, self.rows), squares=("mine", "theirs"), masks=("used",))
