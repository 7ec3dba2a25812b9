"""The triangle of Y: its sides, chains that join them, and its symmetries."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides
from zermelo.games._hexagons import HexagonBoard
from zermelo.symmetry import Symmetry

#: Cells are bits of a square, of which the triangle is one half.
MOST_SIDE = 7


class TriangleBoard(HexagonBoard):
    """A triangle of hexagons. A subclass is a frozen dataclass with the field ``side``."""

    if TYPE_CHECKING:

        @property
        def side(self) -> int:
            """The number of cells on a side."""

    def joined(self, stones: int) -> bool:
        """Return whether a group of these stones touches all three sides."""
        seeds = stones & self.slope
        while seeds:
            group = self.grown(seeds & -seeds, stones)
            if group & self.right and group & self.bottom:
                return True
            seeds &= ~group
        return False

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.side

    @property
    def columns(self) -> int:
        """The number of cells in the longest row."""
        return self.side

    @cached_property
    def board(self) -> int:
        """All cells: the last of the first row, the last two of the second, and so on."""
        return sum(1 << row * self.side + column for row, column in self.places())

    @cached_property
    def slope(self) -> int:
        """The left side, the first cell of each row."""
        first = self.side - 1
        return sum(1 << row * self.side + column for row, column in self.places(first))

    @cached_property
    def bottom(self) -> int:
        """The last row."""
        return ((1 << self.side) - 1) << self.side * (self.side - 1)

    def indents(self) -> list[int]:
        """Return the indent of each row of a picture, in half cells."""
        return [self.side - 1 - row for row in range(self.side)]

    def places(self, limit: int = 1 << 60) -> list[tuple[int, int]]:
        """Return the row and column of each cell for which their sum is at most ``limit``."""
        return [
            (row, column)
            for row in range(self.side)
            for column in range(self.side - 1 - row, self.side)
            if row + column <= limit
        ]

    def symmetries(self) -> Symmetry | tuple[Symmetry, ...]:
        """Return the rotations and reflections of the triangle."""
        return self.board_symmetry()

    def board_symmetry(self) -> Symmetry:
        """Return the rotations and reflections of the triangle."""
        turned, mirrored = (list(range(self.cells)) for _ in range(2))
        n = self.side
        for row, column in self.places():
            # The distances of the cell from the bottom, the right and the left side.
            low, right, left = n - 1 - row, n - 1 - column, row + column - n + 1
            cell = row * n + column
            turned[cell] = (n - 1 - right) * n + n - 1 - left
            mirrored[cell] = (n - 1 - low) * n + n - 1 - left
        return Symmetry((tuple(turned), tuple(mirrored)), masks=("mine", "theirs"))

    def space(self) -> Sides:
        """Return the range of each field; no cell has both players."""
        cells: Any = Disjoint([cell for row in self.row_cells() for cell in row])
        player: Any = range(2)
        return Sides(cells, cells, player)

    def validate(self) -> None:
        """Raise ParameterError unless the triangle fits."""
        check_number("side", self.side, 1, MOST_SIDE)
