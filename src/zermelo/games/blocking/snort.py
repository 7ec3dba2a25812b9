"""Snort."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides, SidesGame
from zermelo.games._sources import ENUMERATED


@dataclass(frozen=True)
class Snort(SidesGame):
    """Two players colour cells, none beside one of the other's; whoever cannot colour one loses.

    Cells are beside each other along rows and columns, not diagonally.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    rows: int = 3
    columns: int = 5

    facts = (
        Fact({"rows": 1, "columns": 5}, "win", 3, positions=29, source=ENUMERATED),
        Fact({"rows": 1, "columns": 7}, "win", 5, positions=147, source=ENUMERATED),
        Fact({"rows": 1, "columns": 8}, "win", 7, positions=335, source=ENUMERATED),
        Fact({"rows": 2, "columns": 2}, "loss", 2, positions=9, source=ENUMERATED),
        Fact({"rows": 2, "columns": 4}, "loss", 6, positions=179, source=ENUMERATED),
        Fact({"rows": 2, "columns": 5}, "win", 5, positions=841, source=ENUMERATED),
    )

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each empty cell that is not beside a cell of the other player's."""
        free = self.board & ~(p.mine | p.theirs | self.around(p.theirs))
        for cell in range(self.rows * self.columns):
            if free >> cell & 1:
                yield cell

    def play(self, p: Sides, cell: int) -> Sides:
        """Return the board with the cell coloured, as the other player sees it."""
        return Sides(p.theirs, p.mine | 1 << cell, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of coloured cells."""
        return (p.mine | p.theirs).bit_count()
