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
        setup: the board at the start and the player to move, as text, such as
            ``XO.X/O.XO, white to move``; by default a full board.
    """

    rows: int = 4
    columns: int = 4
    setup: str = ""

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
        """Return the board as it is set up, by default full."""
        if self.setup:
            return self.parse(self.setup)
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

    def split(self, p: Sides) -> Iterator[Sides]:
        """Yield each set of cells that jumps can join, with the stones that block jumps out of it.

        What may come to a cell is found first, as if a player could make every jump at once: a jump
        needs a stone, a stone of the other colour beside it and, behind that, a cell that is empty
        or can become so. The three cells of such a jump are in one component. Stones of the other
        components are taken off, as every one of their cells may become empty anyway.
        """
        empty = self.board & ~(p.mine | p.theirs)
        if not empty & empty - 1:
            return
        mine, theirs, empty = self.reach(p.mine, p.theirs, empty)
        across = self.jumps(mine, theirs, empty, 0)
        down = self.jumps(mine, theirs, empty, 1)
        left = across | across << 1 | across << 2
        left |= down | down << self.columns | down << 2 * self.columns
        still = (p.mine | p.theirs) & ~left
        while left:
            group, grown = left & -left, 0
            while grown != group:
                grown = group
                for step, jumps in ((1, across), (self.columns, down)):
                    joined = jumps & (group | group >> step | group >> 2 * step)
                    group |= joined | joined << step | joined << 2 * step
            left &= ~group
            blocks = 0
            for axis in range(2):
                step = self.columns if axis else 1
                pairs = self.lines(axis) & group >> step
                blocks |= pairs & group >> 2 * step | (pairs & group) << 2 * step
            stones = group | blocks & still
            own, other = p.mine & stones, p.theirs & stones
            may_own, may_other, _ = self.reach(own, other, self.board & ~(own | other))
            if may_own != mine & group | own or may_other != theirs & group | other:
                # A stone that blocks nothing of the group blocks another stone.
                stones = group | still
                yield Sides(p.mine & stones, p.theirs & stones, p.player)
                continue
            shifts = (
                not self.at_wall(may_own, may_other, self.columns, self.top, self.bottom),
                not self.at_wall(may_own, may_other, 1, self.left, self.right),
            )
            _, own, other = self.normal(stones, own, other, shifts=shifts, turns=True)
            yield Sides(own, other, p.player)

    def reach(self, mine: int, theirs: int, empty: int) -> tuple[int, int, int]:
        """Return the cells that may come to hold a stone of either player, or to be empty."""
        before = (0, 0, 0)
        while before != (mine, theirs, empty):
            before = mine, theirs, empty
            for axis in range(2):
                step, low = self.columns if axis else 1, self.lines(axis)
                # Jumps over the middle cell of a line to its last cell, and to its first.
                up, back = low & empty >> 2 * step, low & empty
                own_up, own_back = up & mine & theirs >> step, back & theirs >> step
                own_back &= mine >> 2 * step
                other_up, other_back = up & theirs & mine >> step, back & mine >> step
                other_back &= theirs >> 2 * step
                mine |= own_up << 2 * step | own_back
                theirs |= other_up << 2 * step | other_back
                empty |= own_up | other_up | (own_back | other_back) << 2 * step
                empty |= (own_up | other_up | own_back | other_back) << step
        return before

    def jumps(self, mine: int, theirs: int, empty: int, axis: int) -> int:
        """Return the first cell of each line of three along which a jump may be possible."""
        step = self.columns if axis else 1
        first, last = empty, empty >> 2 * step
        own = theirs >> step & (mine & last | first & mine >> 2 * step)
        other = mine >> step & (theirs & last | first & theirs >> 2 * step)
        return self.lines(axis) & (own | other)

    def lines(self, axis: int) -> int:
        """Return the first cell of each line of three cells, along a row (0) or a column (1)."""
        if axis:
            return self.board >> 2 * self.columns
        return self.board & ~(self.right | self.right >> 1)

    def at_wall(self, mine: int, theirs: int, step: int, first: int, last: int) -> bool:
        """Return whether an edge of the board may prevent a jump: the cell behind is not there."""
        outwards = first & (theirs & mine >> step | mine & theirs >> step)
        return bool(outwards | last & (theirs & mine << step | mine & theirs << step))

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
