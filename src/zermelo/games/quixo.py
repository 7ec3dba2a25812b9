"""Quixo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game import Game
from zermelo.games._checks import check_number
from zermelo.spaces import Disjoint
from zermelo.symmetry import Symmetry, grid
from zermelo.values import LOSS, WIN, Outcome

SMALLEST, LARGEST = 2, 7


class Cubes(NamedTuple):
    """Which cubes show which mark, one bit a cube: bit 0 is top left, row by row.

    Attributes:
        mine: the cubes with the mark of the player to move.
        theirs: the cubes with the other player's mark.
        player: who is to move, 0 or 1.
    """

    mine: int
    theirs: int
    player: int


@dataclass(frozen=True)
class Quixo(Game):
    """Two players push cubes along the lines of a board, and a line of one's own mark wins.

    A move takes a cube from the border that is blank or shows the player's own mark, and pushes it
    back in, own mark up, at another end of its row or column. All cubes between move up by one. A
    player who makes a line of the other's mark loses, even with a line of the own mark.

    Attributes:
        size: cubes in a row and in a column.
    """

    size: int = 4

    players = ("X", "O")

    def start(self) -> Cubes:
        """Return the board of blank cubes."""
        return Cubes(0, 0, 0)

    def turn(self, cubes: Cubes) -> int:
        """Return who is to move."""
        return cubes.player

    def outcome(self, cubes: Cubes) -> Outcome | None:
        """Return WIN if there is a line of the player to move, and else LOSS if of the other."""
        if self.has_line(cubes.mine):
            return WIN
        if self.has_line(cubes.theirs):
            return LOSS
        return None

    def moves(self, cubes: Cubes) -> Iterator[int]:
        """Yield the number of each push, but one of those that come to the same.

        Two cubes that look the same, next to each other, come to the same if they are pushed in at
        the same end.
        """
        for push in range(len(self.pushes)):
            cube, nearer = self.pushes[push][0], self.pushes[push][1]
            if cubes.theirs >> cube & 1:
                continue
            if nearer >= 0 and not cubes.theirs >> nearer & 1:
                if (cubes.mine >> cube ^ cubes.mine >> nearer) & 1 == 0:
                    continue
            yield push

    def play(self, cubes: Cubes, push: int) -> Cubes:
        """Return the cubes after a push, as the other player sees them."""
        kept, back, ahead, new = self.effects[push]
        step = self.pushes[push][2]
        mine, theirs = cubes.mine, cubes.theirs
        mine = mine & kept | (mine & back) << step | (mine & ahead) >> step | new
        theirs = theirs & kept | (theirs & back) << step | (theirs & ahead) >> step
        return Cubes(theirs, mine, 1 - cubes.player)

    def has_line(self, cubes: int) -> bool:
        """Whether these cubes hold a row, a column or a long diagonal."""
        for line in self.lines:
            if cubes & line == line:
                return True
        return False

    def level(self, cubes: Cubes) -> int:
        """Return how many cubes show a mark."""
        return (cubes.mine | cubes.theirs).bit_count()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the turns and mirrors of the board, and the exchange of the players."""
        board = Symmetry(grid(self.size, self.size), masks=("mine", "theirs"))
        return board, Symmetry(flip=("player",))

    def space(self) -> Cubes:
        """Return that no cube shows both marks, and the range of the player."""
        marks: Any = Disjoint(self.size**2)
        player: Any = range(2)
        return Cubes(marks, marks, player)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Each row, each column and both long diagonals, as cubes."""
        n = self.size
        rows = [range(row * n, row * n + n) for row in range(n)]
        columns = [range(column, n * n, n) for column in range(n)]
        diagonals = [range(0, n * n, n + 1), range(n - 1, n * n - 1, n - 1)]
        return tuple(sum(1 << cube for cube in line) for line in (*rows, *columns, *diagonals))

    @cached_property
    def pushes(self) -> tuple[tuple[int, int, int, int], ...]:
        """For each push: the cube, the next one nearer to the end where it goes in, the step, the end.

        The cube nearer is -1 where that cube cannot be taken to that end.
        """
        n = self.size
        found = []
        for cube in range(n * n):
            row, column = divmod(cube, n)
            if 0 < row < n - 1 and 0 < column < n - 1:
                continue
            for end, step in (
                (row * n, 1),
                (row * n + n - 1, 1),
                (column, n),
                (n * n - n + column, n),
            ):
                if end == cube:
                    continue
                nearer = cube - step if end < cube else cube + step
                inner = (0 < row < n - 1) if step == 1 else (0 < column < n - 1)
                found.append((cube, -1 if inner or nearer == end else nearer, step, end))
        return tuple(found)

    @cached_property
    def effects(self) -> tuple[tuple[int, int, int, int], ...]:
        """For each push the cubes that stay, those that move back and ahead, and the new one."""
        found = []
        for cube, _, step, end in self.pushes:
            back = sum(1 << c for c in range(end, cube, step)) if end < cube else 0
            ahead = sum(1 << c for c in range(end, cube, -step)) if end > cube else 0
            board = (1 << self.size**2) - 1
            found.append((board & ~(back | ahead | 1 << cube), back, ahead, 1 << end))
        return tuple(found)

    def validate(self) -> None:
        """Raise ParameterError unless the board has a size that fits."""
        check_number("size", self.size, SMALLEST, LARGEST)
