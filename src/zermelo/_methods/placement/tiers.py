"""Tiers of a placement game: the positions that a word represents.

A *tier* is the set of positions with the same occupied cells: the heights of all stacks. Cells are
numbered in one order for the whole board, so the owners of the occupied cells form an ``n``-bit
*pattern*, and the tier is ``2**n`` bits for each fact about positions. A move inserts one bit into
the pattern at an index that depends only on the tier. So the successors of 64 patterns are 64
neighbouring bits of another tier, or halves of two words.

If marks belong to players, the number of the first player's marks is known. So the mark of the
highest cell follows from the others, and is left out of the pattern: this omits the half of all
patterns whose number of marks has the wrong parity.

Words are handled in *blocks* of 64, whose indices differ in the lowest twelve bits of the pattern,
and blocks in *sections* of 64, the unit of storage and of the work for a thread. A tier that is too
large to be in memory as a whole is cut by the top bits of its patterns into *slices*; any other
tier is one slice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array, Integer, Uint64Array
from zermelo._engine.core.bits import ODD, PLACES, gather, ones
from zermelo._engine.core.jit import inlined

OWN, SHARED, EITHER = range(3)
BLOCK = 64
SECTION = 64
#: Bits of a pattern that differ within a word, and within a block.
IN_WORD, IN_BLOCK = 6, 12

_0 = np.uint64(0)
_1 = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class BoardShape(NamedTuple):
    """The constants of a board, with the lines of the player who made the last move.

    Attributes:
        heights: the number of cells of each stack.
        radices: the amount that a cell of each stack adds to the number of a tier.
        cells: by stack and height, the number of the cell; -1 above the stack's top.
        lines: masks of cells.
        marks: OWN, SHARED or EITHER.
    """

    heights: Int64Array
    radices: Int64Array
    cells: Int64Array
    lines: Uint64Array
    marks: int


class Workspace(NamedTuple):
    """The arrays that one thread's kernels work in.

    Attributes:
        high: the lines that may just have been made; see ``find_lines``, as for the next two.
        kind: their kinds.
        low: their patterns within a block.
        over: the positions of a block that they end.
        source: the tiers that moves lead to or come from.
        places: the index at which each of these moves inserts a cell.
        bases: the blocks that a block follows from.
        pending: a word for each plane.
        spare: a block for each plane.
    """

    high: Uint64Array
    kind: Int64Array
    low: Uint64Array
    over: Uint64Array
    source: Int64Array
    places: Int64Array
    bases: Int64Array
    pending: Uint64Array
    spare: Uint64Array


class TierSource(NamedTuple):
    """The data of a neighbouring level that a level follows from.

    Attributes:
        slots: the index of each tier in its level.
        frames: for each slice of the neighbouring level, its index in ``data``.
        in_slice: the binary logarithm of the number of blocks of such a slice.
        data: its patterns in which the game goes on, or its planes; those of a slice are adjacent.
        planes: the number of planes.
    """

    slots: Int32Array
    frames: Int32Array
    in_slice: int
    data: Uint64Array
    planes: int


class StoredWords(NamedTuple):
    """The words of the reachable patterns of some sections of a level.

    Attributes:
        first_block: the level's first index in ``present``.
        present: the words of each block that are not empty, as bits.
        first_section: the level's first index in ``word_base``.
        word_base: the index of each section's first word.
        words: the words that are not empty.
    """

    first_block: int
    present: Uint64Array
    first_section: int
    word_base: Int64Array
    words: Uint64Array


@inlined
def bits_of(level: int, marks: int) -> Any:
    """Return the number of bits of a pattern of a level."""
    return level - 1 if marks == OWN and level else level


@inlined
def words_of(bits: int) -> int:
    """Return the number of words of a tier's patterns."""
    return 1 if bits <= IN_WORD else 1 << (bits - IN_WORD)


@inlined
def blocks_of(bits: int) -> int:
    """Return the number of blocks of a tier's patterns."""
    return 1 if bits <= IN_BLOCK else 1 << (bits - IN_BLOCK)


@inlined
def is_odd(number: Integer) -> Any:
    """Return whether a number has an odd number of bits set, as 0 or 1."""
    return ones(number) & 1


@inlined
def with_parity(word: int, parity: int) -> np.uint64:
    """Return the mask of a word's patterns with an odd (1) or even (0) number of bits set."""
    return ODD if is_odd(word) != parity else ~ODD


