"""Lists of positions in ascending order, each once: differences, of which most take few bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import eight_bytes, put_eight_bytes
from zermelo._engine.sort.buckets import bucket_of

#: The most bytes that a word of a position takes, and those that are read with the last of a list.
MOST, SLACK = 9, 8
#: Bytes of a difference by its code, of which four are in a byte before all differences.
_ONE, _BYTE = np.uint64(1), np.uint64(8)
_THREE, _FOUR, _EIGHT = np.uint64(1 << 16), np.uint64(1 << 24), np.uint64(1 << 32)
#: Bits of a digit, by which positions of one word are sorted.
_DIGIT = 11
_DIGITS = 1 << _DIGIT


@kernel
def sort_short(keys: Any, count: int, used: Any, other: Any, begins: Any) -> Any:
    """Sort positions of one word, digit by digit from the lowest; return the array they are in.

    Args:
        keys: the positions.
        count: how many.
        used: the bits that may differ from 0; digits without any are left out.
        other: room for as many.
        begins: room for a number for each digit.
    """
    mask = np.uint64(_DIGITS - 1)
    shift = np.uint64(0)
    while shift < np.uint64(64) and used >> shift != np.uint64(0):
        if used >> shift & _ONE == np.uint64(0):
            shift += _ONE
            continue
        begins[:] = 0
        for i in range(count):
            begins[keys[i] >> shift & mask] += 1
        begin = 0
        for digit in range(_DIGITS):
            size = begins[digit]
            begins[digit] = begin
            begin += size
        for i in range(count):
            digit = keys[i] >> shift & mask
            other[begins[digit]] = keys[i]
            begins[digit] += 1
        keys, other = other, keys
        shift += np.uint64(_DIGIT)
    return keys[:count]


@kernel
def pack_list(keys: Any, count: int, words: int, out: Any) -> tuple[Any, Any]:
    """Write positions that are in ascending order, each once, as differences.

    Of each word, the difference from the position before is written in two, three, four or eight
    bytes, the lowest first. Which of these stands in a byte for each four of them, before all.
    So neither writing nor reading depends on a guess (Lemire, Kurz and Rupp, "Stream VByte",
    Information Processing Letters 130, 2018).

    Args:
        keys: the positions; duplicates are moved away.
        count: how many there are, duplicates counted.
        words: words a position.
        out: receives the bytes; room for ``MOST`` a word and ``SLACK``.

    Returns:
        How many different positions there are, and how many bytes they take.
    """
    distinct = 0
    for i in range(count):
        if distinct > 0 and same_key(keys, i * words, keys, (distinct - 1) * words, words):
            continue
        for word in range(words):
            keys[distinct * words + word] = keys[i * words + word]
        distinct += 1
    numbers = distinct * words
    codes = (numbers + 3) >> 2
    out[:codes] = 0
    at: Any = codes
    for n in range(numbers):
        left = keys[n]
        if n >= words:
            left -= keys[n - words]
        code = np.int64(left >= _THREE) + np.int64(left >= _FOUR) + np.int64(left >= _EIGHT)
        out[n >> 2] |= np.uint8(code << (2 * (n & 3)))
        put_eight_bytes(out, at, left)
        at += 2 + code + ((code + 1) >> 2) * 3
    return distinct, at


@kernel
def unpack_list(packed: Any, count: int, words: int, out: Any) -> Any:
    """Write the positions of a list; return how many bytes it takes, -1 where they are too few.

    Args:
        packed: the bytes, and ``SLACK`` more.
        count: how many positions there are.
        words: words a position.
        out: receives the positions.
    """
    numbers = count * words
    at: Any = (numbers + 3) >> 2
    size = packed.size - SLACK
    if at > size:
        return -1
    for n in range(numbers):
        code = np.int64(packed[n >> 2] >> np.uint8(2 * (n & 3))) & 3
        bytes_ = 2 + code + ((code + 1) >> 2) * 3
        if at + bytes_ > size:
            return -1
        left = eight_bytes(packed, at) << (np.uint64(8 - bytes_) * _BYTE)
        left >>= np.uint64(8 - bytes_) * _BYTE
        if n >= words:
            left += out[n - words]
        out[n] = left
        at += bytes_
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


def sorted_room() -> npt.NDArray[np.int64]:
    """Return room for what ``sort_short`` counts."""
    return np.empty(_DIGITS, np.int64)


def packed_room(count: int, words: int) -> npt.NDArray[np.uint8]:
    """Return room for a list of this many positions; memory has what is written of it."""
    return np.empty(MOST * words * count + SLACK, np.uint8)
