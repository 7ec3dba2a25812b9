"""Nimbers of a graph: each the least that no successor has, unless moves lead in a cycle."""

from __future__ import annotations

import numpy as np

from zermelo._engine.backward.infinities import infinities
from zermelo._engine.backward.topological_order import acyclic_order
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.core.array_types import Uint32Array
from zermelo._engine.expand.discovery import Graph
from zermelo._methods.nimber.kernels import sweep


def solve(graph: Graph, threads: int, capacity: int) -> tuple[int, Uint32Array | None]:
    """Find every nimber, in place in the graph's ``values``.

    Args:
        graph: the moves, and the values: 0 for terminal positions and ``UNKNOWN`` for others. If
            moves lead to several components, ``gains`` is 1 for the last component of each move and
            0 for others.
        threads: threads to use at most.
        capacity: the most moves that are buffered while they are transposed, if some lead back.

    Returns:
        The number of positions from which play can go round a cycle. And for each position a number
        that decreases along the moves that prove its value, for the certificate; None if the
        position's own number, counted from the last down, does.

    Raises:
        BeyondError: the value of a position is infinity with a nimber that no set can contain.
    """
    moves = graph.first, graph.edges, graph.gains
    if graph.forward:
        sweep(*moves, np.empty(0, np.uint32), False, graph.values)  # noqa: FBT003
        return 0, None
    indegrees_end, parents = reverse(graph.first, graph.edges, threads, capacity)
    order = acyclic_order(graph.first, indegrees_end, parents)
    ranks = np.zeros(graph.positions, np.uint32)
    ordered_count = len(order)
    sweep(*moves, order, True, graph.values)  # noqa: FBT003
    ranks[order] = np.arange(ordered_count, dtype=np.uint32)
    if ordered_count < graph.positions:
        del order
        position = infinities(*moves, indegrees_end, parents, graph.values, ranks, ordered_count)
        if position >= 0:
            raise BeyondError(position)
    return graph.positions - ordered_count, ranks


class BeyondError(Exception):
    """The value of a position is infinity with a nimber that no set can contain.

    Attributes:
        number: the position's number.
    """

    def __init__(self, number: int) -> None:
        """Store the position's number."""
        super().__init__(number)
        self.number = number
