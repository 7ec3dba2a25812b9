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
#: Bytes of a position: worths, events and their keys before and after they are sorted, the queue,
#: the stage and the order by stages; and what endless play is worth where a hook says it.
CIRCLE_BYTES, ENDLESS_BYTES = 8 + 2 * (4 + 8) + 4 + 4 + 4, 8
_AHEAD, _EDGES_AHEAD, _WAITING = 16, 48, 1 << 12
_LOW = np.uint64((1 << 32) - 1)
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


@kernel
def _by_stage(stage: Any, starts: Any, order: Any) -> None:
    """List the positions of each stage, which begin at ``starts``."""
    for i in range(stage.size):
        n = np.int64(stage[i])
        order[starts[n]] = i
        starts[n] += 1


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
            if order.size == 0:
                ahead = np.int64(edges[min(e + _EDGES_AHEAD, edges.size - 1)])
                prefetch(values, ahead)
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


@kernel
def _bucketed(events: Any, keys: Any, longest: int, starts: Any, into: Any, sorted_by: Any) -> None:
    """Sort by few different keys: count how often each occurs, and put each in its place."""
    width = longest + 1
    mask = (np.int64(1) << _PLIES) - 1
    for k in range(keys.size):
        starts[(keys[k] >> _PLIES) * width + (keys[k] & mask) + 1] += 1
    for n in range(1, starts.size):
        starts[n] += starts[n - 1]
    for k in range(keys.size):
        n = (keys[k] >> _PLIES) * width + (keys[k] & mask)
        into[starts[n]] = events[k]
        sorted_by[starts[n]] = keys[k]
        starts[n] += 1


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
    _bucketed(events, keys, longest, starts, into, sorted_by)
    return into, sorted_by


