"""Compressed lists of distinct positions: differences, most of which take few bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import eight_bytes, put_eight_bytes
from zermelo._engine.sort.buckets import bucket_of
from zermelo._engine.sort.sorted_keys import ascending

#: The most bytes per word of a position, and the bytes that are read past the end of a list.
MOST, SLACK = 9, 8
#: The logarithm of the parts of a list, and their number: each is of one partition of the owner
#: that merges them. A list begins with the number of positions and the bytes of each part.
PART_BITS = 5
PARTS = 1 << PART_BITS
HEAD = 8 * PARTS
#: Constants of differences, whose four possible sizes have codes of two bits.
_ONE, _BYTE = np.uint64(1), np.uint64(8)
_THREE, _FOUR, _EIGHT = np.uint64(1 << 16), np.uint64(1 << 24), np.uint64(1 << 32)
_HALF, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)
#: Bits of a digit of the radix sort of one-word positions.
_DIGIT = 11
_DIGITS = 1 << _DIGIT


@kernel
def sort_short(keys: Any, count: int, used: Any, other: Any, begins: Any) -> Any:
    """Sort one-word positions by radix sort, lowest digit first; return the sorted array.

    Args:
        keys: the positions.
        count: the number of positions.
        used: the bits that may differ from 0; the sort skips the others.
        other: a buffer for as many positions.
        begins: a buffer of a number for each digit.
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


@inlined
def _pack(keys: Any, begin: Any, end: Any, words: int, out: Any, at: Any) -> Any:
    """Write a range of positions as differences from ``out[at]`` on; return the end."""
    numbers = (end - begin) * words
    first = begin * words
    codes = at
    at += (numbers + 3) >> 2
    out[codes:at] = 0
    for n in range(numbers):
        left = keys[first + n]
        if n >= words:
            left -= keys[first + n - words]
        code = np.int64(left >= _THREE) + np.int64(left >= _FOUR) + np.int64(left >= _EIGHT)
        out[codes + (n >> 2)] |= np.uint8(code << (2 * (n & 3)))
        put_eight_bytes(out, at, left)
        at += 2 + code + ((code + 1) >> 2) * 3
    return at


@kernel
def pack_list(keys: Any, count: int, words: int, out: Any) -> tuple[Any, Any]:
    """Write ascending positions, without duplicates, as differences.

    The difference of each word from the position before is written in two, three, four or eight
    bytes, the lowest first. One byte has the sizes of four differences, and these bytes come first.
    So neither writing nor reading has branches to mispredict (Lemire, Kurz and Rupp, "Stream
    VByte", Information Processing Letters 130, 2018).

    Args:
        keys: the positions; duplicates are overwritten.
        count: the number of positions, duplicates included.
        words: words per position.
        out: receives the bytes; ``MOST`` per word and ``SLACK`` long.

    Returns:
        The number of distinct positions, and of bytes.
    """
    distinct = 0
    for i in range(count):
        if distinct > 0 and same_key(keys, i * words, keys, (distinct - 1) * words, words):
            continue
        for word in range(words):
            keys[distinct * words + word] = keys[i * words + word]
        distinct += 1
    return distinct, _pack(keys, np.int64(0), np.int64(distinct), words, out, np.int64(0))


@kernel
def pack_parts(
    keys: Any, count: int, words: int, bits: int, other: Any, where: Any, out: Any
) -> tuple[Any, Any]:
    """Write ascending positions, without duplicates, as ``PARTS`` lists.

    The last of the first ``bits`` bits of a position's hash determine its list. The number of
    positions and of bytes of each list are written before all lists.

    Args:
        keys: the positions; duplicates are overwritten.
        count: the number of positions, duplicates included.
        words: words per position.
        bits: the number of bits of a hash that determine the owner and the list.
        other: a buffer for as many positions.
        where: a buffer of a byte per position.
        out: receives the bytes; ``MOST`` per word, and ``SLACK`` and ``HEAD`` more.

    Returns:
        The number of distinct positions, and of bytes.
    """
    ends = np.zeros(PARTS + 1, np.int64)
    distinct = 0
    for i in range(count):
        if distinct > 0 and same_key(keys, i * words, keys, (distinct - 1) * words, words):
            continue
        for word in range(words):
            keys[distinct * words + word] = keys[i * words + word]
        part = bucket_of(hash_of(keys, i * words, words), bits) & (PARTS - 1)
        where[distinct] = part
        ends[part + 1] += 1
        distinct += 1
    for part in range(PARTS):
        ends[part + 1] += ends[part]
    places = ends.copy()
    for i in range(distinct):
        place = places[where[i]]
        places[where[i]] += 1
        for word in range(words):
            other[place * words + word] = keys[i * words + word]
    at: Any = np.int64(HEAD)
    for part in range(PARTS):
        begin = at
        at = _pack(other, ends[part], ends[part + 1], words, out, at)
        put_eight_bytes(out, 8 * part, np.uint64(at - begin) << _HALF | _count(ends, part))
    return distinct, at


@inlined
def _count(ends: Any, part: int) -> Any:
    return np.uint64(ends[part + 1] - ends[part])


