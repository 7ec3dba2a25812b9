"""The certificate of nimbers in games with cycles.

A nimber n is proved by moves to positions of lower potential, whose nimbers are correct by
induction: these moves reach all numbers below n, and do not reach n. Every other move must be
answered: its child must have a move to a position of nimber n and lower potential. Then every move
from the sum of the position and a heap of n has an answer, and the answers end. So the sum has the
value 0, and the position has the nimber n.

Infinity is stored with the set K of the nimbers that moves reach. If m is the least number not in
K, some move must lead to infinity with a set that lacks m. Suppose that some positions stored as
infinity had nimbers. Consider the position whose nimber is proved first. Its nimber would be m,
because the nimbers that prove it are proved earlier, and so are stored correctly. Every move to
infinity would be answered by a move to m, which is also stored correctly. This contradicts the
check.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.certificate.kernels import (
    NOTHING,
    UNFOUNDED,
    WRONG_VALUE,
)
from zermelo._engine.certificate.lookups import TableData
from zermelo._engine.column.nimbers import least_missing_bit, mex, move_at
from zermelo._engine.core.array_types import (
    BoolArray,
    Int32Array,
    Int64Array,
    IntArray,
    Uint64Array,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.expander import Buffers, Expand, expanded_parts, run_expand
from zermelo._engine.table import Table
from zermelo.values.nimbers import IN_SETS, NIMBERS

UNKNOWN = NIMBERS.unknown
#: Positions that are expanded in one batch, and the initial capacity in moves for each.
_BATCH, _CAPACITY = 512, 12


def check_nimbers(
    expand: Expand, table: Table, expanded: Buffers, parents: TableData, children: TableData
) -> tuple[int, int, int]:
    """Check nimbers and infinities of expanded positions.

    The arguments and the result are those of ``check_expanded``.
    """
    count, edges = len(parents.places), len(children.places)
    parent_arrays = (expanded.ends, expanded.values, parents.values, parents.potential)
    arguments = (*parent_arrays, children.values, children.potential, expanded.gains)
    fault, i, correct, unanswered = _check_without_answers(*arguments, np.empty(edges, np.int32))
    if unanswered:
        moves, required_nimbers, position_of = (np.empty(unanswered, np.int64) for _ in range(3))
        _list_unanswered_moves(*arguments, moves, required_nimbers, position_of)
        first_wrong = _first_unanswered(
            expand, table, expanded, parents, children, (moves, required_nimbers, position_of)
        )
        if first_wrong < (i if fault != NOTHING else count):
            return UNFOUNDED, first_wrong, 0
    return int(fault), int(i), int(correct)


def _first_unanswered(
    expand: Expand,
    table: Table,
    expanded: Buffers,
    parents: TableData,
    children: TableData,
    unanswered: tuple[Int64Array, ...],
) -> int:
    """Return the index of the first position with an unanswered move, or the number of positions.

    Args:
        expand: the rules.
        table: positions and values.
        expanded: the result of expanding the positions.
        parents: the table's data about them.
        children: the table's data about their children.
        unanswered: for each move that must be answered, the child in which the answer is a move, or
            -1 if no answer is possible; the nimber that the answer must reach; and the index of the
            position.
    """
    words = expand.words
    rows = expanded.children[: len(children.places) * words].reshape(-1, words)
    unanswerable = unanswered[2][unanswered[0] < 0]
    first_wrong = int(unanswerable.min()) if len(unanswerable) else len(parents.places)
    # Several moves may lead to one position, which is expanded once.
    order = np.argsort(children.places[unanswered[0]], kind="stable")
    order = order[unanswered[0][order] >= 0]
    moves, required_nimbers, position_of = (column[order] for column in unanswered)
    is_first = np.ones(len(moves), np.bool_)
    is_first[1:] = np.diff(children.places[moves]) != 0
    groups, firsts = np.cumsum(is_first) - 1, np.flatnonzero(is_first)
    buffers = Buffers.for_rules(expand, _BATCH, _CAPACITY * _BATCH)
    begin = 0
    while begin < len(firsts):
        keys = np.ascontiguousarray(rows[moves[firsts[begin : begin + _BATCH]]]).reshape(-1)
        expanded_count, replies = run_expand(expand, keys, 0, len(keys) // words, buffers)
        reply_data = TableData.look_up_positions(expand, table, buffers.children, replies)
        reply_data.potential[reply_data.places < 0] = np.iinfo(np.int64).max
        batch = slice(*np.searchsorted(groups, [begin, begin + expanded_count]))
        move_arrays = (
            groups[batch] - begin,
            required_nimbers[batch],
            position_of[batch],
            parents.potential,
        )
        reply_arrays = (buffers.ends, reply_data.values, reply_data.potential, buffers.gains)
        first_wrong = min(
            first_wrong, int(_least_unanswered(*move_arrays, *reply_arrays, first_wrong))
        )
        begin += expanded_count
    return first_wrong


@kernel
def _check_without_answers(
    ends: Int32Array,
    terminal: Int32Array,
    stored: Int32Array,
    potential: Int64Array,
    child_stored: Int32Array,
    child_potential: Int64Array,
    gains: Int64Array,
    work: Int32Array,
) -> tuple[Any, Any, Any, Any]:
    """Check nimbers by proved moves, and check infinities.

    Returns:
        A fault, the index of the position, the correct code, and the number of moves of earlier
        positions that must be answered.
    """
    unanswered: Any = np.int64(0)
    previous_end = np.int64(0)
    for i in range(stored.size):
        begin, end = previous_end, np.int64(ends[i])
        previous_end = end
        value = np.int64(stored[i])
        if terminal[i] != UNKNOWN:
            if value != terminal[i]:
                return WRONG_VALUE, i, np.int64(terminal[i]), unanswered
            continue
        proved_count: Any = np.int64(0)
        unproved_count = np.int64(0)
        move_begin = begin
        if value >= 0:
            while move_begin < end:
                move_begin, _, _, _, unproved, _, nimber = move_at(
                    child_stored, child_potential, gains, move_begin, potential[i]
                )
                if unproved == 0:
                    work[proved_count] = nimber
                    proved_count += 1
                else:
                    unproved_count += 1
            correct = mex(work, 0, proved_count)
            if value != correct:
                # An unproved value of a child may be wrong, so that the value may be correct.
                fault = WRONG_VALUE if unproved_count == 0 else UNFOUNDED
                return fault, i, correct, unanswered
            unanswered += unproved_count
            continue
        numbers: Any = np.uint32(0)
        exceeds_sets: Any = False
        while move_begin < end:
            move_begin, endless, _, nimber, _, _, _ = move_at(
                child_stored, child_potential, gains, move_begin, potential[i]
            )
            if endless == 0:
                exceeds_sets |= nimber >= IN_SETS
                numbers |= np.uint32(1) << np.uint32(min(nimber, IN_SETS))
        least = least_missing_bit(numbers)
        is_infinite: Any = False
        move_begin = begin
        while move_begin < end:
            move_begin, endless, component, nimber, _, _, _ = move_at(
                child_stored, child_potential, gains, move_begin, potential[i]
            )
            is_infinite |= endless > 1
            if endless == 1:
                child_set = np.uint32(-1 - np.int64(child_stored[component]))
                needed = least ^ nimber
                is_infinite |= (
                    needed >= IN_SETS or (child_set >> np.uint32(needed)) & np.uint32(1) == 0
                )
        if exceeds_sets:
            return UNFOUNDED, i, np.int64(0), unanswered
        if not is_infinite:
            return WRONG_VALUE, i, least, unanswered
        if value != -1 - np.int64(numbers):
            return WRONG_VALUE, i, -1 - np.int64(numbers), unanswered
    return NOTHING, 0, np.int64(0), unanswered


@kernel
def _list_unanswered_moves(
    ends: Int32Array,
    terminal: Int32Array,
    stored: Int32Array,
    potential: Int64Array,
    child_stored: Int32Array,
    child_potential: Int64Array,
    gains: Int64Array,
    moves: Int64Array,
    required_nimbers: Int64Array,
    position_of: Int64Array,
) -> None:
    """List the moves that must be answered, up to the capacity of the arrays."""
    count = 0
    move_begin = np.int64(0)
    for i in range(stored.size):
        if terminal[i] != UNKNOWN or stored[i] < 0:
            move_begin = np.int64(ends[i])
        while move_begin < ends[i]:
            move_begin, _, _, _, unproved, child, nimber = move_at(
                child_stored, child_potential, gains, move_begin, potential[i]
            )
            if unproved == 0:
                continue
            if count == moves.size:
                return
            moves[count] = child if unproved == 1 else -1
            required_nimbers[count], position_of[count] = np.int64(stored[i]) ^ nimber, i
            count += 1


@kernel
def _least_unanswered(
    groups: IntArray,
    required_nimbers: IntArray,
    position_of: IntArray,
    potential: Int64Array,
    ends: Int32Array,
    reply_stored: Int32Array,
    reply_potential: Int64Array,
    gains: Int64Array,
    first_wrong: int,
) -> int:
    """Return the lesser of ``first_wrong`` and the first position with an unanswered move."""
    for k in range(groups.size):
        i = np.int64(position_of[k])
        move_begin = np.int64(ends[groups[k] - 1]) if groups[k] > 0 else np.int64(0)
        is_answered = False
        while move_begin < ends[groups[k]]:
            move_begin, _, _, _, unproved, _, nimber = move_at(
                reply_stored, reply_potential, gains, move_begin, potential[i]
            )
            is_answered |= unproved == 0 and nimber == required_nimbers[k]
        if not is_answered and i < first_wrong:
            first_wrong = int(i)
    return first_wrong


def without_moves(expand: Expand, packed: Uint64Array, count: int) -> BoolArray:
    """Return the mask of packed positions without moves, whose nimber is 0."""
    buffers = Buffers.for_rules(expand, _BATCH, _CAPACITY * _BATCH)
    is_terminal = np.empty(count, np.bool_)
    for part in expanded_parts(expand, packed, count, buffers, _BATCH):
        is_terminal[part.begin : part.end] = part.degrees == 0
    return is_terminal


def first_inconsistent(
    expand: Expand, table: Table, packed: Uint64Array, codes: Int64Array
) -> tuple[int, int | None] | None:
    """Return the first position whose code contradicts its moves, or None.

    The values of the children must be correct.

    Args:
        expand: the compiled rules.
        table: the children, with values.
        packed: packed positions, which need not be in the table.
        codes: the code of each position.

    Returns:
        The index of the position and its correct code; None instead of the code if a move leads out
        of the table. None if all codes are correct.
    """
    buffers = Buffers.for_rules(expand, _BATCH, _CAPACITY * _BATCH)
    stored = codes.astype(np.int32)
    for part in expanded_parts(expand, packed, len(codes), buffers, _BATCH):
        begin, end, count = part.begin, part.end, part.moves
        reply_data = TableData.look_up_positions(expand, table, buffers.children, count)
        ends, gains, terminal = part.ends.copy(), part.gains.copy(), part.values.copy()
        absent = np.flatnonzero(reply_data.places < 0)
        if len(absent):
            rows = part.children[absent]
            is_terminal = without_moves(expand, np.ascontiguousarray(rows).reshape(-1), len(absent))
            if not is_terminal.all():
                first = int(absent[int(np.argmin(is_terminal))])
                return begin + int(np.searchsorted(ends, first, "right")), None
            reply_data.values[absent] = 0
        potential, child_potential = np.ones(end - begin, np.int64), np.zeros(count, np.int64)
        fault, i, correct, _ = _check_without_answers(
            ends,
            terminal,
            stored[begin:end],
            potential,
            reply_data.values,
            child_potential,
            gains,
            np.empty(count, np.int32),
        )
        if fault != NOTHING:
            return begin + int(i), int(correct)
    return None
