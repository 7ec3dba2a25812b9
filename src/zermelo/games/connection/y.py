"""The Game of Y."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides
from zermelo.games._hexagons import HexagonGame
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, WIN, Outcome

#: Cells are bits of a square, of which the triangle is one half.
MOST_SIDE = 7

STANDARD = "binary of GamesmanClassic at b9dd232 (mgameofy option 0), run by us"
MISERE = "binary of GamesmanClassic at b9dd232 (mgameofy option 4), run by us"


@dataclass(frozen=True)
class Y(HexagonGame):
    """Two players fill a triangle of hexagons, and whoever joins all three sides wins.

    One group of a player's stones must touch all three sides; a corner touches two. One of the
    players always has such a group when the board is full.

    Attributes:
        side: the number of cells on a side.
        loses: whether a player who joins the three sides loses.
    """

    side: int = 4
    loses: bool = False

    facts = (
        Fact(
            {"side": 2},
            "win",
            3,
            positions=13,
            win=7,
            loss=6,
            note="3 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"side": 3, "loses": True},
            "win",
            6,
            positions=257,
            win=173,
            loss=84,
            note="3 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"side": 4},
            "win",
            7,
            positions=16_505,
            win=10_630,
            loss=5875,
            note="7 winning openings",
            source=STANDARD,
        ),
        Fact(
            {"side": 4, "loses": True},
            "win",
            10,
            positions=16_505,
            win=10_636,
            loss=5869,
            note="9 winning openings",
            source=MISERE,
        ),
    )

    def outcome(self, p: Sides) -> Outcome | None:
        """Return the result if the other player has just joined the three sides."""
        if self.joined(p.theirs):
            if self.loses:
                return WIN
            return LOSS
        return None

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

    def symmetries(self) -> Symmetry:
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
