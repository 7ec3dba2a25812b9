"""Chess problems: any position without castling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game, bag, put
from zermelo.game.facts import Fact
from zermelo.games.chess import _men
from zermelo.games.chess._men import (
    BISHOP,
    BLACK,
    BLACK_PAWN,
    KING,
    KNIGHT,
    NONE,
    OFF,
    PAWN,
    QUEEN,
    WHITE,
    ZEBRA,
)
from zermelo.games.chess._text import COLOURS, Stand, draw, move_name, picture, read
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome

#: The number added to the kind of a black man.
BLACKS = ZEBRA
#: The number of men besides the kings for which a position has room, and by which the room grows.
ROOM = 6

_MOVES = "mate in 16 moves is a win in 31"
_TABLES = "maxima of the Nalimov tables, kirill-kryukov.com, topic 920"


class Diagram(NamedTuple):
    """The men's squares and kinds, and the side to move.

    Attributes:
        white_king: the square of the white king, 0 (a1), 1 (b1), … 63 (h8).
        black_king: the square of the black king.
        men: a number for each other man, the greatest first: 64 times his kind, plus his square.
            White's kinds are 1 queen, 2 rook, 3 bishop, 4 knight, 5 pawn, 7 amazon, 8 chancellor, 9
            archbishop, 10 nightrider, 11 camel, 12 zebra; black's are 12 more. Zeros fill it.
        side: 0 if white is to move, 1 if black is.
        passing: the file, from 1, of a pawn that has just come two squares beside one that may now
            take it in passing; else 0.
    """

    white_king: int
    black_king: int
    men: tuple[int, ...]
    side: int
    passing: int


@dataclass(frozen=True)
class ChessProblem(Game):
    """Chess from a given position: mate wins, and stalemate is a draw.

    The rules are those of chess without castling, repetition and the fifty-move rule: where
    neither side can force an end, the game is an endless draw. Pawns are promoted to a queen, a
    rook, a bishop or a knight, and take in passing. The men of fairy chess are those of
    ``ChessEnding``. Problems are for ``zermelo.prove``; with three men, ``solve`` has the value of
    every position.

    Attributes:
        fen: the position to begin in, in Forsyth-Edwards notation.
    """

    fen: str = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"

    players = COLOURS
    plies_per_move = 2

    facts: ClassVar[tuple[Fact, ...]] = (
        Fact({}, "win", 31, longest_win=31, longest_loss=32, note=_MOVES, source=_TABLES),
        Fact(
            {"fen": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"},
            "win",
            3,
            checked=False,
            note="mate in 2; proved by search instead",
            source="Paul Morphy, New York Clipper 1856",
        ),
    )

    def start(self) -> Diagram:
        """Return the position that ``fen`` gives."""
        return self.read(self.fen, 0)

    def turn(self, p: Diagram) -> int:
        """Return the player to move."""
        return p.side

    def outcome(self, p: Diagram) -> Outcome | None:
        """Return LOSS for mate, DRAW for stalemate, None while there is a legal move."""
        for _ in self.moves(p):
            return None
        return LOSS if self.in_check(p, p.side) else DRAW

    def moves(self, p: Diagram) -> Iterator[tuple[int, int, int]]:
        """Yield each legal move: two squares, and the kind that a pawn is promoted to or 0."""
        own_squares, other_squares = self.occupied(p, p.side), self.occupied(p, 1 - p.side)
        king = p.black_king if p.side else p.white_king
        yield from self.man_moves(p, KING, king, own_squares, other_squares)
        for man in p.men:
            if man and self.side_of(man) == p.side:
                kind, square = self.kinds[man >> 6], man & 63
                if kind in (PAWN, BLACK_PAWN):
                    yield from self.pawn_moves(p, kind, square, own_squares, other_squares)
                else:
                    yield from self.man_moves(p, kind, square, own_squares, other_squares)

    def man_moves(
        self, p: Diagram, kind: int, here: int, own: int, other: int
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the moves of a man other than a pawn, given both sides' squares."""
        for ray in self.rays[kind * 65 + here]:
            for target in ray:
                if own & self.bits[target]:
                    break
                if self.safe(p, here, target, own | other):
                    yield here, target, NONE
                if other & self.bits[target]:
                    break

    def pawn_moves(
        self, p: Diagram, kind: int, here: int, own: int, other: int
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the moves of a pawn, given both sides' squares."""
        for target in self.pawn_targets(p, kind, here, own, other):
            if self.safe(p, here, target, own | other):
                first = NONE if 8 <= target < 56 else QUEEN
                last = NONE if 8 <= target < 56 else KNIGHT
                for becomes in range(first, last + 1):
                    yield here, target, becomes

    def pawn_targets(self, p: Diagram, kind: int, here: int, own: int, other: int) -> Iterator[int]:
        """Yield the squares to which a pawn can go, ignoring checks, given both sides' squares."""
        occupied, next_square = own | other, here + (8 if kind == PAWN else -8)
        if not occupied & self.bits[next_square]:
            yield next_square
            second_square = 2 * next_square - here
            if here >> 3 == (1 if kind == PAWN else 6) and not occupied & self.bits[second_square]:
                yield second_square
        for ray in self.rays[kind * 65 + here]:
            for target in ray:
                if other & self.bits[target] or target == self.passed(p):
                    yield target

    def play(self, p: Diagram, move: tuple[int, int, int]) -> Diagram:
        """Return the position after a move."""
        source, target, becomes = move
        victim, men = self.taken(p, source, target), p.men
        for n in range(len(men)):
            if men[n] and men[n] & 63 == victim:
                men = put(men, n, 0)
            elif men[n] and men[n] & 63 == source:
                kind = becomes + (BLACKS if p.side else 0) if becomes else men[n] >> 6
                men = put(men, n, kind << 6 | target)
        return Diagram(
            target if source == p.white_king else p.white_king,
            target if source == p.black_king else p.black_king,
            bag(men, len(men)),
            1 - p.side,
            self.passes(p, source, target),
        )

    def taken(self, p: Diagram, here: int, there: int) -> int:
        """Return the square whose man a move takes, if there is one."""
        slanted = there == self.passed(p) and (there - here) & 7 != 0
        if slanted and (PAWN + p.side * BLACKS) << 6 | here in p.men:
            return there + (8 if p.side else -8)
        return there

    def passed(self, p: Diagram) -> int:
        """Return the square behind a pawn that may be taken in passing, or -1."""
        return p.passing - 1 + (16 if p.side else 40) if p.passing else -1

    def passes(self, p: Diagram, here: int, there: int) -> int:
        """Return the file, from 1, of a pawn that comes two squares beside an enemy's; else 0."""
        pawn, enemy = PAWN + p.side * BLACKS << 6, PAWN + (1 - p.side) * BLACKS << 6
        file = there & 7
        if there - here not in (16, -16) or pawn | here not in p.men:
            return 0
        if (file > 0 and enemy | there - 1 in p.men) or (file < 7 and enemy | there + 1 in p.men):
            return file + 1
        return 0

    def occupied(self, p: Diagram, side: int) -> int:
        """Return the squares of a side's men."""
        squares = self.bits[p.black_king if side else p.white_king]
        for man in p.men:
            if man and self.side_of(man) == side:
                squares |= self.bits[man & 63]
        return squares

    def safe(self, p: Diagram, here: int, there: int, occupied: int) -> bool:
        """Return whether a move leaves the own king out of check, given the squares of all men."""
        king = p.black_king if p.side else p.white_king
        victim = self.taken(p, here, there)
        occupied_after = occupied & ~self.bits[here] & ~self.bits[victim] | self.bits[there]
        return not self.attacked(
            p, there if here == king else king, 1 - p.side, occupied_after, victim
        )

    def in_check(self, p: Diagram, side: int) -> bool:
        """Return whether a side's king is attacked."""
        king = p.black_king if side else p.white_king
        occupied = self.occupied(p, 0) | self.occupied(p, 1)
        return self.attacked(p, king, 1 - side, occupied, OFF)

    def attacked(self, p: Diagram, square: int, side: int, occupied: int, taken: int) -> bool:
        """Return whether a side attacks a square, given all men's squares and a taken man's."""
        king = p.black_king if side else p.white_king
        if self.spans[KING * 65 + king] & self.bits[square]:
            return True
        for man in p.men:
            attacks = man and self.side_of(man) == side and man & 63 != taken
            if attacks and self.sees(self.kinds[man >> 6], man & 63, square, occupied):
                return True
        return False

    def sees(self, kind: int, here: int, there: int, occupied: int) -> bool:
        """Return whether a man attacks a square, given the squares of all men."""
        if not self.spans[kind * 65 + here] & self.bits[there]:
            return False
        return not self.gaps[here * 65 + there] & occupied

    def side_of(self, man: int) -> int:
        """Return the side of a man."""
        return BLACK if man >> 6 > BLACKS else WHITE

    # -- hints for zermelo.prove ----------------------------------------------------------------

    def promise(self, p: Diagram, move: tuple[int, int, int]) -> int:
        """Return the priority of a move: the highest for checks, then promotions and captures."""
        source, target, becomes = move
        occupied, kind = 0, KING
        gained = 0
        for man in p.men:
            if man:
                occupied |= self.bits[man & 63]
                if man & 63 == source:
                    kind = self.kinds[man >> 6]
                if man & 63 == target:
                    gained = 2
        if becomes:
            kind = becomes
            gained += 3 if becomes == QUEEN else 0
        king = p.white_king if p.side else p.black_king
        checks = self.sees(kind, target, king, occupied & ~self.bits[source])
        return gained + (4 if checks else 0)

    def bounds(self, p: Diagram) -> tuple[int, int]:
        """Return bounds of the outcome by the men that are left: a king alone cannot mate."""
        white = self.strength(p, WHITE)
        black = self.strength(p, BLACK)
        mine, theirs = (black, white) if p.side else (white, black)
        if mine + theirs <= 1:
            return DRAW, DRAW
        return (LOSS if theirs else DRAW), (WIN if mine else DRAW)

    def strength(self, p: Diagram, side: int) -> int:
        """Return the strength of a side without the king: 1 for a bishop or a knight, else 2."""
        total = 0
        for man in p.men:
            if man and self.side_of(man) == side:
                total += 1 if self.kinds[man >> 6] in (BISHOP, KNIGHT) else 2
        return total

    # -- tables ----------------------------------------------------------------------------------

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each man in the tables that are shared by all games."""
        return _KINDS

    @property
    def bits(self) -> tuple[int, ...]:
        """The bit of each square; 0 off the board."""
        return _men.bits()

    @property
    def spans(self) -> tuple[int, ...]:
        """The squares each man attacks on an empty board."""
        return _men.spans()

    @property
    def gaps(self) -> tuple[int, ...]:
        """The squares between two in one line."""
        return _men.gaps()

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The lines of squares along which a man attacks."""
        return _men.rays()

    def space(self) -> Diagram:
        """Return the range of each field."""
        board: Any = range(OFF)
        men: Any = range((2 * BLACKS + 1) << 6)
        side: Any = range(2)
        passing: Any = range(9)
        return Diagram(board, board, men, side, passing)

    # -- text and pictures -----------------------------------------------------------------------

    def validate(self) -> None:
        """Raise ParameterError unless ``fen`` is a position."""
        try:
            self.read(self.fen, 0)
        except PositionError as error:
            message = f"fen: {error}"
            raise ParameterError(message) from None

    def name(self, move: tuple[int, int, int]) -> str:
        """Return a move as chess engines write it: ``e1e2``, or ``e7e8q`` for a promotion."""
        return move_name(move)

    def show(self, p: Diagram) -> str:
        """Return the board in letters, white's large, and the side to move."""
        return draw(self.stand_of(p))

    def svg(self, p: Diagram) -> str:
        """Draw the board."""
        return picture(self.stand_of(p))

    def parse(self, text: str) -> Diagram:
        """Read a position in Forsyth-Edwards notation, or as ``show`` writes it.

        A square that may be taken in passing counts only if a pawn can take there.

        Raises:
            PositionError: it is neither, has more men than this problem, or is not legal.
        """
        return self.read(text, len(self.start().men))

    def stand_of(self, p: Diagram) -> Stand:
        """Return a position in the form in which it is written."""
        men = {p.white_king: (KING, WHITE), p.black_king: (KING, BLACK)}
        for man in p.men:
            if man:
                side = self.side_of(man)
                men[man & 63] = (man >> 6) - side * BLACKS, side
        return Stand(men, p.side, self.passed(p) if p.passing else None)

    def read(self, text: str, room: int) -> Diagram:
        """Read a position with room for ``room`` men, or for as many as needed if that is 0.

        Raises:
            PositionError: it is not a legal position, or has more men.
        """
        stand = read(text)
        kings = {side: at for at, (kind, side) in stand.men.items() if kind == KING}
        men = [_code(kind, side, at) for at, (kind, side) in stand.men.items() if kind != KING]
        if len(kings) != 2 or len(stand.men) != 2 + len(men):  # one king per side
            message = f"{text!r} must have one king a side; place K and k once each"
            raise PositionError(message)
        if room and len(men) > room:
            message = f"{text!r} has more men than this problem has room for; place fewer"
            raise PositionError(message)
        room = room or max(ROOM, -(-len(men) // ROOM) * ROOM)
        p = Diagram(kings[WHITE], kings[BLACK], bag(men, room), stand.side, 0)
        if any(kind == PAWN and not 8 <= at < 56 for at, (kind, _) in stand.men.items()):
            message = f"{text!r} is not legal; move the pawn off the first or the last rank"
            raise PositionError(message)
        if self.in_check(p, 1 - p.side):
            fault = f"{COLOURS[p.side]} is to move and could take the king"
            message = f"{text!r} is not legal; {fault}"
            raise PositionError(message)
        if stand.passed is None:
            return p
        return p._replace(passing=self._passing(text, stand, p))

    def _passing(self, text: str, stand: Stand, p: Diagram) -> int:
        passed_square, step_back = stand.passed or 0, 8 if stand.side == BLACK else -8
        if stand.men.get(passed_square + step_back) != (PAWN, 1 - stand.side):
            message = (
                f"{text!r} has no pawn that passed {_men.name(passed_square)}; write - instead"
            )
            raise PositionError(message)
        # The pawn is put back to the square that it came from.
        came = p._replace(side=1 - p.side)
        home = passed_square - step_back
        men = put(came.men, came.men.index(_code(PAWN, came.side, passed_square + step_back)), 0)
        pawn = _code(PAWN, came.side, home)
        return self.passes(
            came._replace(men=bag((*men, pawn), len(men))), home, passed_square + step_back
        )


def _code(kind: int, side: int, square: int) -> int:
    return (kind + side * BLACKS) << 6 | square


#: The kind of each man, white's and then black's, in the tables that are shared by all games.
_KINDS = (
    NONE,
    *range(QUEEN, BLACKS + 1),
    *(BLACK_PAWN if kind == PAWN else kind for kind in range(QUEEN, BLACKS + 1)),
)
