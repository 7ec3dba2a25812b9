"""Long thin games, with a position or two in each layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.works.common import Answer, Prepared
from zermelo import Game


class Left(NamedTuple):
    stones: int
    side: int


@dataclass(frozen=True)
class Countdown(Game):
    """Take one stone; so there is one position for each number of stones."""

    stones: int

    def start(self):
        return Left(self.stones, 0)

    def moves(self, left):
        if left.stones:
            yield 0

    def play(self, left, side):
        return Left(left.stones - 1, side)


@dataclass(frozen=True)
class Sides(Countdown):
    """Take one stone, and choose a side; so there are two positions for each number of stones."""

    def moves(self, left):
        if left.stones:
            yield 0
            yield 1


@dataclass(frozen=True)
class Track(Countdown):
    """Walk to the end of a path, a node forward or back at each turn."""

    def start(self):
        return Left(0, 0)

    def moves(self, left):
        if left.stones < self.stones:
            yield 1
            if left.stones:
                yield -1

    def play(self, left, step):
        return Left(left.stones + step, 0)


_GAMES = {"countdown": Countdown, "sides": Sides, "track": Track}


def solve(kind: str, positions: int) -> Prepared:
    """Solve a chain with about so many positions."""
    import zermelo

    game = _GAMES[kind]
    zermelo.solve(game(20_000), threads=2)  # long enough that the kernel for chains is compiled
    length = positions // 2 if kind == "sides" else positions

    def tell(solution: Any) -> Answer:
        value = solution.value
        return {"positions": len(solution), "value": [int(value.outcome), value.remoteness]}

    return lambda: zermelo.solve(game(length), threads=2), tell
