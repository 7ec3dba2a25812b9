"""Sorted positions in blocks: the differences of neighbours, in planes of bytes.

Adjacent positions differ little. A block contains the *steps* of its positions, each in as many
bytes as the largest of them needs: first the lowest byte of all, then the next byte of all, and so
on, so that similar bytes are adjacent and Zstandard compresses them. The step of the first position
is 0; a separate array has the first positions. A position of several words is one large number, its
first word the most significant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint64Array
from zermelo._engine.core.bits import length
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.sort.sorted_keys import is_less

#: Bytes of a word: the most bytes of a step of one word.
WORD = 8

_ZERO, _ONE, _BYTE = np.uint64(0), np.uint64(1), np.uint64(8)
#: Positions of a group, which a search skips by its last position.
_GROUP = 32


@kernel
def encode(keys: Uint64Array, words: int, size: int, out: Uint8Array, ends: Int64Array) -> None:
    """Write the steps of positions, block by block.

    Args:
        keys: positions, ascending.
        words: words of a position.
        size: positions in a block.
        out: receives the bytes, with space for ``WORD`` bytes for each word.
        ends: receives the end of each block.
    """
    steps = np.empty(size * words, np.uint64)
    offset = 0
    count = keys.size // words
    for begin in range(0, count, size):
        block_count = min(size, count - begin)
        width = _steps_of(keys[begin * words : (begin + block_count) * words], words, steps)
        for plane in range(width):
            word = words - 1 - plane // WORD
            shift = _BYTE * np.uint64(plane % WORD)
            for i in range(block_count):
                out[offset + i] = np.uint8(steps[i * words + word] >> shift)
            offset += block_count
        ends[begin // size] = offset


@inlined
def _steps_of(keys: Uint64Array, words: int, steps: Uint64Array) -> Any:
    """Write the difference of each position from the one before; return the bytes of a step."""
    steps[:words] = _ZERO
    if words == 1:
        all_bits = _ONE
        for i in range(1, keys.size):
            steps[i] = keys[i] - keys[i - 1]
            all_bits |= steps[i]
        return (length(all_bits) + 7) // WORD
    width = 1
    for i in range(words, keys.size, words):
        borrow = _ZERO
        for word in range(words - 1, -1, -1):  # the lowest word first, to propagate the borrow
            word_value, previous = keys[i + word], keys[i + word - words]
            step = word_value - previous - borrow
            borrow = _ONE if word_value < previous or (word_value == previous and borrow) else _ZERO
            steps[i + word] = step
            if step:
                width = max(width, WORD * (words - 1 - word) + (length(step) + 7) // WORD)
    return width


@inlined
def _width(size: int, count: int, words: int) -> int:
    """Return the bytes of each of ``count`` steps in a block of ``size`` bytes, 0 if invalid."""
    width = size // count
    return width if width * count == size and width <= WORD * words else 0


@light_kernel
def decode(
    data: Uint8Array, begin: int, end: int, first: Uint64Array, words: int, out: Uint64Array
) -> bool:
    """Read the positions of a block; return whether their number is the length of ``out``.

    Args:
        data: the steps, with other data before and after them.
        begin: the begin of the steps.
        end: the end of the steps.
        first: the first position.
        words: words of a position.
        out: receives the positions.
    """
    count = out.size // words
    width = _width(end - begin, count, words)
    if width == 0:
        return False
    out[:] = _ZERO
    for plane in range(width):
        word = words - 1 - plane // WORD
        shift = _BYTE * np.uint64(plane % WORD)
        plane_bytes = data[begin + plane * count : begin + (plane + 1) * count]
        if words == 1:  # as in the other branch, but vectorised
            for i in range(count):
                out[i] |= np.uint64(plane_bytes[i]) << shift
        else:
            for i in range(count):
                out[i * words + word] |= np.uint64(plane_bytes[i]) << shift
    if words == 1:
        position = first[0]
        for i in range(count):
            position += out[i]
            out[i] = position
        return True
    for i in range(count):
        carry = _ZERO
        for word in range(words - 1, -1, -1):
            previous = first[word] if i == 0 else out[(i - 1) * words + word]
            sum_of_words = previous + out[i * words + word]
            total = sum_of_words + carry
            carry = _ONE if sum_of_words < previous or total < sum_of_words else _ZERO
            out[i * words + word] = total
    return True


@kernel
def decode_blocks(
    data: Uint8Array,
    ends: Int64Array,
    first_block: int,
    firsts: Uint64Array,
    words: int,
    size: int,
    out: Uint64Array,
) -> tuple[int, bool]:
    """Read the positions of consecutive blocks.

    Args:
        data: the steps of the blocks.
        ends: the end of each block in these.
        first_block: the number of the first of the blocks.
        firsts: the first position of every block.
        words: words of a position.
        size: positions in a block; the very last may have fewer.
        out: receives the positions.

    Returns:
        An invalid block, -1 for none; and whether the positions ascend strictly, each block begins
        with its first position, and the last is before the first of the next block.
    """
    ascends = True
    begin = 0
    for n in range(ends.size):
        block = first_block + n
        keys = out[n * size * words : (n + 1) * size * words]
        if not decode(data, begin, ends[n], firsts[block * words :], words, keys):
            return block, False
        begin = ends[n]
        for word in range(words):
            ascends &= keys[word] == firsts[block * words + word]
        if words == 1:  # vectorised
            falls = 0
            for i in range(1, keys.size):
                falls += keys[i] <= keys[i - 1]
            ascends &= falls == 0
        else:
            for i in range(1, keys.size // words):
                ascends &= is_less(keys, i - 1, keys, i, words)
        if (block + 1) * words < firsts.size:
            ascends &= is_less(keys, keys.size // words - 1, firsts, block + 1, words)
    return -1, ascends


@light_kernel
def seek(
    data: Uint8Array,
    begin: int,
    end: int,
    count: int,
    first: Uint64Array,
    block: int,
    key: Uint64Array,
) -> int:
    """Search a block for a position of one word.

    Args:
        data: the steps of the block, with other data before and after them.
        begin: the begin of the steps.
        end: the end of the steps.
        count: the number of positions of the block.
        first: the first position of every block.
        block: the number of the block.
        key: the position, in an array.

    Returns:
        The index of the position in the block, -1 if it is missing, -2 if the block is invalid.
    """
    width = _width(end - begin, count, 1)
    if width == 0:
        return -2
    word, position = key[0], first[block]
    for group in range(0, count, _GROUP):
        size, group_sum = min(_GROUP, count - group), _ZERO
        for plane in range(width):  # the sum of the group's steps, vectorised
            begin_of_plane = begin + plane * count + group
            plane_sum = _ZERO
            for step in data[begin_of_plane : begin_of_plane + size]:
                plane_sum += np.uint64(step)
            group_sum += plane_sum << (_BYTE * np.uint64(plane))
        if position + group_sum < word:
            position += group_sum
            continue
        for i in range(group, group + size):
            for plane in range(width):
                step = np.uint64(data[begin + plane * count + i])
                position += step << (_BYTE * np.uint64(plane))
            if position >= word:
                return i if position == word else -1
    return -1


@kernel
def copy_parts(data: Uint8Array, blocks: Int64Array, bounds: Int64Array, out: Uint8Array) -> None:
    """Copy concatenated blocks of bytes to their offsets in an array.

    Args:
        data: the blocks.
        blocks: the number of each.
        bounds: the begin of each block in the array, and the end of the last.
        out: the array.
    """
    source = np.uint64(0)
    for n in range(blocks.size):
        begin, end = np.uint64(bounds[blocks[n]]), np.uint64(bounds[blocks[n] + 1])
        for k in range(end - begin):
            out[begin + k] = data[source + k]
        source += end - begin


@inlined
def _count_less(word: np.uint64, keys: Uint64Array, begin: int, end: int) -> Any:
    """Return the number of words from ``begin`` to ``end`` that are less than ``word``.

    All are compared, vectorised, which is faster than a binary search with mispredicted branches.
    """
    count: Any = 0
    for i in range(begin, end):
        count += np.int64(keys[i] < word)
    return count


@kernel
def find_within(
    positions: Uint64Array,
    words: int,
    data: Uint8Array,
    bounds: Int64Array,
    firsts: Uint64Array,
    position_count: int,
    blocks: Int64Array,
    size: int,
    out: Int64Array,
) -> Any:
    """Find packed positions in the blocks that would contain them.

    A block is decoded once for consecutive positions of it.

    Args:
        positions: the positions.
        words: words of a position.
        data: the steps of all positions; those of the blocks are loaded.
        bounds: the begin of each block in the steps, and the end of the last.
        firsts: the first position of each block.
        position_count: the number of all positions.
        blocks: the block that would contain each wanted one, -1 for none.
        size: positions in a block.
        out: receives the number of each, -1 for a missing one.

    Returns:
        The number of positions found; or, if a block is invalid, -1 minus its number.
    """
    buffer = np.empty(size * words, np.uint64)
    lasts = np.empty((size + _GROUP - 1) // _GROUP, np.uint64)
    found_count = begin = 0
    while begin < blocks.size:
        block = blocks[begin]
        end = begin + 1
        while end < blocks.size and blocks[end] == block:
            end += 1
        if block < 0:
            out[begin:end] = -1
            begin = end
            continue
        count = min(size, position_count - block * size)
        keys, first = buffer[: count * words], firsts[block * words : (block + 1) * words]
        if not decode(data, bounds[block], bounds[block + 1], first, words, keys):
            return -1 - block
        if words == 1:
            for group in range(0, count, _GROUP):
                lasts[group // _GROUP] = keys[min(group + _GROUP, count) - 1]
            for i in range(begin, end):
                word = positions[i]
                group = _GROUP * _count_less(word, lasts, 0, (count + _GROUP - 1) // _GROUP)
                index = group + _count_less(word, keys, group, min(group + _GROUP, count))
                is_equal = index < count and keys[index] == word
                out[i] = block * size + index if is_equal else -1
                found_count += is_equal
        else:
            for i in range(begin, end):
                index = _index_in_block(positions, i, words, keys, count)
                out[i] = block * size + index if index >= 0 else -1
                found_count += index >= 0
        begin = end
    return found_count


@inlined
def _index_in_block(
    positions: Uint64Array, i: int, words: int, keys: Uint64Array, count: int
) -> int:
    """Return the index of wanted position ``i`` in ascending ``keys`` of several words, or -1."""
    low, high = 0, count - 1
    while low < high:  # the last that is not greater
        middle = (low + high + 1) // 2
        if is_less(positions, i, keys, middle, words):
            high = middle - 1
        else:
            low = middle
    for word in range(words):
        if positions[i * words + word] != keys[low * words + word]:
            return -1
    return low


@kernel
def read_within(
    places: Int64Array,
    words: int,
    data: Uint8Array,
    bounds: Int64Array,
    firsts: Uint64Array,
    position_count: int,
    size: int,
    out: Uint64Array,
) -> Any:
    """Read the packed positions with some numbers.

    Args:
        places: the numbers.
        words: words of a position.
        data: the steps of all positions; those of the blocks are loaded.
        bounds: the begin of each block in the steps, and the end of the last.
        firsts: the first position of each block.
        position_count: the number of all positions.
        size: positions in a block.
        out: receives the positions.

    Returns:
        An invalid block, -1 for none.
    """
    buffer = np.empty(size * words, np.uint64)
    current_block = np.int64(-1)
    for i in range(places.size):
        block = places[i] // size
        if block != current_block:
            count = min(size, position_count - block * size)
            keys, first = buffer[: count * words], firsts[block * words : (block + 1) * words]
            if not decode(data, bounds[block], bounds[block + 1], first, words, keys):
                return block
            current_block = block
        index = places[i] - block * size
        for word in range(words):
            out[i * words + word] = buffer[index * words + word]
    return -1
