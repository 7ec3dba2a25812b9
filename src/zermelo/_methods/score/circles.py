"""Margins, with plies, of score games that can go round in circles: all thresholds in one pass.

``docs/explanation/scores.md`` proves the method. In a stage (``stages``) moves make no points. What
leads out of it, or to an end, has a worth already. These worths are taken in the order of how far
they are from what endless play is worth, the farthest first, and among equals the soonest first.
Each decides positions backwards along the moves within the stage, as in retrograde analysis: who
has a move to what is good for him takes it, and who has none left but bad ones is held to the
best of them. So each position is decided once, and each move is looked at once. What is not decided
in the end is worth what endless play is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.timed import (
    BITS,
    MOST_MARGIN,
    MOST_PLIES,
    QUARTER,
    UNIT,
    code_of,
    plies_of,
    worth,
)
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch, zeros
from zermelo._methods.score.stages import stages
from zermelo.values.scores import UNKNOWN_SCORE as UNKNOWN

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter

#: A position that is being decided has the number above ``UNKNOWN`` of its moves within the stage
#: that are not bad yet, and one more; what is decided has this or more.
_DECIDED = UNKNOWN + (1 << 34)
#: Bits of the plies in the numbers that worths are sorted by.
_PLIES = 28
_AHEAD = 16


class MarginError(Exception):
    """A margin, or what endless play is worth, is too great for a code.

    Attributes:
        number: the position.
    """

    def __init__(self, number: int) -> None:
        """Keep the position's number."""
        super().__init__(number)
        self.number = number


@kernel
def _leave(
    begin: int, end: int, order: Any, graph: Any, endless: Any, held: Any, events: Any
) -> Any:
    """Find the best of the moves out of the stage, and count the others, for each position.

    Args:
        begin: where the stage begins in the order.
        end: where it ends.
        order: the positions by stage, or empty where there is one stage.
        graph: ``first``, ``edges``, ``owners``, ``gains`` and ``values``.
        endless: what endless play is worth, or empty.
        held: receives the worth of the best move, or what is unknown.
        events: receives the positions whose best move is not to endless play.

    Returns:
        How many of these there are, the greatest distance of their margins from what endless play
        is worth, and the most plies; and a position with too great a margin, or -1.
    """
    first, edges, owners, gains, values = graph
    count = 0
    farthest, longest = np.int64(0), np.int64(0)
    for k in range(begin, end):
        i: Any = np.int64(order[k]) if order.size else np.int64(k)
        if order.size and k + _AHEAD < end:
            prefetch(first, np.int64(order[k + _AHEAD]))
        if values[i] != UNKNOWN:
            continue
        level = endless[i] if endless.size else np.int64(0)
        best, left = np.int64(UNKNOWN), np.int64(0)
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            code = values[child]
            if code < _DECIDED:
                left += 1
                continue
            same = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e] if gains.size else np.int64(0)
            margin = gain + (code >> BITS if same else -(code >> BITS))
            if abs(gain) > 2 * MOST_MARGIN or abs(margin) > MOST_MARGIN:
                return count, farthest, longest, i
            best = max(best, worth(code, same, gain, level))
        values[i] = UNKNOWN + 1 + left
        held[i] = best
        if best != UNKNOWN and best & (UNIT - 1) != QUARTER:
            events[count] = i
            count += 1
            farthest = max(farthest, abs((best >> BITS) - level))
            longest = max(longest, plies_of(best))
    return count, farthest, longest, np.int64(-1)


@kernel
def _keys(events: Any, count: int, farthest: int, endless: Any, held: Any, keys: Any) -> None:
    """Write numbers by which worths are to be sorted: the farthest first, then the soonest."""
    for k in range(count):
        i = np.int64(events[k])
        level = endless[i] if endless.size else np.int64(0)
        far = abs((held[i] >> BITS) - level)
        keys[k] = ((farthest - far) << _PLIES) + plies_of(held[i])


@inlined
def _reach(
    i: Any, far: Any, plies: Any, graph: Any, endless: Any, held: Any, queue: Any, tail: Any
) -> Any:
    """Have a position that is decided decide those that lead to it; return the queue's end.

    Args:
        i: the position.
        far: how far its margin is from what endless play is worth.
        plies: in how many plies it is settled.
        graph: the reversed graph, whose turn it is, and the values.
        endless: what endless play is worth, or empty.
        held: the worths of the best moves out of the stage.
        queue: receives what is decided.
        tail: where it ends.
    """
    into, parents, owners, values = graph
    good = far > 0 and values[i] & (UNIT - 1) > 2 * QUARTER
    for e in range(into[i], into[i + 1]):
        parent = np.int64(parents[e])
        state = values[parent]
        if state >= _DECIDED or state == UNKNOWN:
            continue
        same = owners.size > 0 and owners[i] == owners[parent]
        level = endless[parent] if endless.size else np.int64(0)
        out = held[parent]
        side = np.int64(0)
        if far > 0 and good == same:
            side = np.int64(1)
        elif far > 0:
            values[parent] = state - 1
            if state - 1 > UNKNOWN + 1:
                continue
            side = np.int64(-1)
        margin = level + side * far
        if out != UNKNOWN:
            leaves = out >> BITS
            soon = plies_of(out) <= plies + 1
            if side >= 0:
                # Its own move out of the stage is as good, and as soon: it comes by itself.
                if leaves == margin and soon and out & (UNIT - 1) != QUARTER:
                    continue
            elif leaves > margin or (leaves == margin and not soon):
                continue
        values[parent] = code_of(margin, plies + 1, level)
        queue[tail] = parent
        tail += 1
    return tail


