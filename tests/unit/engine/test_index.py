"""The index of positions: an array where the declared space is small, else a hash table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest

import zermelo
from zermelo import Game
from zermelo._engine.index.hash_index import HashIndex

MASKS = [0b1111_1111, 0b0110_0000_1011, 0xFF00FF]


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


def numbered(index: HashIndex, wanted: np.ndarray) -> tuple[list[int], list[int]]:
    """Number positions in three portions; return the numbers, and what is known by number."""
    keys = np.zeros(4 * len(wanted), np.uint64)
    numbers = np.zeros(len(wanted), np.uint32)
    known = at = 0
    for part in np.array_split(wanted, 3):
        if index.full(known + len(part)):
            index.grow(1 << 14, keys, known, direct=index.suits_direct(1 << 14))
        known = index.insert(np.ascontiguousarray(part), len(part), keys, known, numbers, at)
        at += len(part)
    found = np.empty(len(wanted), np.int64)
    assert index.find(wanted, len(wanted), keys, found) == len(wanted)
    assert found.tolist() == numbers.tolist()
    return numbers.tolist(), keys[:known].tolist()


@pytest.mark.parametrize("used", MASKS)
def test_array_and_hash_table_give_the_same_numbers(used: int) -> None:
    """Positions get their numbers in the order they come, whichever way they are looked up."""
    rng = np.random.default_rng(used)
    wanted = rng.integers(0, 1 << 24, 2000).astype(np.uint64) & np.uint64(used)
    direct, hashed = HashIndex(1, used), HashIndex(1)
    assert direct.suits_direct(1 << 14)
    assert not hashed.suits_direct(1 << 40)
    assert numbered(direct, wanted) == numbered(hashed, wanted)


@pytest.mark.parametrize("step", [1, -1])
def test_a_table_that_grows_keeps_its_entries(step: int) -> None:
    """However its parts are moved, and however full it is, every position has its number still."""
    index, count = HashIndex(1), 25_000
    wanted = np.random.default_rng(7).integers(0, 1 << 63, count).astype(np.uint64)
    numbers, found = np.zeros(count, np.uint32), np.empty(count, np.int64)
    keys = np.zeros(count, np.uint64)

    def each(work: Callable[[int], None], items: Iterable[int]) -> None:
        for item in list(items)[::step]:
            work(item)

    index.grow(1 << 15, keys, 0, direct=False)
    known = index.insert(wanted, count, keys, 0, numbers, 0)
    for size in (1 << 16, 1 << 18):
        index.grow(size, keys, known, direct=False, each=each)
        assert index.find(wanted, count, keys, found) == count
        assert found.tolist() == numbers.tolist()
    assert np.count_nonzero(index.entered) == count


def test_a_position_outside_the_space_is_not_taken_for_one_inside() -> None:
    """Looking for what differs in an unused bit finds nothing; entering it is still right."""
    index = HashIndex(1, 0b1110)
    keys, numbers = np.zeros(8, np.uint64), np.zeros(8, np.uint32)
    inside, outside = np.array([2, 4], np.uint64), np.array([3, 4, 2], np.uint64)
    assert index.insert(inside, 2, keys, 0, numbers, 0) == 2
    found = np.empty(3, np.int64)
    assert index.find(outside, 3, keys, found) == 2
    assert found.tolist() == [-1, 1, 0]
    assert index.insert(outside, 3, keys, 2, numbers, 2) == 3
    assert numbers[:5].tolist() == [0, 1, 2, 1, 0]
    assert index.find(outside, 3, keys, found) == 3
    assert found.tolist() == [2, 1, 0]


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
