"""Margins, with plies, of score games that can go round in circles: all thresholds in one pass.

``docs/explanation/scores.md`` proves the method. Along the moves within a stage (``stages``) a
margin stays as far from what endless play is worth. What leads out of the stage, or to an end, has
a worth already. These worths are taken in the order of how far they are from what endless play is
worth, the farthest first, and among equals the soonest first. Each decides positions backwards
along the moves within the stage, as in retrograde analysis: who has a move to what is good for him
takes it, and who has none left but bad ones is held to the best of them. So each position is
decided once, and each move is looked at once. What is not decided in the end is worth what endless
play is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.score_and_plies import (
    MOST_MARGIN,
    MOST_PLIES,
)
from zermelo._engine.core.memory import zeros
from zermelo._methods.score.kernels_cycles import (
    SMALL,
    WAITING,
    bucketed,
    event_keys,
    leave,
    order_by_stage,
    settle_events,
    settle_rest,
    settle_small,
)
from zermelo._methods.score.stages import stages

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter

#: Bytes of a position: worths, events and their keys before and after they are sorted, the queue,
#: the stage and the order by stages; and what endless play is worth where a hook says it.
CIRCLE_BYTES, ENDLESS_BYTES = 8 + 2 * (4 + 8) + 4 + 4 + 4, 8
#: Different keys that are worth counting, however little there is to sort.
_FEW = 1 << 12


class MarginError(Exception):
    """A margin, or what endless play is worth, is too great for a code.

    Attributes:
        number: the position.
    """

    def __init__(self, number: int) -> None:
        """Keep the position's number."""
        super().__init__(number)
        self.number = number


def _sorted(
    events: npt.NDArray[np.uint32], keys: npt.NDArray[np.int64], farthest: int, longest: int
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Return events and their keys, sorted."""
    different = (farthest + 1) * (longest + 1)
    if different > max(len(keys), _FEW):
        order = np.argsort(keys, kind="stable")
        return events[order], keys[order]
    into, sorted_by = np.empty_like(events), np.empty_like(keys)
    starts = np.zeros(different + 1, np.int64)
    bucketed(events, keys, longest, starts, into, sorted_by)
    return into, sorted_by


def solve(
    graph: Graph,
    endless: npt.NDArray[np.int64],
    threads: int,
    capacity: int,
    report: Reporter,
    *,
    varies: bool,
    reversed_graph: tuple[npt.NDArray[Any], npt.NDArray[np.uint32]] | None = None,
) -> npt.NDArray[np.uint32]:
    """Find every margin with its plies, in place in the graph's ``values``.

    Args:
        graph: terminal positions with the codes of their final margins, UNKNOWN elsewhere.
        endless: what endless play is worth to the player to move in each position; empty for 0.
        threads: threads to use at most.
        capacity: how many moves may wait while they are transposed.
        report: is told how many positions are done.
        varies: whether endless play may be worth something else to the same player elsewhere.
        reversed_graph: where the parents of each position begin, and the parents, if it is known.

    Returns:
        The stage of each position, for the certificate.

    Raises:
        PointsInCircleError: a circle has a move that makes points, and endless play is not worth
            as many less after it.
        MarginError: a margin is too great for a code.
    """
    for number in np.flatnonzero(np.abs(endless) > MOST_MARGIN)[:1]:
        raise MarginError(int(number))
    nothing: npt.NDArray[Any] = np.empty(0, np.uint32)
    with report.phase("stages"):
        stage = stages(graph, endless if varies else np.empty(0, np.int64))
        order, ends = nothing, [0, graph.positions]
        if stage.strides[0]:
            starts = np.concatenate([[0], np.cumsum(np.bincount(stage))])
            ends = starts.tolist()
            order = np.empty(graph.positions, np.uint32)
            order_by_stage(stage, starts, order)
    if reversed_graph is None:
        with report.phase("reverse"):
            reversed_graph = reverse(graph.first, graph.edges, threads, capacity)
    forward = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    backward = (*reversed_graph, graph.owners, graph.values)
    held: npt.NDArray[np.int64] = zeros(graph.positions, np.int64)
    waiting: npt.NDArray[Any] = np.zeros(WAITING, np.uint64)
    most_endless = int(np.abs(endless).max(initial=0)) if varies else 0
    bounds, at = np.array(ends, np.int64), 0
    with report.phase("margins", graph.positions):
        while at < len(ends) - 1:
            begin, end = ends[at], ends[at + 1]
            if end - begin <= SMALL:
                small = (bounds, order, forward, backward, endless, held, most_endless, waiting)
                at, wrong = settle_small(at, *small)
                if wrong >= 0:
                    raise MarginError(int(wrong))
                report.advance(ends[at])
                continue
            events = np.empty(end - begin, np.uint32)
            count, farthest, longest, wrong = leave(
                begin, end, order, forward, endless, held, events
            )
            if wrong >= 0 or longest >= MOST_PLIES:
                raise MarginError(int(max(wrong, 0)))
            # Within the stage a margin is as far from endless play, which may be worth more there.
            if farthest + most_endless > MOST_MARGIN:
                raise MarginError(int(np.argmax(np.abs(endless))))
            keys = np.empty(count, np.int64)
            event_keys(events, count, farthest, endless, held, keys)
            events, keys = _sorted(events[:count], keys, farthest, longest)
            queue = np.empty(end - begin, np.uint32)
            rest = (backward, endless, held, queue, waiting)
            if not settle_events(events, keys, farthest, *rest):
                raise MarginError(int(order[begin]) if len(order) else 0)
            settle_rest(begin, end, order, endless, graph.values)
            report.advance(end)
            at += 1
    return stage
