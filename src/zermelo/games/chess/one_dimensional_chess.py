"""One-dimensional chess."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED
from zermelo.values.outcomes import DRAW, LOSS, Outcome

EMPTY, KING, KNIGHT, ROOK = range(4)
#: The number added to a black man.
BLACK = 3
LETTERS = ".KNRknr"
FIGURES = ".♔♘♖♚♞♜"
SIDES = ("white", "black")
LONGEST = 16


class ChessRow(NamedTuple):
    """The man on each square from the left, and the side to move.

    Attributes:
        squares: 0 for an empty square, 1 to 3 for white's king, knight and rook, 4 to 6 for
            black's.
        side: 0 if white is to move, 1 if black is.
    """

    squares: tuple[int, ...]
    side: int


@dataclass(frozen=True)
class OneDimensionalChess(Game):
    """Chess on a single row of squares, with a king, a knight and a rook on each side.

    The king moves one square, the knight jumps exactly two, and the rook slides over empty squares;
    each takes what it moves onto. Whoever is in check must get out of it, and no move may leave the
    own king in check. Mate wins; a player who is not in check and cannot move is stalemated, which
    is a draw, as are two bare kings.

    Attributes:
        men: the squares at the start, white's men in capitals: K, N and R.
    """

    title = "One-dimensional Chess"

    men: str = "KNR..rnk"

    players = SIDES
    plies_per_move = 2

    facts = (
        Fact(outcome="win", source="M. Gardner, Scientific American (July 1980)"),
        Fact(
            {},
            "win",
            11,
            positions=1237,
            win=365,
            loss=247,
            tie=625,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
    )

    def start(self) -> ChessRow:
        """Return the given row, white to move."""
        return ChessRow(tuple(map(LETTERS.index, self.men)), 0)

    def turn(self, p: ChessRow) -> int:
        """Return the player to move."""
        return p.side

    def outcome(self, p: ChessRow) -> Outcome | None:
        """Return LOSS for mate and DRAW for stalemate or two bare kings."""
        for _ in self.moves(p):
            return DRAW if self.bare(p.squares) else None
        return LOSS if self.in_check(p.squares, p.side) else DRAW

    def bare(self, squares: tuple[int, ...]) -> bool:
        """Return whether a row has two kings and nothing else."""
        return sum(1 for man in squares if man) == 2  # a king each

    def moves(self, p: ChessRow) -> Iterator[tuple[int, int]]:
        """Yield each legal move: from a square, to a square."""
        for source in range(len(p.squares)):
            if p.squares[source] and (p.squares[source] > BLACK) == p.side:
                for target in range(len(p.squares)):
                    man = p.squares[target]
                    if (
                        (man == EMPTY or (man > BLACK) != p.side)
                        and attacks(p.squares, source, target)
                        and not self.in_check(after(p.squares, source, target), p.side)
                    ):
                        yield source, target

    def in_check(self, squares: tuple[int, ...], side: int) -> bool:
        """Return whether a side's king is attacked."""
        king = squares.index(KING + BLACK * side)
        for square in range(len(squares)):
            man = squares[square]
            if man and (man > BLACK) != side and attacks(squares, square, king):
                return True
        return False

    def play(self, p: ChessRow, move: tuple[int, int]) -> ChessRow:
        """Return the row after a move."""
        source, target = move
        return ChessRow(after(p.squares, source, target), 1 - p.side)

    def space(self) -> ChessRow:
        """Return the range of each field."""
        man: Any = range(len(LETTERS))
        side: Any = range(2)
        return ChessRow(man, side)

    def validate(self) -> None:
        """Raise ParameterError unless each side has a king, and black's is not in check."""
        men: Any = self.men
        if not isinstance(men, str) or set(men) - set(LETTERS) or len(men) > LONGEST:
            message = f"men {men!r} are not a row of K, N, R, k, n, r and dots; write 'KNR..rnk'"
            raise ParameterError(message)
        if (men.count("K"), men.count("k")) != (1, 1):
            message = f"men {men!r} must have one king a side; place K and k once each"
            raise ParameterError(message)
        if self.in_check(self.start().squares, 1):
            message = f"men {men!r} leave black's king in check with white to move; move a man"
            raise ParameterError(message)

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return both squares of a move, counted from 1 at the left: ``3-6``."""
        source, target = move
        return f"{source + 1}-{target + 1}"

    def show(self, p: ChessRow) -> str:
        """Return the row in letters, white's large, and the player to move."""
        return f"{''.join(LETTERS[man] for man in p.squares)}, {SIDES[p.side]} to move"

    def svg(self, p: ChessRow) -> str:
        """Draw the row."""
        row = "".join(FIGURES[man] for man in p.squares)
        numbers = [str(i + 1) for i in range(len(row))]
        return drawing.grid([row], title=self.show(p), below=numbers, ranks=[""], moves=[numbers])

    def parse(self, text: str) -> ChessRow:
        """Read a row as ``show`` writes it.

        Raises:
            PositionError: the text is not such a row, with one king per side.
        """
        men, _, turn_text = text.strip().partition(",")
        side = turn_text.strip().removesuffix(" to move")
        if side not in SIDES or len(men) != len(self.men) or set(men) - set(LETTERS):
            message = f"{text!r} is not a row; write one such as '{self.show(self.start())}'"
            raise PositionError(message)
        if (men.count("K"), men.count("k")) != (1, 1):
            message = f"{text!r} must have one king a side; place K and k once each"
            raise PositionError(message)
        return ChessRow(tuple(map(LETTERS.index, men)), SIDES.index(side))


def attacks(squares: tuple[int, ...], here: int, there: int) -> bool:
    """Return whether the man on one square attacks another."""
    man, distance = (squares[here] - 1) % BLACK + 1, abs(there - here)
    if man == ROOK:
        between = range(min(here, there) + 1, max(here, there))
        return distance > 0 and all(squares[square] == EMPTY for square in between)
    return distance == man  # a king goes one square, a knight two


def after(squares: tuple[int, ...], here: int, there: int) -> tuple[int, ...]:
    """Return the row with a man moved."""
    return put(put(squares, there, squares[here]), here, EMPTY)
