"""Nimbers of impartial games, and their outcomes for comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.works.common import Answer, Prepared
from zermelo import Game


class Heaps(NamedTuple):
    left: int
    right: int


@dataclass(frozen=True)
class TwoHeaps(Game):
    """Take up to three stones from either of two heaps, or equally many from both."""

    stones: int

    def start(self):
        return Heaps(self.stones, self.stones)

    def moves(self, heaps):
        for taken in range(1, 4):
            if taken <= heaps.left:
                yield taken, 0
            if taken <= heaps.right:
                yield 0, taken
            if taken <= heaps.left and taken <= heaps.right:
                yield taken, taken

    def play(self, heaps, move):
        left, right = move
        return Heaps(heaps.left - left, heaps.right - right)


@dataclass(frozen=True)
class Rounds(Game):
    """Hop from number to number; play can return to an earlier number."""

    size: int

    def start(self):
        return 1

    def moves(self, number):
        if number % 5:  # who cannot move has lost
            for hop in range(1, 4):
                yield hop

    def play(self, number, hop):
        return (number * 5 + number // 7 * hop + 3 * hop) % self.size


def _solve_job(game_class: type[Any], size: int, value: str | None) -> Prepared:
    import zermelo

    zermelo.solve(game_class(40), value=value)
    game = game_class(size)

    def tell(solution: Any) -> Answer:
        counts = solution.counts()
        return {"positions": len(solution), "won": counts.win, "lost": counts.loss}

    return lambda: zermelo.solve(game, value=value), tell


def heaps_nimbers(stones: int) -> Prepared:
    """Find the nimbers of two heaps, a game without cycles."""
    return _solve_job(TwoHeaps, stones, "nimber")


def heaps_outcomes(stones: int) -> Prepared:
    """Find the outcomes of two heaps."""
    return _solve_job(TwoHeaps, stones, None)


def cycles_nimbers(size: int) -> Prepared:
    """Find nimbers and infinities of a game with cycles."""
    return _solve_job(Rounds, size, "nimber")


def cycles_outcomes(size: int) -> Prepared:
    """Find the outcomes of a game with cycles."""
    return _solve_job(Rounds, size, None)


def components(graph: str, memory: str | None) -> Prepared:
    """Find the nimbers of all components of Node Kayles on a graph, on one thread."""
    import zermelo
    from zermelo.games import NodeKayles

    def game(name: str) -> NodeKayles:
        return NodeKayles(
            NodeKayles(name).neighbours
        )  # rows, of which no part may be shifted: as C

    zermelo.solve(game("grid 3 8"), value="nimber", threads=1)
    with zermelo.limits.using(in_memory=False, plain_seconds=0):
        zermelo.solve(game("grid 3 8"), value="nimber", threads=1)

    def tell(solution: Any) -> Answer:
        counts = dict(solution.counts().by_nimber)
        counts[0] -= 1  # the component without nodes, which C does not list
        listed = [counts.get(nimber, 0) for nimber in range(max(counts) + 1)]
        positions = len(solution) - 1
        return {"positions": positions, "value": solution.value.nimber, "counts": listed}

    return lambda: zermelo.solve(game(graph), value="nimber", threads=1, memory=memory), tell