@kernel
def _settle(
    events: Any,
    keys: Any,
    farthest: int,
    graph: Any,
    endless: Any,
    held: Any,
    queue: Any,
) -> bool:
    """Decide the positions of a stage; return whether plies were few enough.

    Args:
        events: the positions with a worth of a move out of the stage, sorted.
        keys: what they are sorted by.
        farthest: the greatest distance of a margin from what endless play is worth.
        graph: the reversed graph, whose turn it is, and the values.
        endless: what endless play is worth, or empty.
        held: the worths.
        queue: room for all positions of the stage.
    """
    values = graph[3]
    at = head = tail = 0
    far, plies = np.int64(0), np.int64(0)
    mask = (np.int64(1) << _PLIES) - 1
    while head < tail or at < events.size:
        if head < tail:
            i = np.int64(queue[head])
            plies = plies_of(values[i])
            if at < events.size and keys[at] <= ((farthest - far) << _PLIES) + plies:
                head -= 1
                i = np.int64(-1)
            head += 1
        else:
            i = np.int64(-1)
        if i < 0:
            i = np.int64(events[at])
            plies = keys[at] & mask
            far = farthest - (keys[at] >> _PLIES)
            at += 1
            if values[i] >= _DECIDED:
                continue
            # It is held to a bad worth only once all its other moves are as bad.
            if far > 0 and held[i] & (UNIT - 1) < QUARTER and values[i] != UNKNOWN + 1:
                continue
            values[i] = held[i]
        if plies >= MOST_PLIES:
            return False
        tail = _reach(i, far, plies, graph, endless, held, queue, tail)
    return True


@kernel
def _rest(begin: int, end: int, order: Any, endless: Any, values: Any) -> Any:
    """Give what is not decided the margin of endless play; return how many there are."""
    count = 0
    for k in range(begin, end):
        i: Any = np.int64(order[k]) if order.size else np.int64(k)
        if values[i] < _DECIDED:
            level = endless[i] if endless.size else np.int64(0)
            values[i] = (level << BITS) + QUARTER
            count += 1
    return count


def solve(
    graph: Graph,
    endless: npt.NDArray[np.int64],
    threads: int,
    capacity: int,
    report: Reporter,
    *,
    varies: bool,
) -> npt.NDArray[np.uint32]:
    """Find every margin with its plies, in place in the graph's ``values``.

    Args:
        graph: terminal positions with the codes of their final margins, UNKNOWN elsewhere.
        endless: what endless play is worth to the player to move in each position; empty for 0.
        threads: threads to use at the most.
        capacity: how many moves may wait while they are transposed.
        report: is told how many positions are done.
        varies: whether endless play may be worth something else to the same player elsewhere.

    Returns:
        The stage of each position, for the certificate.

    Raises:
        PointsInCircleError: a circle has a move that makes points, or after which endless play is
            worth something else.
        MarginError: a margin is too great for a code.
    """
    for number in np.flatnonzero(np.abs(endless) > MOST_MARGIN)[:1]:
        raise MarginError(int(number))
    nothing: npt.NDArray[Any] = np.empty(0, np.uint32)
    with report.phase("stages"):
        stage = stages(graph, endless if varies else np.empty(0, np.int64))
        order, ends = nothing, [0, graph.positions]
        if stage.strides[0]:
            order = np.argsort(stage, kind="stable").astype(np.uint32)
            ends = [0, *np.cumsum(np.bincount(stage)).tolist()]
    with report.phase("reverse"):
        into, parents = reverse(graph.first, graph.edges, threads, capacity)
    forward = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    backward = (into, parents, graph.owners, graph.values)
    held: npt.NDArray[np.int64] = zeros(graph.positions, np.int64)
    with report.phase("margins", graph.positions):
        for begin, end in zip(ends, ends[1:], strict=False):
            events = np.empty(end - begin, np.uint32)
            count, farthest, longest, wrong = _leave(
                begin, end, order, forward, endless, held, events
            )
            if wrong >= 0 or longest >= MOST_PLIES:
                raise MarginError(int(max(wrong, 0)))
            keys = np.empty(count, np.int64)
            _keys(events, count, farthest, endless, held, keys)
            sorted_by = np.argsort(keys, kind="stable")
            events, keys = events[sorted_by], keys[sorted_by]
            queue = np.empty(end - begin, np.uint32)
            if not _settle(events, keys, farthest, backward, endless, held, queue):
                raise MarginError(int(order[begin]) if len(order) else 0)
            _rest(begin, end, order, endless, graph.values)
            report.advance(end)
    return stage
