"""Kernels of score games with cycles: stages, and margins with plies."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from zermelo._engine.column.score_and_plies import (
    BITS,
    MOST_MARGIN,
    MOST_PLIES,
    QUARTER,
    UNIT,
    code_of,
    plies_of,
)
from zermelo._engine.column.value_operations import timed_margin_of_child
from zermelo._engine.core.array_types import (
    Int64Array,
    IntArray,
    Integer,
    Uint8Array,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch
from zermelo._methods.score.kernels import ScoreGraph
from zermelo.values.scores import UNKNOWN_SCORE as UNKNOWN

#: The least code of a decided position. The code of an undecided one is ``UNKNOWN + 1`` plus the
#: number of its moves within the stage that are not bad yet.
_DECIDED = UNKNOWN + (1 << 34)
#: Bits of the plies in the keys that values are sorted by.
_PLIES = 28
_AHEAD, _EDGES_AHEAD, _WAITING = 16, 48, 1 << 12
#: Reversed moves that are processed in one batch, and those that are prefetched.
WAITING = _WAITING + _EDGES_AHEAD
#: The most positions of a stage that is decided in one call with other stages.
SMALL = 1 << 6
_LOW = np.uint64((1 << 32) - 1)


#: A reversed graph: the index of the first parent of each position, and the parents; the player to
#: move, and the values.
ReverseGraph: TypeAlias = tuple[IntArray, Uint32Array, Uint8Array, IntArray]


@kernel
def order_by_stage(stage: Uint32Array, starts: Int64Array, order: Uint32Array) -> None:
    """List the positions of each stage; the list of a stage begins at its entry in ``starts``."""
    for i in range(stage.size):
        n = np.int64(stage[i])
        order[starts[n]] = i
        starts[n] += 1


@kernel
def find_exits(
    begin: int,
    end: int,
    order: Uint32Array,
    graph: ScoreGraph,
    endless: Int64Array,
    exit_values: Int64Array,
    events: Uint32Array,
) -> Any:
    """Find the best move out of the stage, and count the other moves, for each position.

    Args:
        begin: the index of the stage's first position in the order.
        end: the index after its last.
        order: the positions by stage, or empty if there is one stage.
        graph: ``first``, ``edges``, ``owners``, ``gains`` and ``values``.
        endless: the value of endless play, or empty.
        exit_values: receives the value of the best move out of the stage, or the code for unknown.
        events: receives the positions whose best move does not lead to endless play.

    Returns:
        The number of events, the greatest distance of their margins from the value of endless play,
        and the most plies; and a position with too great a margin, or -1.
    """
    first, edges, owners, gains, values = graph
    count = 0
    farthest, longest = np.int64(0), np.int64(0)
    for k in range(begin, end):
        i = np.int64(order[k]) if order.size else np.int64(k)
        if order.size and k + _AHEAD < end:
            prefetch(first, np.int64(order[k + _AHEAD]))
        if values[i] != UNKNOWN:
            continue
        endless_value = endless[i] if endless.size else np.int64(0)
        best, remaining = np.int64(UNKNOWN), np.int64(0)
        for e in range(first[i], first[i + 1]):
            if order.size == 0:
                ahead = np.int64(edges[min(e + _EDGES_AHEAD, edges.size - 1)])
                prefetch(values, ahead)
            child = np.int64(edges[e])
            code = values[child]
            if code < _DECIDED:
                remaining += 1
                continue
            keeps_turn = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e] if gains.size else np.int64(0)
            margin = gain + (code >> BITS if keeps_turn else -(code >> BITS))
            if abs(gain) > 2 * MOST_MARGIN or abs(margin) > MOST_MARGIN:
                return count, farthest, longest, i
            best = max(best, timed_margin_of_child(code, keeps_turn, gain, endless_value))
        values[i] = UNKNOWN + 1 + remaining
        exit_values[i] = best
        if best != UNKNOWN and best & (UNIT - 1) != QUARTER:
            events[count] = i
            count += 1
            farthest = max(farthest, abs((best >> BITS) - endless_value))
            longest = max(longest, plies_of(best))
    return count, farthest, longest, np.int64(-1)


@kernel
def event_keys(
    events: Uint32Array,
    count: int,
    farthest: int,
    endless: Int64Array,
    exit_values: Int64Array,
    keys: Int64Array,
) -> None:
    """Write the keys by which values are sorted: the farthest first, then the soonest."""
    for k in range(count):
        i = np.int64(events[k])
        endless_value = endless[i] if endless.size else np.int64(0)
        distance = abs((exit_values[i] >> BITS) - endless_value)
        keys[k] = ((farthest - distance) << _PLIES) + plies_of(exit_values[i])


@kernel
def sort_by_buckets(
    events: Uint32Array,
    keys: Int64Array,
    longest: int,
    starts: Int64Array,
    into: Uint32Array,
    sorted_by: Int64Array,
) -> None:
    """Sort events by counting sort, for few different keys."""
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


@inlined
def decide(
    parent: Integer,
    wins: bool,
    distance: Integer,
    plies: Integer,
    values: IntArray,
    endless: Int64Array,
    exit_values: Int64Array,
    queue: Uint32Array,
    tail: Integer,
) -> Any:
    """Count a move to a decided position; decide the position if that settles it; return the tail.

    Args:
        parent: the position.
        wins: whether the move is good for the player who makes it, unless its margin is that of
            endless play.
        distance: the distance of the margin from the value of endless play.
        plies: the plies in which the margin is settled after the move.
        values: the values.
        endless: the value of endless play, or empty.
        exit_values: the values of the best moves out of the stage.
        queue: receives decided positions.
        tail: the length of the queue.
    """
    state = values[parent]
    if state >= _DECIDED or state == UNKNOWN:
        return tail
    side = np.int64(0)
    if distance > 0 and wins:
        side = np.int64(1)
    elif distance > 0:
        values[parent] = state - 1
        if state - 1 > UNKNOWN + 1:
            return tail
        side = np.int64(-1)
    endless_value = endless[parent] if endless.size else np.int64(0)
    margin = endless_value + side * distance
    exit_value = exit_values[parent]
    if exit_value != UNKNOWN:
        exit_margin = exit_value >> BITS
        is_as_soon = plies_of(exit_value) <= plies + 1
        if side >= 0:
            # The position's own move out of the stage is as good, and as soon: its event will
            # decide it.
            if exit_margin == margin and is_as_soon and exit_value & (UNIT - 1) != QUARTER:
                return tail
        elif exit_margin > margin or (exit_margin == margin and not is_as_soon):
            return tail
    values[parent] = code_of(margin, plies + 1, endless_value)
    queue[tail] = parent
    return tail + 1


@kernel
def settle_events(
    events: Uint32Array,
    keys: Int64Array,
    farthest: int,
    graph: ReverseGraph,
    endless: Int64Array,
    exit_values: Int64Array,
    queue: Uint32Array,
    waiting: Uint64Array,
) -> bool:
    """Decide the positions of a stage; return whether the plies fit their bits.

    Args:
        events: the positions with a value of a move out of the stage, sorted.
        keys: the keys that they are sorted by.
        farthest: the greatest distance of a margin from the value of endless play.
        graph: the reversed graph, the player to move, and the values.
        endless: the value of endless play, or empty.
        exit_values: the values of the best moves out of the stage.
        queue: a buffer for all positions of the stage.
        waiting: a buffer of ``WAITING`` numbers.
    """
    into, parents, owners, values = graph
    alternate = owners.size == 0
    mask = (np.int64(1) << _PLIES) - 1
    next_event: Any = np.int64(0)
    head = np.int64(0)
    tail: Any = np.int64(0)
    distance, plies = np.int64(0), np.int64(0)
    while head < tail or next_event < events.size:
        # All positions with this distance from endless play and these plies.
        key = np.int64(-1)
        if head < tail:
            key = ((farthest - distance) << _PLIES) + plies_of(values[np.int64(queue[head])])
        stop = tail
        if next_event < events.size and (key < 0 or keys[next_event] < key):
            key = keys[next_event]
            stop = head
        distance, plies = farthest - (key >> _PLIES), key & mask
        if plies >= MOST_PLIES:
            return False
        i = np.int64(-1)
        low = np.int64(0)
        high = np.int64(0)
        flag = np.uint64(0)
        has_more = True
        while has_more:
            # First gather the reversed moves of some positions, so that they can be prefetched.
            size = 0
            while size < _WAITING:
                if low == high:
                    if next_event < events.size and keys[next_event] == key:
                        upcoming = np.int64(events[min(next_event + _AHEAD, events.size - 1)])
                        prefetch(values, upcoming)
                        prefetch(exit_values, upcoming)
                        prefetch(into, upcoming)
                        i = np.int64(events[next_event])
                        next_event += 1
                        # A bad value decides the position only once all its other moves are as bad.
                        bad = distance > 0 and exit_values[i] & (UNIT - 1) < QUARTER
                        if values[i] >= _DECIDED or (bad and values[i] != UNKNOWN + 1):
                            continue
                        values[i] = exit_values[i]
                    elif head < stop:
                        if head + _AHEAD < stop:
                            prefetch(into, np.int64(queue[head + _AHEAD]))
                        if head + _AHEAD // 2 < stop:
                            prefetch(parents, np.int64(into[np.int64(queue[head + _AHEAD // 2])]))
                        i = np.int64(queue[head])
                        head += 1
                    else:
                        has_more = False
                        break
                    low, high = np.int64(into[i]), np.int64(into[i + 1])
                    good = np.uint64(values[i] & (UNIT - 1) > 2 * QUARTER)
                    mover = np.uint64(1) if alternate else np.uint64(owners[i])
                    flag = (good ^ mover) << np.uint64(32)
                    continue
                end = min(high, low + _WAITING - size)
                for e in range(low, end):
                    waiting[size] = np.uint64(parents[e]) | flag
                    size += 1
                low = end
            for j in range(size):
                ahead = np.int64(waiting[j + _EDGES_AHEAD] & _LOW)
                prefetch(values, ahead)
                prefetch(exit_values, ahead)
                if not alternate:
                    prefetch(owners, ahead)
                parent = np.int64(waiting[j] & _LOW)
                owner = np.uint64(0) if alternate else np.uint64(owners[parent])
                wins = (waiting[j] >> np.uint64(32)) ^ owner != np.uint64(0)
                tail = decide(
                    parent, wins, distance, plies, values, endless, exit_values, queue, tail
                )
    return True


@kernel
def settle_rest(
    begin: int, end: int, order: Uint32Array, endless: Int64Array, values: IntArray
) -> int:
    """Give undecided positions the margin of endless play; return their count."""
    count = 0
    for k in range(begin, end):
        i = np.int64(order[k]) if order.size else np.int64(k)
        if values[i] < _DECIDED:
            endless_value = endless[i] if endless.size else np.int64(0)
            values[i] = (endless_value << BITS) + QUARTER
            count += 1
    return count


@kernel
def settle_small(
    stage_number: int,
    ends: Int64Array,
    order: Uint32Array,
    forward: ScoreGraph,
    backward: ReverseGraph,
    endless: Int64Array,
    exit_values: Int64Array,
    most_endless: int,
    waiting: Uint64Array,
) -> Any:
    """Decide the positions of stage after stage, while stages are small.

    Args:
        stage_number: the number of the first stage.
        ends: the index of each stage's first position in the order, and the end of the last stage.
        order: the positions by stage, or empty if there is one stage.
        forward: the graph; see ``find_exits``.
        backward: the reversed graph; see ``settle_events``.
        endless: the value of endless play, or empty.
        exit_values: the values of the best moves out of the stage; see ``find_exits``.
        most_endless: the greatest absolute value of endless play, if that varies.
        waiting: see ``settle_events``.

    Returns:
        The number of the first undecided stage, and -1; or that stage, and a position with too
        great a margin.
    """
    events = np.empty(SMALL, np.uint32)
    keys = np.empty(SMALL, np.int64)
    queue = np.empty(SMALL, np.uint32)
    while stage_number < ends.size - 1 and ends[stage_number + 1] - ends[stage_number] <= SMALL:
        begin, end = ends[stage_number], ends[stage_number + 1]
        count, farthest, longest, wrong = find_exits(
            begin, end, order, forward, endless, exit_values, events
        )
        if wrong >= 0 or longest >= MOST_PLIES or farthest + most_endless > MOST_MARGIN:
            wrong_position = np.int64(order[begin]) if wrong < 0 and order.size else max(wrong, 0)
            return stage_number, wrong_position
        event_keys(events, count, farthest, endless, exit_values, keys)
        for i in range(1, count):  # a stable sort, for events that are nearly in order
            event, key = events[i], keys[i]
            slot = i
            while slot > 0 and keys[slot - 1] > key:
                events[slot], keys[slot] = events[slot - 1], keys[slot - 1]
                slot -= 1
            events[slot], keys[slot] = event, key
        stage_events, sorted_by = events[:count], keys[:count]
        if not settle_events(
            stage_events, sorted_by, farthest, backward, endless, exit_values, queue, waiting
        ):
            return stage_number, np.int64(order[begin]) if order.size else np.int64(0)
        settle_rest(begin, end, order, endless, forward[4])
        stage_number += 1
    return stage_number, np.int64(-1)


@inlined
def move_counts(graph: ScoreGraph, endless: IntArray, i: Any, e: Integer) -> Any:
    """Return whether a move counts: the value of endless play does not fall by its points."""
    _, edges, owners, gains, values = graph
    child = np.int64(edges[e])
    if values[child] != UNKNOWN:
        return False
    gain = np.int64(gains[e]) if gains.size else np.int64(0)
    if endless.size == 0:
        return gain != 0
    keeps_turn = owners.size > 0 and owners[i] == owners[child]
    return endless[i] != gain + (endless[child] if keeps_turn else -endless[child])


@inlined
def stage_of(graph: ScoreGraph, endless: Int64Array, i: Any, index: Any, stage: Uint32Array) -> Any:
    """Return a position's stage by the moves that leave its component, and a wrong move or -1."""
    first, edges = graph[0], graph[1]
    most = np.int64(0)
    wrong: Any = np.int64(-1)
    for e in range(first[i], first[i + 1]):
        child = np.int64(edges[e])
        counts = move_counts(graph, endless, i, e)
        if index[child] != index[i]:
            most = max(most, np.int64(stage[child]) + counts)
        elif counts:
            wrong = e
    return most, wrong


