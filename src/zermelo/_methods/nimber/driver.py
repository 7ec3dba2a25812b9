"""Nimbers of a graph without circles: each the least that no successor has."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.acyclic import in_order
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.nimbers import mex
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.discovery import Graph
from zermelo.values.nimbers import NIMBERS

UNKNOWN = NIMBERS.unknown


@kernel
def _sweep(first: Any, edges: Any, order: Any, values: Any) -> None:
    """Find the nimbers of positions, successors first: in order, or from the last one down."""
    most: Any = 0
    for n in range(first.size - 1):
        most = max(most, np.int64(first[n + 1]) - np.int64(first[n]))
    seen = np.empty(most, np.int32)
    for k in range(first.size - 1):
        i: Any = np.int64(order[k]) if order.size else first.size - 2 - k
        if values[i] == UNKNOWN:
            begin, end = np.int64(first[i]), np.int64(first[i + 1])
            for e in range(begin, end):
                seen[e - begin] = values[np.int64(edges[e])]
            values[i] = mex(seen, 0, end - begin)


def solve(graph: Graph, threads: int, capacity: int) -> npt.NDArray[np.uint32] | None:
    """Find every nimber, in place in the graph's ``values``.

    Args:
        graph: its moves, and 0 for terminal positions, what is unknown for the others.
        threads: threads to use at the most.
        capacity: where some moves do not lead forward, how many may wait while they are transposed.

    Returns:
        For each position a number that shrinks along every move, for the certificate; None where
        the position's own, from the last down, is one. Where moves lead in a circle, values stay
        unknown.
    """
    if graph.forward:
        _sweep(graph.first, graph.edges, np.empty(0, np.uint32), graph.values)
        return None
    into, parents = reverse(graph.first, graph.edges, threads, capacity)
    order = in_order(graph.first, into, parents)
    ranks = np.zeros(graph.positions, np.uint32)
    if len(order) == graph.positions:
        _sweep(graph.first, graph.edges, order, graph.values)
        ranks[order] = np.arange(len(order), dtype=np.uint32)
    return ranks
