"""Bit-sliced kernels of placement games.

A *tier* is the set of positions with the same cells occupied: how high each stack is filled. Its
cells are numbered in one order for the whole board, so the owners of the occupied ones make an
``n``-bit *pattern*, and the tier is ``2**n`` bits for each thing there is to say. A move puts one
bit into the pattern at a place that depends on the tier alone. So 64 patterns' successors are 64
neighbouring bits of another tier, or two words' halves.

Words are handled in *blocks* of 64, whose places differ in the lowest twelve bits of the pattern,
and blocks in *sections* of 64, the unit of storage and of the work given to a thread.

``shape`` holds what is fixed for a board: (heights, radices, cells, lines, marks), where
``cells[s, r]`` is the number of the cell at height r of stack s, ``lines`` are masks of cells, and
``marks`` is OWN, SHARED or EITHER.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.bits import gather, ones, scatter
from zermelo._engine.jit import inlined, kernel

OWN, SHARED, EITHER = range(3)
BLOCK = 64
SECTION = 64
#: Bits of a pattern that differ within a word, and within a block.
IN_WORD, IN_BLOCK = 6, 12

_0 = np.uint64(0)
_1 = np.uint64(1)
_32 = np.uint64(32)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_HALF = np.uint64(0xFFFFFFFF)
#: Which bits of a word have bit k of their place set.
PLACES = (
    np.uint64(0xAAAAAAAAAAAAAAAA),
    np.uint64(0xCCCCCCCCCCCCCCCC),
    np.uint64(0xF0F0F0F0F0F0F0F0),
    np.uint64(0xFF00FF00FF00FF00),
    np.uint64(0xFFFF0000FFFF0000),
    np.uint64(0xFFFFFFFF00000000),
)


@inlined
def words_of(level: int) -> Any:
    """Return how many words the patterns of a tier at this level take."""
    return 1 if level <= IN_WORD else 1 << (level - IN_WORD)


@inlined
def blocks_of(level: int) -> Any:
    """Return how many blocks they take."""
    return 1 if level <= IN_BLOCK else 1 << (level - IN_BLOCK)


@inlined
def occupied(tier: Any, heights: Any, radices: Any, cells: Any) -> Any:
    """Return the occupied cells of a tier, and those on top of a stack."""
    taken = _0
    tops = _0
    for stack in range(heights.size):
        filled = (tier // radices[stack]) % (heights[stack] + 1)
        for row in range(filled):
            taken |= _1 << np.uint64(cells[stack, row])
        if filled:
            tops |= _1 << np.uint64(cells[stack, filled - 1])
    return taken, tops


@inlined
def place_of(cell: Any, taken: Any) -> Any:
    """Return the place of a cell's bit in a pattern of the occupied cells."""
    return ones(taken & ((_1 << np.uint64(cell)) - _1))


@inlined
def _last_marks(level: int, marks: int) -> Any:
    """Return the least and the greatest mark the last move may have made."""
    if marks == EITHER:
        return 0, 1
    if marks == SHARED or level % 2 == 1:
        return 1, 1
    return 0, 0


@inlined
def _find_lines(
    level: int, taken: Any, tops: Any, lines: Any, marks: int, high: Any, mark: Any, low: Any
) -> Any:
    """Write the lines a last move may have made; return how many.

    ``high`` receives the line's places past a block, ``mark`` what it is made of, and ``low``
    the patterns within a block that have the rest of it; ``mark + 2`` stands for no rest.
    """
    found = 0
    least, most = _last_marks(level, marks)
    words = min(BLOCK, words_of(level))
    for i in range(lines.size):
        line = lines[i]
        if line & taken != line or line & tops == _0:
            continue
        pattern = gather(line, taken)
        for made in range(least, most + 1):
            high[found] = pattern >> np.uint64(IN_BLOCK)
            rest = pattern & np.uint64((1 << IN_BLOCK) - 1)
            mark[found] = made if rest != _0 else made + 2
            for w in range(words):
                held = _ALL
                for k in range(IN_BLOCK):
                    if rest >> np.uint64(k) & _1:
                        if k < IN_WORD:
                            held &= PLACES[k] if made else ~PLACES[k]
                        elif (w >> (k - IN_WORD)) & 1 != made:
                            held = _0
                low[found, w] = held
            found += 1
    return found


@inlined
def _ended(block: int, found: int, high: Any, mark: Any, low: Any, over: Any) -> Any:
    """Write which patterns of a block have a line; return 0 for none, 1 for some, 2 for all."""
    some = 0
    for i in range(found):
        made = mark[i] & 1
        lacking = high[i] & (~np.uint64(block) if made else np.uint64(block))
        if lacking == _0:
            if mark[i] >= 2:
                return 2
            if some:
                for w in range(BLOCK):
                    over[w] |= low[i, w]
            else:
                for w in range(BLOCK):
                    over[w] = low[i, w]
            some = 1
    return some


