"""Compressed patterns of placement games: only the bits of patterns that are possible.

If marks belong to players, the number of the first player's marks in a pattern is known. So at most
35 of the 64 patterns of a word are possible; their bits are gathered into one, three or five bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, IntArray, Uint8Array, Uint64Array
from zermelo._engine.core.bits import gather, lowest, ones, scatter
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.memory import eight_bytes
from zermelo._methods.placement.tiers import BLOCK, OWN, bits_of
from zermelo._methods.placement.tiers import blocks_of as blocks_for

_0 = np.uint64(0)
_1 = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
#: Patterns of six cells with n marks of the first player, or one fewer.
_PATTERNS_BY_MARKS = tuple(
    np.uint64(sum(1 << k for k in range(64) if n - 1 <= k.bit_count() <= n)) for n in range(8)
)
#: Words of a block with n bits in their number.
_WORDS_BY_MARKS = tuple(
    np.uint64(sum(1 << k for k in range(64) if k.bit_count() == n)) for n in range(7)
)


@kernel
def has_block_counts(stored: IntArray, first: IntArray, last: int, counts: IntArray) -> bool:
    """Return whether the words of each block contain its number of positions.

    Args:
        stored: the words.
        first: the index of each block's first word.
        last: the end of the last block.
        counts: the number of positions of each block.
    """
    for n in range(first.size):
        end = first[n + 1] if n + 1 < first.size else last
        count = 0
        for word in range(first[n], end):
            if stored[word] == _0:
                return False
            count += ones(stored[word])
        if count != counts[n]:
            return False
    return True


@inlined
def _possible(level: int, word: int, marks: int) -> np.uint64:
    """Return the patterns of a word that are possible by the number of marks alone."""
    if marks != OWN:
        return _ALL
    marks_left = (level + 1) // 2 - ones(word)
    patterns = _PATTERNS_BY_MARKS[marks_left] if 0 <= marks_left < len(_PATTERNS_BY_MARKS) else _0
    bits = bits_of(level, marks)
    return patterns & ((_1 << np.uint64(1 << bits)) - _1) if bits < 6 else patterns


@inlined
def _level_of(block: int, level_block: Int64Array) -> int:
    level = 0
    while level_block[level + 1] <= block:
        level += 1
    return level


@inlined
def _first_word(block: int, level: int, level_block: Int64Array, marks: int) -> Any:
    """Return the first word of a block, counted within its tier."""
    return (block - level_block[level]) % blocks_for(bits_of(level, marks)) * BLOCK


@inlined
def _encoded_size(block: Any, level: Any, mask: Any, level_block: Any, marks: int) -> Any:
    """Return the bytes of some words of a block in the format of ``encode_patterns``."""
    first = _first_word(block, level, level_block, marks)
    size = 0
    for n in range(len(_WORDS_BY_MARKS)):  # words with equally many possible patterns
        bits = ones(_possible(level, first | (1 << n) - 1, marks))
        size += ones(mask & _WORDS_BY_MARKS[n]) * (bits + 7 >> 3)
    return size


@kernel
def encoded_sizes(present: Uint64Array, level_block: Int64Array, marks: int, out: IntArray) -> None:
    """Write the bytes of each block's words in the format of ``encode_patterns``."""
    for block in range(out.size):
        level = _level_of(block, level_block)
        out[block] = _encoded_size(block, level, present[block], level_block, marks)


@kernel
def encode_patterns(
    stored: Uint64Array,
    present: Uint64Array,
    begin: int,
    end: int,
    level_block: Int64Array,
    marks: int,
    out: Uint8Array,
) -> None:
    """Write the words of some blocks, with bits for possible patterns only.

    Args:
        stored: the words of the blocks that are not empty.
        present: by block: which words these are.
        begin: the first block.
        end: the block after the last.
        level_block: the first block of each level.
        marks: the owners of marks.
        out: receives the bytes.
    """
    byte = 0
    word = 0
    for block in range(begin, end):
        level = _level_of(block, level_block)
        first = _first_word(block, level, level_block, marks)
        mask = present[block]
        while mask != _0:
            possible = _possible(level, first + lowest(mask), marks)
            mask &= mask - _1
            bits = gather(stored[word], possible)
            word += 1
            for _ in range(ones(possible) + 7 >> 3):
                out[byte] = bits & np.uint64(255)
                bits >>= np.uint64(8)
                byte += 1


