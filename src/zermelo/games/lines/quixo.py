"""Quixo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, WIN, Outcome

SMALLEST, LARGEST = 3, 7
#: The side at which a cube goes in: the low two bits of a move. The rest is the cube's number.
WEST, EAST, NORTH, SOUTH = range(4)


class Cubes(NamedTuple):
    """The cubes with each player's mark, one bit per cube: bit 0 is top left, row by row.

    Attributes:
        mine: the cubes with the mark of the player to move.
        theirs: the cubes with the other player's mark.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    player: int


@dataclass(frozen=True)
class Quixo(Game):
    """Two players push cubes along the lines of a board, and a line of one's own mark wins.

    A move takes a cube from the border that is blank or shows the player's own mark, and pushes it
    back in, own mark up, at another end of its row or column; the cubes between shift by one. A
    player who makes a line of the other's mark loses, even with a line of their own mark.

    Attributes:
        size: the number of cubes in a row and in a column.
    """

    size: int = 3

    players = ("X", "O")

    facts = (
        Fact(
            {"size": 3},
            "win",
            7,
            positions=32027,
            win=20247,
            loss=11780,
            tie=0,
            endless=0,
            longest_loss=8,
            source="GamesmanOne 1.3.0, run by us",
        ),
        Fact(
            {"size": 4},
            "win",
            21,
            positions=82497861,
            win=49953979,
            loss=29330646,
            tie=0,
            endless=3213236,
            longest_loss=22,
            checked=False,
            note="minutes; 16 positions are lost in 22",
            source="GamesmanOne 1.3.0, run by us",
        ),
    )

    def start(self) -> Cubes:
        """Return the board of blank cubes."""
        return Cubes(0, 0, 0)

    def turn(self, cubes: Cubes) -> int:
        """Return the player to move."""
        return cubes.player

    def outcome(self, cubes: Cubes) -> Outcome | None:
        """Return WIN if the player to move has a line, else LOSS if the other player has one."""
        if self.has_line(cubes.mine):
            return WIN
        if self.has_line(cubes.theirs):
            return LOSS
        return None

    def moves(self, cubes: Cubes) -> Iterator[int]:
        """Yield each push, only one of those with the same result.

        Neighbours that look the same have the same result if they go in at one end.
        """
        n = self.size
        free = ~cubes.theirs
        west, east = free & self.to_west, free & self.to_east
        north, south = free & self.to_north, free & self.to_south
        mine = cubes.mine
        west &= ~(west << 1 & ~(mine ^ mine << 1))
        east &= ~(east >> 1 & ~(mine ^ mine >> 1))
        north &= ~(north << n & ~(mine ^ mine << n))
        south &= ~(south >> n & ~(mine ^ mine >> n))
        for side in range(4):
            left = west if side == WEST else east if side == EAST else north
            if side == SOUTH:
                left = south
            while left:
                yield (left & -left).bit_length() - 1 << 2 | side
                left &= left - 1

    def play(self, cubes: Cubes, push: int) -> Cubes:
        """Return the cubes after a push, as the other player sees them."""
        n = self.size
        cube, side = push >> 2, push & 3
        column = cube % n
        cube_bit = 1 << cube
        if side == WEST:
            end = cube_bit >> column
            moved = cube_bit - end
        elif side == EAST:
            end = cube_bit << n - 1 - column
            moved = 2 * (end - cube_bit)
        elif side == NORTH:
            end = 1 << column
            moved = cube_bit - end & self.first_column << column
        else:
            end = 1 << n * n - n + column
            moved = 2 * (end - cube_bit) & self.first_column << column
        still = ~(moved | cube_bit)
        step = n if side >= NORTH else 1
        mine, theirs = cubes.mine & moved, cubes.theirs & moved
        if side in (WEST, NORTH):
            mine, theirs = mine << step, theirs << step
        else:
            mine, theirs = mine >> step, theirs >> step
        return Cubes(
            cubes.theirs & still | theirs, cubes.mine & still | mine | end, 1 - cubes.player
        )

    def has_line(self, cubes: int) -> bool:
        """Return whether a set of cubes contains a row, a column or a long diagonal."""
        n = self.size
        across = down = cubes
        for step in range(1, n):
            across &= cubes >> step
            down &= cubes >> step * n
        if across & self.first_column or down & (1 << n) - 1:
            return True
        for line in self.diagonals:
            if cubes & line == line:
                return True
        return False

    def level(self, cubes: Cubes) -> int:
        """Return the number of cubes that show a mark."""
        return (cubes.mine | cubes.theirs).bit_count()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        board = Symmetry(grid(self.size, self.size), masks=("mine", "theirs"))
        return board, Symmetry(flip=("player",))

    def space(self) -> Cubes:
        """Return the range of each field; no cube shows both marks."""
        marks: Any = Disjoint(self.size**2)
        player: Any = range(2)
        return Cubes(marks, marks, player)

    @cached_property
    def first_column(self) -> int:
        """The leftmost column."""
        return sum(1 << row * self.size for row in range(self.size))

    @cached_property
    def diagonals(self) -> tuple[int, int]:
        """The two long diagonals."""
        n = self.size
        falling, rising = range(0, n * n, n + 1), range(n - 1, n * n - 1, n - 1)
        return sum(1 << cube for cube in falling), sum(1 << cube for cube in rising)

    @cached_property
    def to_west(self) -> int:
        """The cubes that can be taken and pushed in at the west end of their row."""
        return self._takeable(WEST)

    @cached_property
    def to_east(self) -> int:
        """The cubes that can go in at the east end of their row."""
        return self._takeable(EAST)

    @cached_property
    def to_north(self) -> int:
        """The cubes that can go in at the north end of their column."""
        return self._takeable(NORTH)

    @cached_property
    def to_south(self) -> int:
        """The cubes that can go in at the south end of their column."""
        return self._takeable(SOUTH)

    def _takeable(self, side: int) -> int:
        n = self.size
        cubes = 0
        for cube in range(n * n):
            row, column = divmod(cube, n)
            line = row if side in (WEST, EAST) else column
            away = (column, n - 1 - column, row, n - 1 - row)[side]
            # Only the other end of an inner line is on the border, but all of an outer line.
            if away == n - 1 or (away > 0 and line in (0, n - 1)):
                cubes |= 1 << cube
        return cubes

    def validate(self) -> None:
        """Raise ParameterError unless the board has a size that fits."""
        check_number("size", self.size, SMALLEST, LARGEST)

    def show(self, cubes: Cubes) -> str:
        """Return a line of ``X``, ``O`` and ``.`` for each row, and the player to move."""
        first, second = cubes.mine, cubes.theirs
        if cubes.player:
            first, second = second, first
        marks = "".join(
            "X" if first >> cube & 1 else "O" if second >> cube & 1 else "."
            for cube in range(self.size**2)
        )
        rows = [" ".join(marks[at : at + self.size]) for at in range(0, len(marks), self.size)]
        return "\n".join([*rows, f"{self.players[cubes.player]} to move"])

    def svg(self, cubes: Cubes) -> str:
        """Draw the board."""
        *rows, mover = self.show(cubes).split("\n")
        rows = [row.replace(" ", "") for row in rows]
        n = self.size
        moves = [["abcdefg"[column] + str(n - row) for column in range(n)] for row in range(n)]
        return drawing.grid(rows, title=f"quixo: {' / '.join(rows)}, {mover}", moves=moves)

    def name(self, push: int) -> str:
        """Return the cells that a cube comes from and goes to, such as ``b3a3``; row 1 is below."""
        cube, side = push >> 2, push & 3
        n = self.size
        row, column = divmod(cube, n)
        end = ((row, 0), (row, n - 1), (0, column), (n - 1, column))[side]
        source_name, target_name = ("abcdefg"[c] + str(n - r) for r, c in ((row, column), end))
        return source_name + target_name

    def parse(self, text: str) -> Cubes:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        The player to move may be left out, and is then X.
        """
        board, words, mover = text.strip().replace("/", "\n"), "to move", "X"
        if board.endswith(words):
            board = board.removesuffix(words).rstrip()
            board, mover = board[:-1], board[-1:]
        rows = ["".join(row.split()) for row in board.split("\n")]
        rows = [row for row in rows if row]
        marks = "".join(rows)
        n = self.size
        if [len(row) for row in rows] != [n] * n or set(marks) - set("XO.") or mover not in "XO":
            message = (
                f"{text!r} is not {n} rows of {n} cubes; write X, O and . for a blank cube, rows "
                "separated by /, and then 'X to move' or 'O to move'"
            )
            raise PositionError(message)
        first, second = (
            sum(1 << cube for cube, mark in enumerate(marks) if mark == own) for own in "XO"
        )
        return Cubes(second, first, 1) if mover == "O" else Cubes(first, second, 0)
