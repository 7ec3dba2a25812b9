"""Kernels that unpack slices of tiers from the stored words and values."""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint64Array
from zermelo._engine.core.bits import ones, scatter
from zermelo._engine.core.jit import kernel
from zermelo._methods.placement.tiers import (
    BLOCK,
    SECTION,
    BoardShape,
    bits_of,
    blocks_of,
    find_lines,
    find_lines_in_patterns,
    occupied,
    words_of,
)

_0 = np.uint64(0)
_1 = np.uint64(1)


@kernel
def unpack_live(
    level: int,
    tiers: Int64Array,
    first: int,
    count: int,
    in_slice: int,
    frames: Int32Array,
    shape: BoardShape,
    first_block: int,
    present: Uint64Array,
    stored: Uint64Array,
    out: Uint64Array,
) -> None:
    """Write the patterns of some slices of tiers in which the game goes on.

    Args:
        level: marks on the board.
        tiers: the level's tiers.
        first: the first slice, counted from the beginning of the level.
        count: the number of slices.
        in_slice: the binary logarithm of the blocks of a slice.
        frames: the place of each slice in ``out``.
        shape: the board.
        first_block: the level's first index in ``present``.
        present: which words of each block are not empty.
        stored: the words of these slices.
        out: receives the patterns.
    """
    heights, radices, cells, lines, marks = shape
    bits = bits_of(level, marks)
    words = min(BLOCK, words_of(bits))
    blocks = 1 << in_slice
    slices = blocks_of(bits) >> in_slice
    high = np.empty(2 * lines.size + 1, np.uint64)
    kind = np.empty(2 * lines.size + 1, np.int64)
    low = np.zeros((2 * lines.size + 1, 2, BLOCK), np.uint64)
    over = np.zeros(BLOCK, np.uint64)
    word_at = 0
    known = -1
    found = 0
    for i in range(count):
        slot = (first + i) // slices
        if slot != known:
            known = slot
            taken, tops = occupied(tiers[slot], heights, radices, cells)
            found = find_lines(level, taken, tops, lines, marks, high, kind, low)
        begins = (first + i - slot * slices) * blocks
        to = frames[i] * blocks * BLOCK
        for block in range(begins, begins + blocks):
            here = present[first_block + slot * slices * blocks + block]
            for w in range(BLOCK):
                out[to + w] = _0
            if here != _0:
                some = find_lines_in_patterns(block, found, high, kind, low, over)
                for w in range(words):
                    if here >> np.uint64(w) & _1 == _0:
                        continue
                    if some == 0:
                        out[to + w] = stored[word_at]
                    elif some == 1:
                        out[to + w] = stored[word_at] & ~over[w]
                    word_at += 1
            to += BLOCK


@kernel
def unpack_values(
    bits: int,
    first: int,
    count: int,
    in_slice: int,
    frames: Int32Array,
    first_block: int,
    present: Uint64Array,
    first_section: int,
    stored: Uint64Array,
    planes: int,
    value_base: Int64Array,
    values: Uint64Array,
    out: Uint64Array,
) -> None:
    """Write the planes of some slices of tiers, valid for all reachable patterns.

    Args:
        bits: bits of a pattern.
        first: the first slice, counted from the beginning of the level.
        count: the number of slices.
        in_slice: the binary logarithm of the blocks of a slice.
        frames: the place of each slice in ``out``.
        first_block: the level's first index in ``present``.
        present: which words of each block are not empty.
        first_section: the level's first index in arrays by section.
        stored: the words of these slices.
        planes: the number of planes.
        value_base: the index of each section's first value, counted from the beginning of the game.
        values: the values of these slices.
        out: receives the planes of each slice, one after the other.
    """
    words = min(BLOCK, words_of(bits))
    blocks = 1 << in_slice
    sections = max(1, blocks // SECTION)
    stride = blocks * BLOCK
    origin = value_base[first_section + first * sections]
    word_at = 0
    value_at = np.int64(0)
    fill = 0
    for i in range(count):
        for block in range(blocks):
            if block % SECTION == 0:
                section = first_section + (first + i) * sections + block // SECTION
                value_at = value_base[section] - origin
                fill = 0
            here = present[first_block + (first + i) * blocks + block]
            if here == _0:
                continue
            to = frames[i] * planes * stride + block * BLOCK
            for w in range(words):
                if here >> np.uint64(w) & _1 == _0:
                    continue
                mask = stored[word_at]
                word_at += 1
                held = ones(mask)
                over = fill + held > 64
                for p in range(planes):
                    word = values[value_at + p] >> np.uint64(fill)
                    if over:
                        word |= values[value_at + planes + p] << np.uint64(64 - fill)
                    out[to + p * stride + w] = scatter(word, mask)
                fill += held
                if fill >= 64:
                    fill -= 64
                    value_at += planes


@kernel
def group(
    needed: Int32Array,
    costs: Int64Array,
    most: int,
    limit: int,
    seen: Int64Array,
    groups: int,
    ends: Int64Array,
) -> int:
    """Group slices that can be in memory together; return the number of groups.

    Args:
        needed: for each slice the distinct slices it follows from, -1 for none.
        costs: the memory that each slice takes itself.
        most: the most slices that a group may follow from.
        limit: the most that a group may take itself; a single slice is always allowed.
        seen: a buffer of a number for each slice that others follow from, none that of a group
            here.
        groups: a number that no group has had.
        ends: receives the slice after the last of each group.
    """
    made = 0
    held = 0
    cost = 0
    begin = 0
    for t in range(needed.shape[0]):
        more = 0
        for i in range(needed.shape[1]):
            of = needed[t, i]
            if of >= 0 and seen[of] != groups + made:
                more += 1
        if t > begin and (held + more > most or cost + costs[t] > limit):
            ends[made] = t
            made += 1
            begin = t
            held = 0
            cost = 0
            more = 0
            for i in range(needed.shape[1]):
                more += needed[t, i] >= 0
        for i in range(needed.shape[1]):
            if needed[t, i] >= 0:
                seen[needed[t, i]] = groups + made
        held += more
        cost += costs[t]
    ends[made] = needed.shape[0]
    return made + 1
