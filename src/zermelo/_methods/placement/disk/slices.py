"""Slices of adjacent levels: the slices that moves connect.

A slice is a tier; or, in a tier too large for memory, the patterns with equal top bits. A move
inserts a bit into a pattern. If that bit is below the top bits, a slice is connected with two
slices of one tier of the other level, else with one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint64Array
from zermelo._methods.placement.tiers import EITHER, IN_BLOCK, OWN, SHARED

if TYPE_CHECKING:
    from zermelo._methods.placement.solver import PlacementSolver

_1 = np.uint64(1)


def neighbours(work: PlacementSolver, level: int, other: int, begin: int, end: int) -> Int32Array:
    """Return, for slices of a level, the connected slices of an adjacent level.

    Args:
        work: the solve.
        level: the level of the slices.
        other: the level before or after ``level``.
        begin: the first slice.
        end: the slice after the last.

    Returns:
        A row for each slice, with one or two slices of ``other`` for each stack; -1 if there is
        none.
    """
    level_slices, source_slices = (work.tier_blocks[n] >> work.in_slice(n) for n in (level, other))
    rows, slice_indices = np.divmod(np.arange(begin, end), level_slices)
    tiers = work.tiers_of(level)[rows]
    heights, radices, *_ = work.shapes[0]
    filled = tiers[:, None] // radices % (heights + 1)
    exists = filled < heights if other > level else filled > 0
    tier_slots = np.full(exists.shape, -1, np.int32)
    moved_tiers = tiers[:, None] + (radices if other > level else -radices)
    tier_slots[exists] = work.slots[moved_tiers[exists]]
    if source_slices == 1:
        return tier_slots
    places = _places(work, filled, top=other < level)
    size = 1 << work.in_slice(level)
    first = (slice_indices * size)[:, None]
    marks = _mark_range(work.board.marks, max(level, other))
    extremes = (first, marks[0]), (first + size - 1, marks[1])
    if other > level:
        blocks = [_after(places, block, mark) for block, mark in extremes]
        if work.board.marks == OWN:  # the omitted mark, now a bit, may be in either half
            half = work.tier_blocks[other] // 2
            for n in range(2):
                blocks[n] = np.where(places == level, first + n * half, blocks[n])
    else:
        blocks = [_block_before(work, level, places, block) for block, _ in extremes]
    low, high = (tier_slots * source_slices + (block >> work.in_slice(other)) for block in blocks)
    return np.hstack(
        [np.where(exists, low, -1), np.where(exists & (high != low), high, -1)]
    ).astype(np.int32)


def _places(work: PlacementSolver, filled: Int64Array, *, top: bool) -> Int64Array:
    """Return the bit index in the pattern of each stack's top cell or of its next free cell."""
    heights, _, cells, *_ = work.shapes[0]
    occupied = np.zeros(len(filled), np.uint64)
    for stack, height in enumerate(heights):
        for row in range(height):
            bit = _1 << np.uint64(cells[stack, row])
            occupied |= np.where(filled[:, stack] > row, bit, np.uint64(0))
    rows = np.clip(filled - 1 if top else filled, 0, heights - 1)
    cell = cells[np.arange(len(heights)), rows].astype(np.uint64)
    below: Uint64Array = occupied[:, None] & ((_1 << cell) - _1)
    return np.bitwise_count(below).astype(np.int64)


def _mark_range(marks: int, level: int) -> tuple[int, int]:
    """Return the least and the greatest mark of a move to a level."""
    if marks == EITHER:
        return 0, 1
    return (1, 1) if marks == SHARED or level % 2 else (0, 0)


def _after(places: Int64Array, block: Int64Array, mark: int) -> Int64Array:
    """Return the block of the patterns with a mark inserted at a bit index."""
    shift = np.maximum(places - IN_BLOCK, 0)
    inserted = block >> shift << shift + 1 | mark << shift | block & (1 << shift) - 1
    return np.where(places >= IN_BLOCK, inserted, 2 * block)


def _block_before(
    work: PlacementSolver, level: int, places: Int64Array, block: Int64Array
) -> Int64Array:
    """Return the block of the patterns without the mark at a bit index."""
    shift = np.maximum(places - IN_BLOCK, 0)
    removed = block >> shift + 1 << shift | block & (1 << shift) - 1
    before = np.where(places >= IN_BLOCK, removed, block >> 1)
    if work.bits[level] < level:  # patterns omit the mark of the highest cell
        blocks = work.tier_blocks[level - 1]
        before = np.where(places == work.bits[level], block & (blocks - 1), before)
    return before
