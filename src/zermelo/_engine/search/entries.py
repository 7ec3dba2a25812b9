"""The table of a search: for each position that it met, bounds of its value and a good move.

An entry holds all words of a position, so that no two are ever taken for one, and one word with the
bounds, the move and how much work they cost. Four entries make a bucket. Three of them are replaced
only by what cost at least as much; the last by anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch

#: Entries in a bucket.
WAYS = 4
#: Bounds are between -MOST and MOST.
MOST = (1 << 19) - 1
#: Stands for no move, or for one with a number too great to hold.
NO_MOVE = (1 << 12) - 1

_HALF = np.uint64(32)
_BOUND = np.uint64((1 << 20) - 1)
_LOW, _HIGH, _MOVE, _WORK = np.uint64(1), np.uint64(21), np.uint64(41), np.uint64(53)
_ONE = np.uint64(1)


@inlined
def bucket_of(keys: Any, at: int, words: int, table: Any) -> Any:
    """Return where the bucket of a position begins."""
    stride = words + 1
    buckets = np.uint64(table.size // (stride * WAYS))
    return np.int64(((hash_of(keys, at, words) >> _HALF) * buckets) >> _HALF) * (stride * WAYS)


@inlined
def prefetch_bucket(table: Any, bucket: int, words: int) -> None:
    """Have a bucket brought into the cache."""
    prefetch(table, bucket)
    if words > 1:
        prefetch(table, bucket + 8)
        prefetch(table, bucket + WAYS * (words + 1) - 1)


@inlined
def entry_of(table: Any, bucket: int, keys: Any, at: int, words: int) -> Any:
    """Return the word of an entry; 0 where there is none."""
    for way in range(WAYS):
        place = bucket + way * (words + 1)
        if same_key(table, place, keys, at, words):
            return table[place + words]
    return np.uint64(0)


@inlined
def low_of(entry: Any) -> Any:
    return np.int64((entry >> _LOW) & _BOUND) - MOST


@inlined
def high_of(entry: Any) -> Any:
    return np.int64((entry >> _HIGH) & _BOUND) - MOST


@inlined
def move_of(entry: Any) -> Any:
    return np.int64((entry >> _MOVE) & np.uint64(NO_MOVE))


@inlined
def work_of(entry: Any) -> Any:
    return np.int64(entry >> _WORK)


@inlined
def store(
    table: Any, keys: Any, at: int, words: int, low: int, high: int, move: int, work: int
) -> int:
    """Enter bounds of a position; return 1 where they fill an empty place, else 0."""
    if move < 0 or move > NO_MOVE:
        move = NO_MOVE
    # Nobody tests for as much as MOST, so that what is cut here is as good.
    low, high = min(max(low, -MOST), MOST), min(max(high, -MOST), MOST)
    entry = (
        _ONE
        | (np.uint64(low + MOST) << _LOW)
        | (np.uint64(high + MOST) << _HIGH)
        | (np.uint64(move) << _MOVE)
        | (np.uint64(work) << _WORK)
    )
    bucket = bucket_of(keys, at, words, table)
    worst: Any = bucket
    least: Any = np.int64(1 << 30)
    for way in range(WAYS):
        place = bucket + way * (words + 1)
        if table[place + words] == 0:
            for word in range(words):
                table[place + word] = keys[at + word]
            table[place + words] = entry
            return 1
        if same_key(table, place, keys, at, words):
            table[place + words] = entry
            return 0
        if way < WAYS - 1 and work_of(table[place + words]) < least:
            worst, least = place, work_of(table[place + words])
    if work < least:
        worst = bucket + (WAYS - 1) * (words + 1)
    for word in range(words):
        table[worst + word] = keys[at + word]
    table[worst + words] = entry
    return 0


@kernel
def move_entries(table: Any, larger: Any, words: int) -> int:
    """Enter all of a table into a larger one; return how many of its places that fills."""
    filled = 0
    for place in range(0, table.size, words + 1):
        entry = table[place + words]
        if entry != 0:
            filled += store(
                larger,
                table,
                place,
                words,
                low_of(entry),
                high_of(entry),
                move_of(entry),
                work_of(entry),
            )
    return filled
