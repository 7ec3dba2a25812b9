"""Stages of a score game: numbers that no move raises, and that every move lowers that counts.

A move counts unless it ends the game, or endless play is worth as many points less after it as it
makes. Within a stage, where no move counts, play may go round in circles: what was made on the way
and what endless play is worth are together the same all along a circle, however long it takes. The
stage of a position is the greatest number of moves that count and may still come.

The strongly connected components are found by R. E. Tarjan's method in the form of D. J. Pearce, "A
space-efficient algorithm for finding strongly connected components" (2016), successors first, and
each gets its stage once those that it leads to have theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch, zeros
from zermelo.values.scores import UNKNOWN_SCORE as UNKNOWN

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph

_AHEAD = 16
#: Bytes of a position while stages are found.
STAGE_BYTES = 4 + 4 + 4 + 4 + 8 + 1


class PointsInCircleError(Exception):
    """A move is part of a circle whose points endless play does not make up for.

    Attributes:
        number: the position.
        move: the number of the move.
    """

    def __init__(self, number: int, move: int) -> None:
        """Keep the numbers."""
        super().__init__(number, move)
        self.number = number
        self.move = move


@inlined
def _counts(graph: Any, endless: Any, i: Any, e: Any) -> Any:
    """Whether a move counts: its points are not what endless play is worth less after it."""
    _, edges, owners, gains, values = graph
    child = np.int64(edges[e])
    if values[child] != UNKNOWN:
        return False
    gain = np.int64(gains[e]) if gains.size else np.int64(0)
    if endless.size == 0:
        return gain != 0
    same = owners.size > 0 and owners[i] == owners[child]
    return endless[i] != gain + (endless[child] if same else -endless[child])


@inlined
def _stage_of(graph: Any, endless: Any, i: Any, index: Any, stage: Any) -> Any:
    """Return the stage of a position by the moves that leave its component, and a wrong move."""
    first, edges = graph[0], graph[1]
    most: Any = np.int64(0)
    wrong: Any = np.int64(-1)
    for e in range(first[i], first[i + 1]):
        child = np.int64(edges[e])
        counts = _counts(graph, endless, i, e)
        if index[child] != index[i]:
            most = max(most, np.int64(stage[child]) + counts)
        elif counts:
            wrong = e
    return most, wrong


@kernel
def _stages(graph: Any, endless: Any, work: Any, stage: Any) -> Any:
    """Find the stages; return a position with a wrong move and the move, or -1.

    Args:
        graph: ``first``, ``edges``, ``owners``, ``gains`` and ``values``.
        endless: what endless play is worth in each position, or empty.
        work: arrays for each position: its index, which comes with 0; the way to here; how far its
            moves have been followed; whether a component begins there; and what is on no component
            yet.
        stage: receives the stages.
    """
    first, edges, values = graph[0], graph[1], graph[4]
    index, way, at, begins, stack = work
    size: Any = 0
    next_index, component = np.int64(1), np.int64(index.size + 1)
    for root in range(index.size):
        if index[root] != 0:
            continue
        depth = 0
        way[0], at[0], begins[0] = root, first[root], 1
        index[root] = next_index
        next_index += 1
        while depth >= 0:
            i = np.int64(way[depth])
            e, end = at[depth], np.int64(first[i + 1])
            down = False
            while e < end:
                child = np.int64(edges[e])
                if index[child] == 0:
                    at[depth] = e
                    depth += 1
                    way[depth], at[depth], begins[depth] = child, first[child], 1
                    index[child] = next_index
                    next_index += 1
                    for ahead in range(first[child], first[child + 1]):
                        prefetch(index, np.int64(edges[ahead]))
                        prefetch(first, np.int64(edges[ahead]))
                    down = True
                    break
                if index[child] < index[i]:
                    index[i] = index[child]
                    begins[depth] = 0
                e += 1
            if down:
                continue
            if begins[depth] == 0:
                stack[size] = i
                size += 1
                depth -= 1
                continue
            depth -= 1
            own = index[i]
            low: Any = size
            next_index -= 1
            while low > 0 and own <= index[np.int64(stack[low - 1])]:
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
                here, wrong = _stage_of(graph, endless, member, index, stage)
                if wrong >= 0:
                    return member, wrong
                most = max(most, here)
            for k in range(low, size + 1):
                stage[np.int64(stack[k])] = most
            size = low
    return -1, -1


def stages(graph: Graph, endless: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
    """Return the stage of each position.

    Args:
        graph: the graph.
        endless: what endless play is worth to the player to move in each position, or empty where
            that is the same everywhere to the same player.

    Raises:
        PointsInCircleError: a circle has a move that counts.
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
    number, move = _stages(arrays, endless, work, stage)
    if number >= 0:
        raise PointsInCircleError(int(number), int(move) - int(graph.first[number]))
    return stage
