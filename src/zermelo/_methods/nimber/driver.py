"""Nimbers of a graph: each the least that no successor has, unless moves lead in a circle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.infinities import infinities
from zermelo._engine.backward.topological_order import in_order
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.expand.discovery import Graph
from zermelo._methods.nimber.kernels import sweep


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
        sweep(*moves, np.empty(0, np.uint32), False, graph.values)  # noqa: FBT003
        return None, 0
    into, parents = reverse(graph.first, graph.edges, threads, capacity)
    order = in_order(graph.first, into, parents)
    ranks = np.zeros(graph.positions, np.uint32)
    ended = len(order)
    sweep(*moves, order, True, graph.values)  # noqa: FBT003
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