@inlined
def _unpack(packed: Any, at: Any, end: Any, count: Any, words: int, out: Any, begin: Any) -> bool:
    """Write ``count`` positions after the first ``begin``; return whether they end at ``end``."""
    numbers = count * words
    first = begin * words
    codes = at
    at += (numbers + 3) >> 2
    if at > end or first + numbers > out.size:
        return False
    for n in range(numbers):
        code = np.int64(packed[codes + (n >> 2)] >> np.uint8(2 * (n & 3))) & 3
        bytes_ = 2 + code + ((code + 1) >> 2) * 3
        if at + bytes_ > end:
            return False
        left = eight_bytes(packed, at) << (np.uint64(8 - bytes_) * _BYTE)
        left >>= np.uint64(8 - bytes_) * _BYTE
        if n >= words:
            left += out[first + n - words]
        out[first + n] = left
        at += bytes_
    return bool(at == end)


@kernel
def unpack_list(packed: Any, count: int, words: int, out: Any) -> Any:
    """Write the positions of a list that ``pack_list`` has made.

    Args:
        packed: the bytes, and ``SLACK`` more.
        count: the number of positions.
        words: words per position.
        out: receives the positions.

    Returns:
        The bytes that the list takes, -1 if there are too few.
    """
    end = np.int64(packed.size - SLACK)
    if _unpack(packed, np.int64(0), end, count, words, out, np.int64(0)):
        return end
    return -1


@kernel
def unpack_parts(packed: Any, begin: int, size: int, words: int, out: Any) -> Any:
    """Write the positions of a list, part by part.

    Args:
        packed: bytes, and ``SLACK`` more.
        begin: the first byte of the list.
        size: the bytes of the list.
        words: words per position.
        out: receives the positions.

    Returns:
        The number of positions, -1 if the list is damaged.
    """
    done: Any = 0
    at: Any = np.int64(begin + HEAD)
    for part in range(PARTS):
        head = eight_bytes(packed, begin + 8 * part)
        count, end = np.int64(head & _LOW), at + np.int64(head >> _HALF)
        if end > begin + size or not _unpack(packed, at, end, count, words, out, done):
            return -1
        done += count
        at = end
    return done if at == begin + size else -1


@kernel
def unpack_part(packed: Any, begins: Any, part: int, words: int, out: Any, done: Any) -> Any:
    """Write the positions of one part of several lists.

    Args:
        packed: bytes, and ``SLACK`` more.
        begins: the first byte of each list, and the end of the last one.
        part: the number of the part.
        words: words per position.
        out: receives the positions.
        done: the number of positions already in ``out``.

    Returns:
        The new number of positions in ``out``, -1 if a list is damaged.
    """
    for n in range(begins.size - 1):
        at: Any = begins[n] + HEAD
        for before in range(part):
            at += np.int64(eight_bytes(packed, begins[n] + 8 * before) >> _HALF)
        head = eight_bytes(packed, begins[n] + 8 * part)
        count, end = np.int64(head & _LOW), at + np.int64(head >> _HALF)
        if end > begins[n + 1] or not _unpack(packed, at, end, count, words, out, done):
            return -1
        done += count
    return done


def list_buffer(count: int, words: int) -> npt.NDArray[np.uint8]:
    """Return a buffer for a list of ``count`` positions; only written pages take memory."""
    return np.empty(MOST * words * count + SLACK, np.uint8)


class ListRoom:
    """The buffers in which a thread makes lists."""

    def __init__(self, words: int) -> None:
        """Create empty buffers; ``words`` is the number of words per position."""
        self._words = words
        self._digits = np.empty(_DIGITS, np.int64)
        self._reserve(0)

    @property
    def bytes(self) -> int:
        """The bytes of the buffers."""
        return self._other.nbytes + self._where.nbytes + self._out.nbytes

    def _reserve(self, count: int) -> None:
        self._other = np.empty(count * self._words, np.uint64)
        self._where = np.empty(count, np.uint8)
        # The codes of each part are rounded up to whole bytes.
        self._out = np.empty(MOST * self._words * count + PARTS + HEAD + SLACK, np.uint8)

    def list_positions(
        self, keys: npt.NDArray[np.uint64], bits: int, used: np.uint64
    ) -> tuple[int, npt.NDArray[np.uint8]]:
        """Return the number of distinct positions, and a list of them.

        Args:
            keys: the positions, which are reordered.
            bits: the number of bits of a hash that determine the owner and the part; see
                ``pack_parts``.
            used: the bits that may differ from 0, if positions take one word.

        Returns:
            The number, and bytes that the next list overwrites.
        """
        words = self._words
        count = len(keys) // words
        if len(self._where) < count:
            self._reserve(count + count // 8)
        other = self._other
        if words == 1:
            sorted_keys = sort_short(keys, count, used, other, self._digits)
            # The sorted positions are in one of the two arrays; the other is free again.
            other = other if len(keys) and _same_memory(sorted_keys, keys) else keys
        else:
            sorted_keys = keys.reshape(-1, words)[ascending(keys, words)].reshape(-1)
        rooms = other, self._where, self._out
        distinct, size = pack_parts(sorted_keys, count, words, bits, *rooms)
        return int(distinct), self._out[: int(size)]


def _same_memory(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Return whether two arrays begin at the same address."""
    return bool(one.ctypes.data == other.ctypes.data)
