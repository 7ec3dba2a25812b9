"""The values of a placement game: each tier from the tiers with one more occupied cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint64Array
from zermelo._engine.core.bits import ODD, PLACES, gather, ones
from zermelo._engine.core.jit import inlined, light_kernel
from zermelo._methods.placement.tiers import (
    BLOCK,
    IN_BLOCK,
    IN_WORD,
    OWN,
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
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@inlined
def _combine(
    source: Uint64Array,
    base: int,
    out: Uint64Array,
    target: int,
    words: int,
    bits: int,
    bit: int,
    mark: int,
    all_moves: bool,
) -> None:
    """Combine a block with its successors by one move: with AND for ``all_moves``, else with OR."""
    if bit >= IN_BLOCK:
        if all_moves:
            for w in range(BLOCK):
                out[target + w] &= source[base + w]
        else:
            for w in range(BLOCK):
                out[target + w] |= source[base + w]
        return
    if bit >= IN_WORD:
        shift = bit - IN_WORD
        for j in range(words >> shift):
            origin = base + (j << (shift + 1)) + (mark << shift)
            target_word = target + (j << shift)
            if all_moves:
                for w in range(1 << shift):
                    out[target_word + w] &= source[origin + w]
            else:
                for w in range(1 << shift):
                    out[target_word + w] |= source[origin + w]
        return
    mask = PLACES[bit] if mark else ~PLACES[bit]
    if bits < IN_WORD:
        word = gather(source[base], mask)
        out[target] = out[target] & word if all_moves else out[target] | word
        return
    for w in range(words):
        word = gather(source[base + 2 * w], mask) | gather(source[base + 2 * w + 1], mask) << _32
        out[target + w] = out[target + w] & word if all_moves else out[target + w] | word


@inlined
def _combine_on_top(
    source: Uint64Array,
    low: int,
    high: int,
    out: Uint64Array,
    target: int,
    block: int,
    words: int,
    level: int,
    all_moves: bool,
) -> None:
    """Combine a block with its successors by a move to a cell above all others.

    Patterns omit the highest cell. The successors' patterns omit the new cell, and have a bit for
    the cell that was the highest. The mark of that cell follows from the other marks, so each
    pattern's successor is in one half of the tier.
    """
    parity = ((level + 1) // 2 + 1 + is_odd(block)) & 1
    if level <= IN_WORD:
        word = source[low]
        if level:
            mask = with_parity(0, parity)
            word = word & ~mask | word >> np.uint64(1 << (level - 1)) & mask
        out[target] = out[target] & word if all_moves else out[target] | word
        return
    if all_moves:
        for w in range(words):
            mask = ODD if is_odd(w) != parity else ~ODD
            out[target + w] &= source[low + w] & ~mask | source[high + w] & mask
    else:
        for w in range(words):
            mask = ODD if is_odd(w) != parity else ~ODD
            out[target + w] |= source[low + w] & ~mask | source[high + w] & mask


class LevelPlanes(NamedTuple):
    """The meaning of the planes of a level, and who wins by a line.

    Attributes:
        winner_of: the player whose wins each plane has: 1 for the first player.
        origin: for each, the plane of the next level that it follows from, or -1.
        at_full: for each, its bit for a full board without a line.
        maker: the winner by a line that the last move completed: 1 for the first player.
    """

    winner_of: Int64Array
    origin: Int64Array
    at_full: Uint8Array
    maker: int


@light_kernel
def solve(
    level: int,
    tiers: Int64Array,
    begin: int,
    end: int,
    shape: BoardShape,
    work: Workspace,
    after: TierSource,
    out: Uint64Array,
    meaning: LevelPlanes,
    patterns: StoredWords,
    value_base: Int64Array,
    values: Uint64Array,
) -> None:
    """Solve sections ``begin`` to ``end`` of a level, and store the reachable values.

    A plane has a bit for every pattern: whether one player wins by some ply. The bit is 1 if that
    player moves and one successor has it, or if the opponent moves and all successors have it.

    Args:
        level: marks on the board.
        tiers: the level's tiers.
        begin: the first section.
        end: the section after the last.
        shape: the board.
        work: the arrays to work in.
        after: the planes of the next level.
        out: receives the planes of this level; if it is empty, only reachable values are stored.
        meaning: the meaning of these planes.
        patterns: the reachable patterns.
        value_base: the index of each section's first value.
        values: receives the values: for each 64 reachable positions, one word per plane.
    """
    heights, radices, cells, lines, marks = shape
    slots, frames, in_slice, next_planes, next_plane_count = after
    winner_of, origin, at_full, maker = meaning
    first_block, present, first_section, word_base, stored = patterns
    planes = winner_of.size
    bits = bits_of(level, marks)
    words = min(BLOCK, words_of(bits))
    blocks = blocks_of(bits)
    in_tier = max(1, blocks // SECTION)
    stride = blocks * BLOCK
    next_blocks = blocks_of(bits_of(level + 1, marks))
    next_slices = next_blocks >> in_slice
    next_stride = BLOCK << in_slice
    next_half = words_of(bits_of(level + 1, marks)) // 2
    high, kind, low, line_patterns, source, places, bases, pending, spare = work
    stores_planes = out.size > 0
    step = stride if stores_planes else BLOCK
    if not stores_planes:
        out = spare
    least, most = last_marks(level + 1, marks)
    mover = 1 - level % 2
    current_slot = -1
    line_count = 0
    children = 0
    for section in range(begin, end):
        slot = section // in_tier
        if slot != current_slot:
            current_slot = slot
            tier = tiers[slot]
            occupied_cells, tops = occupied(tier, heights, radices, cells)
            line_count = find_lines(level, occupied_cells, tops, lines, marks, high, kind, low)
            children = 0
            for stack in range(heights.size):
                filled = (tier // radices[stack]) % (heights[stack] + 1)
                if filled < heights[stack]:
                    places[children] = place_of(cells[stack, filled], occupied_cells)
                    source[children] = slots[tier + radices[stack]] * next_slices
                    children += 1
        word_at = word_base[first_section + section]
        value_at = value_base[first_section + section]
        fill = 0
        for p in range(planes):
            pending[p] = _0
        begins = (section - slot * in_tier) * SECTION
        for block in range(begins, min(begins + SECTION, blocks)):
            present_words = present[first_block + slot * blocks + block]
            if present_words == _0:
                continue
            line_state = find_lines_in_patterns(block, line_count, high, kind, low, line_patterns)
            base = slot * planes * stride + block * BLOCK if stores_planes else 0
            for i in range(children):
                place = places[i]
                for mark in range(2):
                    next_block, extra = 2 * block, 0
                    if marks == OWN and place == level:
                        next_block = block
                        if mark and next_half < BLOCK:
                            extra = next_half
                        elif mark:
                            next_block += next_blocks // 2
                    elif place >= IN_BLOCK:
                        shift = place - IN_BLOCK
                        next_block = (block >> shift) << (shift + 1) | mark << shift
                        next_block |= block & ((1 << shift) - 1)
                    offset = plane_index(frames, source[i], in_slice, next_plane_count, next_block)
                    bases[2 * i + mark] = offset + extra
            for p in range(planes):
                target = base + p * step
                line_wins = winner_of[p] == maker
                if line_state == 2:
                    filler = _ALL if line_wins else _0
                    for w in range(BLOCK):
                        out[target + w] = filler
                    continue
                all_moves = winner_of[p] != mover
                filler = _0
                if children == 0:
                    filler = _ALL if at_full[p] else _0
                elif origin[p] >= 0 and all_moves:
                    filler = _ALL
                for w in range(BLOCK):
                    out[target + w] = filler
                if origin[p] >= 0:
                    for i in range(children):
                        plane = origin[p] * next_stride
                        if marks == OWN and places[i] == level:
                            offset, high_offset = bases[2 * i] + plane, bases[2 * i + 1] + plane
                            _combine_on_top(
                                next_planes,
                                offset,
                                high_offset,
                                out,
                                target,
                                block,
                                words,
                                level,
                                all_moves,
                            )
                            continue
                        for mark in range(least, most + 1):
                            offset = bases[2 * i + mark] + plane
                            _combine(
                                next_planes,
                                offset,
                                out,
                                target,
                                words,
                                bits,
                                places[i],
                                mark,
                                all_moves,
                            )
                if line_state and line_wins:
                    for w in range(BLOCK):
                        out[target + w] |= line_patterns[w]
                elif line_state:
                    for w in range(BLOCK):
                        out[target + w] &= ~line_patterns[w]
            # Store the values of reachable patterns, 64 to a word.
            for w in range(words):
                if present_words >> np.uint64(w) & _1 == _0:
                    continue
                mask = stored[word_at]
                word_at += 1
                count = ones(mask)
                for p in range(planes):
                    word = gather(out[base + p * step + w], mask)
                    pending[p] |= word << np.uint64(fill)
                    if fill + count >= 64:
                        values[value_at + p] = pending[p]
                        pending[p] = word >> np.uint64(64 - fill) if fill else _0
                fill += count
                if fill >= 64:
                    fill -= 64
                    value_at += planes
        if fill:
            for p in range(planes):
                values[value_at + p] = pending[p]
