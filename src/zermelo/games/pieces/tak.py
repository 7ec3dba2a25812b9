"""Tak."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.drawing import CELL, FIRST, MARGIN, SECOND, caption
from zermelo.errors import PositionError
from zermelo.game.contract import put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._grids import GridGame, SquareBoard
from zermelo.games._sources import COUNTED_IN_PYTHON
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import NOBODY

#: Larger boards have capstones, which this class does not know.
SMALLEST, LARGEST = 2, 4
#: The stones of a player on a board of 4 by 4 cells; on 3 by 3 cells there are ten.
FEWEST_STONES, MOST_STONES = 2, 15
#: A cell without stones.
EMPTY = 1
#: The second number of a move: a direction of a stack, or the kind of a new stone.
UP, DOWN, LEFT, RIGHT, FLAT, WALL = range(6)
#: The most stones of a stack that a picture spells.
_SPELT = 7


class StoneStacks(NamedTuple):
    """The stones on each cell, and the player to move.

    A stack is a number in binary: a leading 1, and then a digit for each stone, the lowest first,
    which is the number of the player who owns it. So the stone on top is the last digit.

    Attributes:
        stacks: the stack on each cell, row by row from the top left; 1 is an empty cell.
        walls: the cells whose stone on top is a wall, one bit each.
        player: the player to move, 0 or 1.
    """

    stacks: tuple[int, ...]
    walls: int
    player: int


@dataclass(frozen=True)
class Tak(SquareBoard, GridGame):
    """Flat stones are to make a road from side to side; walls stop it, and stacks walk.

    In a turn a player puts a stone on an empty cell, flat or as a wall, or moves stones from the
    top of a stack that the player has the top stone of: as many as a row has cells at most, in a
    straight line, with at least one stone left on each cell passed. Nothing goes onto a wall. The
    first stone that each player puts is a flat one of the other player. If there is no road when
    the board is full, or when a player has put the last stone, the most flat stones on top win.

    Attributes:
        size: the number of cells in a row and in a column.
        stones: the number of stones that each player has; by the published rules ten on 3 by 3
            cells, and fifteen on 4 by 4.
    """

    size: int = 3
    stones: int = 3

    players = ("X", "O")
    facts = (
        Fact(
            {"size": 2, "stones": 3},
            "win",
            3,
            positions=4617,
            win=1657,
            loss=1364,
            tie=1596,
            endless=0,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"size": 3, "stones": 3},
            "win",
            5,
            positions=287_290,
            win=78_631,
            loss=107_949,
            tie=100_710,
            endless=0,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"size": 3, "stones": 10},
            "win",
            13,
            checked=False,
            note="that 13 plies suffice; zermelo prove finds that no fewer do",
            source="u/alphatak, reddit.com/r/Tak/comments/4is894 (2016)",
        ),
    )

    def start(self) -> StoneStacks:
        """Return the empty board."""
        return StoneStacks((EMPTY,) * self.size**2, 0, 0)

    def turn(self, p: StoneStacks) -> int:
        """Return the player to move."""
        return p.player

    def winner(self, p: StoneStacks) -> int | None:
        """Return the player with a road, or after the last stone the one with more flat stones.

        If both have a road, the player who made the last move wins.
        """
        first = second = full = 0
        for cell in range(self.cells):
            stack = p.stacks[cell]
            if stack != EMPTY:
                full |= 1 << cell
                if not p.walls >> cell & 1:
                    if stack & 1:
                        second |= 1 << cell
                    else:
                        first |= 1 << cell
        if self.has_road(first if p.player else second):
            return 1 - p.player
        if self.has_road(second if p.player else first):
            return p.player
        if full == self.board or self.stones in self.placed(p):
            difference = first.bit_count() - second.bit_count()
            return NOBODY if difference == 0 else 0 if difference > 0 else 1
        return None

    def moves(self, p: StoneStacks) -> Iterator[tuple[int, int, int]]:
        """Yield each new stone as (cell, ``FLAT`` or ``WALL``, 0), then each move of a stack.

        A move of a stack is (cell, direction, drops). ``drops`` has a binary digit for each stone
        that moves, the lowest first: 1 if it is the first on its new cell, and 0 if it stays on the
        stone before.
        """
        for cell in range(self.cells):
            if p.stacks[cell] == EMPTY:
                yield cell, FLAT, 0
        if not self.is_opening(p):
            for cell in range(self.cells):
                if p.stacks[cell] == EMPTY:
                    yield cell, WALL, 0
            for cell in range(self.cells):
                stack = p.stacks[cell]
                if stack != EMPTY and stack & 1 == p.player:
                    yield from self.stack_moves(p, cell)

    def stack_moves(self, p: StoneStacks, cell: int) -> Iterator[tuple[int, int, int]]:
        """Yield the moves of the stack on a cell."""
        most = min(p.stacks[cell].bit_length() - 1, self.size)
        for way in range(4):
            free = self.free_cells(p, cell, way)
            if free > 0:
                for drops in range(1, 1 << most):
                    if drops.bit_count() <= free:
                        yield cell, way, drops

    def play(self, p: StoneStacks, move: tuple[int, int, int]) -> StoneStacks:
        """Return the board with another stone, or after a stack moved."""
        cell, way, drops = move
        stacks, walls = p.stacks, p.walls
        if way >= FLAT:
            owner = 1 - p.player if self.is_opening(p) else p.player
            stacks = put(stacks, cell, EMPTY << 1 | owner)
            if way == WALL:
                walls |= 1 << cell
            return StoneStacks(stacks, walls, 1 - p.player)
        carried = drops.bit_length()
        stack = stacks[cell]
        stacks = put(stacks, cell, stack >> carried)
        target = cell
        for stone in range(carried - 1, -1, -1):
            if drops >> stone & 1:
                target += self.steps[way]
            stacks = put(stacks, target, stacks[target] << 1 | stack >> stone & 1)
        if walls >> cell & 1:
            walls ^= 1 << cell | 1 << target
        return StoneStacks(stacks, walls, 1 - p.player)

    def free_cells(self, p: StoneStacks, cell: int, way: int) -> int:
        """Return the number of cells in a direction before the rim or a wall."""
        free = 0
        edge = self.edges[way]
        while not edge >> cell & 1:
            cell += self.steps[way]
            if p.walls >> cell & 1:
                break
            free += 1
        return free

    def is_opening(self, p: StoneStacks) -> bool:
        """Return whether the player to move has not moved before, and puts the other's stone."""
        first, second = self.placed(p)
        return first + second < 2

    def placed(self, p: StoneStacks) -> tuple[int, int]:
        """Return the numbers of stones that each player has on the board."""
        first = second = 0
        for stack in p.stacks:
            owned = stack.bit_count() - 1
            second += owned
            first += stack.bit_length() - 1 - owned
        return first, second

    def has_road(self, flats: int) -> bool:
        """Return whether cells join two opposite sides of the board."""
        return (
            self.grown(flats & self.top, flats) & self.bottom != 0
            or self.grown(flats & self.left, flats) & self.right != 0
        )

    @cached_property
    def steps(self) -> list[int]:
        """What is added to a cell's number by a step in each direction."""
        return [-self.size, self.size, -1, 1]

    @cached_property
    def edges(self) -> list[int]:
        """The cells that have no cell beside them in each direction."""
        return [self.top, self.bottom, self.left, self.right]

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.size, self.size), rows=("stacks",), masks=("walls",))

    def space(self) -> StoneStacks:
        """Return the range of each field."""
        stack = range(1, 1 << 2 * self.stones)  # the game is over before all stones are on a cell
        stacks: Any = [stack] * self.cells
        walls: Any = range(1 << self.cells)
        player: Any = range(2)
        return StoneStacks(stacks, walls, player)

    def validate(self) -> None:
        """Raise ParameterError unless the board has no capstones, and both players have stones."""
        check_number("size", self.size, SMALLEST, LARGEST)
        super().validate()
        check_number("stones", self.stones, FEWEST_STONES, MOST_STONES)

    # -- text and pictures ----------------------------------------------------------------------

    def name(self, move: tuple[int, int, int]) -> str:
        """Return the cell of a flat stone as ``a1``, of a wall as ``Sa1``; and moves of stacks.

        ``2a1-b1c1`` moves the two upper stones of a1, the lower one of them to b1 and the other one
        to c1.
        """
        cell, way, drops = move
        if way >= FLAT:
            return ("S" if way == WALL else "") + self.cell_name(cell)
        name = f"{drops.bit_length()}{self.cell_name(cell)}-"
        for stone in reversed(range(drops.bit_length())):
            if drops >> stone & 1:
                cell += self.steps[way]
            name += self.cell_name(cell)
        return name

    def spelt(self, p: StoneStacks, cell: int) -> str:
        """Return the stones on a cell from the lowest on, with an S after a wall."""
        stones = "".join("XO"[int(digit)] for digit in f"{p.stacks[cell]:b}"[1:])
        return (stones or ".") + "S" * (p.walls >> cell & 1)

    def show(self, p: StoneStacks) -> str:
        """Return the rows, the stones of each cell from the lowest on, and the player to move."""
        cells = [self.spelt(p, cell) for cell in range(self.cells)]
        rows = [" ".join(cells[at : at + self.size]) for at in range(0, self.cells, self.size)]
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def svg(self, p: StoneStacks) -> str:
        """Draw what is on top of each cell, and below it the letters of its stack."""
        spelt = [self.spelt(p, cell) for cell in range(self.cells)]
        marks = ["." if top.endswith("S") else top[-1] for top in spelt]
        keys = ["S", *(str(count + 1) for count in range(self.size))]
        rows = [marks[at : at + self.size] for at in range(0, self.cells, self.size)]
        parts = []
        for cell, stack in enumerate(spelt):
            row, column = divmod(cell, self.size)
            x, y = MARGIN + CELL * column + CELL // 2, MARGIN + CELL * row + CELL // 2
            stones = stack.rstrip("S")
            if stack.endswith("S"):
                colour, fill = (FIRST, FIRST) if stones.endswith("X") else (SECOND, "none")
                parts.append(
                    f'<rect x="{x - 5}" y="{y - 15}" width="10" height="30" stroke-width="3" '
                    f'style="stroke:{colour};fill:{fill}"/>'
                )
            if len(stones) > 1:
                letters = stones if len(stones) <= _SPELT else f"…{stones[-_SPELT:]}"
                parts.append(caption(letters, x, y + CELL // 2 - 3, 8))
        title = "tak: " + self.show(p).replace("\n", " / ")
        picture = drawing.grid(
            [*rows, [" "], keys],
            title=title,
            discs="XO",
            moves=[*self.cell_names(), [""], keys],
        )
        return picture.replace("</svg>", "".join([*parts, "</svg>"]))

    def parse(self, text: str) -> StoneStacks:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, player = self.read_turn(text)
        lines = [line.split() for line in board.replace("/", "\n").splitlines() if line.strip()]
        words = [word for line in lines for word in line]
        if [len(line) for line in lines] != [self.size] * self.size or not all(
            re.fullmatch(r"\.|[XO]+S?", word) for word in words
        ):
            message = (
                f"{text!r} is not {self.size} rows of {self.size} cells; write the stones of each "
                "cell from the lowest on as X and O, then S if the last one is a wall, or . for an "
                "empty cell; separate rows by /"
            )
            raise PositionError(message)
        stacks = tuple(
            int("1" + word.strip(".S").replace("X", "0").replace("O", "1"), 2) for word in words
        )
        walls = sum(1 << cell for cell, word in enumerate(words) if word.endswith("S"))
        p = StoneStacks(stacks, walls, player)
        if max(self.placed(p)) > self.stones:
            message = f"{text!r} has more than {self.stones} stones of a player; remove some"
            raise PositionError(message)
        return p
