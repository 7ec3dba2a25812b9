"""Nu tic-tac-toe: marks that slide."""

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
from zermelo.games._sources import COUNTED_IN_PYTHON
from zermelo.symmetry import Symmetry, grid

#: The directions in which three may stand in a row.
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class SlidingMarks(NamedTuple):
    """The squares of each player's marks, one bit per square: bit 0 is top left, row by row.

    Attributes:
        crosses: the squares of X.
        rings: the squares of O.
        player: the player to move, 0 for X or 1 for O.
    """

    crosses: int
    rings: int
    player: int


@dataclass(frozen=True)
class NuTicTacToe(Game):
    """Slide one of your marks a square up, down, left or right; three in a row win.

    The marks stand on the top and the bottom row at the start, crosses and rings in turn.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    title = "Nu Tic-tac-toe"

    rows: int = 3
    columns: int = 3

    players = ("X", "O")

    facts = (
        Fact(
            {},
            "endless",
            positions=1520,
            win=756,
            loss=432,
            tie=0,
            endless=332,
            longest_win=5,
            longest_loss=6,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"rows": 4, "columns": 4},
            "endless",
            positions=750914,
            win=445453,
            loss=302865,
            tie=0,
            endless=2596,
            longest_win=21,
            longest_loss=22,
            source=COUNTED_IN_PYTHON,
        ),
    )

    def start(self) -> SlidingMarks:
        """Return both rows of marks in turn, X first above and O first below."""
        top_row = sum(1 << column for column in range(0, self.columns, 2))
        bottom_row = sum(1 << column for column in range(1, self.columns, 2))
        row, lowest = (1 << self.columns) - 1, self.columns * (self.rows - 1)
        return SlidingMarks(
            top_row | bottom_row << lowest, row & ~top_row | (row & ~bottom_row) << lowest, 0
        )

    def turn(self, marks: SlidingMarks) -> int:
        """Return the player to move."""
        return marks.player

    def winner(self, marks: SlidingMarks) -> int | None:
        """Return the player who has just made a row."""
        last = marks.crosses if marks.player else marks.rings
        for line in self.lines:
            if last & line == line:
                return 1 - marks.player
        return None

    def moves(self, marks: SlidingMarks) -> Iterator[tuple[int, int]]:
        """Yield (from, to) for each step of an own mark to an empty square beside it."""
        own_marks = marks.rings if marks.player else marks.crosses
        occupied = marks.crosses | marks.rings
        for square in range(self.rows * self.columns):
            if own_marks >> square & 1:
                for neighbour in self.beside[square]:
                    if not occupied >> neighbour & 1:
                        yield square, neighbour

    def play(self, marks: SlidingMarks, move: tuple[int, int]) -> SlidingMarks:
        """Return the board after a step."""
        step = 1 << move[0] | 1 << move[1]
        if marks.player == 0:
            return SlidingMarks(marks.crosses ^ step, marks.rings, 1)
        return SlidingMarks(marks.crosses, marks.rings ^ step, 0)

    @cached_property
    def beside(self) -> list[list[int]]:
        """The squares beside each square."""
        steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
        return [
            [
                self.columns * (row + down) + column + right
                for down, right in steps
                if 0 <= row + down < self.rows and 0 <= column + right < self.columns
            ]
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    @cached_property
    def lines(self) -> list[int]:
        """Each three squares in a row."""
        return [
            sum(1 << self.columns * (row + i * down) + column + i * right for i in range(3))
            for row in range(self.rows)
            for column in range(self.columns)
            for down, right in _DIRECTIONS
            if row + 2 * down < self.rows and 0 <= column + 2 * right < self.columns
        ]

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        board = Symmetry(grid(self.columns, self.rows), masks=("crosses", "rings"))
        return board, Symmetry(swap=(("crosses", "rings"),), flip=("player",))

    def space(self) -> SlidingMarks:
        """Return the range of each field; each player has a fixed number of squares."""
        start = self.start()
        counts = (start.crosses.bit_count(), start.rings.bit_count())
        marks: Any = Disjoint(self.rows * self.columns, counts)
        player: Any = range(2)
        return SlidingMarks(marks, marks, player)

    def validate(self) -> None:
        """Raise ParameterError unless the board is large enough, and fits."""
        check_number("rows", self.rows, 2, 7)
        check_number("columns", self.columns, 2, 7)

    def show(self, marks: SlidingMarks) -> str:
        """Return a line of ``X``, ``O`` and ``.`` for each row, and the player to move."""
        rows = [" ".join(row) for row in self._rows(marks)]
        return "\n".join([*rows, f"{self.players[marks.player]} to move"])

    def svg(self, marks: SlidingMarks) -> str:
        """Draw the board."""
        rows = self._rows(marks)
        moves = [
            [self._square(self.columns * row + column) for column in range(self.columns)]
            for row in range(self.rows)
        ]
        title = f"nu tic-tac-toe: {' / '.join(rows)}, {self.players[marks.player]} to move"
        return drawing.grid(rows, title=title, moves=moves)

    def name(self, move: tuple[int, int]) -> str:
        """Return both squares, such as ``a3a2``; row 1 is below."""
        return self._square(move[0]) + self._square(move[1])

    def parse(self, text: str) -> SlidingMarks:
        """Read the rows, separated by line breaks or slashes, and the player to move."""
        lines = ["".join(line.split()) for line in text.strip().replace("/", "\n").split("\n")]
        turns = [f"{player}tomove" for player in self.players]
        player = turns.index(lines.pop()) if lines[-1] in turns else 0
        squares = "".join(lines)
        right = [len(line) for line in lines] == [self.columns] * self.rows
        if not right or set(squares) - set("XO."):
            message = (
                f"{text!r} is not {self.rows} rows of {self.columns} squares; write X, O and . for "
                "an empty square, rows separated by /, and then 'X to move' or 'O to move'"
            )
            raise PositionError(message)
        crosses, rings = (
            sum(1 << square for square, mark in enumerate(squares) if mark == own) for own in "XO"
        )
        return SlidingMarks(crosses, rings, player)

    def _rows(self, marks: SlidingMarks) -> list[str]:
        squares = "".join(
            "X" if marks.crosses >> at & 1 else "O" if marks.rings >> at & 1 else "."
            for at in range(self.rows * self.columns)
        )
        return [squares[at : at + self.columns] for at in range(0, len(squares), self.columns)]

    def _square(self, square: int) -> str:
        row, column = divmod(square, self.columns)
        return f"{'abcdefg'[column]}{self.rows - row}"
