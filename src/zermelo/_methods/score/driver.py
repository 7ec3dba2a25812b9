"""Score games without circles: the margin for the player to move under best play."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.memory import exchange, peek, prefetch, zeros
from zermelo._engine.core.threads import backward, share
from zermelo.values.scores import UNKNOWN_SCORE as UNKNOWN

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter

_BATCH = 1 << 18
_AHEAD = 24
#: Positions a thread lists before it tells the others.
_FOUND = 256
#: Fewer positions of one rank are not worth waking another thread for.
_WORTH_SHARING = 1 << 13


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
def _begin(first: Any, left: Any, order: Any) -> int:
    """Count the moves of all positions; list those that have none, and return how many."""
    count = 0
    for i in range(left.size):
        moves = np.int64(first[i + 1]) - np.int64(first[i])
        left[i] = moves
        if moves == 0:
            order[count] = i
            count += 1
    return count


@inlined
def _rank(
    order: Any,
    begin: int,
    end: int,
    rank: int,
    graph: Any,
    reverse: Any,
    left: Any,
    ranks: Any,
    tail: Any,
    shared: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Find the margins of some positions of one rank, and list the parents that are next.

    Args:
        order: positions; those of this rank, and from ``tail[0]`` on those of the next.
        begin: the first of the positions.
        end: the first not of them.
        rank: their rank.
        graph: ``first``, ``edges``, ``owners``, ``gains`` and ``values``.
        reverse: where the parents of each position begin, and the parents.
        left: how many moves of each position lead to what has no margin yet.
        ranks: receives the ranks.
        tail: how many positions are listed.
        shared: whether other threads do the same.
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
        _best(first, edges, owners, gains, values, i)
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
                    _list(found, count, order, tail)
                    count = 0
    _list(found, count, order, tail)


@inlined
def _list(found: Any, count: int, order: Any, tail: Any) -> None:
    """List positions, though other threads do the same."""
    before = peek(tail, 0)
    while True:
        seen = exchange(tail, 0, before, before + count)
        if seen == before:
            break
        before = seen
    for k in range(count):
        order[before + k] = found[k]


@kernel
def _part(
    begin: int,
    end: int,
    order: Any,
    rank: int,
    graph: Any,
    reverse: Any,
    left: Any,
    ranks: Any,
    tail: Any,
) -> None:
    """Do part of the positions of one rank, while other threads do others."""
    _rank(order, begin, end, rank, graph, reverse, left, ranks, tail, True)  # noqa: FBT003


@kernel
def _small(
    head: int,
    most: int,
    order: Any,
    rank: int,
    graph: Any,
    reverse: Any,
    left: Any,
    ranks: Any,
    tail: Any,
) -> tuple[int, int]:
    """Do rank after rank for as long as each has at most ``most`` positions, and not too many.

    Returns:
        The first place not done, and its rank.
    """
    stop = head + _BATCH
    while head < tail[0] <= head + most and head < stop:
        end = tail[0]
        _rank(order, head, end, rank, graph, reverse, left, ranks, tail, False)  # noqa: FBT003
        head = end
        rank += 1
    return head, rank


def _ranked(
    graph: Graph,
    reversed_graph: tuple[npt.NDArray[Any], npt.NDArray[np.uint32]],
    threads: int,
    report: Reporter,
) -> npt.NDArray[np.uint32]:
    """Find every margin rank by rank: first what has no moves, then what leads to no more.

    Returns:
        The ranks.
    """
    positions = graph.positions
    arrays = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    order: npt.NDArray[Any] = zeros(positions, np.uint32)
    ranks: npt.NDArray[Any] = zeros(positions, np.uint32)
    left: npt.NDArray[Any] = zeros(positions, np.uint32)
    tail = np.array([_begin(graph.first, left, order)])
    rest = (arrays, reversed_graph, left, ranks, tail)
    head = rank = 0
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-order") as pool:
        while head < tail[0]:
            end = int(tail[0])
            if threads == 1 or end - head < limits.current().shared(_WORTH_SHARING):
                most = positions if threads == 1 else limits.current().shared(_WORTH_SHARING)
                head, rank = _small(head, most, order, rank, *rest)
            else:
                size = -(-(end - head) // (4 * threads))
                spans = [(begin, min(begin + size, end)) for begin in range(head, end, size)]
                share(pool, threads, [(_part, *span, order, rank, *rest) for span in spans])
                head, rank = end, rank + 1
            report.advance(head)
    if head < positions:
        raise CircleError(int(np.argmax(left > 0)), reversed_graph)
    return ranks


def solve(
    graph: Graph, threads: int, capacity: int, report: Reporter
) -> npt.NDArray[np.uint32] | None:
    """Find every margin, in place in the graph's ``values``.

    Args:
        graph: terminal positions with their final margins, UNKNOWN elsewhere.
        threads: threads to use at most.
        capacity: where some moves do not lead forward, how many may wait while they are transposed.
        report: is told how many positions are done.

    Returns:
        For each position a number that shrinks along every move, for the certificate; or None
        where the position's own, from the last down, is one.

    Raises:
        CircleError: the moves lead in a circle.
    """
    arrays = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    if graph.forward:
        with report.phase("sweep", graph.positions):
            sharing = threads if graph.layered else 1
            layers = graph.layers if sharing > 1 else [0, graph.positions]
            for begin in backward(
                layers, sharing, _BATCH, lambda low, high: _sweep(*arrays, low, high)
            ):
                report.advance(graph.positions - begin)
        return None
    with report.phase("reverse"):
        into, parents = reverse(graph.first, graph.edges, threads, capacity)
    with report.phase("order", graph.positions):
        return _ranked(graph, (into, parents), threads, report)


class CircleError(Exception):
    """The moves of a score game lead in a circle.

    Attributes:
        number: a position from which one can be reached.
        reversed_graph: where the parents of each position begin, and the parents, if they were
            found on the way.
    """

    def __init__(
        self,
        number: int,
        reversed_graph: tuple[npt.NDArray[Any], npt.NDArray[np.uint32]] | None = None,
    ) -> None:
        """Keep them."""
        super().__init__(number)
        self.number = number
        self.reversed_graph = reversed_graph
