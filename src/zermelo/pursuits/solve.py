"""Solving a pursuit that is given as graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from zermelo.amounts import memory_bytes, thread_count
from zermelo.errors import ParameterError
from zermelo.game.adjacency import Adjacency, adjacency
from zermelo.progress import Listener, Reporter
from zermelo.pursuits.given import Given, PursuitPosition
from zermelo.rules.faults import fault_of_endless
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from zermelo._methods.pursuit.board import PursuitBoard
    from zermelo.solution.solution import Solution

#: The most pursuers: places for them multiply.
MOST_PURSUERS = 3


def pursuit(
    evader_graph: Any,
    pursuer_graph: Any = None,
    *,
    pursuers: int | Sequence[Any] = 1,
    safe: Iterable[int] = (),
    forbidden: Iterable[int] = (),
    together: bool = True,
    may_stay: bool | Literal["evader", "pursuers"] = False,
    stuck: Literal["stay", "lose"] = "stay",
    endless: int = NOBODY,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> Solution:
    """Solve a pursuit on a graph for every position, whoever moves next.

    An evader and one to three pursuers stand on nodes. The sides move in turn, each along the
    edges of its own graph. The evader has won on a safe node; if it is not on one, the pursuers
    have won when one of them is on its node, whoever moved there.

    Args:
        evader_graph: where the evader can go: a list of lists of nodes, a networkx graph, a scipy
            sparse matrix, or the arrays ``(indptr, indices)``. Edges may be directed, and a loop
            is a move that stays.
        pursuer_graph: the same for the pursuers; by default the evader's.
        pursuers: how many there are, or a list of their graphs, one each.
        safe: nodes where the evader has won.
        forbidden: nodes that no pursuer may enter.
        together: whether all pursuers move in one turn; otherwise one after another, each in a
            turn of its own, and then the evader.
        may_stay: whether staying is a move everywhere: for both sides, for one, or for none.
        stuck: what one without a move does: ``"stay"``, or ``"lose"`` (for pursuers who move
            together, if one of them has none).
        endless: whose win it is if the pursuit never ends: 0 for the evader, 1 for the pursuers;
            by default it is a draw.
        start: the position it begins in, ``(evader, (pursuer, …), turn)``, if there is one;
            answers that name no position, such as ``solution.value``, are then about this one.
        memory: what the solve may take, in bytes or as ``"2GB"``; by default most of what the
            system has left. Where the times do not fit, they go to disk.
        threads: threads to use; by default as many as there are cores.
        progress: called with an ``Event`` now and then.

    Returns:
        The solution, in which ``solution[evader, (pursuer, …), turn]`` is the value of a position
        for the player to move, see ``PursuitPosition``, and ``solution.arrays`` has all of them,
        see ``PursuitArrays``.

    Raises:
        ParameterError: an argument makes no sense.
        PositionError: the start is not a position.
        BudgetError: it needs more memory than is allowed.
    """
    graphs = _graphs(evader_graph, pursuer_graph, pursuers)
    if may_stay not in (False, True, "evader", "pursuers") or stuck not in ("stay", "lose"):
        message = f"may_stay={may_stay!r} with stuck={stuck!r}; use True, False, 'evader' or "
        raise ParameterError(message + "'pursuers' with 'stay' or 'lose'")
    fault = fault_of_endless(endless, alternate=False)
    if fault is not None:
        raise ParameterError(fault)
    from zermelo._methods.pursuit.board import flags

    size = len(graphs[0][0]) - 1
    given = Given(
        tuple(graphs),
        flags(_nodes("safe", safe, size), size),
        flags(_nodes("forbidden", forbidden, size), size),
        together or len(graphs) == 2,  # noqa: PLR2004  # the evader's and one more
        (may_stay in (True, "evader"), may_stay in (True, "pursuers")),
        stuck == "stay",
        int(endless),
    )
    theirs = pursuers if isinstance(pursuers, Sequence) else [pursuer_graph]
    own = _own_bytes(graphs, [evader_graph, *theirs])
    first = None if start is None else given.checked(start)
    return _solution(given, own, memory, threads, progress, first)


def _graphs(
    evader_graph: Any, pursuer_graph: Any, pursuers: int | Sequence[Any]
) -> list[Adjacency]:
    """Return the evader's graph and each pursuer's, the same object where they are the same."""
    evader = adjacency("evader_graph", evader_graph)
    if isinstance(pursuers, Sequence) and not isinstance(pursuers, str):
        if pursuer_graph is not None:
            message = "pursuers are given as graphs, and so is pursuer_graph; leave out one of them"
            raise ParameterError(message)
        theirs = [adjacency(f"pursuers[{i}]", graph) for i, graph in enumerate(pursuers)]
    else:
        given: Any = pursuers
        if isinstance(given, bool) or not isinstance(given, int):
            message = f"pursuers must be a whole number from 1 to {MOST_PURSUERS}, not {given!r}"
            raise ParameterError(message)
        shared = evader if pursuer_graph is None else adjacency("pursuer_graph", pursuer_graph)
        theirs = [shared] * given
    if not 1 <= len(theirs) <= MOST_PURSUERS:
        message = f"there must be 1 to {MOST_PURSUERS} pursuers, not {pursuers!r}"
        raise ParameterError(message)
    for graph in theirs:
        if len(graph[0]) != len(evader[0]):
            message = (
                f"graphs of {len(evader[0]) - 1} and {len(graph[0]) - 1} nodes; give the evader "
                "and the pursuers the same nodes"
            )
            raise ParameterError(message)
    return [evader, *theirs]


def _nodes(name: str, nodes: Iterable[int], size: int) -> list[int]:
    listed = []
    for node in nodes:
        try:
            number = index(node)
        except TypeError:
            number = -1
        if not 0 <= number < size:
            message = f"{name} names {node!r}, which is not a node; use 0 to {size - 1}"
            raise ParameterError(message)
        listed.append(number)
    return listed


def _own_bytes(graphs: list[Adjacency], given: list[Any]) -> int:
    """Return the bytes of graphs that are not the caller's own arrays."""
    theirs = []
    for graph in given:
        parts = graph if isinstance(graph, tuple) else [getattr(graph, "indptr", None)]
        theirs += [part for part in parts if isinstance(part, np.ndarray)]
        theirs += [graph.indices] if hasattr(graph, "indices") else []
    made = {id(array): array for graph in graphs for array in graph}.values()
    return sum(a.nbytes for a in made if not any(np.may_share_memory(a, b) for b in theirs))


