"""Col."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides, SidesGame
from zermelo.games._sources import ENUMERATED


@dataclass(frozen=True)
class Col(SidesGame):
    """Two players colour cells, none beside a cell of their own; whoever cannot colour one loses.

    Cells are beside each other along rows and columns, not diagonally.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    rows: int = 3
    columns: int = 4

    facts = (
        Fact({"rows": 1, "columns": 4}, "loss", 4, positions=25, source=ENUMERATED),
        Fact({"rows": 1, "columns": 7}, "loss", 6, positions=302, source=ENUMERATED),
        Fact({"rows": 1, "columns": 8}, "loss", 6, positions=699, source=ENUMERATED),
        Fact({"rows": 2, "columns": 2}, "loss", 2, positions=23, source=ENUMERATED),
        Fact({"rows": 2, "columns": 3}, "loss", 4, positions=105, source=ENUMERATED),
        Fact({"rows": 2, "columns": 4}, "loss", 6, positions=497, source=ENUMERATED),
        Fact({"rows": 3, "columns": 3}, "loss", 6, positions=1021, source=ENUMERATED),
        Fact({"rows": 3, "columns": 4}, "loss", 8, positions=10_319, source=ENUMERATED),
    )

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each empty cell that is not beside a cell of the player's own."""
        free = self.board & ~(p.mine | p.theirs | self.around(p.mine))
        for cell in range(self.rows * self.columns):
            if free >> cell & 1:
                yield cell

    def play(self, p: Sides, cell: int) -> Sides:
        """Return the board with the cell coloured, as the other player sees it."""
        return Sides(p.theirs, p.mine | 1 << cell, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of coloured cells."""
        return (p.mine | p.theirs).bit_count()
