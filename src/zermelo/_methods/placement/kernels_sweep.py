"""The values of a placement game: each tier from the tiers with one cell more."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.bits import ODD, PLACES, gather, ones
from zermelo._engine.core.jit import inlined, light_kernel
from zermelo._methods.placement.tiers import (
    BLOCK,
    IN_BLOCK,
    IN_WORD,
    OWN,
    SECTION,
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
    source: Any,
    base: Any,
    out: Any,
    to: Any,
    words: int,
    bits: int,
    place: int,
    mark: int,
    every: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Combine a block with its successors by one move: with AND for ``every``, else with OR."""
    if place >= IN_BLOCK:
        if every:
            for w in range(BLOCK):
                out[to + w] &= source[base + w]
        else:
            for w in range(BLOCK):
                out[to + w] |= source[base + w]
        return
    if place >= IN_WORD:
        shift = place - IN_WORD
        for j in range(words >> shift):
            of = base + (j << (shift + 1)) + (mark << shift)
            into = to + (j << shift)
            if every:
                for w in range(1 << shift):
                    out[into + w] &= source[of + w]
            else:
                for w in range(1 << shift):
                    out[into + w] |= source[of + w]
        return
    mask = PLACES[place] if mark else ~PLACES[place]
    if bits < IN_WORD:
        word = gather(source[base], mask)
        out[to] = out[to] & word if every else out[to] | word
        return
    for w in range(words):
        word = gather(source[base + 2 * w], mask) | gather(source[base + 2 * w + 1], mask) << _32
        out[to + w] = out[to + w] & word if every else out[to + w] | word


