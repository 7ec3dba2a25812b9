"""Kernels of energy games: the least credit that keeps a sum of weights from falling below zero.

L. Brim, J. Chaloupka, L. Doyen, R. Gentilini and J.-F. Raskin, "Faster algorithms for mean-payoff
games", Formal Methods in System Design 38 (2011): credits start at 0, and a vertex whose credit is
too small for its moves is lifted to the least one that is not, until no vertex is left.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray, Integer
from zermelo._engine.core.jit import light_kernel

#: The credit where no credit suffices.
UNBOUNDED = np.int64(1 << 62)
#: Indices of the state of a run: the place of the first vertex in the queue, the number of vertices
#: in the queue, and the number of lifts.
FRONT, WAITING, LIFTS, STATE_SIZE = range(4)


class WeightedGraph(NamedTuple):
    """A graph with weights and its transposed graph.

    Attributes:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        weights: the weight of each edge, int64.
        into: the index in ``parents`` of each vertex's first predecessor, and one number more.
        parents: the predecessors.
        owners: the player to move at each vertex, 0 or 1.
    """

    first: IntArray
    edges: npt.NDArray[Any]
    weights: npt.NDArray[np.int64]
    into: IntArray
    parents: npt.NDArray[np.uint32]
    owners: npt.NDArray[np.uint8]


class Lifting(NamedTuple):
    """The credits of vertices while they are lifted.

    Attributes:
        credit: the credit of each vertex, int64, or UNBOUNDED.
        rank: the number of the last lift of each vertex, int64; 0 before.
        queue: the vertices that wait to be looked at, uint32, as a ring.
        waits: whether each vertex is in the queue.
        state: see the indices above, int64.
    """

    credit: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    queue: npt.NDArray[np.uint32]
    waits: npt.NDArray[np.bool_]
    state: npt.NDArray[np.int64]


@light_kernel
def lift(graph: WeightedGraph, lifting: Lifting, player: int, most: Integer, budget: int) -> int:
    """Lift credits of a player until none is too small, or about ``budget`` edges are followed.

    A player who cannot move loses, so a credit of 0 suffices if the opponent cannot move.

    Args:
        graph: the graph, with the weights that the player collects.
        lifting: the credits so far.
        player: the player who has to keep the sum from falling below zero.
        most: the greatest credit; a greater one counts as UNBOUNDED.
        budget: the number of edges.

    Returns:
        Whether no credit is too small.
    """
    credit, queue, waits, state = lifting.credit, lifting.queue, lifting.waits, lifting.state
    work, count = np.int64(0), np.int64(queue.size)
    while state[WAITING] > 0:
        if work > budget:
            return False
        v = np.int64(queue[state[FRONT]])
        state[FRONT] = (state[FRONT] + 1) % count
        state[WAITING] -= 1
        waits[v] = False
        if credit[v] == UNBOUNDED:
            continue
        chooses = graph.owners[v] == player
        needed = UNBOUNDED if chooses else np.int64(0)
        for edge in range(np.int64(graph.first[v]), np.int64(graph.first[v + 1])):
            work += 1
            after = credit[np.int64(graph.edges[edge])]
            before = UNBOUNDED
            if after != UNBOUNDED:
                before = max(np.int64(0), after - graph.weights[edge])
            needed = min(needed, before) if chooses else max(needed, before)
        if needed <= credit[v]:
            continue
        credit[v] = UNBOUNDED if needed > most else needed
        state[LIFTS] += 1
        lifting.rank[v] = state[LIFTS]
        for i in range(np.int64(graph.into[v]), np.int64(graph.into[v + 1])):
            u = np.int64(graph.parents[i])
            work += 1
            if not waits[u] and credit[u] != UNBOUNDED:
                waits[u] = True
                queue[(state[FRONT] + state[WAITING]) % count] = u
                state[WAITING] += 1
    return True
