"""Compressed lists of distinct positions: differences, most of which take few bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import (
    Int64Array,
    Integer,
    Uint8Array,
    Uint16Array,
    Uint64Array,
)
from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import eight_bytes, put_eight_bytes
from zermelo._engine.sort.buckets import bucket_of

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
#: Bits of a digit of the radix sort, and the number of digits.
_DIGIT = 11
DIGITS = 1 << _DIGIT
_NO_SOURCES = np.empty(0, np.uint16)


@kernel
def sort_positions(
    keys: Uint64Array,
    sources: Uint16Array,
    count: int,
    words: int,
    buffer: Uint64Array,
    source_buffer: Uint16Array,
    begins: Int64Array,
) -> tuple[Any, Any]:
    """Sort positions by radix sort, lowest digit first; return the sorted arrays.

    Args:
        keys: the positions.
        sources: a number that goes with each position, or empty. Equal positions keep the order of
            their numbers.
        count: the number of positions.
        words: words per position.
        buffer: a buffer for ``count`` positions.
        source_buffer: a buffer as long as ``sources``.
        begins: a buffer of ``DIGITS`` numbers.
    """
    mask = np.uint64(DIGITS - 1)
    for word in range(words - 1, -1, -1):
        differing = np.uint64(0)
        for i in range(count):
            differing |= keys[i * words + word] ^ keys[word]
        shift = np.uint64(0)
        while shift < np.uint64(64) and differing >> shift != np.uint64(0):
            if differing >> shift & _ONE == np.uint64(0):
                shift += _ONE
                continue
            begins[:] = 0
            for i in range(count):
                begins[keys[i * words + word] >> shift & mask] += 1
            begin = 0
            for digit in range(DIGITS):
                size = begins[digit]
                begins[digit] = begin
                begin += size
            for i in range(count):
                digit = keys[i * words + word] >> shift & mask
                index = begins[digit]
                begins[digit] += 1
                place = index * words
                buffer[place] = keys[i * words]
                for n in range(1, words):
                    buffer[place + n] = keys[i * words + n]
                if sources.size:
                    source_buffer[index] = sources[i]
            keys, buffer = buffer, keys
            sources, source_buffer = source_buffer, sources
            shift += np.uint64(_DIGIT)
    return keys[: count * words], sources


@inlined
def _pack(
    keys: Uint64Array, begin: Integer, end: Integer, words: int, out: Uint8Array, offset: Integer
) -> Any:
    """Write a range of positions as differences, from ``out[offset]`` on; return the end."""
    numbers = (end - begin) * words
    first = begin * words
    codes = offset
    offset += (numbers + 3) >> 2
    out[codes:offset] = 0
    for n in range(numbers):
        difference = keys[first + n]
        if n >= words:
            difference -= keys[first + n - words]
        code = (
            np.int64(difference >= _THREE)
            + np.int64(difference >= _FOUR)
            + np.int64(difference >= _EIGHT)
        )
        out[codes + (n >> 2)] |= np.uint8(code << (2 * (n & 3)))
        put_eight_bytes(out, offset, difference)
        offset += 2 + code + ((code + 1) >> 2) * 3
    return offset


@kernel
def pack_list(keys: Uint64Array, count: int, words: int, out: Uint8Array) -> tuple[Any, Any]:
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
    keys: Uint64Array,
    count: int,
    words: int,
    bits: int,
    buffer: Uint64Array,
    list_numbers: Uint8Array,
    out: Uint8Array,
) -> tuple[Any, Any]:
    """Write ascending positions, without duplicates, as ``PARTS`` lists.

    The last of the first ``bits`` bits of a position's hash determine its list. The number of
    positions and of bytes of each list are written before all lists.

    Args:
        keys: the positions; duplicates are overwritten.
        count: the number of positions, duplicates included.
        words: words per position.
        bits: the number of bits of a hash that determine the owner and the list.
        buffer: a buffer for ``count`` positions.
        list_numbers: a buffer of a byte per position.
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
        list_numbers[distinct] = part
        ends[part + 1] += 1
        distinct += 1
    for part in range(PARTS):
        ends[part + 1] += ends[part]
    places = ends.copy()
    for i in range(distinct):
        place = places[list_numbers[i]]
        places[list_numbers[i]] += 1
        for word in range(words):
            buffer[place * words + word] = keys[i * words + word]
    offset: Any = np.int64(HEAD)
    for part in range(PARTS):
        begin = offset
        offset = _pack(buffer, ends[part], ends[part + 1], words, out, offset)
        positions = np.uint64(ends[part + 1] - ends[part])
        put_eight_bytes(out, 8 * part, np.uint64(offset - begin) << _HALF | positions)
    return distinct, offset


@inlined
def _unpack(
    packed: Uint8Array,
    offset: Integer,
    end: Integer,
    count: int,
    words: int,
    out: Uint64Array,
    begin: Integer,
) -> bool:
    """Write ``count`` positions after the first ``begin``; return whether they end at ``end``."""
    numbers = count * words
    first = begin * words
    codes = offset
    offset += (numbers + 3) >> 2
    if offset > end or first + numbers > out.size:
        return False
    for n in range(numbers):
        code = np.int64(packed[codes + (n >> 2)] >> np.uint8(2 * (n & 3))) & 3
        bytes_ = 2 + code + ((code + 1) >> 2) * 3
        if offset + bytes_ > end:
            return False
        value = eight_bytes(packed, offset) << (np.uint64(8 - bytes_) * _BYTE)
        value >>= np.uint64(8 - bytes_) * _BYTE
        if n >= words:
            value += out[first + n - words]
        out[first + n] = value
        offset += bytes_
    return bool(offset == end)


