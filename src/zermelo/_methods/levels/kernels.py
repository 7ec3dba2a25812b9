"""Kernels that decide the positions of a level from those of the levels above."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._engine.column.codes import LAST, TIES
from zermelo._engine.column.value_operations import ValueOperations
from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.sort.buckets import bucket_of
from zermelo.values.scores import UNKNOWN_SCORE

#: Children whose values are prefetched.
_AHEAD = 32


@dataclass(frozen=True, eq=False)
class StoredForm:
    """The form in which values are stored until their level is finished.

    Attributes:
        code_of: the code of a stored value, from the value, its size in bytes, and the number that
            marks positions without a value.
        stored_of: the stored form of a code, from the code, the size, and that number.
    """

    code_of: Callable[[Any, Any, Any], Any]
    stored_of: Callable[[Any, Any, Any], Any]


@inlined
def _outcome_code(stored: int, size: int, _: int) -> np.int64:
    """Return a code; a byte is remoteness times four plus 0, 1 or 2."""
    if size != 1:
        return np.int64(stored)
    remoteness = np.int64(stored >> 2)
    kind = stored & 3
    if kind == 1:
        return np.int64(TIES - remoteness)
    return np.int64(LAST - remoteness) if kind == 2 else np.int64(remoteness - LAST)


@inlined
def _stored_outcome(code: int, size: int, _: int) -> int:
    if size != 1:
        return code
    if code > TIES:
        return (LAST - code) * 4 + 2
    return (TIES - code) * 4 + 1 if code > 0 else (code + LAST) * 4


@inlined
def _margin_code(stored: int, _: int, nothing: int) -> np.int64:
    code = np.int64(stored)
    return np.int64(UNKNOWN_SCORE) if code == nothing else code


@inlined
def _stored_margin(code: int, _: int, nothing: int) -> Any:
    return np.int64(nothing) if code == UNKNOWN_SCORE else code


#: Win, draw or loss and remoteness: in a byte, or as codes.
STORED_OUTCOMES = StoredForm(_outcome_code, _stored_outcome)
#: Margins themselves, or in two bytes.
STORED_MARGINS = StoredForm(_margin_code, _stored_margin)


@kernel
def leave_part(
    children: Uint64Array,
    levels: Int64Array,
    count: int,
    words: int,
    lowest: int,
    level_bits: Int64Array,
    lows: Int64Array,
    highs: Int64Array,
) -> None:
    """Set the levels of positions whose bucket is not in the part to one without positions."""
    for e in range(count):
        level = levels[e] - lowest
        if 0 <= level < level_bits.size and level_bits[level] >= 0:
            bucket = bucket_of(hash_of(children, e * words, words), level_bits[level])
            if not lows[level] <= bucket < highs[level]:
                levels[e] = lowest - 1


@functools.cache
def part_fold(operations: ValueOperations, form: StoredForm) -> Callable[..., bool]:
    """Return the kernel that raises values to those of children in a part of the levels above."""
    of_child, better = operations.of_child, operations.better
    least, undecided, scored = operations.least, operations.undecided, operations.scored
    code_of, stored_of = form.code_of, form.stored_of

    @kernel
    def fold_part(
        position_count: int,
        ends: Int32Array,
        terminal: IntArray,
        owners: Uint8Array,
        gains: Int64Array,
        numbers: Int64Array,
        turns: Uint8Array,
        higher_values: IntArray,
        out: IntArray,
        first: bool,
        nothing: int,
    ) -> bool:
        """Raise the values of expanded positions to the best of their children in this part.

        Args:
            position_count: the number of positions.
            ends: the index after the last child of each.
            terminal: the code of each terminal position; others are undecided.
            owners: the player to move in each.
            gains: the points that the move to each child makes, if moves make points.
            numbers: the index of each child in ``higher_values``, -1 for a child that is not in
                this part.
            turns: the player to move by that index, or empty if the players strictly alternate.
            higher_values: stored values of the levels above.
            out: the stored values.
            first: whether ``out`` has no values yet.
            nothing: the least number of the type of ``out``, which may mark positions without a
                value yet.

        Returns:
            Whether all values fit ``out``.
        """
        size = higher_values.itemsize
        alternate = turns.size == 0
        edge = np.int64(0)
        last = np.int64(ends[position_count - 1]) - 1
        fits = True
        for i in range(position_count):
            if first:
                best = np.int64(terminal[i])
                if best == undecided:
                    best = np.int64(least)
            else:
                best = code_of(out[i], size, nothing)
            while edge < ends[i]:
                prefetch(higher_values, max(numbers[min(edge + _AHEAD, last)], 0))
                child = numbers[edge]
                if child >= 0:
                    keeps_turn = (not alternate) and turns[child] == owners[i]
                    gain = gains[edge] if scored else 0
                    code = code_of(higher_values[child], size, nothing)
                    best = better(best, of_child(code, keeps_turn, gain, 0))
                edge += 1
            out[i] = stored_of(best, size, nothing)
            fits = fits and code_of(out[i], size, nothing) == best
        return fits

    return fold_part


@kernel
def least_and_most(levels: Int64Array, count: int) -> tuple[int, int]:
    """Return the least and the greatest of the first ``count`` levels."""
    least = levels[0]
    most = levels[0]
    for i in range(1, count):
        least = min(least, levels[i])
        most = max(most, levels[i])
    return least, most


@kernel
def sort_by_level(
    children: Uint64Array,
    levels: Int64Array,
    count: int,
    words: int,
    least: int,
    begins: Int64Array,
    out: Uint64Array,
    sorted_levels: Int64Array,
) -> None:
    """Sort positions by level.

    Args:
        children: packed positions.
        levels: the level of each.
        count: the number of positions.
        words: words per position.
        least: the least of the levels.
        begins: zeros, one for each level from the least to the greatest, and one more; receives the
            index of each level's first position.
        out: receives the positions.
        sorted_levels: receives their levels.
    """
    for i in range(count):
        begins[levels[i] - least + 1] += 1
    for level in range(1, begins.size):
        begins[level] += begins[level - 1]
    for i in range(count):
        level = levels[i] - least
        index = begins[level]
        begins[level] += 1
        sorted_levels[index] = levels[i]
        for word in range(words):
            out[index * words + word] = children[i * words + word]
    for level in range(begins.size - 1, 0, -1):
        begins[level] = begins[level - 1]
    begins[0] = 0