@inlined
def _decide(
    parent: Any,
    wins: Any,
    far: Any,
    plies: Any,
    values: Any,
    endless: Any,
    held: Any,
    queue: Any,
    tail: Any,
) -> Any:
    """Take notice of a move to what is decided, and maybe decide the position; return the tail.

    Args:
        parent: the position.
        wins: whether the move is good for whoever makes it, unless it makes what endless play does.
        far: how far the margin is from that.
        plies: in how many plies it is settled where the move leads.
        values: the values.
        endless: what endless play is worth, or empty.
        held: the worths of the best moves out of the stage.
        queue: receives what is decided.
        tail: where it ends.
    """
    state = values[parent]
    if state >= _DECIDED or state == UNKNOWN:
        return tail
    side = np.int64(0)
    if far > 0 and wins:
        side = np.int64(1)
    elif far > 0:
        values[parent] = state - 1
        if state - 1 > UNKNOWN + 1:
            return tail
        side = np.int64(-1)
    level = endless[parent] if endless.size else np.int64(0)
    margin = level + side * far
    out = held[parent]
    if out != UNKNOWN:
        leaves = out >> BITS
        soon = plies_of(out) <= plies + 1
        if side >= 0:
            # Its own move out of the stage is as good, and as soon: it comes by itself.
            if leaves == margin and soon and out & (UNIT - 1) != QUARTER:
                return tail
        elif leaves > margin or (leaves == margin and not soon):
            return tail
    values[parent] = code_of(margin, plies + 1, level)
    queue[tail] = parent
    return tail + 1


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
    into, parents, owners, values = graph
    alternate = owners.size == 0
    mask = (np.int64(1) << _PLIES) - 1
    waiting: Any = np.zeros(_WAITING + _EDGES_AHEAD, np.uint64)
    at: Any = np.int64(0)
    head: Any = np.int64(0)
    tail: Any = np.int64(0)
    far, plies = np.int64(0), np.int64(0)
    while head < tail or at < events.size:
        # All that is settled as far from endless play, and as soon.
        key = np.int64(-1)
        if head < tail:
            key = ((farthest - far) << _PLIES) + plies_of(values[np.int64(queue[head])])
        stop: Any = tail
        if at < events.size and (key < 0 or keys[at] < key):
            key = keys[at]
            stop = head
        far, plies = farthest - (key >> _PLIES), key & mask
        if plies >= MOST_PLIES:
            return False
        i: Any = np.int64(-1)
        low: Any = np.int64(0)
        high: Any = np.int64(0)
        flag = np.uint64(0)
        more = True
        while more:
            # First the reversed moves of some positions, one after the other, to look ahead.
            size = 0
            while size < _WAITING:
                if low == high:
                    if at < events.size and keys[at] == key:
                        soon = np.int64(events[min(at + _AHEAD, events.size - 1)])
                        prefetch(values, soon)
                        prefetch(held, soon)
                        prefetch(into, soon)
                        i = np.int64(events[at])
                        at += 1
                        # It is held to a bad worth only once all its other moves are as bad.
                        bad = far > 0 and held[i] & (UNIT - 1) < QUARTER
                        if values[i] >= _DECIDED or (bad and values[i] != UNKNOWN + 1):
                            continue
                        values[i] = held[i]
                    elif head < stop:
                        if head + _AHEAD < stop:
                            prefetch(into, np.int64(queue[head + _AHEAD]))
                        if head + _AHEAD // 2 < stop:
                            prefetch(parents, np.int64(into[np.int64(queue[head + _AHEAD // 2])]))
                        i = np.int64(queue[head])
                        head += 1
                    else:
                        more = False
                        break
                    low, high = np.int64(into[i]), np.int64(into[i + 1])
                    good = np.uint64(values[i] & (UNIT - 1) > 2 * QUARTER)
                    own = np.uint64(1) if alternate else np.uint64(owners[i])
                    flag = (good ^ own) << np.uint64(32)
                    continue
                end = min(high, low + _WAITING - size)
                for e in range(low, end):
                    waiting[size] = np.uint64(parents[e]) | flag
                    size += 1
                low = end
            for j in range(size):
                ahead = np.int64(waiting[j + _EDGES_AHEAD] & _LOW)
                prefetch(values, ahead)
                prefetch(held, ahead)
                if not alternate:
                    prefetch(owners, ahead)
                parent = np.int64(waiting[j] & _LOW)
                whose = np.uint64(0) if alternate else np.uint64(owners[parent])
                wins = (waiting[j] >> np.uint64(32)) ^ whose != np.uint64(0)
                tail = _decide(parent, wins, far, plies, values, endless, held, queue, tail)
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
            _by_stage(stage, starts, order)
    if reversed_graph is None:
        with report.phase("reverse"):
            reversed_graph = reverse(graph.first, graph.edges, threads, capacity)
    forward = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    backward = (*reversed_graph, graph.owners, graph.values)
    held: npt.NDArray[np.int64] = zeros(graph.positions, np.int64)
    with report.phase("margins", graph.positions):
        for begin, end in zip(ends, ends[1:], strict=False):
            events = np.empty(end - begin, np.uint32)
            count, farthest, longest, wrong = _leave(
                begin, end, order, forward, endless, held, events
            )
            if wrong >= 0 or longest >= MOST_PLIES:
                raise MarginError(int(max(wrong, 0)))
            # Within the stage a margin is as far from endless play, which may be worth more there.
            if varies and farthest + int(np.abs(endless).max(initial=0)) > MOST_MARGIN:
                raise MarginError(int(np.argmax(np.abs(endless))))
            keys = np.empty(count, np.int64)
            _keys(events, count, farthest, endless, held, keys)
            events, keys = _sorted(events[:count], keys, farthest, longest)
            queue = np.empty(end - begin, np.uint32)
            if not _settle(events, keys, farthest, backward, endless, held, queue):
                raise MarginError(int(order[begin]) if len(order) else 0)
            _rest(begin, end, order, endless, graph.values)
            report.advance(end)
    return stage
