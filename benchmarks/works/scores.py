"""Score games: a game with cycles, compared with one threshold of its scores; and Kalah."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.works.common import Answer, Prepared, load
from zermelo import DRAW, LOSS, WIN, Game

#: Boards are counted, for comparison with the C program, only below this number of positions.
_FEW = 100_000


@dataclass(frozen=True)
class Hops(Game):
    """Hop from number to number; the game ends at multiples of 11."""

    size: int

    def start(self):
        return 1

    def outcome(self, number):
        return DRAW if number % 11 == 0 else None

    def moves(self, number):
        yield 1
        yield 2
        yield 3
        if number % 3 == 0:
            yield 4

    def play(self, number, hop):
        return (number * 5 + number // 7 * hop + 3 * hop) % self.size


class ScoredHops(Hops):
    """Hops with a score from -10 to 10 points at each end."""

    def score(self, number):
        return number // 11 * 37 % 21 - 10


class WonHops(Hops):
    """Hops won by a player whose score would be at least 5 points; a draw otherwise."""

    def outcome(self, number):
        if number % 11 != 0:
            return None
        points = number // 11 * 37 % 21 - 10
        return WIN if points >= 5 else LOSS if points <= -5 else DRAW


def _hops(game_class: type[Hops], size: int) -> Prepared:
    import zermelo

    zermelo.solve(game_class(1000))
    game = game_class(size)

    def tell(solution: Any) -> Answer:
        counts = solution.counts()
        best, worst = counts.win, counts.loss
        if counts.by_score:
            best = sum(count for points, count in counts.by_score.items() if points >= 5)
            worst = sum(count for points, count in counts.by_score.items() if points <= -5)
        return {"positions": len(solution), "at least 5": best, "at most -5": worst}

    return lambda: zermelo.solve(game), tell


def all_margins(size: int) -> Prepared:
    """Find the margin of every position."""
    return _hops(ScoredHops, size)


def one_threshold(size: int) -> Prepared:
    """Find the player, if any, who gets at least 5 points, in every position."""
    return _hops(WonHops, size)


def kalah(pits: int, seeds: int) -> Prepared:
    """Find the margin of every position of Kalah."""
    import zermelo
    from zermelo.games import Kalah

    load(Kalah(pits, seeds), "levels")
    game = Kalah(pits, seeds)

    def tell(solution: Any) -> Answer:
        boards = None
        if len(solution) < _FEW:  # the C program ignores the player to move
            boards = len({(p.mine, p.theirs) for p in solution})
        return {"positions": len(solution), "margin": solution.value.score, "boards": boards}

    return lambda: zermelo.solve(game), tell