@inlined
def occupied(
    tier: int, heights: Int64Array, radices: Int64Array, cells: Int64Array
) -> tuple[np.uint64, np.uint64]:
    """Return the occupied cells of a tier, and those on top of a stack."""
    occupied_cells = _0
    tops = _0
    for stack in range(heights.size):
        filled = (tier // radices[stack]) % (heights[stack] + 1)
        for row in range(filled):
            occupied_cells |= _1 << np.uint64(cells[stack, row])
        if filled:
            tops |= _1 << np.uint64(cells[stack, filled - 1])
    return occupied_cells, tops


@inlined
def place_of(cell: int, occupied_cells: np.uint64) -> Any:
    """Return the index of a cell's bit in a pattern of the occupied cells."""
    return ones(occupied_cells & ((_1 << np.uint64(cell)) - _1))


@inlined
def last_marks(level: int, marks: int) -> tuple[int, int]:
    """Return the least and the greatest mark that the last move may have made."""
    if marks == EITHER:
        return 0, 1
    if marks == SHARED or level % 2 == 1:
        return 1, 1
    return 0, 0


def workspace(shape: BoardShape, planes: int = 0) -> Workspace:
    """Return arrays for one thread's kernels to work in, with this many planes."""
    most = 2 * shape.lines.size + 1
    stacks = shape.heights.size
    return Workspace(
        high=np.empty(most, np.uint64),
        kind=np.empty(most, np.int64),
        low=np.zeros((most, 2, BLOCK), np.uint64),
        over=np.zeros(BLOCK, np.uint64),
        source=np.empty(stacks, np.int64),
        places=np.empty(stacks, np.int64),
        bases=np.empty(2 * stacks, np.int64),
        pending=np.empty(planes, np.uint64),
        spare=np.empty(planes * BLOCK, np.uint64),
    )


@inlined
def plane_index(frames: Int32Array, row: int, in_slice: int, planes: int, block: int) -> Any:
    """Return the index of the first plane of a block of a tier.

    Args:
        frames: by slice, its index among the slices in memory.
        row: the first slice of the tier.
        in_slice: the binary logarithm of the blocks of a slice.
        planes: the number of planes of each slice, one after the other.
        block: the block, counted from the beginning of its tier.
    """
    frame = np.int64(frames[row + (block >> in_slice)])
    return ((frame * planes << in_slice) + (block & ((1 << in_slice) - 1))) * BLOCK


@inlined
def find_lines(
    level: int,
    occupied_cells: np.uint64,
    tops: np.uint64,
    lines: Uint64Array,
    marks: int,
    high: Uint64Array,
    kind: Int64Array,
    low: Uint64Array,
) -> int:
    """Write the lines that a last move may have made; return their number.

    ``high`` receives the line's bits above a block, and ``low`` the patterns within a block that
    have the rest of the line, for blocks with an even and with an odd number. ``kind`` is the mark
    of the line, plus 2 if there is no rest, plus 4 if it includes the cell that is left out.
    """
    line_count = 0
    least, most = last_marks(level, marks)
    bits = bits_of(level, marks)
    words = min(BLOCK, words_of(bits))
    for i in range(lines.size):
        line = lines[i]
        if line & occupied_cells != line or line & tops == _0:
            continue
        pattern = gather(line, occupied_cells)
        left_out = bits < level and pattern >> np.uint64(bits) & _1 != _0
        pattern &= (_1 << np.uint64(bits)) - _1
        low_bits = pattern & np.uint64((1 << IN_BLOCK) - 1)
        for mark in range(least, most + 1):
            high[line_count] = pattern >> np.uint64(IN_BLOCK)
            kind[line_count] = mark
            if left_out:
                kind[line_count] = mark + 4
            elif low_bits == _0:
                kind[line_count] = mark + 2
            parity = ((level + 1) // 2 + mark) & 1
            for w in range(words):
                patterns = _ALL
                for k in range(IN_BLOCK):
                    if low_bits >> np.uint64(k) & _1:
                        if k < IN_WORD:
                            patterns &= PLACES[k] if mark else ~PLACES[k]
                        elif (w >> (k - IN_WORD)) & 1 != mark:
                            patterns = _0
                low[line_count, 0, w] = patterns
                if left_out:
                    fits = with_parity(w, parity)
                    low[line_count, 0, w] = patterns & fits
                    low[line_count, 1, w] = patterns & ~fits
            line_count += 1
    return line_count


@inlined
def find_lines_in_patterns(
    block: int,
    line_count: int,
    high: Uint64Array,
    kind: Int64Array,
    low: Uint64Array,
    line_patterns: Uint64Array,
) -> int:
    """Write the patterns of a block that have a line; return 0 for none, 1 for some, 2 for all."""
    line_state = 0
    block_parity = is_odd(block)
    for i in range(line_count):
        mark = kind[i] & 1
        lacking = high[i] & (~np.uint64(block) if mark else np.uint64(block))
        if lacking == _0:
            if kind[i] & 2:
                return 2
            parity = block_parity if kind[i] & 4 else 0
            if line_state:
                for w in range(BLOCK):
                    line_patterns[w] |= low[i, parity, w]
            else:
                for w in range(BLOCK):
                    line_patterns[w] = low[i, parity, w]
            line_state = 1
    return line_state
