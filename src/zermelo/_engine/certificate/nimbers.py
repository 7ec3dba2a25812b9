"""The certificate of nimbers, where moves may lead in circles.

A nimber n is proved by moves to positions of lower potential, whose nimbers are known to be true by
induction: they lead to all numbers below n, and not to n. Every other move must be answered: the
position that it leads to has a move to a nimber n of lower potential. So whoever moves from the
position together with a heap of n can be answered until nothing is left, and the two are worth 0
together, which is what it means to be worth n.

Infinity is stored with the nimbers K of the moves that lead to one. With m the least number that is
not among them, some move must lead to infinity with a set that lacks m. If positions stored as
infinity had nimbers in truth, take the one of them that is proved first: it would be worth m, as
what proves it is proved before and so stored rightly, and every move to infinity would be answered
by one to m, which is stored rightly too, against what was seen.
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
from zermelo._engine.certificate.looked_up import LookedUp
from zermelo._engine.column.nimbers import lacking, mex
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.expander import Buffers, Expand, run_expand
from zermelo._engine.table import Table
from zermelo.values.nimbers import IN_SETS, NIMBERS

UNKNOWN = NIMBERS.unknown
#: Positions that answers are looked for in at once, and room for the moves of one.
_PIECE, _ROOM = 512, 12


def check_nimbers(
    expand: Expand, table: Table, made: Buffers, here: LookedUp, children: LookedUp
) -> tuple[int, int, int]:
    """Check nimbers and infinities; see ``follow``."""
    count, edges = len(here.places), len(children.places)
    ours = (made.ends, made.values, here.values, here.potential)
    known = (*ours, children.values, children.potential)
    fault, i, right, unanswered = _follow(*known, np.empty(edges, np.int32))
    if unanswered:
        moves, whose = np.empty(unanswered, np.int64), np.empty(unanswered, np.int64)
        _list(*known, moves, whose)
        wrong = _first_unanswered(expand, table, made, here, children, moves, whose)
        if wrong < (i if fault != NOTHING else count):
            return UNFOUNDED, wrong, 0
    return int(fault), int(i), int(right)


def _first_unanswered(
    expand: Expand,
    table: Table,
    made: Buffers,
    here: LookedUp,
    children: LookedUp,
    moves: npt.NDArray[np.int64],
    whose: npt.NDArray[np.int64],
) -> int:
    """Return the first position with a move that is not answered, or how many there are.

    Args:
        expand: the rules.
        table: positions and values.
        made: what the rules make of the positions.
        here: what the table says of them.
        children: what it says of where their moves lead.
        moves: the moves that have to be answered.
        whose: the position that each is made in.
    """
    wrong, words = len(here.places), expand.words
    rows = made.children[: len(children.places) * words].reshape(-1, words)
    # Many moves lead to one position, which is expanded once.
    order = np.argsort(children.places[moves], kind="stable")
    moves, whose = moves[order], whose[order]
    fresh = np.ones(len(moves), np.bool_)
    fresh[1:] = np.diff(children.places[moves]) != 0
    which, firsts = np.cumsum(fresh) - 1, np.flatnonzero(fresh)
    buffers = Buffers.for_rules(expand, _PIECE, _ROOM * _PIECE)
    begin = 0
    while begin < len(firsts):
        keys = np.ascontiguousarray(rows[moves[firsts[begin : begin + _PIECE]]]).reshape(-1)
        done, replies = run_expand(expand, keys, 0, len(keys) // words, buffers)
        found = LookedUp.of(expand, table, buffers.children, replies)
        part = slice(*np.searchsorted(which, [begin, begin + done]))
        wrong = min(
            wrong,
            _unanswered(
                which[part] - begin,
                whose[part],
                here.values,
                here.potential,
                buffers.ends,
                found.places,
                found.values,
                found.potential,
                wrong,
            ),
        )
        begin += done
    return int(wrong)


@kernel
def _follow(
    ends: Any,
    terminal: Any,
    stored: Any,
    potential: Any,
    child_stored: Any,
    child_potential: Any,
    room: Any,
) -> tuple[Any, Any, Any, Any]:
    """Check what can be seen without a look at answers.

    Returns:
        A fault, the position, the code that would be right, and how many moves of the positions
        before it have to be answered.
    """
    unanswered: Any = np.int64(0)
    edge = np.int64(0)
    for i in range(stored.size):
        begin, end = edge, np.int64(ends[i])
        edge = end
        value = np.int64(stored[i])
        if terminal[i] != UNKNOWN:
            if value != terminal[i]:
                return WRONG_VALUE, i, np.int64(terminal[i]), unanswered
            continue
        if value >= 0:
            proved: Any = True
            for e in range(begin, end):
                lower = child_stored[e] >= 0 and child_potential[e] < potential[i]
                room[e] = child_stored[e] if lower else -1
                proved &= lower
            right = mex(room, begin, end)
            if value == right and not proved:
                for e in range(begin, end):
                    unanswered += room[e] < 0
            elif value != right:
                # What is not proved may be wrong itself, so that nothing follows from it.
                fault = WRONG_VALUE if proved else UNFOUNDED
                return fault, i, right, unanswered
            continue
        numbers: Any = np.uint32(0)
        beyond: Any = False
        for e in range(begin, end):
            nimber = np.int64(child_stored[e])
            beyond |= nimber >= IN_SETS
            if 0 <= nimber < IN_SETS:
                numbers |= np.uint32(1) << np.uint32(nimber)
        least = lacking(numbers)
        drawn: Any = False
        for e in range(begin, end):
            if child_stored[e] < 0:
                other = np.uint32(-1 - np.int64(child_stored[e]))
                drawn |= (other >> np.uint32(least)) & np.uint32(1) == 0
        if beyond:
            return UNFOUNDED, i, np.int64(0), unanswered
        if not drawn:
            return WRONG_VALUE, i, least, unanswered
        if value != -1 - np.int64(numbers):
            return WRONG_VALUE, i, -1 - np.int64(numbers), unanswered
    return NOTHING, 0, np.int64(0), unanswered


@kernel
def _list(
    ends: Any,
    terminal: Any,
    stored: Any,
    potential: Any,
    child_stored: Any,
    child_potential: Any,
    moves: Any,
    whose: Any,
) -> None:
    """List moves that have to be answered, as many as there is room for."""
    count = 0
    edge = 0
    for i in range(stored.size):
        while edge < ends[i]:
            answered = terminal[i] != UNKNOWN or stored[i] < 0
            answered |= child_stored[edge] >= 0 and child_potential[edge] < potential[i]
            if not answered:
                if count == moves.size:
                    return
                moves[count], whose[count] = edge, i
                count += 1
            edge += 1


@kernel
def _unanswered(
    which: Any,
    whose: Any,
    stored: Any,
    potential: Any,
    ends: Any,
    reply_places: Any,
    reply_stored: Any,
    reply_potential: Any,
    wrong: int,
) -> int:
    """Return the first position, of those before ``wrong``, with a move that is not answered."""
    for k in range(which.size):
        i = np.int64(whose[k])
        begin = np.int64(ends[which[k] - 1]) if which[k] > 0 else np.int64(0)
        answered: Any = False
        for e in range(begin, ends[which[k]]):
            if reply_places[e] >= 0 and reply_stored[e] == stored[i]:
                answered |= reply_potential[e] < potential[i]
        if not answered and i < wrong:
            wrong = int(i)
    return wrong
