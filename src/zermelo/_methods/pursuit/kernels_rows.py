"""Kernels of pursuit on a graph that process a row of positions at a time, 64 to a word.

Each node or team of the mover has a row, with a bit, or column, for each node or team of the other
side. In a column the mover wins if the row of some neighbour has a good bit there, and loses if the
rows of all neighbours have a bad bit there, so one pass over these rows decides both. The other
side's rows are transposed; newly set bits are copied by transposing blocks of 64 by 64 bits. A
row's number is that of a team: with ``stride`` the mover's node is ``row // stride % n``.
"""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.array_types import (
    Int16Array,
    Int32Array,
    Int64Array,
    IntArray,
    Integer,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.bits import lowest, ones
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.memory import on_stack

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
#: The least new bits of a word for which all 64 marks are written, in a vectorised loop.
_LEAST_DENSE_BITS = 20
#: Words of a row that are transposed together, so that whole cache lines are read.
_LINE = 8


@inlined
def _write(marks: IntArray, begin: int, width: int, word: np.uint64, mark: Integer) -> None:
    """Write a mark for each set bit of a word, the lowest of them at ``begin``."""
    if ones(word) >= _LEAST_DENSE_BITS:
        for bit in range(min(64, width)):
            old_mark = marks[begin + bit]
            marks[begin + bit] = mark if (word >> np.uint64(bit)) & _ONE else old_mark
        return
    while word != _ZERO:
        marks[begin + lowest(word)] = mark
        word &= word - _ONE


@inlined
def record(
    narrow: Int16Array,
    wide: Int32Array,
    row: int,
    bits: int,
    w: int,
    word: np.uint64,
    mark: Integer,
) -> None:
    """Write a mark for each set bit of the w-th word of a row, if there are marks."""
    if wide.size:
        _write(wide, row * bits + w * 64, bits - w * 64, word, np.int32(mark))
    elif narrow.size:
        _write(narrow, row * bits + w * 64, bits - w * 64, word, np.int16(mark))


@light_kernel
def decide_terminals(
    kinds: Uint8Array,
    columns: Uint64Array,
    teams: int,
    size: int,
    has_team_rows: int,
    live: Uint64Array,
    win: Uint64Array,
    lose: Uint64Array,
    fresh_win: Uint64Array,
    fresh_lose: Uint64Array,
    changed: Uint8Array,
    closed: Uint8Array,
    narrow: Int16Array,
    wide: Int32Array,
    bits: int,
) -> int:
    """Decide terminal positions; return their number.

    Args:
        kinds: of each row, 0 if only a capture decides, 1 if the mover has won and 2 if it has lost
            whatever the column, 3 if the row is invalid, 4 if it has lost except for captures by
            it.
        columns: columns, as bits, in which every mover has lost whatever its row.
        teams: the number of pursuers in a team.
        size: nodes.
        has_team_rows: 1 if rows are teams of pursuers, 0 if they are the evader's nodes.
        live: valid columns, as bits.
        win: receives the mover's wins, initially 0; ``lose`` receives its losses.
        lose: receives the mover's losses, initially 0.
        fresh_win: like ``win``.
        fresh_lose: like ``lose``.
        changed: receives 1 for each row with something decided.
        closed: receives 1 for each row without undecided positions.
        narrow: receives marks, unless ``wide`` does.
        wide: receives marks, unless it is empty.
        bits: columns of a row.
    """
    decided = 0
    words = win.shape[1]
    first, second = np.int64(1), np.int64(-1)
    for row in range(win.shape[0]):
        kind = kinds[row]
        if kind == 3:
            closed[row] = 1
            continue
        if has_team_rows == 1:  # ``win`` has the captures for a while
            quotient = row
            for _ in range(teams):
                node = quotient % size
                win[row, node >> 6] |= _ONE << np.uint64(node & 63)
                quotient //= size
        else:
            stride = 1
            for _ in range(teams):
                for high in range(0, bits, stride * size):
                    for low in range(stride):
                        team = high + row * stride + low
                        win[row, team >> 6] |= _ONE << np.uint64(team & 63)
                stride *= size
        undecided = _ZERO
        for w in range(words):
            caught = win[row, w]
            win[row, w] = _ZERO
            if kind == 1:
                won, lost = live[w], _ZERO
            elif has_team_rows == 1:
                lost = columns[w] & live[w]
                won = caught & live[w] & ~lost
                if kind == 4:
                    lost = live[w] & ~won
            else:
                won = _ZERO
                lost = live[w] if kind == 2 else caught & live[w]
            undecided |= live[w] & ~(won | lost)
            if won | lost:
                changed[row] = 1
                win[row, w] = won
                lose[row, w] = lost
                fresh_win[row, w] = won
                fresh_lose[row, w] = lost
                record(narrow, wide, row, bits, w, won, first)
                record(narrow, wide, row, bits, w, lost, second)
                decided += ones(won | lost)
        if undecided == _ZERO:
            closed[row] = 1
    return decided


@light_kernel
def decide_rows(
    ptr: Int64Array,
    adj: Int32Array,
    stride: int,
    begin: int,
    end: int,
    good: Uint64Array,
    bad: Uint64Array,
    touched: Uint8Array,
    live: Uint64Array,
    win: Uint64Array,
    lose: Uint64Array,
    fresh_win: Uint64Array,
    fresh_lose: Uint64Array,
    changed: Uint8Array,
    closed: Uint8Array,
    narrow: Int16Array,
    wide: Int32Array,
    mark: int,
    bits: int,
) -> int:
    """Decide positions of rows ``begin`` to ``end`` from rows changed in the last round.

    Args:
        ptr: with ``adj``, the nodes that each node leads to.
        adj: the targets of all nodes, one node after the other.
        stride: the weight of the mover's node in a row's number.
        begin: first row.
        end: row after the last.
        good: positions after a move that are won for the mover, in rows like its own.
        bad: positions after a move that are lost for the mover.
        touched: rows of these two that the last round changed.
        live: valid columns, as bits.
        win: positions won for the mover so far; is updated.
        lose: positions lost for the mover so far; is updated.
        fresh_win: receives the new bits of ``win``.
        fresh_lose: receives the new bits of ``lose``.
        changed: receives 1 for each row with new bits, 0 for others.
        closed: rows without undecided positions.
        narrow: marks by row and column, unless they are in ``wide``.
        wide: marks by row and column, or empty.
        mark: the mark to write: remoteness + 1, negated if the mover loses.
        bits: columns of a row.

    Returns:
        The number of decided positions.
    """
    size = ptr.size - 1
    words = win.shape[1]
    decided = 0
    for row in range(begin, end):
        if changed[row]:
            changed[row] = 0
            for w in range(words):
                fresh_win[row, w] = _ZERO
                fresh_lose[row, w] = _ZERO
        if closed[row]:
            continue
        node = row // stride % size
        base = row - node * stride
        first, last = ptr[node], ptr[node + 1]
        is_touched = False
        for e in range(first, last):
            if touched[base + adj[e] * stride]:
                is_touched = True
                break
        if not is_touched:
            continue
        for w in range(words):  # OR and AND over all neighbours
            fresh_win[row, w] = _ZERO
            fresh_lose[row, w] = live[w]
        for e in range(first, last):
            next_row = base + adj[e] * stride
            if touched[next_row]:
                for w in range(words):
                    fresh_win[row, w] |= good[next_row, w]
                    fresh_lose[row, w] &= bad[next_row, w]
            else:
                for w in range(words):
                    fresh_lose[row, w] &= bad[next_row, w]
        remaining = _ZERO
        for w in range(words):
            undecided = live[w] & ~(win[row, w] | lose[row, w])
            won = fresh_win[row, w] & undecided
            lost = fresh_lose[row, w] & undecided
            fresh_win[row, w] = won
            fresh_lose[row, w] = lost
            remaining |= undecided & ~(won | lost)
            if won | lost:
                changed[row] = 1
                if won:
                    win[row, w] |= won
                    record(narrow, wide, row, bits, w, won, mark)
                if lost:
                    lose[row, w] |= lost
                    record(narrow, wide, row, bits, w, lost, -mark)
                decided += ones(won | lost)
        if remaining == _ZERO:
            closed[row] = 1
    return decided


@kernel
def gather(
    ptr: Int64Array,
    adj: Int32Array,
    stride: int,
    begin: int,
    end: int,
    good: Uint64Array,
    bad: Uint64Array,
    touched: Uint8Array,
    good_out: Uint64Array,
    bad_out: Uint64Array,
    touched_out: Uint8Array,
) -> None:
    """Combine the rows of one pursuer's moves, as a part of a move of all pursuers together."""
    size = ptr.size - 1
    words = good.shape[1]
    for row in range(begin, end):
        touched_out[row] = 0
        node = row // stride % size
        base = row - node * stride
        first, last = ptr[node], ptr[node + 1]
        for e in range(first, last):
            if touched[base + adj[e] * stride]:
                touched_out[row] = 1
                break
        if not touched_out[row]:
            continue
        for w in range(words):
            bad_out[row, w] = ~_ZERO
        for e in range(first, last):
            next_row = base + adj[e] * stride
            for w in range(words):
                good_out[row, w] |= good[next_row, w]
                bad_out[row, w] &= bad[next_row, w]


@inlined
def _transpose_block(block: Uint64Array) -> None:
    """Transpose 64 by 64 bits, in place."""
    half = 32
    mask = np.uint64(0xFFFFFFFF)
    while half:
        shift = np.uint64(half)
        for base in range(0, 64, 2 * half):
            for k in range(base, base + half):
                swap = ((block[k] >> shift) ^ block[k + half]) & mask
                block[k + half] ^= swap
                block[k] ^= swap << shift
        half >>= 1
        mask ^= mask << np.uint64(half)


@light_kernel
def add_transposed(
    fresh_a: Uint64Array,
    fresh_b: Uint64Array,
    changed: Uint8Array,
    into_a: Uint64Array,
    into_b: Uint64Array,
    touched: Uint8Array,
    begin: int,
    end: int,
) -> None:
    """Add the new bits of words ``begin`` to ``end`` to the transposed matrices.

    Args:
        fresh_a: new bits of a turn; ``fresh_b`` has more of them.
        fresh_b: other new bits of the turn.
        changed: rows of the two with new bits.
        into_a: receives ``fresh_a`` transposed; ``into_b`` receives ``fresh_b``.
        into_b: receives ``fresh_b`` transposed.
        touched: receives 1 for each row of these with new bits, 0 for others.
        begin: first word of a row.
        end: word after the last.
    """
    rows = changed.size
    out_rows = touched.size
    blocks = (rows + 63) >> 6
    for row in range(begin * 64, min(end * 64, out_rows)):
        touched[row] = 0
    block = on_stack(64, np.uint64)
    for group in range(begin, end, _LINE):
        for b in range(blocks):
            height = min(64, rows - b * 64)
            has_changes = False
            for r in range(height):
                has_changes |= changed[b * 64 + r] != 0
            if not has_changes:
                continue
            for w in range(group, min(group + _LINE, end)):
                width = min(64, out_rows - w * 64)
                for matrix in range(2):
                    fresh = fresh_a if matrix == 0 else fresh_b
                    target = into_a if matrix == 0 else into_b
                    present = _ZERO
                    for r in range(height):
                        word = fresh[b * 64 + r, w]
                        block[r] = word
                        present |= word
                    if present == _ZERO:
                        continue
                    for r in range(height, 64):
                        block[r] = _ZERO
                    _transpose_block(block)
                    for r in range(width):
                        if block[r]:
                            target[w * 64 + r, b] |= block[r]
                            touched[w * 64 + r] = 1


@kernel
def count_fresh(fresh_win: Uint64Array, fresh_lose: Uint64Array, changed: Uint8Array) -> int:
    """Count the positions that the last round decided."""
    count = 0
    for row in range(changed.size):
        if changed[row]:
            for w in range(fresh_win.shape[1]):
                count += ones(fresh_win[row, w] | fresh_lose[row, w])
    return count
