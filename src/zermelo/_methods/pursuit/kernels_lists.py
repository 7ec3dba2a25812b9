"""Kernels of pursuit on a graph for rounds that decide little: position by position.

Rows of bits cost the same however few of them are new. A long chase decides a handful of positions
per round, and these kernels go from those to their predecessors, one at a time. They keep the rows
of bits up to date, so that a solve may change to the other kernels in any round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import (
    Int16Array,
    Int32Array,
    Int64Array,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.bits import lowest
from zermelo._engine.core.jit import inlined, kernel

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
#: A listed position is its row, with its column in the lower half: shifts cost less than division.
_HALF = 32
_LOW = (1 << 32) - 1


@inlined
def _mark(narrow: Int16Array, wide: Int32Array, index: int) -> Any:
    if wide.size:
        return np.int64(wide[index])
    return np.int64(narrow[index])


@inlined
def _set(matrix: Uint64Array, row: int, column: int) -> None:
    matrix[row, column >> 6] |= _ONE << np.uint64(column & 63)


@kernel
def collect(
    fresh_win: Uint64Array, fresh_lose: Uint64Array, changed: Uint8Array, out: Int64Array
) -> int:
    """List the newly decided positions, each as a row and a column; return their number."""
    count = 0
    for row in range(changed.size):
        if not changed[row]:
            continue
        for w in range(fresh_win.shape[1]):
            word = fresh_win[row, w] | fresh_lose[row, w]
            while word != _ZERO:
                out[count] = (row << _HALF) | (w * 64 + lowest(word))
                count += 1
                word &= word - _ONE
    return count


@kernel
def touch(listed: Int64Array, count: int, turned: int, touched: Uint8Array) -> None:
    """Set the flags of the rows that listed positions have in the turn before theirs."""
    touched[:] = 0
    for i in range(count):
        touched[listed[i] & _LOW if turned else listed[i] >> _HALF] = 1


@kernel
def decide_predecessors(
    listed: Int64Array,
    head: int,
    count: int,
    next_bits: int,
    turned: int,
    same_side: int,
    next_narrow: Int16Array,
    next_wide: Int32Array,
    ptr: Int64Array,
    adj: Int32Array,
    back_ptr: Int64Array,
    back_adj: Int32Array,
    stride: int,
    dead: Uint8Array,
    win: Uint64Array,
    lose: Uint64Array,
    narrow: Int16Array,
    wide: Int32Array,
    bits: int,
    view_good: Uint64Array,
    view_bad: Uint64Array,
    mark: int,
    out: Int64Array,
    decided_count: int,
) -> tuple[int, int]:
    """Decide positions of one turn that follow from newly decided ones of the next turn.

    Args:
        listed: positions of the next turn with the mark ``mark - 1``, up to a sign.
        head: the index of the first one to process.
        count: the number of listed positions.
        next_bits: columns of a row of the next turn.
        turned: whether rows of the next turn are columns of this turn.
        same_side: whether the next turn is the same side's.
        next_narrow: marks of the next turn, unless they are in ``next_wide``.
        next_wide: marks of the next turn, or empty.
        ptr: with ``adj``, the nodes that each node leads to.
        adj: the targets of all nodes, one node after the other.
        back_ptr: with ``back_adj``, the nodes that lead to each node.
        back_adj: the predecessors of all nodes, one node after the other.
        stride: the weight of the mover's node in a row's number.
        dead: invalid rows.
        win: positions won for the mover; is updated, like ``lose`` and the marks.
        lose: positions lost for the mover.
        narrow: marks, unless they are in ``wide``.
        wide: marks, or empty.
        bits: columns of a row.
        view_good: the transposed ``lose`` that the turn before uses, or empty.
        view_bad: the transposed ``win`` that the turn before uses, or empty.
        mark: remoteness + 1 of the positions decided now.
        out: receives decided positions, from index ``decided_count`` on.
        decided_count: the number of positions already in ``out``.

    Returns:
        The index of the first unprocessed position, if ``out`` is full, and the number in ``out``.
    """
    size = ptr.size - 1
    limit = out.size - size
    viewed = view_good.size > 0
    for i in range(head, count):
        if decided_count > limit:
            return i, decided_count
        row, column = listed[i] >> _HALF, listed[i] & _LOW
        good = _mark(next_narrow, next_wide, row * next_bits + column) > 0
        if not same_side:
            good = not good
        if turned:
            row, column = column, row
        next_node = row if dead.size == size else row // stride % size
        base = row - next_node * stride
        for e in range(back_ptr[next_node], back_ptr[next_node + 1]):
            node = back_adj[e]
            previous_row = base + node * stride
            index = previous_row * bits + column
            if _mark(narrow, wide, index) != 0 or dead[previous_row]:
                continue
            if not good:
                # Lost once every move is, all of them in earlier rounds.
                lost = True
                for f in range(ptr[node], ptr[node + 1]):
                    next_row = base + adj[f] * stride
                    next_index = (
                        column * next_bits + next_row if turned else next_row * next_bits + column
                    )
                    next_mark = _mark(next_narrow, next_wide, next_index)
                    if not same_side:
                        next_mark = -next_mark
                    if next_mark >= 0 or -next_mark >= mark:
                        lost = False
                        break
                if not lost:
                    continue
            new_mark = mark if good else -mark
            if wide.size:
                wide[index] = np.int32(new_mark)
            else:
                narrow[index] = np.int16(new_mark)
            if good:
                _set(win, previous_row, column)
                if viewed:
                    _set(view_bad, column, previous_row)
            else:
                _set(lose, previous_row, column)
                if viewed:
                    _set(view_good, column, previous_row)
            out[decided_count] = (previous_row << _HALF) | column
            decided_count += 1
    return count, decided_count
