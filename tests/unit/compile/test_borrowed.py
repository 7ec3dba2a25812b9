"""Arrays that rules are lent: they are read as they are, and what rules make of them is freed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import psutil

import zermelo
from zermelo import Game


@dataclass(frozen=True)
class Sorting(Game):
    """Walk up a number line; each step sorts, copies and slices an array that is a parameter."""

    weights: np.ndarray
    length: int

    def start(self) -> int:
        return 0

    def moves(self, at: int) -> Iterator[int]:
        if at < self.length:
            yield 1
            yield 2

    def play(self, at: int, step: int) -> int:
        ordered = np.sort(self.weights)
        doubled = self.weights.copy()
        tail = self.weights[step:]
        return (
            at + step + (ordered[0] + doubled[0] + tail[0] - ordered[1] - doubled[0] - tail[0]) * 0
        )

    def space(self) -> range:
        return range(1 << 17)


def test_what_rules_allocate_is_freed() -> None:
    """Arrays made from a lent one at every move do not stay: 1.6 GB of them leave no trace."""
    weights = np.arange(1000)
    assert len(zermelo.solve(Sorting(weights, 100))) == 102
    before = psutil.Process().memory_info().rss
    assert len(zermelo.solve(Sorting(weights, 100_000))) == 100_002
    assert psutil.Process().memory_info().rss - before < 200 << 20
