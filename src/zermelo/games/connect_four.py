"""Connect Four, of any size and length of line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_letters
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game import Game
from zermelo.games._checks import check_number, read_rows
from zermelo.values import DRAW, LOSS, Outcome

MOST_BITS = 63


class Board(NamedTuple):
    """Whose stones are where, one bit a square.

    Bits count up from the bottom of the leftmost column, column after column. Above each column
    one bit is always 0, so that a line cannot run out of one column into the next.

    Attributes:
        mine: the stones of the player to move.
        theirs: the stones of the other player.
    """

    mine: int
    theirs: int


@dataclass(frozen=True)
class ConnectFour(Game):
    """Two players drop stones into the columns of a board, and four in a row win.

    A row may run across, up or on either diagonal. Play stops at the first; a board that is full
    without one is a draw.

    Attributes:
        width: the number of columns.
        height: the number of squares in a column.
        length: how many stones in a row win.
    """

    width: int = 7
    height: int = 6
    length: int = 4

    players = ("X", "O")
    no_moves = DRAW

    @property
    def stride(self) -> int:
        """Bits in a column, the one above it included."""
        return self.height + 1

    def start(self) -> Board:
        """Return the empty board."""
        return Board(0, 0)

    def outcome(self, board: Board) -> Outcome | None:
        """Return LOSS if the last stone made a row, or None while the game goes on."""
        if self.has_row(board.theirs):
            return LOSS
        return None

    def has_row(self, stones: int) -> bool:
        """Whether enough of these stones are in a row, in one of the four directions."""
        return (
            has_run(stones, self.stride, self.length)
            or has_run(stones, 1, self.length)
            or has_run(stones, self.stride - 1, self.length)
            or has_run(stones, self.stride + 1, self.length)
        )

    def moves(self, board: Board) -> Iterator[int]:
        """Yield each column whose topmost square is empty."""
        stones = board.mine | board.theirs
        for column in range(self.width):
            if not stones >> (column * self.stride + self.height - 1) & 1:
                yield column

    def play(self, board: Board, column: int) -> Board:
        """Return the board with a stone dropped, as the other player sees it."""
        stones = board.mine | board.theirs
        # Adding at the foot of a column carries through its stones to the first empty square.
        stone = stones + (1 << column * self.stride) & ~stones
        return Board(board.theirs, board.mine | stone)

    def level(self, board: Board) -> int:
        """Return how many stones are on the board."""
        return (board.mine | board.theirs).bit_count()

    def space(self) -> Board:
        """Return the range of each field; the bit above the last column is not needed."""
        stones: Any = range(1 << (self.width * self.stride - 1))
        return Board(stones, stones)

    def validate(self) -> None:
        """Raise ParameterError unless the board fits 63 bits."""
        check_number("width", self.width, 1, MOST_BITS)
        check_number("height", self.height, 1, MOST_BITS)
        check_number("length", self.length, 1, MOST_BITS)
        if self.width * self.stride > MOST_BITS:
            message = (
                f"a board of width {self.width!r} and height {self.height!r} takes "
                f"{self.width * self.stride} bits; keep width * (height + 1) to {MOST_BITS}"
            )
            raise ParameterError(message)

    def show(self, board: Board) -> str:
        """Return the rows of ``X``, ``O`` and ``.`` from the top, and the columns' letters."""
        letters = ascii_letters[: self.width]
        return "\n".join(" ".join(row) for row in [*self._rows(board), letters])

    def svg(self, board: Board) -> str:
        """Draw the board."""
        rows = self._rows(board)
        title = f"connect four: {' / '.join(rows)}"
        return drawing.grid(rows, discs="XO", title=title, below=ascii_letters[: self.width])

    def name(self, column: int) -> str:
        """Return the letter of a column, ``a`` at the left."""
        return ascii_letters[column]

    def parse(self, text: str) -> Board:
        """Read the rows from the top, separated by line breaks or slashes."""
        columns = [row[::-1] for row in zip(*read_rows(text, self.width, self.height), strict=True)]
        for column, marks in enumerate(columns):
            if "." in "".join(marks).rstrip("."):
                message = f"{text!r} has a stone above an empty square in column "
                raise PositionError(message + f"{ascii_letters[column]!r}; let it drop")
        first, second = (
            sum(
                1 << column * self.stride + row
                for column, marks in enumerate(columns)
                for row, found in enumerate(marks)
                if found == mark
            )
            for mark in "XO"
        )
        even = first.bit_count() == second.bit_count()
        return Board(first, second) if even else Board(second, first)

    def _rows(self, board: Board) -> list[str]:
        even = board.mine.bit_count() == board.theirs.bit_count()
        first, second = board if even else board[::-1]
        return [
            "".join(
                "X" if first >> square & 1 else "O" if second >> square & 1 else "."
                for square in range(row, self.width * self.stride, self.stride)
            )
            for row in reversed(range(self.height))
        ]


def has_run(stones: int, step: int, length: int) -> bool:
    """Whether some ``length`` stones lie ``step`` bits apart."""
    run = stones
    for _ in range(length - 1):
        run &= run >> step
    return run != 0
