"""Lists of positions in ascending order, each once: differences, of which most take few bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import kernel
from zermelo._engine.sort.buckets import bucket_of

#: The most bytes that a word of a position takes.
MOST = 10
_SEVEN, _HIGH, _LOW = np.uint64(7), np.uint64(128), np.uint64(127)


@kernel
def pack_list(keys: Any, count: int, words: int, out: Any) -> tuple[Any, Any]:
    """Write positions that are in ascending order, each once, as differences.

    Of each word, the difference from the position before is written seven bits a byte, the lowest
    first; the highest bit of a byte says that there are more.

    Args:
        keys: the positions.
        count: how many there are, duplicates counted.
        words: words a position.
        out: receives the bytes; room for ``MOST`` a word.

    Returns:
        How many different positions there are, and how many bytes they take.
    """
    at = 0
    distinct = 0
    for i in range(count):
        if i > 0 and same_key(keys, i * words, keys, (i - 1) * words, words):
            continue
        distinct += 1
        for word in range(words):
            left = keys[i * words + word]
            if i > 0:
                left -= keys[(i - 1) * words + word]
            while left >= _HIGH:
                out[at] = np.uint8(left & _LOW | _HIGH)
                left >>= _SEVEN
                at += 1
            out[at] = np.uint8(left)
            at += 1
    return distinct, at


@kernel
def unpack_list(packed: Any, count: int, words: int, out: Any) -> Any:
    """Write the positions of a list; return how many bytes it takes, -1 where they are too few."""
    at = 0
    for i in range(count):
        for word in range(words):
            left = np.uint64(0)
            shift = np.uint64(0)
            while True:
                if at >= packed.size:
                    return -1
                byte = np.uint64(packed[at])
                at += 1
                left |= (byte & _LOW) << shift
                if byte < _HIGH:
                    break
                shift += _SEVEN
            if i > 0:
                left += out[(i - 1) * words + word]
            out[i * words + word] = left
    return at


@kernel
def put_in_buckets(
    keys: Any,
    count: int,
    words: int,
    bits: int,
    first: int,
    at: int,
    ends: Any,
    where: Any,
    out: Any,
    order: Any,
) -> None:
    """Put positions into buckets by their hashes, for ``look_up``.

    Args:
        keys: the positions.
        count: how many.
        words: words a position.
        bits: logarithm of the number of buckets of all.
        first: the bucket that comes first; all positions are in this one or later ones.
        at: how many positions stand before them.
        ends: receives where each bucket ends.
        where: room for ``count`` numbers.
        out: receives the positions.
        order: receives which of them stands in each place.
    """
    ends[:] = 0
    for i in range(count):
        bucket = bucket_of(hash_of(keys, i * words, words), bits) - first
        where[i] = bucket
        ends[bucket] += 1
    begin = 0
    for bucket in range(ends.size):
        size = ends[bucket]
        ends[bucket] = begin
        begin += size
    for i in range(count):
        place = np.int64(ends[where[i]])
        ends[where[i]] += 1
        order[place] = i
        for word in range(words):
            out[place * words + word] = keys[i * words + word]
    for bucket in range(ends.size):
        ends[bucket] += at


def packed_room(count: int, words: int) -> npt.NDArray[np.uint8]:
    """Return room for a list of this many positions; memory has what is written of it."""
    return np.empty(MOST * words * count, np.uint8)
