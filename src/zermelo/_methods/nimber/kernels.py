"""The kernels that find nimbers of positions whose successors have nimbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.backward.folds import NEVER
from zermelo._engine.column.nimbers import mex
from zermelo._engine.core.array_types import Int32Array, Int64Array, IntArray, Uint32Array
from zermelo._engine.core.jit import kernel
from zermelo.values.nimbers import NIMBERS

UNKNOWN = NIMBERS.unknown


@kernel
def sweep(
    first: Int64Array,
    edges: Uint32Array,
    gains: IntArray,
    order: Uint32Array,
    ordered: bool,
    values: Int32Array,
) -> None:
    """Find the nimbers of positions, successors first: in ``order``, or from the last down."""
    most: Any = 0
    for n in range(first.size - 1):
        most = max(most, np.int64(first[n + 1]) - np.int64(first[n]))
    child_nimbers = np.empty(most, np.int32)
    for k in range(order.size if ordered else first.size - 1):
        i = np.int64(order[k]) if ordered else first.size - 2 - k
        if values[i] == UNKNOWN:
            begin, end = np.int64(first[i]), np.int64(first[i + 1])
            moves = np.int64(0)
            total = np.int64(0)
            for e in range(begin, end):
                total ^= np.int64(values[np.int64(edges[e])])
                if gains.size == 0 or gains[e] != 0:
                    child_nimbers[moves] = total
                    moves += 1
                    total = np.int64(0)
            values[i] = mex(child_nimbers, 0, moves)


@kernel
def decide_ready(
    which: Int64Array,
    ends: Int32Array,
    numbers: Int64Array,
    gains: Int64Array,
    values: Int32Array,
    ranks: Uint32Array,
    rank: int,
) -> int:
    """Find the nimbers of those expanded positions whose successors all have ranks.

    Args:
        which: the numbers of the positions.
        ends: for each of them, the end of its children.
        numbers: the numbers of the children.
        gains: 1 for the last component of each move, else 0; empty if moves lead to one position.
        values: the nimbers by number, which are changed.
        ranks: the ranks by number, ``NEVER`` for positions without a nimber; they are changed.
        rank: the rank of the next position that gets a nimber.

    Returns:
        The rank of the position after the last.
    """
    most, begin = np.int64(0), np.int64(0)
    for i in range(which.size):
        most = max(most, np.int64(ends[i]) - begin)
        begin = np.int64(ends[i])
    child_nimbers = np.empty(most, np.int32)
    begin = np.int64(0)
    for i in range(which.size):
        end, moves, total, ready = np.int64(ends[i]), np.int64(0), np.int64(0), True
        for e in range(begin, end):
            if ranks[numbers[e]] == NEVER:
                ready = False
                break
            total ^= np.int64(values[numbers[e]])
            if gains.size == 0 or gains[e] != 0:
                child_nimbers[moves] = total
                moves += 1
                total = np.int64(0)
        begin = end
        if ready:
            values[which[i]] = mex(child_nimbers, 0, moves)
            ranks[which[i]] = rank
            rank += 1
    return rank
