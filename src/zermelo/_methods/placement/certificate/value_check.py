"""Kernels of the certificate: the values of a level, derived from the next level and compared."""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint64Array
from zermelo._engine.core.bits import PLACES, gather
from zermelo._engine.core.jit import inlined, kernel
from zermelo._methods.placement.certificate.tiers import (
    ALL,
    BLOCK_WORDS,
    CROSSES,
    OWN,
    STRETCH_WORDS,
    VALUE,
    ZERO,
    LevelTiers,
    cells_below,
    filled_in,
    highest_is_first,
    pattern_bits,
    row_words,
)

_32 = np.uint64(32)


@inlined
def _insert_bit(word: int, place: int, mark: int) -> int:
    """Return the word whose patterns have ``mark`` inserted as bit ``place``, which is above 5.

    Bits 0 to 5 of a pattern are the bit index in a word; the higher bits are the index of the word.
    """
    shift = place - 6
    return (word >> shift) << (shift + 1) | mark << shift | word & ((1 << shift) - 1)


@inlined
def _combine_move(
    derived: Uint64Array,
    first: int,
    columns: int,
    next_planes: Uint64Array,
    offset: int,
    level: int,
    place: int,
    mark: int,
    marks: int,
    all_moves: bool,
) -> None:
    """Combine words of a tier with the values after a move: with AND for ``all_moves``, else OR."""
    if marks == OWN and place == level:
        # The new cell is the highest: patterns omit it, and have a bit for the one omitted before.
        if level == 0:
            derived[0] = (
                derived[0] & next_planes[offset] if all_moves else derived[0] | next_planes[offset]
            )
            return
        bits = level - 1
        if bits < 6:
            mask = highest_is_first(level, ZERO)
            word = next_planes[offset] & ~mask | next_planes[offset] >> np.uint64(1 << bits) & mask
            derived[0] = derived[0] & word if all_moves else derived[0] | word
            return
        base = offset + first
        low = next_planes[base : base + columns]
        base += row_words(bits)
        high = next_planes[base : base + columns]
        for w in range(columns):
            mask = highest_is_first(level, np.uint64(first + w))
            word = low[w] & ~mask | high[w] & mask
            if all_moves:
                derived[w] &= word
            else:
                derived[w] |= word
        return
    if place < 6:
        mask = PLACES[place] if mark else ~PLACES[place]
        base = offset + 2 * first
        if pattern_bits(level, marks) < 6:
            word = gather(next_planes[base], mask)
            derived[0] = derived[0] & word if all_moves else derived[0] | word
            return
        source = next_planes[base : base + 2 * columns]
        for w in range(columns):
            word = gather(source[2 * w], mask) | gather(source[2 * w + 1], mask) << _32
            if all_moves:
                derived[w] &= word
            else:
                derived[w] |= word
        return
    run = min(1 << (place - 6), columns)
    for begin in range(0, columns, run):
        base = offset + _insert_bit(first + begin, place, mark)
        out, source = derived[begin : begin + run], next_planes[base : base + run]
        if all_moves:
            for w in range(run):
                out[w] &= source[w]
        else:
            for w in range(run):
                out[w] |= source[w]


@kernel
def check_values(
    part: LevelTiers,
    begin: int,
    end: int,
    live: Uint64Array,
    planes_of: Uint64Array,
    winner_of: Int64Array,
    origin: Int64Array,
    next_planes: Uint64Array,
    next_plane_count: int,
    wrong: Uint8Array,
) -> None:
    """Derive the values of stretches of a level from the next level, and compare them.

    Args:
        part: the tiers.
        begin: the first stretch, counted within these tiers.
        end: the stretch after the last.
        live: bits of the positions of the level that are not terminal.
        planes_of: the decoded planes of the level.
        winner_of: the player whose wins each plane has.
        origin: for each plane, the plane of the next level that it follows from, or -1 if the plane
            has no wins.
        next_planes: the planes of the next level.
        next_plane_count: the number of these planes.
        wrong: faults by stretch; receives the bit VALUE for stretches with a wrong value.
    """
    level, tiers, shape, slots = part
    heights, radices, cells, _, marks = shape
    words = row_words(pattern_bits(level, marks))
    next_words = row_words(pattern_bits(level + 1, marks))
    columns = min(words, BLOCK_WORDS)
    length = min(words, STRETCH_WORDS)
    in_tier = words // length
    planes = winner_of.size
    derived = np.empty(BLOCK_WORDS, np.uint64)
    sources = np.empty(heights.size, np.int64)
    places = np.empty(heights.size, np.int64)
    mover = 1 - level % 2
    slot = -1
    row = np.int64(0)
    children = 0
    for stretch in range(begin, end):
        if stretch // in_tier != slot:
            slot = stretch // in_tier
            tier = tiers[slot]
            row = np.int64(slots[tier])
            filled = filled_in(tier, shape)
            children = 0
            for stack in range(heights.size):
                filled_cells = (tier // radices[stack]) % (heights[stack] + 1)
                if filled_cells < heights[stack]:
                    places[children] = cells_below(cells[stack, filled_cells], filled)
                    next_row = slots[tier + radices[stack]]
                    sources[children] = next_row * next_plane_count * next_words
                    children += 1
        offset = (stretch - slot * in_tier) * length
        differences = ZERO
        for first in range(offset, offset + length, columns):
            base_word = row * words + first
            undecided = live[base_word : base_word + columns]
            any_undecided = ZERO
            for w in range(columns):
                any_undecided |= undecided[w]
            if any_undecided == ZERO:
                continue
            for p in range(planes):
                all_moves = winner_of[p] != mover
                initial = ALL if all_moves and origin[p] >= 0 else ZERO
                for w in range(columns):
                    derived[w] = initial
                if origin[p] >= 0:
                    for i in range(children):
                        source = sources[i] + origin[p] * next_words
                        for mark in range(2):
                            if marks == OWN and mark != mover:
                                continue
                            if marks == CROSSES and mark == 0:
                                continue
                            _combine_move(
                                derived,
                                first,
                                columns,
                                next_planes,
                                source,
                                level,
                                places[i],
                                mark,
                                marks,
                                all_moves,
                            )
                base = (row * planes + p) * words + first
                stored = planes_of[base : base + columns]
                for w in range(columns):
                    differences |= (derived[w] ^ stored[w]) & undecided[w]
        if differences != ZERO:
            wrong[stretch] |= VALUE