@inlined
def _pull(
    source: Any, at: Any, target: Any, to: Any, block: int, words: int, place: int, mark: int
) -> None:
    """Add to a block what a tier with one cell fewer has where that cell has this mark."""
    if place >= IN_BLOCK:
        shift = place - IN_BLOCK
        if (block >> shift) & 1 == mark:
            less = (block >> (shift + 1)) << shift | block & ((1 << shift) - 1)
            base = at + less * BLOCK
            for w in range(BLOCK):
                target[to + w] |= source[base + w]
    elif place >= IN_WORD:
        shift = place - IN_WORD
        base = at + block * (BLOCK // 2)
        for j in range(words // 2):
            w = (j >> shift) << (shift + 1) | mark << shift | j & ((1 << shift) - 1)
            target[to + w] |= source[base + j]
    else:
        mask = PLACES[place] if mark else ~PLACES[place]
        base = at + block * (BLOCK // 2)
        for w in range(words):
            half = source[base + (w >> 1)] >> (_32 if w & 1 else _0) & _HALF
            target[to + w] |= scatter(half, mask)


@kernel
def reach(
    level: int,
    tiers: Any,
    begin: int,
    end: int,
    shape: Any,
    slots: Any,
    before: Any,
    live: Any,
    reached: Any,
    first_block: int,
    present: Any,
    first: Any,
    rank: Any,
    first_section: int,
    section_words: Any,
    section_count: Any,
) -> None:
    """Find what sections ``begin`` to ``end`` of a level have that the start can reach.

    Args:
        level: stones on the board.
        tiers: the level's tiers.
        begin: the first section.
        end: the section after the last.
        shape: the board.
        slots: the place of each tier in its level.
        before: the patterns of the level before that play goes on from.
        live: receives those of this level.
        reached: receives all that can be reached.
        first_block: the level's place in the arrays by block.
        present: receives which words of each block are not empty.
        first: receives how many such words its section has before the block.
        rank: receives how many positions its section has before the block.
        first_section: the level's place in the arrays by section.
        section_words: receives how many words of the section are not empty.
        section_count: receives how many positions it has.
    """
    heights, radices, cells, lines, marks = shape
    words = min(BLOCK, words_of(level))
    blocks = blocks_of(level)
    in_tier = max(1, blocks // SECTION)
    stride = blocks * BLOCK
    stride_before = blocks_of(level - 1) * BLOCK if level else BLOCK
    high = np.empty(2 * lines.size + 1, np.uint64)
    mark = np.empty(2 * lines.size + 1, np.int64)
    low = np.zeros((2 * lines.size + 1, BLOCK), np.uint64)
    over = np.zeros(BLOCK, np.uint64)
    source = np.empty(heights.size, np.int64)
    places = np.empty(heights.size, np.int64)
    least, most = _last_marks(level, marks)
    known = -1
    found = 0
    parents = 0
    for section in range(begin, end):
        slot = section // in_tier
        if slot != known:
            known = slot
            tier = tiers[slot]
            taken, tops = occupied(tier, heights, radices, cells)
            found = _find_lines(level, taken, tops, lines, marks, high, mark, low)
            parents = 0
            for stack in range(heights.size):
                filled = (tier // radices[stack]) % (heights[stack] + 1)
                if filled:
                    places[parents] = place_of(cells[stack, filled - 1], taken)
                    source[parents] = slots[tier - radices[stack]] * stride_before
                    parents += 1
        in_section = 0
        total = 0
        start = (section - slot * in_tier) * SECTION
        for block in range(start, min(start + SECTION, blocks)):
            at = slot * stride + block * BLOCK
            for w in range(BLOCK):
                reached[at + w] = _0
            if level == 0:
                reached[at] = _1
            for i in range(parents):
                for made in range(least, most + 1):
                    _pull(before, source[i], reached, at, block, words, places[i], made)
            here = _0
            count = 0
            for w in range(words):
                word = reached[at + w]
                if word != _0:
                    here |= _1 << np.uint64(w)
                    count += ones(word)
            number = first_block + slot * blocks + block
            present[number] = here
            first[number] = in_section
            rank[number] = total
            in_section += ones(here)
            total += count
            some = _ended(block, found, high, mark, low, over) if count else 0
            if some == 2:
                for w in range(BLOCK):
                    live[at + w] = _0
            elif some == 1:
                for w in range(BLOCK):
                    live[at + w] = reached[at + w] & ~over[w]
            else:
                for w in range(BLOCK):
                    live[at + w] = reached[at + w]
        section_words[first_section + section] = in_section
        section_count[first_section + section] = total


@kernel
def keep_words(
    level: int,
    begin: int,
    end: int,
    reached: Any,
    first_block: int,
    present: Any,
    first_section: int,
    word_base: Any,
    stored: Any,
) -> None:
    """Copy the words that are not empty to where they stay."""
    blocks = blocks_of(level)
    in_tier = max(1, blocks // SECTION)
    for section in range(begin, end):
        slot = section // in_tier
        to = word_base[first_section + section]
        start = (section - slot * in_tier) * SECTION
        for block in range(start, min(start + SECTION, blocks)):
            if present[first_block + slot * blocks + block] == _0:
                continue
            at = (slot * blocks + block) * BLOCK
            for w in range(BLOCK):
                if reached[at + w] != _0:
                    stored[to] = reached[at + w]
                    to += 1


@inlined
def _combine(
    source: Any,
    at: Any,
    out: Any,
    to: Any,
    block: int,
    words: int,
    level: int,
    place: int,
    mark: int,
    every: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Combine a block with its successors by one move: with AND for ``every``, else with OR."""
    if place >= IN_BLOCK:
        shift = place - IN_BLOCK
        more = (block >> shift) << (shift + 1) | mark << shift | block & ((1 << shift) - 1)
        base = at + more * BLOCK
        if every:
            for w in range(BLOCK):
                out[to + w] &= source[base + w]
        else:
            for w in range(BLOCK):
                out[to + w] |= source[base + w]
        return
    base = at + block * (2 * BLOCK)
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
    if level < IN_WORD:
        word = gather(source[base], mask)
        out[to] = out[to] & word if every else out[to] | word
        return
    for w in range(words):
        word = gather(source[base + 2 * w], mask) | gather(source[base + 2 * w + 1], mask) << _32
        out[to + w] = out[to + w] & word if every else out[to + w] | word


@kernel
def solve(
    level: int,
    tiers: Any,
    begin: int,
    end: int,
    shape: Any,
    slots: Any,
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
    """Solve sections ``begin`` to ``end`` of a level, and keep what can be reached of them.

    A plane says of every pattern whether one player wins by some ply: it is 1 where a successor
    says so if that player moves, and where all do if the other moves.

    Args:
        level: stones on the board.
        tiers: the level's tiers.
        begin: the first section.
        end: the section after the last.
        shape: the board.
        slots: the place of each tier in its level.
        after: the planes of the next level, a tier's one after the other.
        out: receives those of this level.
        planes_after: how many planes the next level has.
        whose: for each plane of this level, whose wins: 1 for the first player's.
        origin: for each, which plane of the next level it follows from, or -1.
        at_full: for each, what it is on a full board without a line.
        maker: who wins by a line that the last move made: 1 for the first player.
        first_block: the level's place in ``present``.
        present: which words of each block are not empty.
        first_section: the level's place in the arrays by section.
        word_base: where each section's words are.
        stored: the words of reachable patterns.
        value_base: where each section's values are.
        values: receives them: for each 64 reachable positions, one word a plane.
    """
    heights, radices, cells, lines, marks = shape
    planes = whose.size
    words = min(BLOCK, words_of(level))
    blocks = blocks_of(level)
    in_tier = max(1, blocks // SECTION)
    stride = blocks * BLOCK
    stride_after = blocks_of(level + 1) * BLOCK
    high = np.empty(2 * lines.size + 1, np.uint64)
    mark = np.empty(2 * lines.size + 1, np.int64)
    low = np.zeros((2 * lines.size + 1, BLOCK), np.uint64)
    over = np.zeros(BLOCK, np.uint64)
    source = np.empty(heights.size, np.int64)
    places = np.empty(heights.size, np.int64)
    pending = np.zeros(planes, np.uint64)
    least, most = _last_marks(level + 1, marks)
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
            found = _find_lines(level, taken, tops, lines, marks, high, mark, low)
            children = 0
            for stack in range(heights.size):
                filled = (tier // radices[stack]) % (heights[stack] + 1)
                if filled < heights[stack]:
                    places[children] = place_of(cells[stack, filled], taken)
                    source[children] = slots[tier + radices[stack]] * planes_after * stride_after
                    children += 1
        word_at = word_base[first_section + section]
        value_at = value_base[first_section + section]
        fill = 0
        for p in range(planes):
            pending[p] = _0
        start = (section - slot * in_tier) * SECTION
        for block in range(start, min(start + SECTION, blocks)):
            here = present[first_block + slot * blocks + block]
            if here == _0:
                continue
            some = _ended(block, found, high, mark, low, over)
            for p in range(planes):
                to = (slot * planes + p) * stride + block * BLOCK
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
                        at = source[i] + origin[p] * stride_after
                        for made in range(least, most + 1):
                            _combine(
                                after, at, out, to, block, words, level, places[i], made, every
                            )
                if some and won:
                    for w in range(BLOCK):
                        out[to + w] |= over[w]
                elif some:
                    for w in range(BLOCK):
                        out[to + w] &= ~over[w]
            # Keep the values of the reachable ones, 64 to a word.
            base = slot * planes * stride + block * BLOCK
            for w in range(words):
                if here >> np.uint64(w) & _1 == _0:
                    continue
                mask = stored[word_at]
                word_at += 1
                count = ones(mask)
                for p in range(planes):
                    word = gather(out[base + p * stride + w], mask)
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
