"""Kernels that decide the positions of a level from those of the levels above."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, one_ply_earlier
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.sort.buckets import bucket_of
from zermelo.values.scores import UNKNOWN_SCORE

#: Children whose values are prefetched.
_AHEAD = 32


@inlined
def _unfolded(stored: Any, narrow: Any) -> Any:
    """Return the code of a stored value; a byte is remoteness times four plus 0, 1 or 2."""
    if not narrow:
        return np.int64(stored)
    remoteness = np.int64(stored >> 2)
    kind = stored & 3
    if kind == 1:
        return np.int64(TIES - remoteness)
    return np.int64(LAST - remoteness) if kind == 2 else np.int64(remoteness - LAST)


@inlined
def _stored_form(code: Any, narrow: Any) -> Any:
    """Return the stored form of a code."""
    if not narrow:
        return code
    if code > TIES:
        return (LAST - code) * 4 + 2
    return (TIES - code) * 4 + 1 if code > 0 else (code + LAST) * 4


@kernel
def leave_part(
    children: Any,
    levels: Any,
    count: int,
    words: int,
    lowest: int,
    level_bits: Any,
    lows: Any,
    highs: Any,
) -> None:
    """Set the levels of positions whose bucket is not in the part to one without positions."""
    for e in range(count):
        level = levels[e] - lowest
        if 0 <= level < level_bits.size and level_bits[level] >= 0:
            bucket = bucket_of(hash_of(children, e * words, words), level_bits[level])
            if not lows[level] <= bucket < highs[level]:
                levels[e] = lowest - 1


@kernel
def raise_values(
    done: int,
    ends: Any,
    terminal: Any,
    owners: Any,
    numbers: Any,
    turns: Any,
    above: Any,
    out: Any,
    first: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Raise the values of expanded positions to the best of their children in this part.

    Args:
        done: the number of positions.
        ends: the index after the last child of each.
        terminal: the code of each terminal position, UNKNOWN for the others.
        owners: the player to move in each.
        numbers: the index of each child in ``above``, -1 for a child that is not in this part.
        turns: the player to move by that index, or empty if the players strictly alternate.
        above: values of the levels above.
        out: the values, in bytes if ``above`` is.
        first: whether ``out`` has no values yet.
    """
    narrow = above.itemsize == 1
    alternate = turns.size == 0
    edge = 0
    last = np.int64(ends[done - 1]) - 1
    for i in range(done):
        if first:
            best = np.int64(terminal[i])
            if best == UNKNOWN:
                best = np.int64(-LAST)
        else:
            best = _unfolded(out[i], narrow)
        while edge < ends[i]:
            prefetch(above, max(numbers[min(edge + _AHEAD, last)], 0))
            child = numbers[edge]
            edge += 1
            if child < 0:
                continue
            same = (not alternate) and turns[child] == owners[i]
            best = max(best, one_ply_earlier(_unfolded(above[child], narrow), same))
        out[i] = _stored_form(best, narrow)


@kernel
def raise_margins(
    done: int,
    ends: Any,
    terminal: Any,
    owners: Any,
    gains: Any,
    numbers: Any,
    turns: Any,
    above: Any,
    out: Any,
    first: bool,  # noqa: FBT001  # a kernel takes no keywords
    nothing: int,
) -> bool:
    """Raise the margins of expanded positions to the best of their children in this part.

    Args:
        done: the number of positions.
        ends: the index after the last child of each.
        terminal: the margin of each terminal position, UNKNOWN_SCORE for the others.
        owners: the player to move in each.
        gains: the points that the move to each child makes.
        numbers: the index of each child in ``above``, -1 for a child that is not in this part.
        turns: the player to move by that index, or empty if the players strictly alternate.
        above: margins of the levels above.
        out: the margins.
        first: whether ``out`` has no margins yet.
        nothing: the least number of the type of ``out``, which marks positions without a margin
            yet.

    Returns:
        Whether all margins fit ``out``.
    """
    alternate = turns.size == 0
    edge = 0
    last = np.int64(ends[done - 1]) - 1
    fits = True
    for i in range(done):
        best = np.int64(terminal[i])
        if not first:
            best = np.int64(out[i])
            if best == nothing:
                best = np.int64(UNKNOWN_SCORE)
        while edge < ends[i]:
            prefetch(above, max(numbers[min(edge + _AHEAD, last)], 0))
            child = numbers[edge]
            if child >= 0:
                margin = np.int64(above[child])
                if alternate or turns[child] != owners[i]:
                    margin = -margin
                best = max(best, gains[edge] + margin)
            edge += 1
        if best == UNKNOWN_SCORE:
            best = np.int64(nothing)
        elif best <= nothing or best > ~nothing:
            fits = False
        out[i] = best
    return fits


@kernel
def least_and_most(levels: Any, count: int) -> tuple[Any, Any]:
    """Return the least and the greatest of the first ``count`` levels."""
    least = levels[0]
    most = levels[0]
    for i in range(1, count):
        least = min(least, levels[i])
        most = max(most, levels[i])
    return least, most


@kernel
def sort_by_level(
    children: Any, levels: Any, count: int, words: int, least: int, begins: Any, out: Any, of: Any
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
        of: receives their levels.
    """
    for i in range(count):
        begins[levels[i] - least + 1] += 1
    for level in range(1, begins.size):
        begins[level] += begins[level - 1]
    for i in range(count):
        level = levels[i] - least
        place = begins[level]
        begins[level] += 1
        of[place] = levels[i]
        for word in range(words):
            out[place * words + word] = children[i * words + word]
    for level in range(begins.size - 1, 0, -1):
        begins[level] = begins[level - 1]
    begins[0] = 0