@kernel
def decode_patterns(
    data: Uint8Array,
    ends: Int64Array,
    begins: Int64Array,
    present: Uint64Array,
    level_block: Int64Array,
    marks: int,
    out: Uint64Array,
) -> bool:
    """Read groups of blocks that ``encode_patterns`` has written.

    Args:
        data: the bytes.
        ends: the end of each group's bytes.
        begins: the first block of each group, and the block after the last.
        present: by block: which words are not empty.
        level_block: the first block of each level.
        marks: the owners of marks.
        out: receives the words.

    Returns:
        Whether the numbers of bytes and words are right.
    """
    word = 0
    offset = 0
    for group in range(ends.size):
        for block in range(begins[group], begins[group + 1]):
            level = _level_of(block, level_block)
            first = _first_word(block, level, level_block, marks)
            mask = present[block]
            if word + ones(mask) > out.size:
                return False
            while mask != _0:
                possible = _possible(level, first + lowest(mask), marks)
                mask &= mask - _1
                size = ones(possible) + 7 >> 3
                if offset + 8 <= data.size:
                    bits = eight_bytes(data, offset)
                elif offset + size <= data.size:
                    bits = _0
                    for k in range(size):
                        bits |= np.uint64(data[offset + k]) << np.uint64(8 * k)
                else:
                    return False
                offset += size
                out[word] = scatter(bits, possible)
                word += 1
        if offset != ends[group]:
            return False
    return bool(word == out.size)


@kernel
def decode_groups(
    data: Uint8Array,
    ends: Int64Array,
    groups: Int64Array,
    begins: Int64Array,
    words: Int64Array,
    counts: IntArray,
    present: Uint64Array,
    level_block: Int64Array,
    marks: int,
    out: Uint64Array,
) -> int:
    """Read groups of blocks that ``encode_patterns`` has written, from all over a table.

    Args:
        data: the bytes of all groups.
        ends: the end of each group's bytes.
        groups: the number of each group.
        begins: the first block of each group of the table, and the number of blocks.
        words: by block: the number of words before it, and the total.
        counts: by block: the number of its positions.
        present: by block: which words are not empty.
        level_block: the first block of each level.
        marks: the owners of marks.
        out: receives the words, by their number.

    Returns:
        The index of an invalid group, or -1.
    """
    begin = 0
    for n in range(groups.size):
        group = groups[n]
        blocks = begins[group : group + 2]
        first, last = words[blocks[0]], words[blocks[1]]
        group_words = out[first:last]
        size = ends[n : n + 1] - begin
        group_bytes = data[begin : ends[n]]
        if not decode_patterns(group_bytes, size, blocks, present, level_block, marks, group_words):
            return n
        offsets = words[blocks[0] : blocks[1]] - first
        if not has_block_counts(group_words, offsets, last - first, counts[blocks[0] : blocks[1]]):
            return n
        begin = ends[n]
    return -1


@light_kernel
def find_encoded(
    number: int,
    location: Any,
    begin: int,
    present: IntArray,
    counts: IntArray,
    level_block: Any,
    marks: int,
    data: Uint8Array,
    size: int,
) -> Any:
    """Return the place of a position in a group of blocks in the format of ``encode_patterns``.

    Args:
        number: the block of the position.
        location: the result of ``find_block`` for it.
        begin: the first block of the group.
        present: by block: which words are not empty.
        counts: by block: the number of its positions.
        level_block: the first block of each level.
        marks: the owners of marks.
        data: the bytes of the group, and at least eight more.
        size: the number of its bytes.

    Returns:
        The place; -1 if the position is absent, -2 if its block is invalid.
    """
    offset = 0
    level = _level_of(begin, level_block)
    for block in range(begin, number):
        while level_block[level + 1] <= block:
            level += 1
        offset += _encoded_size(block, level, present[block], level_block, marks)
    level = _level_of(number, level_block)
    first = _first_word(number, level, level_block, marks)
    bit = np.uint64(location[1])
    mask = present[number]
    count = rank = 0
    is_present = False
    while mask != _0:
        word = lowest(mask)
        mask &= mask - _1
        possible = _possible(level, first + word, marks)
        bit_count = ones(possible)
        if offset + (bit_count + 7 >> 3) > size:
            return -2
        bits = eight_bytes(data, offset)
        if bit_count < 64:
            bits &= (_1 << np.uint64(bit_count)) - _1
        offset += bit_count + 7 >> 3
        if word == location[0]:
            pattern = scatter(bits, possible)
            rank = count + ones(pattern & ((_1 << bit) - _1))
            is_present = pattern >> bit & _1 != _0
        count += ones(bits)
    if count != counts[number]:
        return -2
    return location[2] + rank if is_present else -1
