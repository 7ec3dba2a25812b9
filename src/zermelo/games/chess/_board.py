"""Positions of chess endings: the squares to which men can go, and legality."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zermelo.game.contract import Game
from zermelo.games.chess import _men
from zermelo.games.chess._men import (
    BLACK,
    BLACK_PAWN,
    KING,
    LETTERS,
    NONE,
    OFF,
    PAWN,
    WHITE,
    Men,
)


@dataclass(frozen=True)
class ChessBoard(Game):
    """A board with two kings and up to two more men; subclasses have the rules.

    Attributes:
        men: white's men and then black's, each beginning with the king.
    """

    men: str = "KQK"

    @cached_property
    def extra(self) -> tuple[tuple[int, int], ...]:
        """The kind at the start and the side of the first and the second man."""
        white, black = self.men[1:].split("K")
        sides = [WHITE] * len(white) + [BLACK] * len(black)
        extra = [*zip(map(LETTERS.index, white + black), sides, strict=True)]
        return (*extra, *[(NONE, WHITE)] * (2 - len(extra)))

    @property
    def first_man(self) -> int:
        """The kind of the first man at the start."""
        return self.extra[0][0]

    @property
    def second_man(self) -> int:
        """The kind of the second man at the start, or 0 if there is none."""
        return self.extra[1][0]

    @property
    def first_side(self) -> int:
        """The side of the first man."""
        return self.extra[0][1]

    @property
    def second_side(self) -> int:
        """The side of the second man."""
        return self.extra[1][1]

    @property
    def both_pawns(self) -> int:
        """1 if each side begins with a pawn, so that one may be taken in passing."""
        return int(self.extra == ((PAWN, WHITE), (PAWN, BLACK)))

    @property
    def bits(self) -> tuple[int, ...]:
        """The bit of each square; 0 off the board."""
        return _men.bits()

    @property
    def spans(self) -> tuple[int, ...]:
        """The squares each man attacks on an empty board."""
        return _men.spans()

    @property
    def shades(self) -> tuple[int, ...]:
        """The squares that another man hides from each man."""
        return _men.shades()

    @property
    def shields(self) -> tuple[int, ...]:
        """The squares on which a man interrupts an attack."""
        return _men.shields()

    def tidy(self, p: Men) -> Men:
        """Return a position with two like men of one side in ascending order."""
        if self.first_side != self.second_side or self.first_man != self.second_man:
            return p
        if p.first_kind < p.second_kind or (p.first_kind == p.second_kind and p.first <= p.second):
            return p
        return p._replace(
            first=p.second,
            second=p.first,
            first_kind=p.second_kind,
            second_kind=p.first_kind,
        )

    def legal(self, p: Men) -> bool:
        """Return whether a position is legal.

        No two men share a square; the side to move does not attack the other's king; no pawn is on
        the first or the last rank; a man that was taken has the kind that he had at the start.
        Whether a game of chess could lead to the position is not checked, except for ``passing``:
        the pawn that may be taken must have moved two squares, and the king of the side to move
        cannot have been in check before that move.
        """
        if p.white_king == p.black_king:
            return False
        for square, kind, man in (
            (p.first, p.first_kind, self.first_man),
            (p.second, p.second_kind, self.second_man),
        ):
            if square == OFF:
                if kind != man:
                    return False
            elif square in (p.white_king, p.black_king) or (kind == PAWN and not 8 <= square < 56):
                return False
        if p.first == p.second != OFF:
            return False
        if self.in_check(p, 1 - p.side):
            return False
        return not p.passing or self.just_passed(p)

    def just_passed(self, p: Men) -> bool:
        """Return whether the last move can have taken a pawn two squares to the side of another."""
        if not (self.both_pawns and p.first_kind == PAWN and p.second_kind == PAWN):
            return False
        # The first pawn is white, the second black.
        pawn, neighbour = (p.first, p.second) if p.side else (p.second, p.first)
        step_back = -8 if p.side else 8
        if pawn >> 3 != (3 if p.side else 4) or neighbour >> 3 != pawn >> 3:
            return False
        if pawn - neighbour not in (-1, 1):
            return False
        behind, home = pawn + step_back, pawn + 2 * step_back
        if p.white_king in (behind, home) or p.black_king in (behind, home):
            return False
        king = p.black_king if p.side else p.white_king
        man = PAWN if p.side else BLACK_PAWN
        return self.spans[man * 65 + home] & self.bits[king] == 0

    def king_targets(self, p: Men) -> int:
        """Return the squares to which the king of the side to move can go."""
        king = p.black_king if p.side else p.white_king
        their_king = p.white_king if p.side else p.black_king
        targets = self.spans[KING * 65 + king] & ~self.spans[KING * 65 + their_king]
        # The king does not hide the squares behind it from the men that attack it.
        if self.first_side == p.side:
            targets &= ~self.bits[p.first]
        else:
            targets &= ~self.seen(self.first_attacker(p), p.first, their_king, p.second)
        if self.second_side == p.side:
            return targets & ~self.bits[p.second]
        return targets & ~self.seen(self.second_attacker(p), p.second, their_king, p.first)

    def first_targets(self, p: Men) -> int:
        """Return the squares to which the first man, whose side is to move, can go."""
        man, second = self.first_attacker(p), self.second_attacker(p)
        return self.man_targets(p, man, p.first, second, p.second)

    def second_targets(self, p: Men) -> int:
        """Return the squares to which the second man, whose side is to move, can go."""
        man, first = self.second_attacker(p), self.first_attacker(p)
        return self.man_targets(p, man, p.second, first, p.first)

    def man_targets(self, p: Men, man: int, here: int, rival: int, other: int) -> int:
        """Return the squares to which a man other than a king can go.

        Args:
            p: the position.
            man: his kind.
            here: his square.
            rival: the kind of the fourth man.
            other: the square of the fourth man.
        """
        king = p.black_king if p.side else p.white_king
        their_king = p.white_king if p.side else p.black_king
        own_men = self.bits[king]
        if self.first_side == self.second_side:
            own_men |= self.bits[other]
        targets = self.seen(man, here, king, other)
        if man in (PAWN, BLACK_PAWN):
            targets = self.pawn_targets(p, here, other, targets)
        else:
            targets &= ~self.shades[(man * 65 + here) * 65 + their_king]
        targets &= ~own_men
        if self.first_side != self.second_side:
            # A man between the fourth man and the king must stay between them, or take him.
            shield = self.shields[(rival * 65 + other) * 64 + king]
            if shield & self.bits[their_king] == 0:
                targets &= shield | self.bits[other]
            if p.passing:
                # The capture takes the last man that could give check.
                targets |= self.bits[other + (-8 if p.side else 8)]
        return targets

    def pawn_targets(self, p: Men, here: int, other: int, attacked: int) -> int:
        """Return the squares to which a pawn can go; it attacks those of ``attacked``."""
        step_ahead = -8 if p.side else 8
        occupied = self.bits[p.white_king] | self.bits[p.black_king] | self.bits[other]
        targets = attacked & occupied
        one_step = self.bits[here + step_ahead] & ~occupied
        targets |= one_step
        if one_step and here >> 3 == (6 if p.side else 1):
            targets |= self.bits[here + 2 * step_ahead] & ~occupied
        return targets

    def in_check(self, p: Men, side: int) -> bool:
        """Return whether a side's king is attacked."""
        king = p.black_king if side else p.white_king
        their_king = p.white_king if side else p.black_king
        attacked = self.spans[KING * 65 + their_king]
        if self.first_side != side:
            attacked |= self.seen(self.first_attacker(p), p.first, their_king, p.second)
        if self.second_side != side:
            attacked |= self.seen(self.second_attacker(p), p.second, their_king, p.first)
        return attacked & self.bits[king] != 0

    def seen(self, man: int, square: int, one: int, two: int) -> int:
        """Return the squares that a man attacks, with men on ``one`` and ``two``."""
        row = man * 65 + square
        return self.spans[row] & ~self.shades[row * 65 + one] & ~self.shades[row * 65 + two]

    def first_attacker(self, p: Men) -> int:
        """Return the kind of the first man, with a separate kind for a black pawn."""
        black = self.first_side == BLACK and p.first_kind == PAWN
        return BLACK_PAWN if black else p.first_kind

    def second_attacker(self, p: Men) -> int:
        """Return the kind of the second man, with a separate kind for a black pawn."""
        black = self.second_side == BLACK and p.second_kind == PAWN
        return BLACK_PAWN if black else p.second_kind
