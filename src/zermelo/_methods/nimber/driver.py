"""Nimbers of a graph: each the least that no successor has, unless moves lead in a cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.backward.folds import rank_decided
from zermelo._engine.backward.infinities import infinities
from zermelo._engine.backward.topological_order import acyclic_order
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.core.array_types import Uint32Array
from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.discovery import Graph
from zermelo._methods.nimber.kernels import UNKNOWN, decide_ready, sweep

if TYPE_CHECKING:
    from zermelo._methods.rule_rounds import Rerun
    from zermelo.progress import Reporter


def solve(graph: Graph, threads: int, capacity: int) -> tuple[int, Uint32Array | None]:
    """Find every nimber, in place in the graph's ``values``.

    Args:
        graph: the moves, and the values: 0 for terminal positions and ``UNKNOWN`` for others. If
            moves lead to several components, ``gains`` is 1 for the last component of each move and
            0 for others.
        threads: threads to use at most.
        capacity: the most moves that are buffered while they are transposed, if some lead back.

    Returns:
        The number of positions from which play can go round a cycle. And for each position a number
        that decreases along the moves that prove its value, for the certificate; None if the
        position's own number, counted from the last down, does.

    Raises:
        BeyondError: the value of a position is infinity with a nimber that no set can contain.
    """
    moves = graph.first, graph.edges, graph.gains
    if graph.forward:
        sweep(*moves, np.empty(0, np.uint32), False, graph.values)  # noqa: FBT003
        return 0, None
    indegrees_end, parents = reverse(graph.first, graph.edges, threads, capacity)
    order = acyclic_order(graph.first, indegrees_end, parents)
    ranks = np.zeros(graph.positions, np.uint32)
    ordered_count = len(order)
    sweep(*moves, order, True, graph.values)  # noqa: FBT003
    ranks[order] = np.arange(ordered_count, dtype=np.uint32)
    if ordered_count < graph.positions:
        del order
        position = infinities(*moves, indegrees_end, parents, graph.values, ranks, ordered_count)
        if position >= 0:
            raise BeyondError(position)
    return graph.positions - ordered_count, ranks


def solve_by_rules(rerun: Rerun, report: Reporter) -> tuple[int, Uint32Array | None]:
    """Find every nimber, in place, by running the rules again in passes over the positions.

    A pass finds the nimbers of positions whose successors have theirs. It begins with positions
    that have few bits: many games only ever remove marks, and then one pass is enough. If every
    move leads to a later position, it begins with the last.

    Args:
        rerun: the rules, and the graph of positions without moves.
        report: receives the number of positions with a nimber.

    Returns:
        The number of passes; and numbers that decrease along every move, or None if the position's
        own number, counted from the last down, does.

    Raises:
        StoredMovesError: moves lead in a cycle.
    """
    graph = rerun.graph
    ranks: Uint32Array = zeros(graph.positions, np.uint32)
    left = int(rank_decided(graph.values, UNKNOWN, ranks))
    keys = graph.keys.reshape(-1, graph.words)
    bits = np.bitwise_count(keys).sum(axis=1, dtype=np.uint16)
    later = np.arange(graph.positions)[::-1] if graph.forward else np.argsort(bits, kind="stable")
    order = later.astype(np.uint32)
    del bits, later
    workspace, passes, rank = rerun.workspaces[0], 0, 1
    while left:
        before = rank
        for begin in range(0, len(order), rerun.chunk):
            ids = order[begin : begin + rerun.chunk].astype(np.int64)
            ids = ids[graph.values[ids] == UNKNOWN]
            for part in rerun.children(workspace, ids) if len(ids) else ():
                moves = part.ends, workspace.numbers, part.gains
                which = ids[part.begin : part.end]
                rank = int(decide_ready(which, *moves, graph.values, ranks, rank))
            report.advance(graph.positions - left + rank - before)
        if rank == before:
            raise StoredMovesError
        left -= rank - before
        passes += 1
        order = order[graph.values[order] == UNKNOWN]
    return passes, None if graph.forward else ranks


class StoredMovesError(Exception):
    """Moves lead in a cycle, so that nimbers need them stored."""


class BeyondError(Exception):
    """The value of a position is infinity with a nimber that no set can contain.

    Attributes:
        number: the position's number.
    """

    def __init__(self, number: int) -> None:
        """Store the position's number."""
        super().__init__(number)
        self.number = number
