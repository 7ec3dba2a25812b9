"""The index of positions: an array where the declared space is small, else a hash table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

import zermelo
from zermelo import Game


@dataclass(frozen=True)
class Countdown(Game):
    """Take one or two from a number; the declared space may be much larger, or too small."""

    number: int
    declared: int

    def start(self) -> int:
        return self.number

    def moves(self, left: int) -> Iterator[int]:
        for taken in range(1, 3):
            if taken <= left:
                yield taken

    def play(self, left: int, taken: int) -> int:
        return left - taken

    def space(self) -> range:
        return range(self.declared)


def test_a_space_declared_too_small_changes_no_value() -> None:
    """Where fields fit their bits though not their range, every position is found all the same."""
    few, many = (zermelo.solve(Countdown(200, declared)) for declared in (150, 256))
    assert few.verify()
    assert {p: few[p] for p in range(201)} == {p: many[p] for p in range(201)}


@pytest.mark.slow
def test_little_memory_makes_do_with_the_hash_table() -> None:
    """An array that is larger than a hash table is taken only where there is room for it."""
    game = Countdown(200_000, 1 << 22)
    ample = zermelo.solve(game, method="retrograde")
    scant = zermelo.solve(game, method="retrograde", memory="15MB")
    assert ample.peak_bytes > 16 << 20  # the array alone
    assert scant.peak_bytes <= 15_000_000
    assert np.array_equal(ample.arrays.positions, scant.arrays.positions)
    assert np.array_equal(ample.arrays.outcome, scant.arrays.outcome)
    assert np.array_equal(ample.arrays.remoteness, scant.arrays.remoteness)