@kernel
def find_stages(graph: ScoreGraph, endless: Int64Array, work: Any, stage: Uint32Array) -> Any:
    """Find the stages; return a position with a wrong move, and the move, or -1.

    Args:
        graph: ``first``, ``edges``, ``owners``, ``gains`` and ``values``.
        endless: the value of endless play in each position, or empty.
        work: arrays with an entry for each position: its index, initially 0; the current path; the
            next move of each position on the path; whether a component begins at it; and a stack of
            positions without a component.
        stage: receives the stages.
    """
    first, edges, values = graph[0], graph[1], graph[4]
    index, path, next_moves, begins, stack = work
    size = 0
    next_index, component = np.int64(1), np.int64(index.size + 1)
    for root in range(index.size):
        if index[root] != 0:
            continue
        depth = 0
        path[0], next_moves[0], begins[0] = root, first[root], 1
        index[root] = next_index
        next_index += 1
        while depth >= 0:
            i = np.int64(path[depth])
            e, end = next_moves[depth], np.int64(first[i + 1])
            descends = False
            while e < end:
                child = np.int64(edges[e])
                if index[child] == 0:
                    next_moves[depth] = e
                    depth += 1
                    path[depth], next_moves[depth], begins[depth] = child, first[child], 1
                    index[child] = next_index
                    next_index += 1
                    for ahead in range(first[child], first[child + 1]):
                        prefetch(index, np.int64(edges[ahead]))
                        prefetch(first, np.int64(edges[ahead]))
                    descends = True
                    break
                if index[child] < index[i]:
                    index[i] = index[child]
                    begins[depth] = 0
                e += 1
            if descends:
                continue
            if begins[depth] == 0:
                stack[size] = i
                size += 1
                depth -= 1
                continue
            depth -= 1
            root_index = index[i]
            low = size
            next_index -= 1
            while low > 0 and root_index <= index[np.int64(stack[low - 1])]:
                low -= 1
                index[np.int64(stack[low])] = component
                next_index -= 1
            index[i] = component
            component -= 1
            stack[size] = i
            most = np.int64(0)
            for k in range(low, size + 1):
                if k + _AHEAD <= size:
                    prefetch(first, np.int64(stack[k + _AHEAD]))
                if k + _AHEAD // 2 <= size:
                    middle = np.int64(stack[k + _AHEAD // 2])
                    prefetch(edges, np.int64(first[middle]))
                    prefetch(index, middle)
                if k + _AHEAD // 4 <= size:
                    near = np.int64(stack[k + _AHEAD // 4])
                    for e in range(first[near], first[near + 1]):
                        prefetch(index, np.int64(edges[e]))
                        prefetch(values, np.int64(edges[e]))
                member = np.int64(stack[k])
                member_stage, wrong = stage_of(graph, endless, member, index, stage)
                if wrong >= 0:
                    return member, wrong
                most = max(most, member_stage)
            for k in range(low, size + 1):
                stage[np.int64(stack[k])] = most
            size = low
    return -1, -1
