"""Margins, with plies, of score games with cycles: all thresholds in one pass.

``docs/explanation/scores.md`` proves the method. Along the moves within a stage the distance of a
margin from the value of endless play is constant. A move that leaves the stage, or ends the game,
has a value already. These values are processed in the order of their distance from the value of
endless play, the farthest first, and among equals the soonest first. Each value decides positions
backward along the moves within the stage, as in retrograde analysis: a player with a move to a good
value makes it, and a player with only bad moves left gets the best of these. So each position is
decided once, and each move is scanned once. The value of a position that stays undecided is that of
endless play.

Stages are numbers that no move raises, and that every counting move lowers. A move counts unless it
ends the game, or the value of endless play falls by the points that it makes. Within a stage, where
no move counts, play may go round a cycle: the points made and the value of endless play have the
same sum all along a cycle, however long it takes. The stage of a position is the greatest number of
counting moves that may still be made.

The strongly connected components are found by R. E. Tarjan's method in the form of D. J. Pearce, "A
space-efficient algorithm for finding strongly connected components" (2016), successors first. Each
component gets its stage once its successors have theirs.
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
    event_keys,
    find_exits,
    find_stages,
    order_by_stage,
    settle_events,
    settle_rest,
    settle_small,
    sort_by_buckets,
)

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter

#: Bytes of a position: values, events and their keys before and after sorting, the queue, the stage
#: and the order by stages; and the value of endless play if a hook gives it.
CYCLE_BYTES, ENDLESS_BYTES = 8 + 2 * (4 + 8) + 4 + 4 + 4, 8
#: The number of different keys up to which a counting sort is used, however few events there are.
_MIN_KEYS = 1 << 12


class PointsInCycleError(Exception):
    """A move in a cycle makes points that the value of endless play does not make up for.

    Attributes:
        number: the position.
        move: the index of the move.
    """

    def __init__(self, number: int, move: int) -> None:
        """Store the position's number and the move's index."""
        super().__init__(number, move)
        self.number = number
        self.move = move


class MarginError(Exception):
    """A margin, or the value of endless play, is too great for a code.

    Attributes:
        number: the position.
    """

    def __init__(self, number: int) -> None:
        """Store the position's number."""
        super().__init__(number)
        self.number = number


def _stages(graph: Graph, endless: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
    """Return the stage of each position.

    Args:
        graph: the graph.
        endless: the value of endless play for the player to move in each position, or empty if it
            is the same everywhere for a player.

    Raises:
        PointsInCycleError: a cycle has a move that counts.
    """
    positions = graph.positions
    if not len(endless) and not graph.gains.any():
        return np.broadcast_to(np.uint32(0), positions)
    stage: npt.NDArray[np.uint32] = zeros(positions, np.uint32)
    work = (
        zeros(positions, np.uint32),
        zeros(positions, np.uint32),
        zeros(positions, np.int64),
        zeros(positions, np.uint8),
        zeros(positions, np.uint32),
    )
    arrays = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    number, move = find_stages(arrays, endless, work, stage)
    if number >= 0:
        raise PointsInCycleError(int(number), int(move) - int(graph.first[number]))
    return stage


def _sorted(
    events: npt.NDArray[np.uint32], keys: npt.NDArray[np.int64], farthest: int, longest: int
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Return events and their keys, sorted by key."""
    different = (farthest + 1) * (longest + 1)
    if different > max(len(keys), _MIN_KEYS):
        order = np.argsort(keys, kind="stable")
        return events[order], keys[order]
    into, sorted_by = np.empty_like(events), np.empty_like(keys)
    starts = np.zeros(different + 1, np.int64)
    sort_by_buckets(events, keys, longest, starts, into, sorted_by)
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
        endless: the value of endless play for the player to move in each position; empty for 0.
        threads: threads to use at most.
        capacity: how many moves may be buffered while they are transposed.
        report: receives the number of decided positions.
        varies: whether the value of endless play for one player may differ between positions.
        reversed_graph: the index of the first parent of each position, and the parents, if known.

    Returns:
        The stage of each position, for the certificate.

    Raises:
        PointsInCycleError: a cycle has a move that makes points, and the value of endless play
            does not fall by these after the move.
        MarginError: a margin is too great for a code.
    """
    for number in np.flatnonzero(np.abs(endless) > MOST_MARGIN)[:1]:
        raise MarginError(int(number))
    nothing = np.empty(0, np.uint32)
    with report.phase("stages"):
        stage = _stages(graph, endless if varies else np.empty(0, np.int64))
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
    waiting = np.zeros(WAITING, np.uint64)
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
            count, farthest, longest, wrong = find_exits(
                begin, end, order, forward, endless, held, events
            )
            if wrong >= 0 or longest >= MOST_PLIES:
                raise MarginError(int(max(wrong, 0)))
            # Within the stage a margin keeps its distance from endless play, whose value may be
            # greater in another position.
            if farthest + most_endless > MOST_MARGIN:
                raise MarginError(int(np.argmax(np.abs(endless))))
            keys = np.empty(count, np.int64)
            event_keys(events, count, farthest, endless, held, keys)
            events, keys = _sorted(events[:count], keys, farthest, longest)
            queue = np.empty(end - begin, np.uint32)
            if not settle_events(events, keys, farthest, backward, endless, held, queue, waiting):
                raise MarginError(int(order[begin]) if len(order) else 0)
            settle_rest(begin, end, order, endless, graph.values)
            report.advance(end)
            at += 1
    return stage
