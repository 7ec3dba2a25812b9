"""Kernels of score games without cycles whose moves do not lead forward: margins by rank."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from zermelo._engine.backward.folds import BATCH, position_fold
from zermelo._engine.column.value_operations import MARGINS
from zermelo._engine.core.array_types import Int64Array, IntArray, Uint8Array, Uint32Array
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import exchange, peek, prefetch

_AHEAD = 24
#: Positions that a thread lists before it appends them to the shared list.
_FOUND = 256
decide = position_fold(MARGINS)


#: ``first``, ``edges``, ``owners``, ``gains`` and ``values`` of a graph.
ScoreGraph: TypeAlias = tuple[Int64Array, Uint32Array, Uint8Array, IntArray, IntArray]
#: The index of the first parent of each position, and the parents.
Parents: TypeAlias = tuple[IntArray, Uint32Array]


@kernel
def begin_ranks(first: Int64Array, left: Uint32Array, order: Uint32Array) -> int:
    """Count the moves of all positions; list positions without moves, and return how many."""
    count = 0
    for i in range(left.size):
        moves = np.int64(first[i + 1]) - np.int64(first[i])
        left[i] = moves
        if moves == 0:
            order[count] = i
            count += 1
    return count


@inlined
def rank_position(
    order: Uint32Array,
    begin: int,
    end: int,
    rank: int,
    graph: ScoreGraph,
    reverse: Parents,
    left: Uint32Array,
    ranks: Uint32Array,
    tail: Int64Array,
    shared: bool,
) -> None:
    """Find the margins of some positions of one rank; list parents whose moves are all decided.

    Args:
        order: positions: those of this rank, and from ``tail[0]`` on those of the next.
        begin: the index of the first position.
        end: the index after the last.
        rank: their rank.
        graph: ``first``, ``edges``, ``owners``, ``gains`` and ``values``.
        reverse: the index of the first parent of each position, and the parents.
        left: the number of moves of each position that lead to a position without a margin.
        ranks: receives the ranks.
        tail: the number of listed positions.
        shared: whether other threads work on the same arrays.
    """
    first, edges, owners, gains, values = graph
    into, parents = reverse
    found = np.empty(_FOUND, np.uint32)
    count = 0
    for k in range(begin, end):
        if k + _AHEAD < end:
            prefetch(first, np.int64(order[k + _AHEAD]))
            prefetch(into, np.int64(order[k + _AHEAD]))
        i = np.int64(order[k])
        decide(first, edges, owners, gains, values, i)
        ranks[i] = rank
        for e in range(into[i], into[i + 1]):
            parent = np.int64(parents[e])
            before = np.int64(peek(left, parent))
            if shared:
                while True:
                    seen = np.int64(exchange(left, parent, before, before - 1))
                    if seen == before:
                        break
                    before = seen
            else:
                left[parent] = before - 1
            if before == 1:
                found[count] = parent
                count += 1
                if count == _FOUND:
                    list_ready(found, count, order, tail)
                    count = 0
    list_ready(found, count, order, tail)


@inlined
def list_ready(found: Uint32Array, count: int, order: Uint32Array, tail: Int64Array) -> None:
    """Append positions to the list, which other threads also append to."""
    before = peek(tail, 0)
    while True:
        seen = exchange(tail, 0, before, before + count)
        if seen == before:
            break
        before = seen
    for k in range(count):
        order[before + k] = found[k]


@kernel
def rank_part(
    begin: int,
    end: int,
    order: Uint32Array,
    rank: int,
    graph: ScoreGraph,
    reverse: Parents,
    left: Uint32Array,
    ranks: Uint32Array,
    tail: Int64Array,
) -> None:
    """Find the margins of part of the positions of one rank, while other threads do the rest."""
    rank_position(order, begin, end, rank, graph, reverse, left, ranks, tail, True)  # noqa: FBT003


@kernel
def rank_small(
    head: int,
    most: int,
    order: Uint32Array,
    rank: int,
    graph: ScoreGraph,
    reverse: Parents,
    left: Uint32Array,
    ranks: Uint32Array,
    tail: Int64Array,
) -> tuple[int, int]:
    """Find margins rank after rank, while ranks have at most ``most`` positions, up to a batch.

    Returns:
        The first index not done, and its rank.
    """
    stop = head + BATCH
    while head < tail[0] <= head + most and head < stop:
        end = tail[0]
        rank_position(order, head, end, rank, graph, reverse, left, ranks, tail, False)  # noqa: FBT003
        head = end
        rank += 1
    return head, rank
