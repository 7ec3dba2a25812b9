"""The laws of nimbers, on heaps from which the numbers of a set may be taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import Game


class Heaps(NamedTuple):
    first: int
    second: int


class Taken(NamedTuple):
    heap: int
    stones: int


@dataclass(frozen=True)
class TwoHeaps(Game):
    """Two heaps, of which each has its own numbers that may be taken; a number of 0 is none."""

    size: int
    allowed: tuple[tuple[int, int, int], tuple[int, int, int]]

    def start(self) -> Heaps:
        return Heaps(self.size, self.size)

    def moves(self, p: Heaps) -> Iterator[Taken]:
        for heap in range(2):
            for stones in self.allowed[heap]:
                if 0 < stones <= p[heap]:
                    yield Taken(heap, stones)

    def play(self, p: Heaps, move: Taken) -> Heaps:
        if move.heap == 0:
            return Heaps(p.first - move.stones, p.second)
        return Heaps(p.first, p.second - move.stones)


numbers = st.tuples(*[st.integers(0, 7)] * 3)


def plainly(size: int, allowed: tuple[int, ...]) -> list[int]:
    """Return the nimbers of one heap of 0 to ``size`` stones, in plain Python."""
    nimbers: list[int] = []
    for n in range(size + 1):
        there = {nimbers[n - k] for k in allowed if 0 < k <= n}
        nimbers.append(next(m for m in range(n + 1) if m not in there))
    return nimbers


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 15), numbers, numbers)
def test_nimbers_keep_the_laws_of_sums(
    size: int, one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    """The least that no move leads to; sums add without carry; a heap beside itself is worth 0."""
    game = TwoHeaps(size, (one, other))
    solution = zermelo.solve(game, value="nimber", threads=1)
    alike = zermelo.solve(TwoHeaps(size, (one, one)), value="nimber", threads=1)
    for p, value in solution.items():
        there = {solution[game.play(p, move)].nimber for move in game.moves(p)}
        assert value.nimber not in there
        assert there >= set(range(value.nimber or 0))
        assert (value.outcome == zermelo.WIN) == (value.nimber != 0)
    alone = (plainly(size, one), plainly(size, other))
    for p, value in solution.items():
        assert value.nimber == alone[0][p.first] ^ alone[1][p.second]
    assert all(value.nimber == 0 for p, value in alike.items() if p.first == p.second)
    assert all(alike.get(Heaps(p.second, p.first)) == value for p, value in alike.items())
