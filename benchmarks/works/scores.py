"""Score games: one that goes round in circles, beside one threshold of it; and Kalah."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.works.common import Answer, Prepared, load
from zermelo import DRAW, LOSS, WIN, Game

#: So many positions are looked through for what the baseline counts.
_FEW = 100_000


@dataclass(frozen=True)
class Hops(Game):
    """Hop from number to number by sums that lead all over; at some numbers the game ends."""

    size: int

    def start(self):
        return 1

    def outcome(self, at):
        return DRAW if at % 11 == 0 else None

    def moves(self, at):
        yield 1
        yield 2
        yield 3
        if at % 3 == 0:
            yield 4

    def play(self, at, hop):
        return (at * 5 + at // 7 * hop + 3 * hop) % self.size


class ScoredHops(Hops):
    """An end is worth from -10 to 10 points."""

    def score(self, at):
        return at // 11 * 37 % 21 - 10


class WonHops(Hops):
    """An end is won or lost where it would be worth 5 points or more, to whoever gets them."""

    def outcome(self, at):
        if at % 11 != 0:
            return None
        points = at // 11 * 37 % 21 - 10
        return WIN if points >= 5 else LOSS if points <= -5 else DRAW


def _hops(kind: type[Hops], size: int) -> Prepared:
    import zermelo

    zermelo.solve(kind(1000))
    game = kind(size)

    def tell(solution: Any) -> Answer:
        counts = solution.counts()
        best, worst = counts.win, counts.loss
        if counts.by_score:
            best = sum(often for points, often in counts.by_score.items() if points >= 5)
            worst = sum(often for points, often in counts.by_score.items() if points <= -5)
        return {"positions": len(solution), "at least 5": best, "at most -5": worst}

    return lambda: zermelo.solve(game), tell


def all_margins(size: int) -> Prepared:
    """Find every margin."""
    return _hops(ScoredHops, size)


def one_threshold(size: int) -> Prepared:
    """Find who gets 5 points or more."""
    return _hops(WonHops, size)


def kalah(pits: int, seeds: int) -> Prepared:
    """Find the margin of every position of Kalah."""
    import zermelo
    from zermelo.games import Kalah

    load(Kalah(pits, seeds), "levels")
    game = Kalah(pits, seeds)

    def tell(solution: Any) -> Answer:
        boards = None
        if len(solution) < _FEW:  # the C program does not tell players apart
            boards = len({(p.mine, p.theirs) for p in solution})
        return {"positions": len(solution), "margin": solution.value.score, "boards": boards}

    return lambda: zermelo.solve(game), tell
