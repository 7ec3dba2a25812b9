"""Kernels of pursuit on a graph for rounds that decide little: position by position.

Rows of bits cost the same however few of them are new. A long chase decides a handful of
positions a round, and these kernels go from them to the positions before, one at a time. They
leave the rows of bits as the others would, so that a solve may change over in any round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.jit import inlined, kernel
from zermelo._methods.pursuit.kernels_rows import _lowest

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
#: A listed position is its row, and in the lower half its column: shifts cost less than division.
_HALF = 32
_LOW = (1 << 32) - 1


@inlined
def _mark(narrow: Any, wide: Any, at: Any) -> Any:
    if wide.size:
        return np.int64(wide[at])
    return np.int64(narrow[at])


@inlined
def _set(matrix: Any, row: int, column: int) -> None:
    matrix[row, column >> 6] |= _ONE << np.uint64(column & 63)


@kernel
def collect(fresh_win: Any, fresh_lose: Any, changed: Any, out: Any) -> int:
    """List the fresh positions, each as a row and a column; return how many there are."""
    count = 0
    for row in range(changed.size):
        if not changed[row]:
            continue
        for w in range(fresh_win.shape[1]):
            word = fresh_win[row, w] | fresh_lose[row, w]
            while word != _ZERO:
                out[count] = (row << _HALF) | (w * 64 + _lowest(word))
                count += 1
                word &= word - _ONE
    return count


@kernel
def touch(listed: Any, count: int, turned: int, touched: Any) -> None:
    """Mark the rows in which listed positions stand for the turn before theirs."""
    touched[:] = 0
    for i in range(count):
        touched[listed[i] & _LOW if turned else listed[i] >> _HALF] = 1


@kernel
def follow(
    listed: Any,
    head: int,
    count: int,
    next_bits: int,
    turned: int,
    same_side: int,
    next_narrow: Any,
    next_wide: Any,
    ptr: Any,
    adj: Any,
    back_ptr: Any,
    back_adj: Any,
    stride: int,
    dead: Any,
    win: Any,
    lose: Any,
    narrow: Any,
    wide: Any,
    bits: int,
    view_good: Any,
    view_bad: Any,
    mark: int,
    out: Any,
    made: int,
) -> tuple[int, int]:
    """Decide what follows for one turn from positions of the next that were just decided.

    Args:
        listed: positions of the next turn that have the mark ``mark - 1``, up to a sign.
        head: the first of them to handle.
        count: how many there are.
        next_bits: columns of a row of the next turn.
        turned: whether rows of the next turn are columns of this one.
        same_side: whether the next turn is one of the same side.
        next_narrow: marks of the next turn, or in ``next_wide``.
        next_wide: see ``next_narrow``.
        ptr: with ``adj``, the nodes each node leads to.
        adj: see ``ptr``.
        back_ptr: with ``back_adj``, the nodes that lead to each node.
        back_adj: see ``back_ptr``.
        stride: of the mover's node in a row's number.
        dead: rows that do not exist.
        win: positions won for the mover; is added to. Likewise ``lose`` and the marks.
        lose: see ``win``.
        narrow: marks, or in ``wide``.
        wide: see ``narrow``.
        bits: columns of a row.
        view_good: where the turn before sees ``lose`` the other way round, or nothing.
        view_bad: where it sees ``win``.
        mark: remoteness + 1 of what is decided now.
        out: receives what is decided, from place ``made``.
        made: see ``out``.

    Returns:
        The first listed position not handled, for lack of room, and how many are in ``out``.
    """
    size = ptr.size - 1
    left = out.size - size
    viewed = view_good.size > 0
    for i in range(head, count):
        if made > left:
            return i, made
        row, column = listed[i] >> _HALF, listed[i] & _LOW
        good = _mark(next_narrow, next_wide, row * next_bits + column) > 0
        if not same_side:
            good = not good
        if turned:
            row, column = column, row
        after = row if dead.size == size else row // stride % size
        base = row - after * stride
        for e in range(back_ptr[after], back_ptr[after + 1]):
            node = back_adj[e]
            here = base + node * stride
            at = here * bits + column
            if _mark(narrow, wide, at) != 0 or dead[here]:
                continue
            if not good:
                # Lost once every move is, and each of them in the rounds before this one.
                lost = True
                for f in range(ptr[node], ptr[node + 1]):
                    other = base + adj[f] * stride
                    there = column * next_bits + other if turned else other * next_bits + column
                    found = _mark(next_narrow, next_wide, there)
                    if not same_side:
                        found = -found
                    if found >= 0 or -found >= mark:
                        lost = False
                        break
                if not lost:
                    continue
            written = mark if good else -mark
            if wide.size:
                wide[at] = np.int32(written)
            else:
                narrow[at] = np.int16(written)
            if good:
                _set(win, here, column)
                if viewed:
                    _set(view_bad, column, here)
            else:
                _set(lose, here, column)
                if viewed:
                    _set(view_good, column, here)
            out[made] = (here << _HALF) | column
            made += 1
    return count, made
