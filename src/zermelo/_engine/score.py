"""Score games without circles: the margin for the player to move under best play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.jit import inlined, kernel, light_kernel
from zermelo._engine.memory import prefetch, zeros
from zermelo._engine.reverse import reverse

if TYPE_CHECKING:
    from zermelo._engine.explore import Graph
    from zermelo.progress import Reporter

#: What stands for a margin that is not known yet.
UNKNOWN = -(1 << 63)

_BATCH = 1 << 18
_AHEAD = 24


@inlined
def _best(  # one array each
    first: Any, edges: Any, owners: Any, gains: Any, values: Any, i: Any
) -> None:
    """Find one position's margin, unless it is terminal."""
    if values[i] != UNKNOWN:
        return
    best = np.int64(UNKNOWN)
    for e in range(first[i], first[i + 1]):
        target = np.int64(edges[e])
        margin = values[target]
        if owners.size == 0 or owners[i] != owners[target]:
            margin = -margin
        best = max(best, gains[e] + margin)
    values[i] = best


@light_kernel
def _sweep(  # one array each
    first: Any, edges: Any, owners: Any, gains: Any, values: Any, begin: int, end: int
) -> None:
    """Find the margins of positions ``end`` - 1 down to ``begin`` from their successors'."""
    for i in range(end - 1, begin - 1, -1):
        if i - _AHEAD >= begin:
            for e in range(first[i - _AHEAD], first[i - _AHEAD + 1]):
                prefetch(values, np.int64(edges[e]))
        _best(first, edges, owners, gains, values, i)


@kernel
def _order(first: Any, into: Any, parents: Any, left: Any, order: Any) -> int:
    """Order positions so that successors come first; return how many are on no circle."""
    tail = 0
    for i in range(first.size - 1):
        left[i] = first[i + 1] - first[i]
        if left[i] == 0:
            order[tail] = i
            tail += 1
    head = 0
    while head < tail:
        i = int(order[head])
        head += 1
        for e in range(into[i], into[i + 1]):
            parent = np.int64(parents[e])
            left[parent] -= 1
            if left[parent] == 0:
                order[tail] = parent
                tail += 1
    return tail


def in_order(
    first: npt.NDArray[Any], into: npt.NDArray[Any], parents: npt.NDArray[Any]
) -> npt.NDArray[np.uint32]:
    """Return the positions from which no circle can be reached, successors first.

    Args:
        first: place among the moves of each position's first one, and one number more.
        into: place in ``parents`` of each position's first parent, and one number more.
        parents: the positions with a move to each.
    """
    positions = len(first) - 1
    order: npt.NDArray[Any] = zeros(positions, np.uint32)
    left: npt.NDArray[Any] = zeros(positions, np.int64)
    return order[: _order(first, into, parents, left, order)]


@light_kernel
def _follow(  # one array each
    order: Any, first: Any, edges: Any, owners: Any, gains: Any, values: Any
) -> None:
    for i in order:
        _best(first, edges, owners, gains, values, np.int64(i))


def solve(graph: Graph, threads: int, room: int, report: Reporter) -> npt.NDArray[np.uint32] | None:
    """Find every margin, in place in the graph's ``values``.

    Args:
        graph: terminal positions with their final margins, UNKNOWN elsewhere.
        threads: threads to use at the most.
        room: where some moves do not lead forward, how many may wait while they are turned round.
        report: is told how many positions are done.

    Returns:
        The positions in an order in which successors come first, for the certificate; or None
        where descending numbers are such an order.

    Raises:
        CircleError: the moves lead in a circle.
    """
    arrays = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    if graph.forward:
        with report.phase("sweep", graph.positions):
            for end in range(graph.positions, 0, -_BATCH):
                begin = max(end - _BATCH, 0)
                _sweep(*arrays, begin, end)
                report.advance(graph.positions - begin)
        return None
    with report.phase("reverse"):
        into, parents = reverse(graph.first, graph.edges, threads, room)
    with report.phase("order", graph.positions):
        order = in_order(graph.first, into, parents)
        if len(order) < graph.positions:
            rest = np.ones(graph.positions, np.bool_)
            rest[order] = False
            raise CircleError(int(np.argmax(rest)))
        _follow(order, *arrays)
    return order


class CircleError(Exception):
    """The moves of a score game lead in a circle.

    Attributes:
        number: a position from which one can be reached.
    """

    def __init__(self, number: int) -> None:
        """Keep the position's number."""
        super().__init__(number)
        self.number = number
