"""Win, draw or loss and the remoteness of every position of a graph.

Where every move leads to a greater number, one sweep from the last position to the first decides
each from its successors. Otherwise retrograde analysis: from the terminal positions back along
the reversed moves, in order of remoteness, with a counter of moves that do not lose yet (Thompson,
"Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). One status byte a position
holds the counter, or what has been decided; a counter past a byte stands in the position's value
until that is decided. Then ties spread back along the draws that are left.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.codes import ENDLESS, LAST, TIES, UNKNOWN, one_ply_earlier
from zermelo._engine.jit import kernel
from zermelo._engine.memory import prefetch, zeros
from zermelo._engine.reverse import reverse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo._engine.explore import Graph
    from zermelo.progress import Reporter

#: Positions handled between looks at the clock and the keyboard.
_BATCH = 1 << 18
_AHEAD = 24
#: Status bytes: a counter up to _MOST, a counter kept in the value, decided.
_MOST, _WIDE, _DECIDED = 253, 254, 255


@kernel
def _sweep(first: Any, edges: Any, owners: Any, values: Any, begin: int, end: int) -> None:
    """Decide positions ``end`` - 1 down to ``begin`` from their successors, all decided."""
    alternate = owners.size == 0
    for i in range(end - 1, begin - 1, -1):
        if i - _AHEAD >= begin:
            for e in range(first[i - _AHEAD], first[i - _AHEAD + 1]):
                prefetch(values, np.int64(edges[e]))
        if values[i] != UNKNOWN:
            continue
        best = -LAST
        for e in range(first[i], first[i + 1]):
            target = np.int64(edges[e])
            same = (not alternate) and owners[i] == owners[target]
            best = max(best, one_ply_earlier(np.int64(values[target]), same))
        values[i] = best


@kernel
def _prepare(first: Any, values: Any, status: Any, queue: Any) -> int:
    """Set the counters and queue the terminal wins and losses; return how many are queued."""
    queued = 0
    for i in range(values.size):
        value = values[i]
        if value == UNKNOWN:
            moves = first[i + 1] - first[i]
            if moves <= _MOST:
                status[i] = moves
            else:
                status[i] = _WIDE
                values[i] = moves
        else:
            status[i] = _DECIDED
            if value > TIES or value < -TIES:
                queue[queued] = i
                queued += 1
    return queued


@kernel
def _decide(  # one array each
    into: Any, parents: Any, owners: Any, values: Any, status: Any, queue: Any, head: int, tail: int
) -> tuple[int, int]:
    """Spread the next batch of wins and losses to their parents; return head and tail."""
    alternate = owners.size == 0
    stop = min(head + _BATCH, tail)
    while head < stop:
        if head + _AHEAD < tail:
            ahead = np.int64(queue[head + _AHEAD])
            prefetch(into, ahead)
            prefetch(values, ahead)
        if head + 2 * _AHEAD // 3 < tail:
            ahead = np.int64(queue[head + 2 * _AHEAD // 3])
            prefetch(parents, into[ahead])
        if head + _AHEAD // 3 < tail:
            ahead = np.int64(queue[head + _AHEAD // 3])
            for e in range(into[ahead], into[ahead + 1]):
                prefetch(status, np.int64(parents[e]))
        i = np.int64(queue[head])
        head += 1
        value = np.int64(values[i])
        lost = value < 0
        for e in range(into[i], into[i + 1]):
            parent = np.int64(parents[e])
            state = status[parent]
            if state == _DECIDED:
                continue
            same = (not alternate) and owners[parent] == owners[i]
            if lost == same:
                # The move loses: the parent is lost once its last move is.
                if state == _WIDE:
                    left = values[parent] - 1
                    values[parent] = left
                else:
                    left = np.int32(state) - 1
                    status[parent] = left
                if left > 0:
                    continue
            values[parent] = one_ply_earlier(value, same)
            status[parent] = _DECIDED
            queue[tail] = parent
            tail += 1
    return head, tail


@kernel
def _prepare_ties(values: Any, status: Any, queue: Any) -> int:
    """Call what is left endless, and queue the ties the rules declare."""
    queued = 0
    for i in range(values.size):
        if status[i] != _DECIDED:
            values[i] = ENDLESS
        elif values[i] == TIES:
            queue[queued] = i
            queued += 1
    return queued


@kernel
def _spread_ties(
    into: Any, parents: Any, values: Any, queue: Any, head: int, tail: int
) -> tuple[int, int]:
    """Spread the next batch of ties to parents that are draws; return head and tail."""
    stop = min(head + _BATCH, tail)
    while head < stop:
        i = np.int64(queue[head])
        head += 1
        for e in range(into[i], into[i + 1]):
            parent = np.int64(parents[e])
            if values[parent] == ENDLESS:
                values[parent] = values[i] - 1
                queue[tail] = parent
                tail += 1
    return head, tail


def solve(graph: Graph, threads: int, report: Reporter) -> None:
    """Decide every position of ``graph``, in place in its ``values``.

    Args:
        graph: terminal positions decided, UNKNOWN elsewhere; dead ends count as terminal.
        threads: threads to use at the most.
        report: is told how many positions are decided.
    """
    if graph.forward:
        with report.phase("sweep", graph.positions):
            for done in sweep(graph, threads):
                report.advance(done)
        return
    with report.phase("reverse"):
        into, parents = reverse(graph.first, graph.edges)
    with report.phase("retrograde", graph.positions):
        for done in _retrograde(graph, into, parents):
            report.advance(done)


def sweep(graph: Graph, threads: int) -> Iterator[int]:
    """Decide a graph whose moves all lead forward; yields how many positions are done."""
    arrays = (graph.first, graph.edges, graph.owners, graph.values)
    bounds = graph.layers if graph.layered and threads > 1 else [0, graph.positions]
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-sweep") as pool:
        for low, high in reversed(list(zip(bounds, bounds[1:], strict=False))):
            cuts = [*range(low, high, _BATCH), high]
            ranges = list(zip(cuts, cuts[1:], strict=False))[::-1]
            if not graph.layered or len(ranges) < 2:  # nothing to share
                for begin, end in ranges:
                    _sweep(*arrays, begin, end)
                    yield graph.positions - begin
                continue
            jobs = [pool.submit(_sweep, *arrays, begin, end) for begin, end in ranges]
            for (begin, _), job in zip(ranges, jobs, strict=True):
                job.result()
                yield graph.positions - begin


def _retrograde(
    graph: Graph, into: npt.NDArray[np.int64], parents: npt.NDArray[np.uint32]
) -> Iterator[int]:
    status: npt.NDArray[Any] = zeros(graph.positions, np.uint8)
    queue: npt.NDArray[Any] = zeros(graph.positions, np.uint32)
    values = graph.values
    head, tail = 0, _prepare(graph.first, values, status, queue)
    while head < tail:
        head, tail = _decide(into, parents, graph.owners, values, status, queue, head, tail)
        yield head
    decided = tail
    head, tail = 0, _prepare_ties(values, status, queue)
    while head < tail:
        head, tail = _spread_ties(into, parents, values, queue, head, tail)
        yield min(decided + head, graph.positions)
