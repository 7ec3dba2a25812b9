"""Nimbers of a graph: each the least that no successor has, unless moves lead in a circle."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.acyclic import in_order
from zermelo._engine.backward.infinities import infinities
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.nimbers import mex
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.discovery import Graph
from zermelo.values.nimbers import NIMBERS

UNKNOWN = NIMBERS.unknown


@kernel
def _sweep(
    first: Any,
    edges: Any,
    gains: Any,
    order: Any,
    ordered: bool,  # noqa: FBT001  # a kernel takes no keywords
    values: Any,
) -> None:
    """Find the nimbers of positions, successors first: in order, or of all from the last down."""
    most: Any = 0
    for n in range(first.size - 1):
        most = max(most, np.int64(first[n + 1]) - np.int64(first[n]))
    seen = np.empty(most, np.int32)
    for k in range(order.size if ordered else first.size - 1):
        i: Any = np.int64(order[k]) if ordered else first.size - 2 - k
        if values[i] == UNKNOWN:
            begin, end = np.int64(first[i]), np.int64(first[i + 1])
            moves = np.int64(0)
            total = np.int64(0)
            for e in range(begin, end):
                total ^= np.int64(values[np.int64(edges[e])])
                if gains.size == 0 or gains[e] != 0:
                    seen[moves] = total
                    moves += 1
                    total = np.int64(0)
            values[i] = mex(seen, 0, moves)


def solve(graph: Graph, threads: int, capacity: int) -> tuple[npt.NDArray[np.uint32] | None, int]:
    """Find every nimber, in place in the graph's ``values``.

    Args:
        graph: its moves, and 0 for terminal positions, what is unknown for the others. Where moves
            lead to several components, ``gains`` is 1 for the last of each move and else 0.
        threads: threads to use at most.
        capacity: where some moves do not lead forward, how many may wait while they are transposed.

    Returns:
        For each position a number that shrinks along the moves that prove its value, for the
        certificate; None where the position's own, from the last down, is one. And from how many
        positions moves can lead in a circle.

    Raises:
        BeyondError: a position is worth infinity with a nimber that no set may have.
    """
    moves = graph.first, graph.edges, graph.gains
    if graph.forward:
        _sweep(*moves, np.empty(0, np.uint32), False, graph.values)  # noqa: FBT003
        return None, 0
    into, parents = reverse(graph.first, graph.edges, threads, capacity)
    order = in_order(graph.first, into, parents)
    ranks = np.zeros(graph.positions, np.uint32)
    ended = len(order)
    _sweep(*moves, order, True, graph.values)  # noqa: FBT003
    ranks[order] = np.arange(ended, dtype=np.uint32)
    if ended < graph.positions:
        del order
        beyond = infinities(*moves, into, parents, graph.values, ranks, ended)
        if beyond >= 0:
            raise BeyondError(beyond)
    return ranks, graph.positions - ended


class BeyondError(Exception):
    """A position is worth infinity with a nimber that no set may have.

    Attributes:
        number: the position's.
    """

    def __init__(self, number: int) -> None:
        """Keep the position's number."""
        super().__init__(number)
        self.number = number
