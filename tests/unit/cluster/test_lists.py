"""Lists of positions are read as they were written, and sorted as NumPy sorts."""

from __future__ import annotations

import numpy as np
import pytest

from sizes import counts
from zermelo._engine.sort.ordered import ascending
from zermelo._methods.levels.cluster import lists


def listed(keys, words):
    """Return how many different positions a list has, and its bytes."""
    out = lists.packed_room(len(keys) // words, words)
    count, size = lists.pack_list(keys.copy(), len(keys) // words, words, out)
    return count, out[:size]


def read_again(packed, count, words):
    """Return the positions of a list, and how many bytes were read."""
    out = np.empty(count * words, np.uint64)
    padded = np.append(packed, np.full(lists.SLACK, 255, np.uint8))
    return out, lists.unpack_list(padded, count, words, out)


@counts(100, 3000)
def test_lists_are_read_as_they_were_written(count):
    """Differences of all sizes, duplicates, one word and several, no position at all."""
    rng = np.random.default_rng(count)
    for n in range(count):
        words, size = int(rng.integers(1, 4)), int(rng.integers(0, 60))
        bits = int(rng.integers(0, 65))
        top = (1 << bits) - 1
        rows = rng.integers(0, top, (size, words), np.uint64, endpoint=True)
        rows = rows[rng.integers(0, max(1, size), size)] if n % 2 else rows
        keys = np.ascontiguousarray(rows).reshape(-1)
        if words == 1:
            room = np.empty(size, np.uint64), lists.sorted_room()
            keys = lists.sort_short(keys.copy(), size, np.uint64(top), *room)
            assert (keys == np.sort(rows.reshape(-1))).all()
        else:
            keys = keys.reshape(-1, words)[ascending(keys, words)].reshape(-1)
        distinct, packed = listed(keys, words)
        found, used = read_again(packed, distinct, words)
        assert used == len(packed)
        assert (found.reshape(-1, words) == np.unique(rows, axis=0)).all()
        if len(packed):
            assert read_again(packed[:-1], distinct, words)[1] == -1


def test_near_positions_take_few_bytes():
    """Two bytes and a quarter where positions are less than 2**16 apart."""
    keys = np.arange(4000, dtype=np.uint64) * np.uint64(60000)
    assert len(listed(keys, 1)[1]) == pytest.approx(2.25 * 4000, abs=8)
