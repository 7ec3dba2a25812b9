"""Nimbers of games with cycles: which positions have one, and the values of the others.

A position has the nimber n if its moves to positions of known nimbers reach all numbers below n and
not n, and every other move can be answered by a move to a position known to have the nimber n. This
is done in rounds, each of which uses the results of earlier rounds only: so the round in which a
nimber is found does not depend on the order of the positions. A position is examined again when a
value that it waits for becomes known, until no more do. Every remaining position is infinite, with
the set of the nimbers that its moves reach. (A. S. Fraenkel and Y. Perl, "Constructions in
combinatorial games with cycles", 1975, find the nimbers one after another; the order in which they
are found does not change them.)

A position waits for one move at a time: the first that contradicts its least missing number. So
each move of a position is examined once for each number up to its nimber.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.nimbers import least_missing_bit
from zermelo._engine.core.array_types import Int32Array, IntArray, Integer, Uint8Array, Uint32Array
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import zeros
from zermelo.values.nimbers import IN_SETS, NIMBERS

UNKNOWN = NIMBERS.unknown
#: The bit of a set that stands for all nimbers of at least ``IN_SETS``.
BEYOND = np.uint32(1 << IN_SETS)
#: Positions examined, in whole rounds, between checks for Ctrl-C.
_BATCH = 1 << 18


class NimberWork(NamedTuple):
    """What is known of positions while their nimbers are found.

    Attributes:
        values: the nimbers found, and ``UNKNOWN`` for the others.
        sets: the set of the nimbers that the moves of each reach.
        waits: the number of its moves that are still to be examined, from the last down.
        queue: the positions to examine, in a ring.
        queued: whether each is in the queue.
        ranks: the rank of each nimber found.
    """

    values: npt.NDArray[np.int32]
    sets: npt.NDArray[np.uint32]
    waits: npt.NDArray[np.uint32]
    queue: npt.NDArray[np.uint32]
    queued: npt.NDArray[np.uint8]
    ranks: npt.NDArray[np.uint32]


@inlined
def bit_of(nimber: Integer) -> Any:
    """Return the bit that stands for a nimber in a set."""
    return np.uint32(1) << np.uint32(min(np.int64(nimber), np.int64(IN_SETS)))


@inlined
def _awaited_child(first: IntArray, edges: IntArray, waits: Uint32Array, i: Integer) -> Any:
    """Return the child for which a position waits, or -1."""
    at = np.int64(waits[i])
    return np.int64(edges[np.int64(first[i]) + at - 1]) if at > 0 else np.int64(-1)


@kernel
def _begin(
    first: IntArray,
    edges: IntArray,
    values: Int32Array,
    sets: Uint32Array,
    waits: Uint32Array,
    queue: Uint32Array,
    queued: Uint8Array,
) -> int:
    """Initialise and queue the positions without a nimber; return their number."""
    count = 0
    for i in range(values.size):
        if values[i] != UNKNOWN:
            continue
        for e in range(first[i], first[i + 1]):
            nimber = np.int64(values[np.int64(edges[e])])
            if nimber >= 0:
                sets[i] |= bit_of(nimber)
        waits[i] = first[i + 1] - first[i]  # the moves still to be examined, from the last down
        queue[count], queued[i] = i, 1
        count += 1
    return count


@inlined
def _next_index(place: Integer, size: Integer) -> Any:
    """Return the index after one in a ring buffer."""
    return place + 1 if place + 1 < size else 0


@inlined
def _previous_index(place: Integer, size: Integer) -> Any:
    """Return the index before one in a ring buffer."""
    return place - 1 if place > 0 else size - 1


@inlined
def _store_nimbers(
    head: Integer,
    end: Integer,
    queue: Uint32Array,
    values: Int32Array,
    sets: Uint32Array,
    ranks: Uint32Array,
    rank: Integer,
) -> Any:
    """Store the nimbers that a round has found, in part of the queue; return the next rank."""
    at = head
    while at != end:
        u = np.int64(queue[at])
        values[u], ranks[u] = least_missing_bit(sets[u]), rank
        at = _next_index(at, queue.size)
    return rank + 1 if head != end else rank


@kernel
def _spread(
    head: int, tail: int, stop: int, moves: Any, transposed: Any, work: NimberWork, rank: int
) -> tuple[int, int, int]:
    """Examine waiting positions and find nimbers; return the ends of the queue and the rank."""
    first, edges, _ = moves
    into, parents = transposed
    values, sets, waits, queue, queued, ranks = work
    size = queue.size
    while head != tail and stop > 0:
        # From the last to the first, so that positions with new nimbers are before the end.
        end, at, found = tail, tail, tail
        while at != head:
            stop -= 1
            at = _previous_index(at, size)
            u = np.int64(queue[at])
            queued[u] = 0
            least = least_missing_bit(sets[u])
            move = np.int64(waits[u])
            while move > 0:
                v = np.int64(edges[np.int64(first[u]) + move - 1])
                # A child with a nimber does not have the least missing one, and is skipped.
                if values[v] < 0 and (sets[v] >> np.uint32(least)) & np.uint32(1) == 0:
                    break
                move -= 1
            waits[u] = move
            if move == 0 and least < IN_SETS:
                found = _previous_index(found, size)
                queue[found] = u
        head = found
        rank = _store_nimbers(head, end, queue, values, sets, ranks, rank)
        while head != end:
            u = np.int64(queue[head])
            head = _next_index(head, size)
            least = np.int64(values[u])
            bit = bit_of(least)
            for e in range(into[u], into[u + 1]):
                v = np.int64(parents[e])
                if values[v] != UNKNOWN:
                    continue
                fresh = sets[v] & bit == 0
                again = fresh and least_missing_bit(sets[v]) == least
                sets[v] |= bit
                if again:  # another number is missing now
                    waits[v] = first[v + 1] - first[v]
                if queued[v] == 0 and (again or _awaited_child(first, edges, waits, v) == u):
                    queued[v] = 1
                    queue[tail] = v
                    tail = _next_index(tail, size)
                if not fresh:
                    continue
                for f in range(into[v], into[v + 1]):
                    w = np.int64(parents[f])
                    if (
                        values[w] != UNKNOWN
                        or queued[w] != 0
                        or least_missing_bit(sets[w]) != least
                    ):
                        continue
                    if _awaited_child(first, edges, waits, w) == v:
                        queued[w] = 1
                        queue[tail] = w
                        tail = _next_index(tail, size)
    return head, tail, rank


@kernel
def _spread_sums(
    head: int, tail: int, stop: int, moves: Any, transposed: Any, work: NimberWork, rank: int
) -> tuple[int, int, int]:
    """Do what ``_spread`` does if moves lead to sums, examining all moves each time."""
    first, edges, gains = moves
    into, parents = transposed
    values, sets, _, queue, queued, ranks = work
    size = queue.size
    while head != tail and stop > 0:
        end, at = tail, head
        while at != end:
            u = np.int64(queue[at])
            at = _next_index(at, size)
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
            for e in range(into[u], into[u + 1]):  # the parents are examined in this round as well
                v = np.int64(parents[e])
                if values[v] == UNKNOWN and queued[v] == 0:
                    queued[v] = 1
                    queue[tail] = v
                    tail = _next_index(tail, size)
        end, at, found = tail, tail, tail
        while at != head:
            stop -= 1
            at = _previous_index(at, size)
            u = np.int64(queue[at])
            queued[u] = 0
            least = least_missing_bit(sets[u])
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
                found = _previous_index(found, size)
                queue[found] = u
        head = found
        rank = _store_nimbers(head, end, queue, values, sets, ranks, rank)
        while head != end:
            u = np.int64(queue[head])
            head = _next_index(head, size)
            for e in range(into[u], into[u + 1]):
                v = np.int64(parents[e])
                if values[v] == UNKNOWN and queued[v] == 0:
                    queued[v] = 1
                    queue[tail] = v
                    tail = _next_index(tail, size)
    return head, tail, rank


@kernel
def _set_remaining_infinite(
    values: Int32Array, sets: Uint32Array, ranks: Uint32Array, rank: int
) -> int:
    """Make the remaining positions infinite; return one whose nimbers fit no set, or -1."""
    for i in range(values.size):
        if values[i] == UNKNOWN:
            if least_missing_bit(sets[i]) >= IN_SETS or sets[i] & BEYOND != 0:
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
    """Find the values of the positions from which a cycle can be reached.

    Args:
        first: index in ``edges`` of each position's first move; one entry more marks the end.
        edges: the child of each move, or the components of its child.
        gains: 1 at the last component of each move; empty if each move leads to one position.
        into: index in ``parents`` of each position's first parent; one entry more marks the end.
        parents: the predecessors of each position.
        values: the nimbers of positions that reach no cycle, and ``UNKNOWN`` for the others;
            receives the values of the others.
        ranks: the index of the former in an order with successors first; receives for the others
            numbers that decrease from each nimber to those that prove it.
        rank: the number of the former.

    Returns:
        A position whose moves reach a nimber too great for a set, or -1.
    """
    positions = len(values)
    sets = zeros(positions, np.uint32)
    waits = zeros(positions, np.uint32)
    queued = zeros(positions, np.uint8)
    queue = zeros(positions - rank + 1, np.uint32)
    tail = _begin(first, edges, values, sets, waits, queue, queued)
    head = 0
    if len(gains):  # the nimbers of components are not those of the children
        sets[:] = 0
    moves, transposed = (first, edges, gains), (into, parents)
    work = NimberWork(values, sets, waits, queue, queued, ranks)
    spread = _spread_sums if len(gains) else _spread
    while head != tail:
        head, tail, rank = spread(head, tail, _BATCH, moves, transposed, work, rank)
    return int(_set_remaining_infinite(values, sets, ranks, rank))
