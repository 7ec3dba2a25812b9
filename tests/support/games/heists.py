"""A pursuit that is a game of one's own: two graphs, exits, forbidden nodes, other names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import Game, PursuitRules


class Spot(NamedTuple):
    turn: int
    thief: int
    guard: int


@dataclass(frozen=True)
class Heist(Game):
    """A thief flees along streets, a guard follows over roofs, but not into cellars.

    Attributes:
        streets: the nodes that each node leads the thief to.
        roofs: the same for the guard.
        exits: where the thief has won.
        cellars: where the guard may not go.
        loses: whether who cannot move loses; he stays otherwise.
        begin: where both begin; at the first and the last node, if nothing is said.
        described: what ``pursuit`` says, if it is not what the rules are.
        caught_first: whether a guard in an exit catches who comes there.
    """

    streets: tuple[tuple[int, ...], ...]
    roofs: tuple[tuple[int, ...], ...]
    exits: tuple[int, ...]
    cellars: tuple[int, ...] = ()
    loses: bool = True
    begin: tuple[int, int] | None = None
    described: Any = None
    caught_first: bool = False

    def start(self):
        thief, guard = self.begin or (0, len(self.streets) - 1)
        return Spot(0, thief, guard)

    def starts(self):
        n = len(self.streets)
        guards = [p for p in range(n) if p not in self.cellars]
        return [self.start(), *(Spot(t, e, p) for e in range(n) for p in guards for t in (0, 1))]

    def turn(self, spot):
        return spot.turn

    def winner(self, spot):
        if self.caught_first and spot.thief == spot.guard:
            return 1
        if spot.thief in self.exits:
            return 0
        if spot.thief == spot.guard:
            return 1

    def moves(self, spot):
        stuck = True
        if spot.turn == 0:
            for node in self.streets[spot.thief]:
                stuck = False
                yield node
        else:
            for node in self.roofs[spot.guard]:
                if node not in self.cellars:
                    stuck = False
                    yield node
        if stuck and not self.loses:
            yield spot.thief if spot.turn == 0 else spot.guard

    def play(self, spot, node):
        return Spot(1, node, spot.guard) if spot.turn == 0 else Spot(0, spot.thief, node)

    def space(self):
        nodes = range(len(self.streets))
        return Spot(range(2), nodes, nodes)

    def pursuit(self):
        if self.described is not None:
            return self.described
        return PursuitRules(
            self.streets,
            self.roofs,
            safe=self.exits,
            forbidden=self.cellars,
            stuck="lose" if self.loses else "stay",
            fields=("thief", "guard", "turn"),
        )
