"""Kernels of the certificate: the values of a level from those of the next."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    cells_below,
    filled_in,
    highest_is_first,
    pattern_bits,
    row_words,
)

_32 = np.uint64(32)


@inlined
def _insert_bit(word: int, place: int, mark: int) -> Any:
    """Return the word of the patterns that result if a bit above 5 is inserted into a word's."""
    more = place - 6
    return (word >> more) << (more + 1) | mark << more | word & ((1 << more) - 1)


@inlined
def _combine_move(
    found: Any,
    first: int,
    columns: int,
    after: Any,
    at: int,
    level: int,
    place: int,
    mark: int,
    marks: int,
    every: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Combine words of a tier with the result of one move: with AND for ``every``, else OR."""
    if marks == OWN and place == level:
        # The new cell is the highest: the cell that was left out before becomes a bit.
        if level == 0:
            found[0] = found[0] & after[at] if every else found[0] | after[at]
            return
        bits = level - 1
        if bits < 6:
            mask = highest_is_first(level, ZERO)
            word = after[at] & ~mask | after[at] >> np.uint64(1 << bits) & mask
            found[0] = found[0] & word if every else found[0] | word
            return
        base = at + first
        low = after[base : base + columns]
        base += row_words(bits)
        high = after[base : base + columns]
        for w in range(columns):
            mask = highest_is_first(level, np.uint64(first + w))
            word = low[w] & ~mask | high[w] & mask
            if every:
                found[w] &= word
            else:
                found[w] |= word
        return
    if place < 6:
        mask = PLACES[place] if mark else ~PLACES[place]
        base = at + 2 * first
        if pattern_bits(level, marks) < 6:
            word = gather(after[base], mask)
            found[0] = found[0] & word if every else found[0] | word
            return
        source = after[base : base + 2 * columns]
        for w in range(columns):
            word = gather(source[2 * w], mask) | gather(source[2 * w + 1], mask) << _32
            if every:
                found[w] &= word
            else:
                found[w] |= word
        return
    run = min(1 << (place - 6), columns)
    for begin in range(0, columns, run):
        base = at + _insert_bit(first + begin, place, mark)
        out, source = found[begin : begin + run], after[base : base + run]
        if every:
            for w in range(run):
                out[w] &= source[w]
        else:
            for w in range(run):
                out[w] |= source[w]


@kernel
def check_values(
    level: int,
    tiers: Any,
    begin: int,
    end: int,
    shape: Any,
    slots: Any,
    live: Any,
    planes_of: Any,
    whose: Any,
    origin: Any,
    after: Any,
    planes_after: int,
    wrong: Any,
) -> None:
    """Derive the values of stretches of a level from the next level, and compare them.

    Args:
        level: marks on the board.
        tiers: consecutive tiers of the level.
        begin: the first stretch, counted within these tiers.
        end: the stretch after the last.
        shape: the board.
        slots: the index of each tier in its level, and so of its row.
        live: the positions of the level in which the game goes on.
        planes_of: the decoded planes of the level.
        whose: whose wins each plane has.
        origin: the equal plane of the next level, or -1: then nobody has won by then.
        after: the planes of the next level.
        planes_after: the number of these planes.
        wrong: receives VALUE too for stretches with a wrong value.
    """
    heights, radices, cells, _, marks = shape
    words = row_words(pattern_bits(level, marks))
    words_after = row_words(pattern_bits(level + 1, marks))
    columns = min(words, BLOCK_WORDS)
    length = min(words, STRETCH_WORDS)
    in_tier = words // length
    planes = whose.size
    found = np.empty(BLOCK_WORDS, np.uint64)
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
                high = (tier // radices[stack]) % (heights[stack] + 1)
                if high < heights[stack]:
                    places[children] = cells_below(cells[stack, high], filled)
                    after_at = slots[tier + radices[stack]]
                    sources[children] = after_at * planes_after * words_after
                    children += 1
        offset = (stretch - slot * in_tier) * length
        unlike = ZERO
        for first in range(offset, offset + length, columns):
            here = row * words + first
            goes_on = live[here : here + columns]
            some = ZERO
            for w in range(columns):
                some |= goes_on[w]
            if some == ZERO:
                continue
            for p in range(planes):
                every = whose[p] != mover
                begun = ALL if every and origin[p] >= 0 else ZERO
                for w in range(columns):
                    found[w] = begun
                if origin[p] >= 0:
                    for i in range(children):
                        source = sources[i] + origin[p] * words_after
                        for mark in range(2):
                            if marks == OWN and mark != mover:
                                continue
                            if marks == CROSSES and mark == 0:
                                continue
                            _combine_move(
                                found,
                                first,
                                columns,
                                after,
                                source,
                                level,
                                places[i],
                                mark,
                                marks,
                                every,
                            )
                base = (row * planes + p) * words + first
                said = planes_of[base : base + columns]
                for w in range(columns):
                    unlike |= (found[w] ^ said[w]) & goes_on[w]
        if unlike != ZERO:
            wrong[stretch] |= VALUE
