"""Kernels of the certificate: reachability of a level's positions, and the ends of games."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo._engine.core.array_types import (
    BoolArray,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.bits import PLACES, gather, lowest, ones, scatter
from zermelo._engine.core.jit import inlined, kernel
from zermelo._methods.placement.certificate.tiers import (
    ALL,
    BLOCK_WORDS,
    CROSSES,
    ENTERED_BY_NONE,
    LACKING,
    MISCOUNTED,
    ONE,
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
from zermelo._methods.placement.tiers import BoardShape

_6 = np.uint64(6)
_32 = np.uint64(32)
_63 = np.uint64(63)
_LOW_HALF = np.uint64(0xFFFFFFFF)


@inlined
def _list_filled_lines(
    level: int,
    filled: np.uint64,
    shape: BoardShape,
    columns: int,
    line_of: IntArray,
    rows: IntArray,
) -> Any:
    """Write data for each line whose cells are filled; return the number of lines.

    ``line_of`` receives (the line's cells above a block, its mark, whether it includes the cell
    left out), and ``rows`` the patterns within a block that have the rest.
    """
    lines, marks = shape.lines, shape.marks
    bits = pattern_bits(level, marks)
    count = 0
    for i in range(lines.size):
        if lines[i] & ~filled != ZERO:
            continue
        pattern = gather(lines[i], filled)
        outside = pattern >> np.uint64(bits) if bits < level else ZERO
        pattern &= (ONE << np.uint64(bits)) - ONE
        for mark in range(2):
            # A line of the player to move would have ended the game before.
            if marks == OWN and mark != level % 2:
                continue
            if marks == CROSSES and mark == 0:
                continue
            line_of[count, 0] = pattern >> np.uint64(12)
            line_of[count, 1] = np.uint64(mark)
            line_of[count, 2] = outside
            for w in range(columns):
                row = ALL
                for place in range(6):
                    if pattern >> np.uint64(place) & ONE:
                        row &= PLACES[place] if mark else ~PLACES[place]
                word_bits = pattern >> _6 & np.uint64(63)
                word_marks = np.uint64(w) if mark else ~np.uint64(w)
                rows[count, w] = row if word_bits & ~word_marks == ZERO else ZERO
            count += 1
    return count


@inlined
def _lines_of_block(
    level: int,
    block: int,
    count: int,
    columns: int,
    line_of: Uint64Array,
    rows: Uint64Array,
    terminal_words: Uint64Array,
) -> None:
    """Write the patterns of a block that have a line."""
    for w in range(columns):
        terminal_words[w] = ZERO
    for i in range(count):
        mark = line_of[i, 1]
        have = np.uint64(block) if mark else ~np.uint64(block)
        if line_of[i, 0] & ~have != ZERO:
            continue
        row = rows[i]
        if line_of[i, 2] != ZERO:
            for w in range(columns):
                highest = highest_is_first(level, np.uint64(block << 6 | w))
                terminal_words[w] |= row[w] & (highest if mark else ~highest)
        else:
            for w in range(columns):
                terminal_words[w] |= row[w]


@inlined
def _add_move(
    out: Uint64Array,
    first: int,
    columns: int,
    previous: Uint64Array,
    offset: int,
    level: int,
    place: int,
    mark: int,
    marks: int,
) -> None:
    """Add to words of a level the result of one move from a tier of the level before."""
    bits = pattern_bits(level, marks)
    if marks == OWN and place == level - 1:
        # The new cell is the highest, and the cell that was left out before is a bit here.
        if level == 1:
            out[0] |= previous[offset]
            return
        if bits > 6:
            size = row_words(bits - 1)
            index_mask = size - 1
            if columns > size:
                for w in range(columns):
                    mask = highest_is_first(level - 1, np.uint64(w & index_mask))
                    out[w] |= previous[offset + (w & index_mask)] & (mask if w & size else ~mask)
                return
            base = offset + (first & index_mask)
            source = previous[base : base + columns]
            flip = ZERO if first & size else ALL
            for w in range(columns):
                mask = highest_is_first(level - 1, np.uint64(first & index_mask | w))
                out[w] |= source[w] & (mask ^ flip)
            return
        mask = highest_is_first(level - 1, ZERO)
        width = np.uint64(1 << (bits - 1))
        out[0] |= previous[offset] & ~mask | (previous[offset] & mask) << width
        return
    if place < 6:
        mask = PLACES[place] if mark else ~PLACES[place]
        if columns == 1:
            out[0] |= scatter(previous[offset] & _LOW_HALF, mask)
            return
        base = offset + (first >> 1)
        source = previous[base : base + columns // 2]
        for w in range(columns // 2):
            word = source[w]
            out[2 * w] |= scatter(word & _LOW_HALF, mask)
            out[2 * w + 1] |= scatter(word >> _32, mask)
        return
    shift = place - 6
    run = 1 << shift
    if run >= columns:
        if (first >> shift) & 1 == mark:
            base = offset + ((first >> (shift + 1)) << shift | first & (run - 1))
            source = previous[base : base + columns]
            for w in range(columns):
                out[w] |= source[w]
        return
    base = offset + (first >> 1)
    for begin in range(mark << shift, columns, 2 * run):
        target, source = out[begin : begin + run], previous[base : base + run]
        for w in range(run):
            target[w] |= source[w]
        base += run


class TableStretches(NamedTuple):
    """The words, values and counts of stretches of a level, as a table has them.

    Attributes:
        present: the words of each block that are not empty, as bits.
        first_word: for each block, the number of such words of its stretch before it.
        rank: for each block, the number of positions of its stretch before it.
        word_base: the index of each stretch's first word.
        place_base: the place of each stretch's first position.
        words: the words that were read.
        values: the values that were read.
        words_begin: the index of the first word that was read.
        value_base: by stretch that was read, the index of its values.
        positions_before: by stretch that was read, the number of positions before its first in
            that word.
    """

    present: Uint64Array
    first_word: Uint32Array
    rank: Uint32Array
    word_base: Int64Array
    place_base: Int64Array
    words: Uint64Array
    values: Uint64Array
    words_begin: int
    value_base: Int64Array
    positions_before: Int64Array


class PlaneWinners(NamedTuple):
    """The meaning of the planes of a level, and who wins by a line.

    Attributes:
        winners: the player whose wins each plane has.
        maker: the winner by a line that the last move made.
        at_full: the bit of each plane on a full board without a line.
    """

    winners: Int64Array
    maker: int
    at_full: BoolArray


@kernel
def check_positions(
    part: LevelTiers,
    begin: int,
    end: int,
    previous: Uint64Array,
    read: TableStretches,
    meaning: PlaneWinners,
    live: Uint64Array,
    planes_of: Uint64Array,
    wrong: Uint8Array,
    first_positions: Int64Array,
) -> int:
    """Check the positions of stretches of a level, and decode the values of terminal positions.

    Args:
        part: the tiers.
        begin: the first stretch, counted within these tiers.
        end: the stretch after the last.
        previous: the positions of the level before in which the game goes on.
        read: the table, where ``begin`` is the first stretch that was read.
        meaning: the meaning of the planes.
        live: receives the positions in which the game goes on.
        planes_of: receives the planes, tier by tier; valid for blocks with positions.
        wrong: receives the faults of each stretch.
        first_positions: receives for each stretch the index of its first position that no move
            leads to, and of the first in which the game goes on; -1 for none.

    Returns:
        The number of moves.
    """
    level, tiers, shape, slots = part
    heights, radices, cells, lines, marks = shape
    (
        present,
        first_word,
        rank,
        word_base,
        place_base,
        stored,
        values,
        words_begin,
        value_base,
        positions_before,
    ) = read
    winners, maker, at_full = meaning
    bits = pattern_bits(level, marks)
    words = row_words(bits)
    columns = min(words, BLOCK_WORDS)
    length = min(words, STRETCH_WORDS)
    in_tier = words // length
    blocks = length // columns
    words_before = row_words(pattern_bits(level - 1, marks)) if level else 1
    planes = winners.size
    line_of = np.empty((2 * lines.size + 1, 3), np.uint64)
    line_rows = np.empty((2 * lines.size + 1, BLOCK_WORDS), np.uint64)
    terminal_words = np.zeros(BLOCK_WORDS, np.uint64)
    reached_words = np.zeros(BLOCK_WORDS, np.uint64)
    sources = np.empty(heights.size, np.int64)
    places = np.empty(heights.size, np.int64)
    full = level == heights.sum()
    moves = 0
    slot = -1
    row = np.int64(0)
    count = 0
    parents = 0
    children = 0
    for stretch in range(begin, end):
        if stretch // in_tier != slot:
            slot = stretch // in_tier
            tier = tiers[slot]
            row = np.int64(slots[tier])
            filled = filled_in(tier, shape)
            count = _list_filled_lines(level, filled, shape, columns, line_of, line_rows)
            parents = 0
            children = 0
            for stack in range(heights.size):
                high = (tier // radices[stack]) % (heights[stack] + 1)
                children += high < heights[stack]
                if high:
                    places[parents] = cells_below(cells[stack, high - 1], filled)
                    sources[parents] = slots[tier - radices[stack]] * words_before
                    parents += 1
        offset = (stretch - slot * in_tier) * length
        word_at = word_base[stretch] - words_begin
        word_end = word_base[stretch + 1] - words_begin
        total = place_base[stretch + 1] - place_base[stretch]
        value_at = value_base[stretch - begin]
        before_first = positions_before[stretch - begin]
        out_at = row * planes * words
        positions_seen = 0
        words_seen = 0
        fault = 0
        first_positions[stretch, 0] = -1
        first_positions[stretch, 1] = -1
        for b in range(blocks):
            first = offset + b * columns
            block = first >> 6
            number = stretch * blocks + b
            mask = present[number]
            if first_word[number] != words_seen or rank[number] != positions_seen:
                fault |= MISCOUNTED
            if word_at + ones(mask) > word_end:
                fault |= MISCOUNTED
                break
            for w in range(columns):
                reached_words[w] = ZERO
            if level == 0:
                reached_words[0] = ONE
            for i in range(parents):
                for mark in range(2):
                    if marks == OWN and mark != level % 2:
                        continue
                    if marks == CROSSES and mark == 0:
                        continue
                    _add_move(
                        reached_words,
                        first,
                        columns,
                        previous,
                        sources[i],
                        level,
                        places[i],
                        mark,
                        marks,
                    )
            row_offset = row * words + first
            live_words = live[row_offset : row_offset + columns]
            if mask == ZERO:
                missing = ZERO
                for w in range(columns):
                    missing |= reached_words[w]
                    live_words[w] = ZERO
                if missing != ZERO:
                    fault |= LACKING
                continue
            _lines_of_block(level, block, count, columns, line_of, line_rows, terminal_words)
            missing = ZERO
            for w in range(columns):
                missing |= reached_words[w] & ((mask >> np.uint64(w) & ONE) - ONE)
                live_words[w] = ZERO
            if missing != ZERO:
                fault |= LACKING
            while mask != ZERO:
                w = lowest(mask)
                mask &= mask - ONE
                word = stored[word_at]
                word_at += 1
                words_seen += 1
                word_count = ones(word)
                if positions_seen + word_count > total or word == ZERO:
                    fault |= MISCOUNTED
                    break
                if reached_words[w] & ~word != ZERO:
                    fault |= LACKING
                extra = word & ~reached_words[w]
                if extra != ZERO:
                    fault |= ENTERED_BY_NONE
                    if first_positions[stretch, 0] < 0:
                        first_positions[stretch, 0] = positions_seen + ones(
                            word & ((extra & -extra) - ONE)
                        )
                continuing = word & ~terminal_words[w]
                terminal = word & terminal_words[w]
                live_words[w] = continuing
                if continuing != ZERO and first_positions[stretch, 1] < 0:
                    first_positions[stretch, 1] = positions_seen + ones(
                        word & ((continuing & -continuing) - ONE)
                    )
                moves += ones(continuing) * children
                # The values, 64 positions to a word, are scattered over the present patterns, and
                # read as in a table: the first plane that contains a position decides its value.
                shift = np.uint64(positions_seen + before_first & 63)
                base = value_at + (positions_seen + before_first >> 6) * planes
                next_base = min(base + planes, values.size - planes)
                positions_seen += word_count
                first_wins = ZERO
                second_wins = ZERO
                wrong_values = ZERO
                for p in range(planes):
                    packed = values[base + p] >> shift | values[next_base + p] << ONE << _63 - shift
                    wins = scatter(packed, word)
                    if winners[p] == 0:
                        second_wins |= wins
                        plane = second_wins
                    else:
                        first_wins |= wins
                        plane = first_wins & ~second_wins
                    planes_of[out_at + p * words + first + w] = plane
                    wrong_values |= terminal & (~plane if winners[p] == maker else plane)
                    if full:
                        wrong_values |= continuing & (~plane if at_full[p] else plane)
                if wrong_values != ZERO:
                    fault |= VALUE
            if fault & MISCOUNTED:
                break
        if positions_seen != total or word_at != word_end:
            fault |= MISCOUNTED
        wrong[stretch] = fault
    return moves if marks <= CROSSES else 2 * moves
