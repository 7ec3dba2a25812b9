"""The slices of a level that slices of its neighbour follow from: tiers with one other cell.

A slice is a tier, or its patterns with the same top bits if it is too large for memory. The bit
that a move inserts into a pattern is among these top bits, or below them: then two slices follow
from the slice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._methods.placement.tiers import EITHER, IN_BLOCK, OWN, SHARED

if TYPE_CHECKING:
    from zermelo._methods.placement.solver import PlacementSolver

_1 = np.uint64(1)


def neighbours(
    work: PlacementSolver, level: int, other: int, begin: int, end: int
) -> npt.NDArray[np.int32]:
    """Return the slices of a level from which slices of a level next to it follow.

    Args:
        work: the solve.
        level: the level of the slices.
        other: the level before or after it, from which they follow.
        begin: the first slice.
        end: the slice after the last.

    Returns:
        A row for each slice, with one or two columns for each stack; -1 for none.
    """
    each, of_other = (work.tier_blocks[n] >> work.in_slice(n) for n in (level, other))
    rows, parts = np.divmod(np.arange(begin, end), each)
    tiers = work.tiers_of(level)[rows]
    heights, radices, *_ = work.shapes[0]
    filled = tiers[:, None] // radices % (heights + 1)
    there = filled < heights if other > level else filled > 0
    found = np.full(there.shape, -1, np.int32)
    moved = tiers[:, None] + (radices if other > level else -radices)
    found[there] = work.slots[moved[there]]
    if of_other == 1:
        return found
    places = _places(work, filled, top=other < level)
    size = 1 << work.in_slice(level)
    first = (parts * size)[:, None]
    made = _mark_range(work.board.marks, max(level, other))
    ends = (first, made[0]), (first + size - 1, made[1])
    if other > level:
        blocks = [_after(places, block, mark) for block, mark in ends]
        if work.board.marks == OWN:  # the mark left out so far may be in either half
            half = work.tier_blocks[other] // 2
            for n in range(2):
                blocks[n] = np.where(places == level, first + n * half, blocks[n])
    else:
        blocks = [_block_before(work, level, places, block) for block, _ in ends]
    low, high = (found * of_other + (block >> work.in_slice(other)) for block in blocks)
    return np.hstack([np.where(there, low, -1), np.where(there & (high != low), high, -1)]).astype(
        np.int32
    )


def _places(
    work: PlacementSolver, filled: npt.NDArray[np.int64], *, top: bool
) -> npt.NDArray[np.int64]:
    """Return the bit index in the pattern of each stack's top cell, or of its next cell."""
    heights, _, cells, *_ = work.shapes[0]
    taken = np.zeros(len(filled), np.uint64)
    for stack, height in enumerate(heights):
        for row in range(height):
            bit = _1 << np.uint64(cells[stack, row])
            taken |= np.where(filled[:, stack] > row, bit, np.uint64(0))
    rows = np.clip(filled - 1 if top else filled, 0, heights - 1)
    cell = cells[np.arange(len(heights)), rows].astype(np.uint64)
    below: npt.NDArray[np.uint64] = taken[:, None] & ((_1 << cell) - _1)
    return np.bitwise_count(below).astype(np.int64)


def _mark_range(marks: int, level: int) -> tuple[int, int]:
    """Return the least and the greatest mark of a move to a level."""
    if marks == EITHER:
        return 0, 1
    return (1, 1) if marks == SHARED or level % 2 else (0, 0)


def _after(
    places: npt.NDArray[np.int64], block: npt.NDArray[np.int64], mark: int
) -> npt.NDArray[np.int64]:
    """Return the block that a block leads to by inserting a mark at a bit index."""
    shift = np.maximum(places - IN_BLOCK, 0)
    put = block >> shift << shift + 1 | mark << shift | block & (1 << shift) - 1
    return np.where(places >= IN_BLOCK, put, 2 * block)


def _block_before(
    work: PlacementSolver, level: int, places: npt.NDArray[np.int64], block: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return the block that a block comes from by removing a mark at a bit index."""
    shift = np.maximum(places - IN_BLOCK, 0)
    lacking = block >> shift + 1 << shift | block & (1 << shift) - 1
    taken = np.where(places >= IN_BLOCK, lacking, block >> 1)
    if work.bits[level] < level:  # patterns leave out the mark of the highest cell
        blocks = work.tier_blocks[level - 1]
        taken = np.where(places == work.bits[level], block & (blocks - 1), taken)
    return taken
