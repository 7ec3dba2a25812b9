"""Placement games of every kind, for comparing methods."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from zermelo import LOSS, WIN, MarkingGame, PlacementGame
from zermelo.game.placement import transversals

PAIRS = list(combinations(range(6), 2))


@dataclass(frozen=True)
class InARow(PlacementGame):
    """A row of some length, anywhere on a grid."""

    width: int = 3
    height: int = 3
    length: int = 3

    def lines(self):
        return self.straight(self.length)


@dataclass(frozen=True)
class Misere(InARow):
    """A player who makes a row loses."""

    line_loses = True


@dataclass(frozen=True)
class Maker(InARow):
    """On a full board without a row, the player who would have to move has lost."""

    full_board = LOSS


@dataclass(frozen=True)
class Breaker(InARow):
    """On a full board without a row, the player who would have to move has won."""

    full_board = WIN


@dataclass(frozen=True)
class FallingMisere(InARow):
    """Stones fall, and who makes a row loses; so does who filled the board without one."""

    gravity = True
    line_loses = True
    full_board = WIN


@dataclass(frozen=True)
class Notakto(MarkingGame):
    """Both place crosses, and who makes a row loses."""

    width: int = 3
    height: int = 3
    length: int = 3
    line_loses = True

    def lines(self):
        return self.straight(self.length)


@dataclass(frozen=True)
class Wild(Notakto):
    """Either mark may be placed, and who makes a row of one of them wins."""

    line_loses = False
    choice = True


@dataclass(frozen=True)
class FallingWild(Wild):
    """A wild game with falling marks, in which rows lose."""

    gravity = True
    line_loses = True


@dataclass(frozen=True)
class Order(Wild):
    """Any row is a win for the first player, and a full board without one for the second."""

    @property
    def full_board(self):
        return WIN if self.width * self.height % 2 else LOSS

    def line_winner(self, player):
        return 0


@dataclass(frozen=True)
class Blocking(InARow):
    """One player wants a row, and the other a cell of each."""

    maker: int = 0

    def lines(self, player):
        rows = list(self.straight(self.length))
        return rows if player == self.maker else transversals(rows)


@dataclass(frozen=True)
class OneSidedRows(InARow):
    """Only the second player's rows count."""

    full_board = WIN

    def lines(self, player):
        return self.straight(self.length) if player else ()


@dataclass(frozen=True)
class FallingApart(InARow):
    """Stones fall; the first player must not have a row up, nor the second two cells diagonally."""

    gravity = True
    line_loses = True

    def lines(self, player):
        if player:
            return [line for line in self.straight(2) if line[1] - line[0] == self.stride + 1]
        return [
            line for line in self.straight(self.length) if line[-1] - line[0] == self.length - 1
        ]

    def has_line_of(self, player, stones):
        if player:
            return stones & stones >> self.stride + 1 != 0
        run = stones
        for _ in range(self.length - 1):
            run &= run >> 1
        return run != 0


@dataclass(frozen=True)
class Sim(PlacementGame):
    """Lines between six points; the first triangle of one's own colour loses."""

    width = 15
    height = 1
    line_loses = True

    def lines(self):
        for a, b, c in combinations(range(6), 3):
            yield PAIRS.index((a, b)), PAIRS.index((a, c)), PAIRS.index((b, c))
