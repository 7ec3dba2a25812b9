"""Products of a game and a memory, for games with several target sets.

A memory says which sets have been visited before the current vertex or, if the sets are to be
visited for ever, which one is next. In the product, vertex ``m * n + v`` is vertex v of n with
memory m, and a parity game on the product decides who wins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray
from zermelo._engine.core.ledger import Ledger

#: The most sets whose visits are remembered, as bits of a signed number.
MOST_SETS = 62
#: Bytes of each vertex of a product, and of each edge.
_VERTEX_BYTES, _EDGE_BYTES = 48, 6
#: Priorities: the greatest that recurs decides, and player 0 wins with the second.
_BAD, _GOOD = 1, 2


class MemoryProduct(NamedTuple):
    """A parity game on pairs of a memory and a vertex.

    Attributes:
        first: the index in ``edges`` of each pair's first edge, and one number more, int64.
        edges: the target of each edge, int32.
        priorities: the priorities; the greatest that recurs decides, an even one for the player who
            has to visit the sets.
        is_over: for each memory and vertex whether the result is known, so that the only edge of
            the pair is a loop.
    """

    first: npt.NDArray[np.int64]
    edges: npt.NDArray[np.int32]
    priorities: npt.NDArray[np.int64]
    is_over: npt.NDArray[np.bool_]


def product_bytes(vertices: int, edges: int, memories: int) -> int:
    """Return the bytes of the product of a graph and a number of memories."""
    return memories * (_VERTEX_BYTES * vertices + _EDGE_BYTES * edges)


def visited_sets(
    sets: npt.NDArray[np.bool_], edges: int, ledger: Ledger, work: str
) -> npt.NDArray[np.int64]:
    """Return the possible memories: sets visited before a vertex, except the set of all.

    Args:
        sets: for each set a row, whether it contains each vertex.
        edges: the number of edges of the graph.
        ledger: the memory budget.
        work: the game in words, for the error.

    Returns:
        Numbers whose bits stand for sets, ascending from 0.

    Raises:
        BudgetError: the product with these memories would exceed the memory.
    """
    vertices = sets.shape[1]
    all_sets = (1 << len(sets)) - 1
    marks = np.unique(_marks(sets)).tolist()
    memories = {0}
    waiting = [0]
    for memory in waiting:  # the list grows in the loop
        for union in {memory | mark for mark in marks} - memories - {all_sets}:
            memories.add(union)
            waiting.append(union)
            needed = product_bytes(vertices, edges, len(memories))
            ledger.reserve(needed, work, "give fewer target sets")
    return np.array(sorted(memories), np.int64)


def visiting_product(
    first: IntArray,
    edges: IntArray,
    sets: npt.NDArray[np.bool_],
    memories: npt.NDArray[np.int64],
) -> MemoryProduct:
    """Return the product in which each set has to be visited once.

    Play is over when all sets have been visited, or when a player cannot move before.

    Args:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        sets: for each set a row, whether it contains each vertex.
        memories: the sets that may have been visited; see ``visited_sets``.
    """
    unions = memories[:, None] | _marks(sets)
    is_visited = unions == (1 << len(sets)) - 1
    after = np.searchsorted(memories, unions).astype(np.int64)
    is_over = is_visited | (first[1:] == first[:-1])
    return _product(first, edges, after, is_visited, is_over)


def recurrence_product(
    first: IntArray, edges: IntArray, sets: npt.NDArray[np.bool_]
) -> MemoryProduct:
    """Return the product in which the sets have to be visited again and again, in their order.

    Args:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        sets: for each set a row, whether it contains each vertex.
    """
    numbers = np.arange(len(sets))[:, None]
    after = np.where(sets, (numbers + 1) % len(sets), numbers)
    is_last = sets & (numbers == len(sets) - 1)
    return _product(first, edges, after, is_last, np.zeros(sets.shape, np.bool_))


def _marks(sets: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the sets that contain each vertex, as bits."""
    bits = np.int64(1) << np.arange(len(sets), dtype=np.int64)
    marks: npt.NDArray[np.int64] = (sets * bits[:, None]).sum(axis=0, dtype=np.int64)
    return marks


def _product(
    first: IntArray,
    edges: IntArray,
    after: npt.NDArray[np.int64],
    is_good: npt.NDArray[np.bool_],
    is_over: npt.NDArray[np.bool_],
) -> MemoryProduct:
    """Return the product in which a visit changes the memory as ``after`` says.

    Args:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        after: for each memory and vertex the memory after the visit.
        is_good: for each memory and vertex whether the pair has the good priority.
        is_over: for each memory and vertex whether its only edge is a loop.
    """
    memories, count = after.shape
    row_starts = first.astype(np.int64)
    degrees = np.diff(row_starts)
    sources = np.repeat(np.arange(count), degrees)
    product_degrees = np.where(is_over, 1, degrees)
    product_first = np.zeros(memories * count + 1, np.int64)
    np.cumsum(product_degrees.ravel(), out=product_first[1:])
    product_edges = np.empty(int(product_first[-1]), np.int32)
    for memory in range(memories):
        begins = product_first[memory * count : (memory + 1) * count + 1]
        row = product_edges[begins[0] : begins[-1]]
        over = np.flatnonzero(is_over[memory])
        is_loop = np.zeros(len(row), np.bool_)
        is_loop[begins[over] - begins[0]] = True
        continues = ~is_over[memory][sources]
        row[is_loop] = memory * count + over
        row[~is_loop] = after[memory][sources[continues]] * count + edges[continues]
    priorities = np.where(is_good, _GOOD, _BAD).ravel().astype(np.int64)
    return MemoryProduct(product_first, product_edges, priorities, is_over)
