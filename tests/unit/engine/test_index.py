"""The index of positions: an array where the declared space is small, else a hash table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

import zermelo
from zermelo import Game
from zermelo._engine.index.hash_index import HashIndex, entries_for


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


@pytest.mark.parametrize("widths", [(24, 24, 1), (60,), (64, 64)], ids=str)
def test_positions_of_any_width_are_numbered_in_the_order_of_their_first_occurrences(
    widths: tuple[int, ...],
) -> None:
    """Entries identify positions with few bits, which grow; or the positions are compared."""
    rng, words, parts, count = np.random.default_rng(len(widths)), len(widths), 8, 2_000
    index, keys = HashIndex(words), np.empty(parts * count * words, np.uint64)
    numbers, found, numbered = np.empty(count, np.uint32), np.empty(count, np.int64), {}
    for part in range(1, parts + 1):
        highest = [(1 << max(1, width * part // parts)) - 1 for width in widths]
        rows = rng.integers(0, highest, (count, words), np.uint64, endpoint=True)
        rows[::3] = rows[0]
        given = rows.reshape(-1)
        known = len(numbered)
        index.find(given, count, keys, found)
        assert found.tolist() == [numbered.get(row, -1) for row in map(tuple, rows.tolist())]
        if index.is_full(known + count):
            index.grow(entries_for(known + count), keys, known, direct=False)
        expected = [numbered.setdefault(row, len(numbered)) for row in map(tuple, rows.tolist())]
        assert index.insert(given, count, keys, known, numbers, 0) == len(numbered)
        assert numbers.tolist() == expected
        index.find(given, count, keys, found)
        assert found.tolist() == expected
    assert bool(index.form[1]) == (sum(widths) <= 60)
