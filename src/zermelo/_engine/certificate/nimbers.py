"""The certificate of nimbers in games with cycles.

A nimber n is proved by moves to positions of lower potential, whose nimbers are true by induction:
they reach all numbers below n, and not n. Every other move must be answered: its child must have a
move to a nimber n of lower potential. So every move from the position together with a heap of n can
be answered until no move is left, and the two have the value 0 together, which means that the
position has the nimber n.

Infinity is stored with the set K of the nimbers that moves reach. If m is the least number not in
K, some move must lead to infinity with a set that lacks m. Suppose that positions stored as
infinity had nimbers. Consider the one whose nimber is proved first: it would be m, as the nimbers
that prove it are proved before and so stored rightly, and every move to infinity would be answered
by a move to m, which is stored rightly too. This contradicts the check.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.kernels import (
    NOTHING,
    UNFOUNDED,
    WRONG_VALUE,
)
from zermelo._engine.certificate.lookups import LookedUp
from zermelo._engine.column.nimbers import least_missing_bit, mex, move_at
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.expander import Buffers, Expand, run_expand
from zermelo._engine.table import Table
from zermelo.values.nimbers import IN_SETS, NIMBERS

UNKNOWN = NIMBERS.unknown
#: Positions that are searched for answers in one batch, and the capacity for moves of each.
_PIECE, _ROOM = 512, 12


def check_nimbers(
    expand: Expand, table: Table, made: Buffers, here: LookedUp, children: LookedUp
) -> tuple[int, int, int]:
    """Check nimbers and infinities of expanded positions.

    Arguments and result as for ``check_expanded``.
    """
    count, edges = len(here.places), len(children.places)
    ours = (made.ends, made.values, here.values, here.potential)
    known = (*ours, children.values, children.potential, made.gains)
    fault, i, right, unanswered = _check_without_answers(*known, np.empty(edges, np.int32))
    if unanswered:
        moves, wanted, whose = (np.empty(unanswered, np.int64) for _ in range(3))
        _list_unanswered_moves(*known, moves, wanted, whose)
        wrong = _first_unanswered(expand, table, made, here, children, (moves, wanted, whose))
        if wrong < (i if fault != NOTHING else count):
            return UNFOUNDED, wrong, 0
    return int(fault), int(i), int(right)


def _first_unanswered(
    expand: Expand,
    table: Table,
    made: Buffers,
    here: LookedUp,
    children: LookedUp,
    listed: tuple[npt.NDArray[np.int64], ...],
) -> int:
    """Return the index of the first position with an unanswered move, or the number of positions.

    Args:
        expand: the rules.
        table: positions and values.
        made: the result of expanding the positions.
        here: the table's data about them.
        children: the table's data about their children.
        listed: for each move that must be answered, the child in which the answer is made, or -1 if
            there can be none; the nimber that the answer must leave there; and the position's
            index.
    """
    words = expand.words
    rows = made.children[: len(children.places) * words].reshape(-1, words)
    lost = listed[2][listed[0] < 0]
    wrong = int(lost.min()) if len(lost) else len(here.places)
    # Several moves may lead to one position, which is expanded once.
    order = np.argsort(children.places[listed[0]], kind="stable")
    order = order[listed[0][order] >= 0]
    moves, wanted, whose = (each[order] for each in listed)
    fresh = np.ones(len(moves), np.bool_)
    fresh[1:] = np.diff(children.places[moves]) != 0
    which, firsts = np.cumsum(fresh) - 1, np.flatnonzero(fresh)
    buffers = Buffers.for_rules(expand, _PIECE, _ROOM * _PIECE)
    begin = 0
    while begin < len(firsts):
        keys = np.ascontiguousarray(rows[moves[firsts[begin : begin + _PIECE]]]).reshape(-1)
        done, replies = run_expand(expand, keys, 0, len(keys) // words, buffers)
        found = LookedUp.look_up_positions(expand, table, buffers.children, replies)
        found.potential[found.places < 0] = np.iinfo(np.int64).max
        part = slice(*np.searchsorted(which, [begin, begin + done]))
        ours = (which[part] - begin, wanted[part], whose[part], here.potential)
        theirs = (buffers.ends, found.values, found.potential, buffers.gains)
        wrong = min(wrong, int(_unanswered(*ours, *theirs, wrong)))
        begin += done
    return wrong


@kernel
def _check_without_answers(
    ends: Any,
    terminal: Any,
    stored: Any,
    potential: Any,
    child_stored: Any,
    child_potential: Any,
    gains: Any,
    room: Any,
) -> tuple[Any, Any, Any, Any]:
    """Check everything that needs no answers.

    Returns:
        A fault, the index of the position, the right code, and the number of moves of the positions
        before it that must be answered.
    """
    unanswered: Any = np.int64(0)
    after = np.int64(0)
    for i in range(stored.size):
        begin, end = after, np.int64(ends[i])
        after = end
        value = np.int64(stored[i])
        if terminal[i] != UNKNOWN:
            if value != terminal[i]:
                return WRONG_VALUE, i, np.int64(terminal[i]), unanswered
            continue
        known: Any = np.int64(0)
        others = np.int64(0)
        at = begin
        if value >= 0:
            while at < end:
                at, _, _, _, unproved, _, nimber = move_at(
                    child_stored, child_potential, gains, at, potential[i]
                )
                if unproved == 0:
                    room[known] = nimber
                    known += 1
                else:
                    others += 1
            right = mex(room, 0, known)
            if value != right:
                # An unproved value may be wrong itself, so nothing follows from it.
                fault = WRONG_VALUE if others == 0 else UNFOUNDED
                return fault, i, right, unanswered
            unanswered += others
            continue
        numbers: Any = np.uint32(0)
        beyond: Any = False
        while at < end:
            at, endless, _, nimber, _, _, _ = move_at(
                child_stored, child_potential, gains, at, potential[i]
            )
            if endless == 0:
                beyond |= nimber >= IN_SETS
                numbers |= np.uint32(1) << np.uint32(min(nimber, IN_SETS))
        least = least_missing_bit(numbers)
        drawn: Any = False
        at = begin
        while at < end:
            at, endless, which, nimber, _, _, _ = move_at(
                child_stored, child_potential, gains, at, potential[i]
            )
            drawn |= endless > 1
            if endless == 1:
                other = np.uint32(-1 - np.int64(child_stored[which]))
                wanted = least ^ nimber
                drawn |= wanted >= IN_SETS or (other >> np.uint32(wanted)) & np.uint32(1) == 0
        if beyond:
            return UNFOUNDED, i, np.int64(0), unanswered
        if not drawn:
            return WRONG_VALUE, i, least, unanswered
        if value != -1 - np.int64(numbers):
            return WRONG_VALUE, i, -1 - np.int64(numbers), unanswered
    return NOTHING, 0, np.int64(0), unanswered


@kernel
def _list_unanswered_moves(
    ends: Any,
    terminal: Any,
    stored: Any,
    potential: Any,
    child_stored: Any,
    child_potential: Any,
    gains: Any,
    moves: Any,
    wanted: Any,
    whose: Any,
) -> None:
    """List the moves that must be answered, as many as the arrays hold."""
    count = 0
    at = np.int64(0)
    for i in range(stored.size):
        if terminal[i] != UNKNOWN or stored[i] < 0:
            at = np.int64(ends[i])
        while at < ends[i]:
            at, _, _, _, unproved, which, nimber = move_at(
                child_stored, child_potential, gains, at, potential[i]
            )
            if unproved == 0:
                continue
            if count == moves.size:
                return
            moves[count] = which if unproved == 1 else -1
            wanted[count], whose[count] = np.int64(stored[i]) ^ nimber, i
            count += 1


@kernel
def _unanswered(
    which: Any,
    wanted: Any,
    whose: Any,
    potential: Any,
    ends: Any,
    reply_stored: Any,
    reply_potential: Any,
    gains: Any,
    wrong: int,
) -> int:
    """Return the first position with an unanswered move, or ``wrong`` if none comes before it."""
    for k in range(which.size):
        i = np.int64(whose[k])
        at = np.int64(ends[which[k] - 1]) if which[k] > 0 else np.int64(0)
        answered: Any = False
        while at < ends[which[k]]:
            at, _, _, _, unproved, _, nimber = move_at(
                reply_stored, reply_potential, gains, at, potential[i]
            )
            answered |= unproved == 0 and nimber == wanted[k]
        if not answered and i < wrong:
            wrong = int(i)
    return wrong


def without_moves(
    expand: Expand, packed: npt.NDArray[np.uint64], count: int
) -> npt.NDArray[np.bool_]:
    """Return the mask of packed positions without moves, whose nimber is 0, shape (count,)."""
    buffers, done = Buffers.for_rules(expand, _PIECE, _ROOM * _PIECE), 0
    over = np.empty(count, np.bool_)
    while done < count:
        some, _ = run_expand(expand, packed, done, min(done + _PIECE, count), buffers)
        over[done : done + some] = np.diff(buffers.ends[:some], prepend=0) == 0
        done += some
    return over


def first_inconsistent(
    expand: Expand, table: Table, packed: npt.NDArray[np.uint64], codes: npt.NDArray[np.int64]
) -> tuple[int, int | None] | None:
    """Return the first position whose code contradicts its moves, or None.

    The check relies on the values of the children, which must be right.

    Args:
        expand: the compiled rules.
        table: the children, with values.
        packed: packed positions, which need not be in the table.
        codes: their codes.

    Returns:
        Its index and the right code, or None instead of the code if a move leads out of the table;
        or None if all codes are right.
    """
    buffers, begin = Buffers.for_rules(expand, _PIECE, _ROOM * _PIECE), 0
    codes = codes.astype(expand.kind.dtype)
    while begin < len(codes):
        stop = min(begin + _PIECE, len(codes))
        done, made = run_expand(expand, packed, begin, stop, buffers)
        found = LookedUp.look_up_positions(expand, table, buffers.children, made)
        ends, gains = buffers.ends[:done].copy(), buffers.gains[:made].copy()
        here = buffers.values[:done].copy()
        absent = np.flatnonzero(found.places < 0)
        if len(absent):
            rows = buffers.children[: made * expand.words].reshape(made, -1)[absent]
            over = without_moves(expand, np.ascontiguousarray(rows).reshape(-1), len(absent))
            if not over.all():
                first = int(absent[int(np.argmin(over))])
                return begin + int(np.searchsorted(ends, first, "right")), None
            found.values[absent] = 0
        above, below = np.ones(done, np.int64), np.zeros(made, np.int64)
        known = (ends, here, codes[begin : begin + done], above)
        fault, i, right, _ = _check_without_answers(
            *known, found.values, below, gains, np.empty(made, np.int32)
        )
        if fault != NOTHING:
            return begin + int(i), int(right)
        begin += done
    return None
