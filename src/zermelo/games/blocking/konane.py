"""Konane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides, SidesGame
from zermelo.games._sources import ENUMERATED


@dataclass(frozen=True)
class Konane(SidesGame):
    """Stones on a full board jump over stones of the other colour; whoever cannot jump loses.

    The colours alternate at the start, as on a checkerboard, and the first player has the cell at
    the bottom left. First he removes one of his stones, in a corner or in the middle, then the
    other player one beside the gap. From then on a move is a jump over a neighbour of the other
    colour, along a row or a column, into the empty cell behind it; the stone that was jumped over
    leaves the board. A stone may jump on in the same direction, and stop where its player likes.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    rows: int = 4
    columns: int = 4

    facts = (
        Fact(
            {"rows": 3, "columns": 3},
            "loss",
            4,
            positions=42,
            win=17,
            loss=25,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 5},
            "loss",
            6,
            positions=1073,
            win=542,
            loss=531,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 4},
            "loss",
            6,
            positions=3863,
            win=2158,
            loss=1705,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 6},
            "loss",
            6,
            positions=7177,
            win=3716,
            loss=3461,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 5},
            "loss",
            6,
            positions=56_120,
            win=31_787,
            loss=24_333,
            source=ENUMERATED,
        ),
    )

    def start(self) -> Sides:
        """Return the full board."""
        mine = self.checkerboard()
        return Sides(mine, self.board & ~mine, 0)

    def moves(self, p: Sides) -> Iterator[tuple[int, int]]:
        """Yield each jump, from a cell to a cell; a removal has one cell twice."""
        empty = self.board & ~(p.mine | p.theirs)
        if not empty & empty - 1:
            removable = p.mine & (self.around(empty) if empty else self.openings)
            for cell in range(self.rows * self.columns):
                if removable >> cell & 1:
                    yield cell, cell
        else:
            for cell in range(self.rows * self.columns):
                if p.mine >> cell & 1:
                    for ray in self.straights[cell]:
                        for index in range(0, len(ray) - 1, 2):
                            if not p.theirs >> ray[index] & empty >> ray[index + 1] & 1:
                                break
                            yield cell, ray[index + 1]

    def play(self, p: Sides, move: tuple[int, int]) -> Sides:
        """Return the board after a removal or a jump, as the other player sees it."""
        source, target = move
        if source == target:
            return Sides(p.theirs, p.mine & ~(1 << source), 1 - p.player)
        low, high = min(source, target), max(source, target)
        step = self.columns if (high - low) % self.columns == 0 else 1
        jumped = 0
        for cell in range(low + step, high, 2 * step):
            jumped |= 1 << cell
        return Sides(p.theirs & ~jumped, p.mine & ~(1 << source) | 1 << target, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of empty cells."""
        return (self.board & ~(p.mine | p.theirs)).bit_count()

    @cached_property
    def openings(self) -> int:
        """The corners, and the one, two or four cells in the middle."""
        downs = ((self.rows - 1) // 2, self.rows // 2)
        acrosses = ((self.columns - 1) // 2, self.columns // 2)
        spots = [(row, column) for row in downs for column in acrosses]
        spots += [(row, column) for row in (0, self.rows - 1) for column in (0, self.columns - 1)]
        return sum(1 << cell for cell in {row * self.columns + column for row, column in spots})

    def name(self, move: tuple[int, int]) -> str:
        """Return both cells of a jump, such as ``a1a3``, or the cell of a removed stone."""
        source, target = move
        return self.cell_name(source) + ("" if source == target else self.cell_name(target))
