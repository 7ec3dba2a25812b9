"""Reachable patterns of a placement game: each tier from the tiers with one cell fewer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint32Array, Uint64Array
from zermelo._engine.core.bits import ODD, PLACES, ones, scatter
from zermelo._engine.core.jit import inlined, light_kernel
from zermelo._methods.placement.tiers import (
    BLOCK,
    IN_BLOCK,
    IN_WORD,
    SECTION,
    BoardShape,
    StoredWords,
    TierSource,
    Workspace,
    bits_of,
    blocks_of,
    find_lines,
    find_lines_in_patterns,
    is_odd,
    last_marks,
    occupied,
    place_of,
    plane_index,
    with_parity,
    words_of,
)

_0 = np.uint64(0)
_1 = np.uint64(1)
_32 = np.uint64(32)
_HALF = np.uint64(0xFFFFFFFF)


@inlined
def _pull(
    source: Uint64Array,
    location: tuple[Int32Array, int, int],
    target: Uint64Array,
    offset: int,
    block: int,
    words: int,
    place: int,
    mark: int,
) -> None:
    """Add to a block the patterns of a tier with one cell fewer, with ``mark`` in that cell.

    ``location`` locates the tier: the place of each slice, its first slice, and a slice's size.
    """
    frames, row, in_slice = location
    if place >= IN_BLOCK:
        shift = place - IN_BLOCK
        if (block >> shift) & 1 == mark:
            source_block = (block >> (shift + 1)) << shift | block & ((1 << shift) - 1)
            base = plane_index(frames, row, in_slice, 1, source_block)
            for w in range(BLOCK):
                target[offset + w] |= source[base + w]
    elif place >= IN_WORD:
        shift = place - IN_WORD
        base = plane_index(frames, row, in_slice, 1, block >> 1) + (block & 1) * (BLOCK // 2)
        for j in range(words // 2):
            w = (j >> shift) << (shift + 1) | mark << shift | j & ((1 << shift) - 1)
            target[offset + w] |= source[base + j]
    else:
        mask = PLACES[place] if mark else ~PLACES[place]
        base = plane_index(frames, row, in_slice, 1, block >> 1) + (block & 1) * (BLOCK // 2)
        for w in range(words):
            half = source[base + (w >> 1)] >> (_32 if w & 1 else _0) & _HALF
            target[offset + w] |= scatter(half, mask)


@inlined
def _pull_left_out(
    source: Uint64Array,
    location: tuple[Int32Array, int, int],
    target: Uint64Array,
    offset: int,
    block: int,
    words: int,
    level: int,
    previous_sizes: tuple[int, int, int],
) -> None:
    """Add to a block the patterns of a tier that lacks the cell which patterns leave out.

    The patterns of that tier leave out another cell, which is the highest bit here: its mark
    follows from the rest.
    """
    blocks_before, words_before, bits_before = previous_sizes
    frames, row, in_slice = location
    parity = (level // 2 + is_odd(block)) & 1
    base = plane_index(frames, row, in_slice, 1, block & (blocks_before - 1))
    if words_before >= BLOCK:
        for w in range(BLOCK):
            target[offset + w] |= source[base + w] & (ODD if is_odd(w) != parity else ~ODD)
        return
    for w in range(words):
        word = source[base + (w & (words_before - 1))]
        if bits_before < IN_WORD and level > 1:
            word |= word << np.uint64(1 << bits_before)
        target[offset + w] |= word & with_parity(w, parity)


class LevelCounts(NamedTuple):
    """The numbers of words that are not empty, and of positions, by block and section of a level.

    Attributes:
        first_block: the level's first index in arrays by block.
        present: the words of each block that are not empty, as bits.
        first: the number of such words of its section before the block.
        rank: the number of positions of its section before the block.
        first_section: the level's first index in arrays by section.
        words: the number of words of the section that are not empty.
        positions: the number of its positions.
    """

    first_block: int
    present: Uint64Array
    first: Uint32Array
    rank: Uint32Array
    first_section: int
    words: Int64Array
    positions: Int64Array


@light_kernel
def reach(
    level: int,
    tiers: Int64Array,
    begin: int,
    end: int,
    shape: BoardShape,
    work: Workspace,
    previous: TierSource,
    live: Uint64Array,
    reached: Uint64Array,
    start: int,
    counts: LevelCounts,
) -> None:
    """Find the reachable patterns of sections ``begin`` to ``end`` of a level.

    Args:
        level: marks on the board.
        tiers: the level's tiers.
        begin: the first section.
        end: the section after the last.
        shape: the board.
        work: the arrays to work in.
        previous: the patterns of the level before in which the game goes on.
        live: receives such patterns of this level, unless it is empty.
        reached: receives all reachable patterns.
        start: the first block of the level in ``live`` and ``reached``.
        counts: receives the numbers of words and positions.
    """
    heights, radices, cells, lines, marks = shape
    slots, frames, in_slice, patterns, _ = previous
    first_block, present, first, rank, first_section, section_words, section_positions = counts
    bits = bits_of(level, marks)
    words = min(BLOCK, words_of(bits))
    blocks = blocks_of(bits)
    in_tier = max(1, blocks // SECTION)
    bits_before = bits_of(max(level - 1, 0), marks)
    slices_before = blocks_of(bits_before) >> in_slice
    high, kind, low, line_patterns, source, places, _, _, _ = work
    least, most = last_marks(level, marks)
    current_slot = -1
    line_count = 0
    parents = 0
    for section in range(begin, end):
        slot = section // in_tier
        if slot != current_slot:
            current_slot = slot
            tier = tiers[slot]
            occupied_cells, tops = occupied(tier, heights, radices, cells)
            line_count = find_lines(level, occupied_cells, tops, lines, marks, high, kind, low)
            parents = 0
            for stack in range(heights.size):
                filled = (tier // radices[stack]) % (heights[stack] + 1)
                if filled:
                    places[parents] = place_of(cells[stack, filled - 1], occupied_cells)
                    source[parents] = slots[tier - radices[stack]] * slices_before
                    parents += 1
        word_count = 0
        position_count = 0
        begins = (section - slot * in_tier) * SECTION
        for block in range(begins, min(begins + SECTION, blocks)):
            offset = (slot * blocks + block - start) * BLOCK
            for w in range(BLOCK):
                reached[offset + w] = _0
            if level == 0:
                reached[offset] = _1
            for i in range(parents):
                location = frames, source[i], in_slice
                if places[i] == bits and bits < level:
                    previous_sizes = blocks_of(bits_before), words_of(bits_before), bits_before
                    _pull_left_out(
                        patterns, location, reached, offset, block, words, level, previous_sizes
                    )
                    continue
                for mark in range(least, most + 1):
                    _pull(patterns, location, reached, offset, block, words, places[i], mark)
            present_words = _0
            count = 0
            for w in range(words):
                word = reached[offset + w]
                if word != _0:
                    present_words |= _1 << np.uint64(w)
                    count += ones(word)
            number = first_block + slot * blocks + block
            present[number] = present_words
            first[number] = word_count
            rank[number] = position_count
            word_count += ones(present_words)
            position_count += count
            if live.size == 0:
                continue
            line_state = 0
            if count:
                line_state = find_lines_in_patterns(
                    block, line_count, high, kind, low, line_patterns
                )
            if line_state == 2:
                for w in range(BLOCK):
                    live[offset + w] = _0
            elif line_state == 1:
                for w in range(BLOCK):
                    live[offset + w] = reached[offset + w] & ~line_patterns[w]
            else:
                for w in range(BLOCK):
                    live[offset + w] = reached[offset + w]
        section_words[first_section + section] = word_count
        section_positions[first_section + section] = position_count


@light_kernel
def store_words(
    bits: int, begin: int, end: int, reached: Uint64Array, start: int, stored: StoredWords
) -> None:
    """Copy the words of sections ``begin`` to ``end`` that are not empty to ``stored``.

    Args:
        bits: the bits of a pattern.
        begin: the first section.
        end: the section after the last.
        reached: the reachable patterns.
        start: the first block of the level in ``reached``.
        stored: receives the words.
    """
    first_block, present, first_section, word_base, words = stored
    blocks = blocks_of(bits)
    in_tier = max(1, blocks // SECTION)
    for section in range(begin, end):
        slot = section // in_tier
        target = word_base[first_section + section]
        first = (section - slot * in_tier) * SECTION
        for block in range(first, min(first + SECTION, blocks)):
            if present[first_block + slot * blocks + block] == _0:
                continue
            source = (slot * blocks + block - start) * BLOCK
            for w in range(BLOCK):
                if reached[source + w] != _0:
                    words[target] = reached[source + w]
                    target += 1
