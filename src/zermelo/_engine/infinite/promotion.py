"""Kernels of priority promotion, which solves parity games.

M. Benerecetti, D. Dell'Erba and F. Mogavero, "Solving parity games via priority promotion", Formal
Methods in System Design 52 (2018).

Vertices are grouped in *regions*, one for each priority, the greatest first. The region of a
priority p has the vertices of this priority, and those of lower regions from which the player of
its parity can force play to it. If the opponent can leave a region to a lower one, the search
goes on there. Otherwise the opponent can only leave it to greater regions: its vertices are
*promoted* to the least of them, and all lower regions start again. A region that the opponent
cannot leave at all is won, and is removed with all vertices from which the player can force play
to it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray, Integer
from zermelo._engine.core.jit import inlined, light_kernel

#: The region of a vertex whose winner is known.
DECIDED = -1
#: The strategy at a vertex where no edge is chosen, and the end of a list.
NO_EDGE = NO_VERTEX = -1
#: Indices of the state of a search: the current priority; the number of vertices in ``order``;
#: whether vertices were removed from regions since the last reset; the number of decided vertices;
#: the number of promotions, and of won regions.
PRIORITY, ORDERED, DAMAGED, DECIDED_COUNT, PROMOTIONS, DOMINIONS, STATE_SIZE = range(7)


class ParityGraph(NamedTuple):
    """A parity game with its transposed graph.

    Attributes:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        into: the index in ``parents`` of each vertex's first predecessor, and one number more.
        parents: the predecessors.
        owners: the player to move at each vertex, 0 or 1.
        priorities: the priority of each vertex, int32, from 0; an even one that recurs for ever as
            the greatest is won by player 0.
    """

    first: IntArray
    edges: npt.NDArray[Any]
    into: IntArray
    parents: npt.NDArray[np.uint32]
    owners: npt.NDArray[np.uint8]
    priorities: npt.NDArray[np.int32]


class Search(NamedTuple):
    """The arrays of a search; those with an entry for each vertex first.

    Attributes:
        region: the region of each vertex, int32, or DECIDED.
        winner: the winner of each decided vertex, int8.
        strategy: the chosen edge of each vertex, int64, or NO_EDGE.
        open_edges: the number of each vertex's edges to undecided vertices, int32.
        order: the undecided vertices by priority, the least first, uint32.
        queue: the vertices of the current region, uint32.
        moved: working memory, uint32.
        next_member: the next vertex in the list of members of a region, int64.
        begins: for each priority the index of its first vertex in ``order``, and one number more.
        members: for each region the first of the members that have another priority, int64.
        state: the state of the search, int64; see the indices above.
    """

    region: npt.NDArray[np.int32]
    winner: npt.NDArray[np.int8]
    strategy: npt.NDArray[np.int64]
    open_edges: npt.NDArray[np.int32]
    order: npt.NDArray[np.uint32]
    queue: npt.NDArray[np.uint32]
    moved: npt.NDArray[np.uint32]
    next_member: npt.NDArray[np.int64]
    begins: npt.NDArray[np.int64]
    members: npt.NDArray[np.int64]
    state: npt.NDArray[np.int64]


@light_kernel
def win(graph: ParityGraph, search: Search, player: int, size: int) -> np.int64:
    """Decide the first ``size`` vertices of the queue for a player, and those attracted to them.

    Return the number of edges followed.
    """
    region, queue, winner = search.region, search.queue, search.winner
    for i in range(size):
        v = np.int64(queue[i])
        region[v] = DECIDED
        winner[v] = player
    place, work = np.int64(0), np.int64(0)
    while place < size:
        v = np.int64(queue[place])
        place += 1
        for i in range(np.int64(graph.into[v]), np.int64(graph.into[v + 1])):
            u = np.int64(graph.parents[i])
            work += 1
            if region[u] == DECIDED:
                continue
            search.open_edges[u] -= 1
            if graph.owners[u] == player:
                search.strategy[u] = _edge_to(graph, u, v)
            elif search.open_edges[u] > 0:
                continue
            else:
                search.strategy[u] = NO_EDGE
            region[u] = DECIDED
            winner[u] = player
            queue[size] = u
            size += 1
    search.state[DECIDED_COUNT] += size
    return work


@inlined
def _edge_to(graph: ParityGraph, source: Integer, target: Integer) -> np.int64:
    """Return the first edge from a vertex to another."""
    edge = np.int64(graph.first[source])
    while np.int64(graph.edges[edge]) != target:
        edge += 1
    return edge


@light_kernel
def reset(graph: ParityGraph, search: Search, below: Integer) -> Any:
    """Start all regions below a priority again; return the number of vertices that were visited.

    If ``below`` is greater than every priority, decided vertices are removed from ``order``.
    """
    region, order, begins, priorities = search.region, search.order, search.begins, graph.priorities
    count = begins.size - 1
    if below < count:
        end = begins[below]
        for i in range(end):
            v = np.int64(order[i])
            if region[v] != DECIDED and region[v] < below:
                region[v] = priorities[v]
                search.strategy[v] = NO_EDGE
        for priority in range(below):
            search.members[priority] = NO_VERTEX
        return end
    size, place = np.int64(0), np.int64(0)
    for priority in range(count):
        end = begins[priority + 1]
        begins[priority] = size
        search.members[priority] = NO_VERTEX
        while place < end:
            v = np.int64(order[place])
            if region[v] != DECIDED:
                order[size] = v
                size += 1
                region[v] = priority
                search.strategy[v] = NO_EDGE
            place += 1
    begins[count] = size
    search.state[PRIORITY] = count - 1
    search.state[ORDERED] = size
    search.state[DAMAGED] = 0
    return place


@inlined
def _list_members(search: Search, priority: Integer) -> np.int64:
    """Write the vertices of a region to the queue; return their number."""
    size = np.int64(0)
    for place in range(search.begins[priority], search.begins[priority + 1]):
        v = np.int64(search.order[place])
        if search.region[v] == priority:
            search.queue[size] = v
            size += 1
    v = search.members[priority]
    while v != NO_VERTEX:
        if search.region[v] == priority:
            search.queue[size] = v
            size += 1
        v = search.next_member[v]
    return size


@inlined
def _attract(
    graph: ParityGraph, search: Search, priority: Integer, place: Integer, size: Integer
) -> Any:
    """Attract vertices of lower regions to a region; return its size and the edges followed.

    Args:
        graph: the game.
        search: the search; its queue has the vertices of the region.
        priority: the priority of the region.
        place: the index of the first vertex of the queue whose predecessors are not followed yet.
        size: the number of vertices in the queue.
    """
    region, player, work = search.region, priority & 1, np.int64(0)
    while place < size:
        v = np.int64(search.queue[place])
        place += 1
        for i in range(np.int64(graph.into[v]), np.int64(graph.into[v + 1])):
            u = np.int64(graph.parents[i])
            work += 1
            if region[u] >= priority or region[u] == DECIDED:
                continue
            if graph.owners[u] == player:
                search.strategy[u] = _edge_to(graph, u, v)
            else:
                can_leave = False
                for edge in range(np.int64(graph.first[u]), np.int64(graph.first[u + 1])):
                    work += 1
                    target_region = region[np.int64(graph.edges[edge])]
                    if target_region < priority and target_region != DECIDED:
                        can_leave = True
                        break
                if can_leave:
                    continue
                search.strategy[u] = NO_EDGE
            region[u] = priority
            search.queue[size] = u
            size += 1
            search.next_member[u] = search.members[priority]
            search.members[priority] = u
    return size, work


@inlined
def _escape(graph: ParityGraph, search: Search, priority: Integer, size: Integer) -> Any:
    """Return the least region to which the opponent can leave a region, and the edges followed.

    The first number is -1 if the opponent can leave the region to lower ones, or its player has no
    move within it, and the number of priorities if the opponent cannot leave it. This chooses an
    edge within the region for each vertex of the player that has none.
    """
    region, player, work = search.region, priority & 1, np.int64(0)
    least = np.int64(search.begins.size - 1)
    for place in range(size):
        v = np.int64(search.queue[place])
        if graph.owners[v] == player:
            chosen = search.strategy[v]
            if chosen != NO_EDGE and region[np.int64(graph.edges[chosen])] == priority:
                continue
            chosen = np.int64(NO_EDGE)
            for edge in range(np.int64(graph.first[v]), np.int64(graph.first[v + 1])):
                work += 1
                if region[np.int64(graph.edges[edge])] == priority:
                    chosen = np.int64(edge)
                    break
            if chosen == NO_EDGE:
                return np.int64(-1), work
            search.strategy[v] = chosen
            continue
        for edge in range(np.int64(graph.first[v]), np.int64(graph.first[v + 1])):
            work += 1
            target_region = np.int64(region[np.int64(graph.edges[edge])])
            if target_region > priority:
                least = min(least, target_region)
            elif target_region not in (DECIDED, priority):
                return np.int64(-1), work
    return least, work


@light_kernel
def promote(graph: ParityGraph, search: Search, budget: int) -> int:
    """Search until all vertices are decided, or about ``budget`` edges have been followed.

    Return whether all vertices are decided.
    """
    state, count = search.state, np.int64(search.begins.size - 1)
    work, place, size = np.int64(0), np.int64(0), np.int64(NO_VERTEX)
    while work < budget:
        priority = state[PRIORITY]
        if priority < 0:
            work += reset(graph, search, count)
            if state[ORDERED] == 0:
                return True
            continue
        if size == NO_VERTEX:
            size, place = _list_members(search, priority), np.int64(0)
        size, followed = _attract(graph, search, priority, place, size)
        escape, looked_at = _escape(graph, search, priority, size)
        work += followed + looked_at + size + 1
        if size == 0 or escape < priority:
            state[PRIORITY] -= 1
            size = np.int64(NO_VERTEX)
        elif escape == count:
            state[DOMINIONS] += 1
            work += win(graph, search, priority & 1, size)
            state[DAMAGED] = 1
            state[PRIORITY] -= 1
            size = np.int64(NO_VERTEX)
        elif state[DAMAGED]:
            work += reset(graph, search, count)
            size = np.int64(NO_VERTEX)
        else:
            state[PROMOTIONS] += 1
            for i in range(size):
                search.moved[i] = search.queue[i]
            moved_count = size
            size = _list_members(search, escape)
            place = size
            for i in range(moved_count):
                v = np.int64(search.moved[i])
                search.region[v] = escape
                search.queue[size] = v
                size += 1
                search.next_member[v] = search.members[escape]
                search.members[escape] = v
            state[PRIORITY] = escape
            work += reset(graph, search, escape)
    return False
