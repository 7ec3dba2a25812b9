"""Nimbers where moves lead in circles: which positions have one, and what the others are worth.

A position is worth the nimber n if its moves to nimbers found before lead to all numbers below n
and not to n, and every other move can be answered by one to a nimber n found before. This is done
in rounds, each of which goes by what was found in the rounds before: so the round in which a nimber
is found does not depend on the order in which positions are looked at. They are looked at again
whenever something they wait for is found, until nothing more is; what is left then is worth
infinity, with the set of the nimbers that its moves lead to. (A. S. Fraenkel and Y. Perl,
"Constructions in combinatorial games with cycles", 1975, find the nimbers one after another; the
order in which they are found does not change them.)

A position waits for one move at a time: the first that speaks against its least missing number. So
each move of a position is looked at once for each number up to its nimber.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.nimbers import lacking
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import zeros
from zermelo.values.nimbers import IN_SETS, NIMBERS

UNKNOWN = NIMBERS.unknown
#: The bit of a set that stands for all greater nimbers.
BEYOND = np.uint32(1 << IN_SETS)
#: Positions looked at, in whole rounds, before the keyboard is.
_BATCH = 1 << 18


@inlined
def bit_of(nimber: Any) -> Any:
    """Return the bit that stands for a nimber in a set."""
    return np.uint32(1) << np.uint32(min(np.int64(nimber), np.int64(IN_SETS)))


@inlined
def _awaited(first: Any, edges: Any, waits: Any, i: Any) -> Any:
    """Return where the move leads that a position waits for, or -1."""
    at = np.int64(waits[i])
    return np.int64(edges[np.int64(first[i]) + at - 1]) if at > 0 else np.int64(-1)


@kernel
def _begin(
    first: Any, edges: Any, values: Any, sets: Any, waits: Any, queue: Any, queued: Any
) -> int:
    """Set what is known of positions without a nimber; list them, and return how many."""
    count = 0
    for i in range(values.size):
        if values[i] != UNKNOWN:
            continue
        for e in range(first[i], first[i + 1]):
            nimber = np.int64(values[np.int64(edges[e])])
            if nimber >= 0:
                sets[i] |= bit_of(nimber)
        waits[i] = first[i + 1] - first[i]  # what it is to look at, from the last move down
        queue[count], queued[i] = i, 1
        count += 1
    return count


@inlined
def _next(place: Any, size: Any) -> Any:
    """Return the place behind one in a queue that goes round."""
    return place + 1 if place + 1 < size else 0


@inlined
def _previous(place: Any, size: Any) -> Any:
    """Return the place before one in a queue that goes round."""
    return place - 1 if place > 0 else size - 1


@inlined
def _enter(head: Any, end: Any, queue: Any, values: Any, sets: Any, ranks: Any, rank: Any) -> Any:
    """Enter the nimbers that a round has found, of a part of the queue; return the next rank."""
    at = head
    while at != end:
        u = np.int64(queue[at])
        values[u], ranks[u] = lacking(sets[u]), rank
        at = _next(at, queue.size)
    return rank + 1 if head != end else rank


@kernel
def _spread(
    head: int,
    tail: int,
    stop: int,
    first: Any,
    edges: Any,
    into: Any,
    parents: Any,
    values: Any,
    sets: Any,
    waits: Any,
    queue: Any,
    queued: Any,
    ranks: Any,
    rank: int,
) -> tuple[Any, Any, Any]:
    """Look at positions that wait, and find nimbers; return where the queue is, and the rank."""
    size = queue.size
    while head != tail and stop > 0:
        # From the last to the first, so that what is found stands before the end.
        end, at, found = tail, tail, tail
        while at != head:
            stop -= 1
            at = _previous(at, size)
            u = np.int64(queue[at])
            queued[u] = 0
            least = lacking(sets[u])
            move = np.int64(waits[u])
            while move > 0:
                v = np.int64(edges[np.int64(first[u]) + move - 1])
                # What has a nimber is not the least that is missing, and can be looked past.
                if values[v] < 0 and (sets[v] >> np.uint32(least)) & np.uint32(1) == 0:
                    break
                move -= 1
            waits[u] = move
            if move == 0 and least < IN_SETS:
                found = _previous(found, size)
                queue[found] = u
        head = found
        rank = _enter(head, end, queue, values, sets, ranks, rank)
        while head != end:
            u = np.int64(queue[head])
            head = _next(head, size)
            least = np.int64(values[u])
            bit = bit_of(least)
            for e in range(into[u], into[u + 1]):
                v = np.int64(parents[e])
                if values[v] != UNKNOWN:
                    continue
                fresh = sets[v] & bit == 0
                again = fresh and lacking(sets[v]) == least
                sets[v] |= bit
                if again:  # another number is missing now
                    waits[v] = first[v + 1] - first[v]
                if queued[v] == 0 and (again or _awaited(first, edges, waits, v) == u):
                    queued[v] = 1
                    queue[tail] = v
                    tail = _next(tail, size)
                if not fresh:
                    continue
                for f in range(into[v], into[v + 1]):
                    w = np.int64(parents[f])
                    if values[w] != UNKNOWN or queued[w] != 0 or lacking(sets[w]) != least:
                        continue
                    if _awaited(first, edges, waits, w) == v:
                        queued[w] = 1
                        queue[tail] = w
                        tail = _next(tail, size)
    return head, tail, rank


@kernel
def _spread_sums(
    head: int,
    tail: int,
    stop: int,
    first: Any,
    edges: Any,
    gains: Any,
    into: Any,
    parents: Any,
    values: Any,
    sets: Any,
    queue: Any,
    queued: Any,
    ranks: Any,
    rank: int,
) -> tuple[Any, Any, Any]:
    """Do the same where moves lead to sums, which are looked at from the first move each time."""
    size = queue.size
    while head != tail and stop > 0:
        end, at = tail, head
        while at != end:
            u = np.int64(queue[at])
            at = _next(at, size)
            numbers: Any = np.uint32(0)
            total: Any = np.int64(0)
            endless = 0
            for e in range(first[u], first[u + 1]):
                code = np.int64(values[np.int64(edges[e])])
                if code < 0:
                    endless += 1
                else:
                    total ^= code
                if gains[e] != 0:
                    if endless == 0:
                        numbers |= bit_of(total)
                    total, endless = np.int64(0), 0
            if numbers == sets[u]:
                continue
            sets[u] = numbers
            for e in range(into[u], into[u + 1]):  # which are looked at in this round as well
                v = np.int64(parents[e])
                if values[v] == UNKNOWN and queued[v] == 0:
                    queued[v] = 1
                    queue[tail] = v
                    tail = _next(tail, size)
        end, at, found = tail, tail, tail
        while at != head:
            stop -= 1
            at = _previous(at, size)
            u = np.int64(queue[at])
            queued[u] = 0
            least = lacking(sets[u])
            answered: Any = least < IN_SETS
            total, endless = np.int64(0), 0
            v = np.int64(-1)
            for e in range(first[u], first[u + 1]):
                code = np.int64(values[np.int64(edges[e])])
                if code < 0:
                    endless += 1
                    v = np.int64(edges[e])
                else:
                    total ^= code
                if gains[e] != 0:
                    if endless == 1:
                        wanted = np.int64(least) ^ total
                        answered &= wanted < IN_SETS and sets[v] & bit_of(wanted) != 0
                    answered &= endless < 2
                    total, endless = np.int64(0), 0
            if answered:
                found = _previous(found, size)
                queue[found] = u
        head = found
        rank = _enter(head, end, queue, values, sets, ranks, rank)
        while head != end:
            u = np.int64(queue[head])
            head = _next(head, size)
            for e in range(into[u], into[u + 1]):
                v = np.int64(parents[e])
                if values[v] == UNKNOWN and queued[v] == 0:
                    queued[v] = 1
                    queue[tail] = v
                    tail = _next(tail, size)
    return head, tail, rank


@kernel
def _end(values: Any, sets: Any, ranks: Any, rank: int) -> int:
    """Make what is left infinite; return the first with nimbers no set may have, or -1."""
    for i in range(values.size):
        if values[i] == UNKNOWN:
            if lacking(sets[i]) >= IN_SETS or sets[i] & BEYOND != 0:
                return i
            values[i] = -1 - np.int64(sets[i])
            ranks[i] = rank
    return -1


def infinities(
    first: npt.NDArray[Any],
    edges: npt.NDArray[Any],
    gains: npt.NDArray[Any],
    into: npt.NDArray[Any],
    parents: npt.NDArray[Any],
    values: npt.NDArray[np.int32],
    ranks: npt.NDArray[np.uint32],
    rank: int,
) -> int:
    """Find what positions are worth of which some can come to a circle.

    Args:
        first: place in ``edges`` of each position's first move, and one number more.
        edges: where each move leads, or where its components are.
        gains: 1 where the components of a move end, or empty where each move leads to one position.
        into: place in ``parents`` of each position's first parent, and one number more.
        parents: the positions with a move to each.
        values: the nimbers of the positions that cannot, and what is unknown for the others, whose
            values it receives.
        ranks: the place of each of the former in an order in which successors come first; receives
            numbers that shrink from each nimber to those that prove it.
        rank: how many of the former there are.

    Returns:
        A position that has too great a nimber for a set among those that its moves lead to, or -1.
    """
    positions = len(values)
    sets: npt.NDArray[Any] = zeros(positions, np.uint32)
    waits: npt.NDArray[Any] = zeros(positions, np.uint32)
    queued: npt.NDArray[Any] = zeros(positions, np.uint8)
    queue: npt.NDArray[Any] = zeros(positions - rank + 1, np.uint32)
    tail = _begin(first, edges, values, sets, waits, queue, queued)
    head = 0
    if len(gains):  # what components are worth is not what moves lead to
        sets[:] = 0
    known = (into, parents, values, sets)
    kept = (queue, queued, ranks)
    while head != tail:
        at = (head, tail, _BATCH)
        if len(gains):
            head, tail, rank = _spread_sums(*at, first, edges, gains, *known, *kept, rank)
        else:
            head, tail, rank = _spread(*at, first, edges, *known, waits, *kept, rank)
    return int(_end(values, sets, ranks, rank))
