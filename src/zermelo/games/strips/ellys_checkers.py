"""Elly's checkers: pieces that run off a strip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact

MOST_SQUARES = 63
ALL = (1 << MOST_SQUARES) - 1


@dataclass(frozen=True)
class EllysCheckers(Game):
    """Two players move the pieces on a strip to the right, and the one who cannot move loses.

    A move takes any piece one square to the right, onto an empty square; or three squares to the
    right, onto an empty square, if both squares between are occupied. A piece that comes to the
    rightmost square, or starts there, vanishes.

    A position is a number whose binary digits are the squares, a 1 for each piece; so the
    rightmost square is bit 0. A move is the number of the piece's bit, which is how many squares
    the piece has still to go.

    Attributes:
        board: the squares from left to right, ``o`` for a piece and ``.`` for an empty one.
    """

    title = "Elly's Checkers"

    board: str = ".o...ooo..oo.."

    facts = tuple(
        Fact({"board": board}, value, source="TopCoder SRM 534, the problem statement")
        for board, value in ((".o...", "win"), ("..o..o", "win"), (".o...ooo..oo..", "loss"))
    )

    def start(self) -> int:
        """Return the pieces on the board as bits."""
        return bits(self.board)

    def moves(self, pieces: int) -> Iterator[int]:
        """Yield the bit of each piece that can move; no piece has more than one move."""
        one_ahead, two_ahead, three_ahead = pieces << 1 & ALL, pieces << 2 & ALL, pieces << 3 & ALL
        able = pieces & (~one_ahead | two_ahead & ~three_ahead)
        for square in range(1, pieces.bit_length()):
            if able >> square & 1:
                yield square

    def play(self, pieces: int, square: int) -> int:
        """Return the pieces after the one at bit ``square`` has moved."""
        landing = square - 3 if pieces >> (square - 1) & 1 else square - 1
        moved = pieces ^ 1 << square | 1 << landing
        return moved & ~1

    def space(self) -> range:
        """Return the range of a position."""
        return range(1 << len(self.board))

    def validate(self) -> None:
        """Raise ParameterError unless the board is 1 to 63 squares, each ``o`` or ``.``."""
        if not isinstance(self.board, str):
            message = f"board must be a string, not {self.board!r}; write one such as '.o...'"
            raise ParameterError(message)
        if not 1 <= len(self.board) <= MOST_SQUARES:
            message = (
                f"board {self.board!r} has {len(self.board)} squares; give 1 to {MOST_SQUARES}"
            )
            raise ParameterError(message)
        wrong = next((mark for mark in self.board if mark not in "o."), None)
        if wrong is not None:
            message = (
                f"board {self.board!r} has a mark {wrong!r}; write 'o' for a piece and '.' for an "
                "empty square"
            )
            raise ParameterError(message)

    def show(self, pieces: int) -> str:
        """Return the squares from left to right, such as ``..o.o.``."""
        digits = f"{pieces:0{len(self.board)}b}"
        return digits.replace("1", "o").replace("0", ".")

    def svg(self, pieces: int) -> str:
        """Draw the strip, each square marked with the squares still to go."""
        squares = self.show(pieces)
        to_go = [str(square) for square in reversed(range(len(squares)))]
        moves = [self.name(square) for square in reversed(range(len(squares)))]
        return drawing.grid([squares], discs="o", title=squares, below=to_go, moves=[moves])

    def name(self, square: int) -> str:
        """Return the name of a move: the number of squares that the piece has still to go."""
        return f"piece {square} from the end"

    def parse(self, text: str) -> int:
        """Read a strip as ``show`` writes it."""
        squares = text.strip()
        if len(squares) != len(self.board) or set(squares) - set("o."):
            message = (
                f"{text!r} is not a board of {len(self.board)} squares; write each as 'o' or '.'"
            )
            raise PositionError(message)
        return bits(squares)


def bits(squares: str) -> int:
    """Return the pieces on a strip as bits, less one on the rightmost square."""
    return int(squares.replace("o", "1").replace(".", "0"), 2) & ~1