def _solution(
    given: Given,
    own: int,
    memory: int | str | None,
    threads: int | None,
    progress: Listener | None,
    start: PursuitPosition | None,
) -> Solution:
    """Solve a pursuit.

    Args:
        given: the pursuit.
        own: bytes that what was given takes besides what the caller has.
        memory: see ``pursuit``; likewise all that follow.
        threads: see ``memory``.
        progress: see ``memory``.
        start: see ``memory``.
    """
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo._methods.pursuit.driver import solve
    from zermelo._methods.pursuit.index import PursuitColumn
    from zermelo.pursuits.solved import SolvedPursuit
    from zermelo.solution.solution import Solution

    report = Reporter(progress)
    bound, crew = memory_bytes(memory), thread_count(threads)
    ledger = Ledger.of(bound)
    found = solve(_board(given, own), ledger, crew, report)
    how = f"by rows of bits: {found.rounds} rounds" + (f", {found.how}" if found.how else "")
    index = given.index
    starts = [] if start is None else [int(index.place(start.turn, start.evader, start.pursuers))]
    column = PursuitColumn(index, found.marks, given.kind)
    table = Table(index, column, np.array(starts, np.int64), "legal")
    return Solution(
        SolvedPursuit(given, table, found.rounds),
        method="pursuit",
        choice=how,
        phases=report.phases,
        peak_bytes=ledger.peak,
        threads=crew,
    )


def _board(given: Given, own: int) -> PursuitBoard:
    """Return a pursuit as the engine solves it; see ``_chase``."""
    from zermelo._methods.pursuit.board import PursuitBoard, moves

    barred, stays = given.forbidden, given.stays
    for_evader, for_pursuers = given.waits
    first, *rest = given.graphs
    evader = moves(*first, waits=for_evader, stays_if_stuck=stays)
    alike = for_evader == for_pursuers and not barred.any()
    made: dict[int, Any] = {id(first): evader} if alike else {}
    for graph in rest:
        if id(graph) not in made:
            made[id(graph)] = moves(*graph, barred, waits=for_pursuers, stays_if_stuck=stays)
    pursuers = tuple(made[id(graph)] for graph in rest)
    return PursuitBoard(evader, pursuers, given.safe, barred, given.together, own)
