"""Polyomino achievement: Harary's generalised tic-tac-toe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.game.placement import PlacementGame
from zermelo.games._checks import check_number
from zermelo.games._sources import COUNTED_IN_PYTHON

#: Harary's animals of up to four cells, as row and column of each.
ANIMALS = {
    "elam": "0,0",
    "domino": "0,0 0,1",
    "tic": "0,0 0,1 0,2",
    "el": "0,0 1,0 1,1",
    "fatty": "0,0 0,1 1,0 1,1",
    "skinny": "0,0 0,1 0,2 0,3",
    "elly": "0,0 1,0 2,0 2,1",
    "knobby": "0,0 0,1 0,2 1,1",
    "tippy": "0,0 0,1 1,1 1,2",
}

_OEIS = "OEIS A380597 and A380598 (von Broemssen, 2025), counts by our own enumeration"


@dataclass(frozen=True)
class PolyominoAchievement(PlacementGame):
    """Whoever first owns all cells of a copy of a shape, turned or mirrored as may be, wins.

    A full board without one is a tie.

    Attributes:
        shape: the row and column of each cell, such as ``0,0 0,1 1,1``, or the name of an animal:
            domino, tic, el, fatty, skinny, elly, knobby or tippy.
        size: the number of squares on each side of the board.
    """

    shape: str = "tippy"
    size: int = 3

    facts = (
        Fact(
            {"shape": "domino", "size": 2},
            "win",
            3,
            positions=31,
            win=13,
            loss=12,
            tie=6,
            longest_win=3,
            longest_loss=2,
            note="published as 2 moves of the first player",
            source=_OEIS,
        ),
        Fact(
            {"shape": "tic", "size": 4},
            "win",
            5,
            positions=7270203,
            win=4067240,
            loss=2767897,
            tie=435066,
            longest_win=9,
            longest_loss=10,
            note="published as 3 moves of the first player",
            source=_OEIS,
        ),
        Fact(
            {"shape": "elly"},
            "tie",
            9,
            positions=5950,
            win=1666,
            loss=602,
            tie=3682,
            longest_win=7,
            longest_loss=6,
            source=_OEIS,
        ),
        Fact(
            {},
            "win",
            9,
            positions=5998,
            win=1117,
            loss=417,
            tie=4464,
            longest_win=9,
            longest_loss=8,
            note="published as 5 moves of the first player",
            source=_OEIS,
        ),
        Fact(
            {"shape": "fatty", "size": 4},
            "tie",
            16,
            positions=9775105,
            win=2476460,
            loss=894228,
            tie=6404417,
            longest_win=7,
            longest_loss=6,
            source=_OEIS,
        ),
        Fact(
            {"shape": "knobby", "size": 4},
            "tie",
            16,
            positions=9248243,
            win=4424963,
            loss=2506903,
            tie=2316377,
            longest_win=11,
            longest_loss=12,
            source=_OEIS,
        ),
        Fact(
            {"size": 4},
            "win",
            9,
            positions=9282381,
            win=4309278,
            loss=2396555,
            tie=2576548,
            longest_win=11,
            longest_loss=10,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"shape": "knobby", "size": 5},
            "win",
            7,
            checked=False,
            note="4 moves of the first player; 3^25 patterns are too many to solve",
            source="OEIS A380597 and A380598 (von Broemssen, 2025)",
        ),
    )

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.size

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.size

    def lines(self) -> Iterator[tuple[int, ...]]:
        """Yield each copy of the shape on the board."""
        copies = set()
        for cells in (self.cells, [(row, -column) for row, column in self.cells]):
            turned = cells
            for _ in range(4):
                turned = [(column, -row) for row, column in turned]
                top, left = (min(axis) for axis in zip(*turned, strict=True))
                copies.add(tuple(sorted((row - top, column - left) for row, column in turned)))
        for copy in sorted(copies):
            high, wide = (max(axis) for axis in zip(*copy, strict=True))
            for down in range(self.size - high):
                for right in range(self.size - wide):
                    yield tuple(self.bit(column + right, row + down) for row, column in copy)

    @cached_property
    def cells(self) -> list[tuple[int, int]]:
        """The row and column of each cell of the shape."""
        places = []
        for cell in ANIMALS.get(self.shape, self.shape).split():
            row, _, column = cell.partition(",")
            places.append((int(row), int(column)))
        return places

    def validate(self) -> None:
        """Raise ParameterError unless the board fits and the shape is valid."""
        check_number("size", self.size, 1, 7)
        try:
            cells = self.cells
        except ValueError:
            cells = []
        if not cells or len(set(cells)) < len(cells):
            message = (
                f"shape {self.shape!r} is not a shape; give row and column of each cell, such as "
                f"'0,0 0,1 1,1', or one of {', '.join(ANIMALS)}"
            )
            raise ParameterError(message)
