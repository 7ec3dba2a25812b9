"""Endings of racing kings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.games.chess._men import BLACK, LETTERS, OFF, PAWN, WHITE, Men
from zermelo.games.chess.chess_ending import ChessEnding
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome

LAST_RANK = 56
#: The squares at the start of white's men, and of black's.
HOMES = ((6, 5), (1, 2))


_CHECKED = "plain retrograde analysis over the moves of python-chess 1.11, by us"
_FROM_HOME = "the counts are python-chess's; value and remoteness are of the start here"


@dataclass(frozen=True)
class RacingKings(ChessEnding):
    """Two kings run for the last rank, with up to two men more; nobody may give check.

    The men move as in chess, without pawns. Whoever's king is first on the last rank has won; but
    if that is white's, black has one move more, and it is a draw if that brings black's king
    there too. It is also a draw if a player has no legal move.

    Attributes:
        men: white's men and then black's, each beginning with the king, as in ``KQKR``.
        fen: the position to begin in, in Forsyth-Edwards notation; without it, the kings and men
            stand on the lowest two ranks, and white is to move.
    """

    men: str = "KK"

    facts: ClassVar[tuple[Fact, ...]] = (
        Fact(
            outcome="tie",
            remoteness=12,
            positions=7224,
            win=3570,
            loss=2982,
            tie=672,
            endless=0,
            longest_win=13,
            longest_loss=12,
            note=_FROM_HOME,
            source=_CHECKED,
        ),
        Fact(
            {"men": "KRK"},
            outcome="win",
            remoteness=13,
            positions=357560,
            win=197328,
            loss=151454,
            tie=8778,
            endless=0,
            longest_win=23,
            longest_loss=24,
            note=_FROM_HOME,
            source=_CHECKED,
        ),
    )

    def outcome(self, p: Men) -> Outcome | None:
        """Return the outcome if a king is on the last rank, or DRAW without a legal move."""
        white, black = p.white_king >= LAST_RANK, p.black_king >= LAST_RANK
        if white and black:
            return DRAW
        if black:  # as white moved last, or black came first
            return LOSS if p.side == WHITE else WIN
        if white and p.side == WHITE:
            return WIN
        for source, target, _ in self.moves(p):
            if not white or (source == p.black_king and target >= LAST_RANK):
                return None
        return LOSS if white else DRAW

    def moves(self, p: Men) -> Iterator[tuple[int, int, int]]:
        """Yield each legal move: two squares, and 0, as nothing is promoted."""
        for move in super().moves(p):
            if not self.in_check(self.play(p, move), 1 - p.side):
                yield move

    def legal(self, p: Men) -> bool:
        """Return whether no two men share a square and neither king is in check."""
        return super().legal(p) and not self.in_check(p, p.side)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflection of left and right, and the exchange of like men of one side."""
        squares = ("white_king", "black_king", "first", "second")
        symmetries = [Symmetry(grid(8, 8, "columns"), squares=squares)]
        if self.first_man and self.extra[0] == self.extra[1]:
            symmetries.append(Symmetry(swap=(("first", "second"),)))
        return tuple(symmetries)

    def validate(self) -> None:
        """Raise ParameterError unless ``men`` is an ending without pawns, and ``fen`` fits it."""
        if LETTERS[PAWN] in str(self.men):
            message = f"men {self.men!r} have a pawn, and racing kings has none; leave it out"
            raise ParameterError(message)
        super().validate()

    @property
    def _home(self) -> Men:
        """The kings and men on the lowest two ranks, white to the right."""
        places = iter(HOMES[WHITE]), iter(HOMES[BLACK])
        squares = [next(places[side]) if man else OFF for man, side in self.extra]
        (first_kind, _), (second_kind, _) = self.extra
        if self.extra[0] == self.extra[1]:
            squares.sort()
        return Men(15, 8, squares[0], squares[1], first_kind, second_kind, WHITE, 0)

    def _fault(self, p: Men) -> str:
        """Return why a position is illegal that has the right men on different squares."""
        if self.in_check(p, p.side):
            return f"{self.players[p.side]} is in check, which no move may give"
        return super()._fault(p)

    def title(self) -> str:
        """Return the men of both sides, such as ``Racing Kings: K+R against K``."""
        return super().title().replace("Chess", "Racing Kings", 1)
