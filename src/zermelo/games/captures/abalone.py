"""Abalone on small boards: marbles that push."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides
from zermelo.games._hexagons import HexagonBoard
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, Outcome

#: The six directions, as rows down and columns right, each three places before its opposite.
WAYS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
#: Off the board, in the table of neighbours.
OFF = -1
#: The most marbles that move together.
STRONGEST = 3
LARGEST = 4


@dataclass(frozen=True)
class Abalone(HexagonBoard):
    """Move up to three marbles in a line and push fewer of the other's; push some off to win.

    Marbles in a line move one step, either along the line or all aside to empty cells. Along it
    they may push marbles of the other player who stand next in the line, if these are fewer and
    the cell behind them is empty or off the board. A player may not push his own marbles off.

    Attributes:
        side: the number of cells on each side of the board, a hexagon.
        marbles: the number of each player's marbles at the start, on opposite sides of the board.
        lost: the number of marbles that a player must push off to win.
    """

    side: int = 3
    marbles: int = 3
    lost: int = 1

    facts = (
        Fact(
            {"side": 2, "marbles": 2},
            "win",
            3,
            positions=468,
            win=144,
            loss=72,
            tie=0,
            endless=252,
            longest_win=3,
            longest_loss=2,
            source=ENUMERATED,
        ),
        Fact(
            outcome="endless",
            positions=1_179_888,
            win=298_516,
            loss=148_672,
            tie=0,
            endless=732_700,
            longest_win=25,
            longest_loss=24,
            source=ENUMERATED,
        ),
    )

    def start(self) -> Sides:
        """Return the board with the first player's marbles below and the second's above."""
        cells = [cell for row in self.row_cells() for cell in self._from_the_middle(row)]
        top_cells = sum(1 << cell for cell in cells[: self.marbles])
        bottom_cells = sum(1 << self.cells - 1 - cell for cell in cells[: self.marbles])
        return Sides(bottom_cells, top_cells, 0)

    def outcome(self, p: Sides) -> Outcome | None:
        """Return LOSS if enough marbles of the player to move were pushed off."""
        if p.mine.bit_count() <= self.marbles - self.lost:
            return LOSS
        return None

    def moves(self, p: Sides) -> Iterator[tuple[int, int, int]]:
        """Yield (last marble, first marble or the last again, way) of each line that can move.

        A line that moves along itself is given by its last marble alone, one that moves aside by
        both its ends.
        """
        for cell in range(self.cells):
            if p.mine >> cell & 1:
                for direction in range(6):
                    if self.pushes(p, cell, direction):
                        yield cell, cell, direction
                    for axis in range(3):
                        end, length = cell, 1
                        # A line may move aside as far as each marble of it can.
                        while (
                            direction % 3 != axis
                            and length <= STRONGEST
                            and self.holds(p.mine, end)
                            and self.is_free(p, self.next[direction * self.cells + end])
                        ):
                            if length > 1:
                                yield cell, end, direction
                            end = self.next[axis * self.cells + end]
                            length += 1

    def pushes(self, p: Sides, cell: int, way: int) -> bool:
        """Return whether the line that begins with a marble can go one step along itself."""
        pushing = pushed = 0
        while self.holds(p.mine, cell):
            pushing += 1
            cell = self.next[way * self.cells + cell]
        if cell == OFF or pushing > STRONGEST:
            return False
        while self.holds(p.theirs, cell):
            pushed += 1
            cell = self.next[way * self.cells + cell]
        return pushed < pushing and not self.holds(p.mine, cell)

    def play(self, p: Sides, move: tuple[int, int, int]) -> Sides:
        """Return the board after a line has moved, as the other player sees it."""
        cell, end, direction = move
        mine, theirs = p.mine, p.theirs
        if cell != end:
            axis = self.axis(cell, end)
            while True:
                mine ^= 1 << cell | 1 << self.next[direction * self.cells + cell]
                if cell == end:
                    return Sides(theirs, mine, 1 - p.player)
                cell = self.next[axis * self.cells + cell]
        mine ^= 1 << cell
        while self.holds(p.mine, cell):
            cell = self.next[direction * self.cells + cell]
        mine |= 1 << cell
        if theirs >> cell & 1:
            theirs ^= 1 << cell
            while self.holds(p.theirs, cell):
                cell = self.next[direction * self.cells + cell]
            if cell != OFF:
                theirs |= 1 << cell
        return Sides(theirs, mine, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of marbles that are off the board."""
        return 2 * self.marbles - (p.mine | p.theirs).bit_count()

    def axis(self, cell: int, end: int) -> int:
        """Return the direction, of the first three, from one end of a line to the other."""
        for axis in range(2):
            neighbour = self.next[axis * self.cells + cell]
            if neighbour == end or (
                neighbour != OFF and self.next[axis * self.cells + neighbour] == end
            ):
                return axis
        return 2

    def holds(self, marbles: int, cell: int) -> bool:
        """Return whether one of these marbles is on a cell; off the board there is none."""
        return cell != OFF and marbles >> cell & 1 == 1

    def is_free(self, p: Sides, cell: int) -> bool:
        """Return whether a cell is on the board and empty."""
        return cell != OFF and (p.mine | p.theirs) >> cell & 1 == 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return 2 * self.side - 1

    @property
    def columns(self) -> int:
        """The number of cells in the longest row."""
        return 2 * self.side - 1

    @cached_property
    def board(self) -> int:
        """All cells."""
        return sum(1 << row * self.columns + column for row, column in self.places())

    @cached_property
    def next(self) -> list[int]:
        """The neighbour of each cell in each direction, at ``way * cells + cell``; -1 is off."""
        places = set(self.places())
        table = [OFF] * (len(WAYS) * self.cells)
        for direction, (down, right) in enumerate(WAYS):
            for row, column in places:
                if (row + down, column + right) in places:
                    neighbour = (row + down) * self.columns + column + right
                    table[direction * self.cells + row * self.columns + column] = neighbour
        return table

    def places(self) -> list[tuple[int, int]]:
        """Return the row and column of each cell."""
        wide = 2 * self.side - 1
        return [
            (row, column)
            for row in range(wide)
            for column in range(wide)
            if self.side - 1 <= row + column <= 3 * (self.side - 1)
        ]

    def indents(self) -> list[int]:
        """Return the indent of each row of a picture, in half cells."""
        return [abs(row - self.side + 1) for row in range(self.rows)]

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        # The last cells of the square around the board are not part of it.
        turned, mirrored = (list(range(self.board.bit_length())) for _ in range(2))
        middle = self.side - 1
        for row, column in self.places():
            down, right = row - middle, column - middle
            cell = row * self.columns + column
            turned[cell] = (down + right + middle) * self.columns + middle - down
            mirrored[cell] = column * self.columns + row
        board = Symmetry((tuple(turned), tuple(mirrored)), masks=("mine", "theirs"))
        return board, Symmetry(flip=("player",))

    def space(self) -> Sides:
        """Return the range of each field; no cell has both players."""
        cells: Any = Disjoint([cell for row in self.row_cells() for cell in row])
        player: Any = range(2)
        return Sides(cells, cells, player)

    def validate(self) -> None:
        """Raise ParameterError unless the marbles have room."""
        check_number("side", self.side, 2, LARGEST)
        room = (self.side - 1) * (3 * self.side - 2) // 2  # above the row in the middle
        check_number("marbles", self.marbles, 1, room)
        check_number("lost", self.lost, 1, self.marbles)

    def name(self, move: tuple[int, int, int]) -> str:
        """Return the marbles at the ends of a line, the last one first, and its new cell."""
        cell, end, direction = move
        ends = (cell,) if cell == end else (cell, end)
        new_cell = self.next[direction * self.cells + cell]
        return "".join(map(self.cell_name, (*ends, new_cell)))

    def _from_the_middle(self, row: list[int]) -> list[int]:
        """Return the cells of a row, those in the middle first."""
        return sorted(row, key=lambda cell: abs(2 * row.index(cell) - len(row) + 1))