@kernel
def unpack_list(packed: Uint8Array, count: int, words: int, out: Uint64Array) -> Any:
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
def unpack_lists(
    packed: Uint8Array,
    begins: Int64Array,
    ends: Int64Array,
    counts: Int64Array,
    words: int,
    out: Uint64Array,
    unpacked: Integer,
) -> Any:
    """Write the positions of several lists, or of a part of each.

    Args:
        packed: bytes, and ``SLACK`` more.
        begins: the first byte of each list.
        ends: the byte after the last of each.
        counts: the number of positions of each.
        words: words per position.
        out: receives the positions.
        unpacked: the number of positions already in ``out``.

    Returns:
        The new number of positions in ``out``, -1 if a list is damaged.
    """
    for n in range(begins.size):
        if counts[n] > 0:
            if not _unpack(packed, begins[n], ends[n], counts[n], words, out, unpacked):
                return -1
            unpacked += counts[n]
    return unpacked


def read_heads(data: Uint8Array, begins: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the first byte and the number of positions of each part of lists, a row for a list.

    Args:
        data: lists in parts, one after the other.
        begins: the first byte of each list, and the end of the last one.

    Returns:
        The first byte of each part, with the end of the last part of the list; and the counts.
    """
    heads = np.array(
        [data[begin : begin + HEAD].view(np.uint64) for begin in begins[:-1].tolist()], np.uint64
    ).reshape(-1, PARTS)
    sizes = (heads >> _HALF).astype(np.int64)
    firsts = np.concatenate((begins[:-1, np.newaxis] + HEAD, sizes), axis=1)
    return firsts.cumsum(axis=1), (heads & _LOW).astype(np.int64)


def list_buffer(count: int, words: int) -> Uint8Array:
    """Return a buffer for a list of ``count`` positions; only written pages take memory."""
    return np.empty(MOST * words * count + SLACK, np.uint8)


class ListCoder:
    """The buffers in which a thread sorts positions and codes them as lists."""

    def __init__(self, words: int) -> None:
        """Create empty buffers; ``words`` is the number of words per position."""
        self._words = words
        self._digits = np.empty(DIGITS, np.int64)
        self.clear()

    def clear(self) -> None:
        """Release the buffers."""
        self._reserve(0)

    @property
    def bytes(self) -> int:
        """The bytes of the buffers."""
        return self._buffer.nbytes + self._list_numbers.nbytes + self._out.nbytes

    @staticmethod
    def buffer_bytes(count: int, words: int) -> int:
        """Return the bytes of the buffers for lists of ``count`` positions."""
        size = count + count // 8
        return (8 + MOST) * words * size + size + PARTS + HEAD + SLACK

    def _reserve(self, count: int) -> None:
        self._buffer = np.empty(count * self._words, np.uint64)
        self._list_numbers = np.empty(count, np.uint8)
        # The codes of each part are rounded up to whole bytes.
        self._out = np.empty(MOST * self._words * count + PARTS + HEAD + SLACK, np.uint8)

    def list_positions(self, keys: Uint64Array) -> tuple[int, Uint8Array]:
        """Return the number of distinct positions, and a list of them.

        Args:
            keys: the positions, which are reordered.

        Returns:
            The number, and bytes that the next list overwrites.
        """
        ascending, _, count = self._sort(keys)
        distinct, size = pack_list(ascending, count, self._words, self._out)
        return int(distinct), self._out[: int(size)]

    def list_parts(self, keys: Uint64Array, bits: int) -> tuple[int, Uint8Array]:
        """Return the number of distinct positions, and a list of them in parts.

        Args:
            keys: the positions, which are reordered.
            bits: the number of bits of a hash that determine the owner and the part; see
                ``pack_parts``.

        Returns:
            The number, and bytes that the next list overwrites.
        """
        ascending, buffer, count = self._sort(keys)
        arrays = buffer, self._list_numbers, self._out
        distinct, size = pack_parts(ascending, count, self._words, bits, *arrays)
        return int(distinct), self._out[: int(size)]

    def _sort(self, keys: Uint64Array) -> tuple[Uint64Array, Uint64Array, int]:
        """Return sorted positions, a buffer of equal size, and their number."""
        count = len(keys) // self._words
        if len(self._list_numbers) < count:
            self._reserve(count + count // 8)
        buffer = self._buffer
        arguments = keys, _NO_SOURCES, count, self._words, buffer, _NO_SOURCES, self._digits
        ascending, _ = sort_positions(*arguments)
        # The sorted positions are in one of the two arrays; the other is free again.
        return ascending, buffer if len(keys) and _same_memory(ascending, keys) else keys, count


def _same_memory(first: Uint64Array, second: Uint64Array) -> bool:
    """Return whether two arrays begin at the same address."""
    return bool(first.ctypes.data == second.ctypes.data)