@inlined
def _combine_on_top(
    source: Any,
    low: Any,
    high: Any,
    out: Any,
    to: Any,
    block: int,
    words: int,
    level: int,
    every: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Combine a block with its successors by a move to a cell above all others.

    Their patterns leave out the new cell, and have a bit for the cell left out before. The mark of
    that cell follows from the rest, so each pattern is in one half of the tier or the other.
    """
    wanted = ((level + 1) // 2 + 1 + is_odd(block)) & 1
    if level <= IN_WORD:
        word = source[low]
        if level:
            mask = with_parity(0, wanted)
            word = word & ~mask | word >> np.uint64(1 << (level - 1)) & mask
        out[to] = out[to] & word if every else out[to] | word
        return
    if every:
        for w in range(words):
            mask = ODD if is_odd(w) != wanted else ~ODD
            out[to + w] &= source[low + w] & ~mask | source[high + w] & mask
    else:
        for w in range(words):
            mask = ODD if is_odd(w) != wanted else ~ODD
            out[to + w] |= source[low + w] & ~mask | source[high + w] & mask


@light_kernel
def solve(
    level: int,
    tiers: Any,
    begin: int,
    end: int,
    shape: Any,
    work: Any,
    slots: Any,
    frames: Any,
    in_slice: int,
    after: Any,
    out: Any,
    planes_after: int,
    whose: Any,
    origin: Any,
    at_full: Any,
    maker: int,
    first_block: int,
    present: Any,
    first_section: int,
    word_base: Any,
    stored: Any,
    value_base: Any,
    values: Any,
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
        work: the arrays of ``workspace``.
        slots: the index of each tier in its level.
        frames: by slice of the next level, its place in ``after``.
        in_slice: the binary logarithm of the blocks of such a slice.
        after: the planes of the next level, a slice's one after the other.
        out: receives the planes of this level; if it is empty, only reachable values are stored.
        planes_after: the number of planes of the next level.
        whose: for each plane of this level, whose wins it has: 1 for the first player's.
        origin: for each, the plane of the next level that it follows from, or -1.
        at_full: for each, its bit on a full board without a line.
        maker: who wins by a line that the last move made: 1 for the first player.
        first_block: the level's first index in ``present``.
        present: which words of each block are not empty.
        first_section: the level's first index in arrays by section.
        word_base: the index of each section's first word.
        stored: the words of reachable patterns.
        value_base: the index of each section's first value.
        values: receives the values: for each 64 reachable positions, one word per plane.
    """
    heights, radices, cells, lines, marks = shape
    planes = whose.size
    bits = bits_of(level, marks)
    words = min(BLOCK, words_of(bits))
    blocks = blocks_of(bits)
    in_tier = max(1, blocks // SECTION)
    stride = blocks * BLOCK
    blocks_after = blocks_of(bits_of(level + 1, marks))
    slices_after = blocks_after >> in_slice
    stride_after = BLOCK << in_slice
    half_after = words_of(bits_of(level + 1, marks)) // 2
    high, kind, low, over, source, places, bases, pending, spare = work
    whole = out.size > 0
    step = stride if whole else BLOCK
    if not whole:
        out = spare
    least, most = last_marks(level + 1, marks)
    mover = 1 - level % 2
    known = -1
    found = 0
    children = 0
    for section in range(begin, end):
        slot = section // in_tier
        if slot != known:
            known = slot
            tier = tiers[slot]
            taken, tops = occupied(tier, heights, radices, cells)
            found = find_lines(level, taken, tops, lines, marks, high, kind, low)
            children = 0
            for stack in range(heights.size):
                filled = (tier // radices[stack]) % (heights[stack] + 1)
                if filled < heights[stack]:
                    places[children] = place_of(cells[stack, filled], taken)
                    source[children] = slots[tier + radices[stack]] * slices_after
                    children += 1
        word_at = word_base[first_section + section]
        value_at = value_base[first_section + section]
        fill = 0
        for p in range(planes):
            pending[p] = _0
        begins = (section - slot * in_tier) * SECTION
        for block in range(begins, min(begins + SECTION, blocks)):
            here = present[first_block + slot * blocks + block]
            if here == _0:
                continue
            some = find_lines_in_patterns(block, found, high, kind, low, over)
            base = slot * planes * stride + block * BLOCK if whole else 0
            for i in range(children):
                place = places[i]
                for made in range(2):
                    of, more = 2 * block, 0
                    if marks == OWN and place == level:
                        of = block
                        if made and half_after < BLOCK:
                            more = half_after
                        elif made:
                            of += blocks_after // 2
                    elif place >= IN_BLOCK:
                        shift = place - IN_BLOCK
                        of = (block >> shift) << (shift + 1) | made << shift
                        of |= block & ((1 << shift) - 1)
                    at = plane_index(frames, source[i], in_slice, planes_after, of)
                    bases[2 * i + made] = at + more
            for p in range(planes):
                to = base + p * step
                won = whose[p] == maker
                if some == 2:
                    filler = _ALL if won else _0
                    for w in range(BLOCK):
                        out[to + w] = filler
                    continue
                every = whose[p] != mover
                filler = _0
                if children == 0:
                    filler = _ALL if at_full[p] else _0
                elif origin[p] >= 0 and every:
                    filler = _ALL
                for w in range(BLOCK):
                    out[to + w] = filler
                if origin[p] >= 0:
                    for i in range(children):
                        plane = origin[p] * stride_after
                        if marks == OWN and places[i] == level:
                            at, above = bases[2 * i] + plane, bases[2 * i + 1] + plane
                            _combine_on_top(after, at, above, out, to, block, words, level, every)
                            continue
                        for made in range(least, most + 1):
                            at = bases[2 * i + made] + plane
                            _combine(after, at, out, to, words, bits, places[i], made, every)
                if some and won:
                    for w in range(BLOCK):
                        out[to + w] |= over[w]
                elif some:
                    for w in range(BLOCK):
                        out[to + w] &= ~over[w]
            # Store the values of reachable patterns, 64 to a word.
            for w in range(words):
                if here >> np.uint64(w) & _1 == _0:
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
