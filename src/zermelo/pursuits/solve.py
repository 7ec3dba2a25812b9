"""Solving a pursuit that is given as graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from zermelo.errors import ParameterError
from zermelo.game.adjacency import Adjacency, adjacency
from zermelo.pursuits.definition import PursuitDefinition
from zermelo.rules.faults import fault_of_endless
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    import os

    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution

#: The most pursuers: the number of positions grows exponentially with them.
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
    table: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    cluster: str | None = None,
    progress: Listener | None = None,
) -> Solution:
    """Solve a pursuit on a graph for every position, with any side to move.

    An evader and one to three pursuers are on nodes. The sides move in turn, each along the edges
    of its graph. The evader has won on a safe node; elsewhere the pursuers have won when one of
    them is on its node, whichever player moved there.

    Args:
        evader_graph: the graph of the evader's moves: a list of lists of nodes, a dictionary of
            them, a networkx graph, a scipy sparse matrix, or the arrays ``(indptr, indices)``.
            Edges may be directed, and a loop is a move that stays.
        pursuer_graph: the graph of the pursuers' moves; by default the evader's.
        pursuers: the number of pursuers, or a list of their graphs, one each.
        safe: nodes where the evader has won.
        forbidden: nodes that no pursuer may enter.
        together: whether all pursuers move in one turn; otherwise they move one after another, each
            in a separate turn, and then the evader.
        may_stay: whether staying is a move everywhere: for both sides, for one, or for neither.
        stuck: what a player without a move does: ``"stay"``, or ``"lose"`` (for pursuers who move
            together, if one of them has no move).
        endless: who wins if the pursuit never ends: 0 for the evader, 1 for the pursuers; by
            default it is a draw.
        start: the position it starts in, ``(evader, (pursuer, …), turn)``, or None; answers that
            name no position, such as ``solution.value``, are then about this one.
        memory: the memory that the solve may use, in bytes or as ``"2GB"``; by default most of the
            system's free memory. If the times do not fit, they go to disk.
        threads: threads to use; by default as many as there are cores.
        table: the path of a file to save the solution to, which then answers from the file. If the
            process ends early, the same call resumes.
        overwrite: whether an existing file may be replaced, once the new one is complete.
        cluster: workers to solve with, as for ``zermelo.solve``: ``"local[2]"``, ``"ray"``,
            ``"ray://head:10001"`` or ``"mpi"``. This needs ``table``, which is byte for byte the
            table of a solve without them. ``memory`` and ``threads`` are those of each machine.
        progress: called with an ``Event`` now and then.

    Returns:
        The solution, in which ``solution[evader, (pursuer, …), turn]`` is the value of a position
        for the player to move, see ``PursuitPosition``, and ``solution.arrays`` has all of them,
        see ``PursuitArrays``.

    Raises:
        ParameterError: an argument is invalid, or there is no ``table`` for a cluster.
        PositionError: the start is not a position.
        BudgetError: it needs more memory than is allowed.
        ClusterError: workers cannot be used together, or are lost; the same call resumes.
        TableExistsError: there is a file at ``table``, and ``overwrite`` is False.
        TableBusyError: another process is solving into ``table``.
        TableWriteError: ``table`` cannot be written. If the solution was found, the error's
            ``solution`` has it.
    """
    graphs = _graphs(evader_graph, pursuer_graph, pursuers)
    if may_stay not in (False, True, "evader", "pursuers") or stuck not in ("stay", "lose"):
        message = f"may_stay={may_stay!r} with stuck={stuck!r}; use True, False, 'evader' or "
        raise ParameterError(message + "'pursuers' with 'stay' or 'lose'")
    fault = fault_of_endless(endless, alternate=False)
    if fault is not None:
        raise ParameterError(fault)
    from zermelo._cluster.connect import check_places
    from zermelo._methods.pursuit.graphs import flags
    from zermelo.pursuits.pursuit_job import PursuitJob
    from zermelo.solution.solve_job import Resources

    check_places(table, cluster, overwrite=overwrite)
    size = len(graphs[0][0]) - 1
    definition = PursuitDefinition(
        tuple(graphs),
        flags(_nodes("safe", safe, size), size),
        flags(_nodes("forbidden", forbidden, size), size),
        together or len(graphs) == 2,  # noqa: PLR2004  # the evader's and one more
        (may_stay in (True, "evader"), may_stay in (True, "pursuers")),
        stuck == "stay",
        int(endless),
    )
    pursuer_graphs = pursuers if isinstance(pursuers, Sequence) else [pursuer_graph]
    copied_bytes = _copied_bytes(graphs, [evader_graph, *pursuer_graphs])
    start_position = None if start is None else definition.check_position(start)
    resources = Resources.of_arguments(memory, threads, progress, cluster)
    job = PursuitJob(definition, copied_bytes, start_position, resources)
    if table is None:
        return job.solution()
    return job.solution_in_table(Path(table), overwrite=overwrite)


def _graphs(
    evader_graph: object, pursuer_graph: object, pursuers: int | Sequence[Any]
) -> list[Adjacency]:
    """Return the evader's graph and each pursuer's; equal graphs are one object."""
    evader = adjacency("evader_graph", evader_graph)
    if isinstance(pursuers, Sequence) and not isinstance(pursuers, str):
        if pursuer_graph is not None:
            message = "pursuers are given as graphs, and so is pursuer_graph; leave out one of them"
            raise ParameterError(message)
        pursuer_graphs = [adjacency(f"pursuers[{i}]", graph) for i, graph in enumerate(pursuers)]
    else:
        count = pursuers
        if isinstance(count, bool) or not isinstance(count, int):
            message = f"pursuers must be a whole number from 1 to {MOST_PURSUERS}, not {count!r}"
            raise ParameterError(message)
        shared = evader if pursuer_graph is None else adjacency("pursuer_graph", pursuer_graph)
        pursuer_graphs = [shared] * count
    if not 1 <= len(pursuer_graphs) <= MOST_PURSUERS:
        message = f"there must be 1 to {MOST_PURSUERS} pursuers, not {pursuers!r}"
        raise ParameterError(message)
    for graph in pursuer_graphs:
        if len(graph[0]) != len(evader[0]):
            message = (
                f"graphs of {len(evader[0]) - 1} and {len(graph[0]) - 1} nodes; give the evader "
                "and the pursuers the same nodes"
            )
            raise ParameterError(message)
    return [evader, *pursuer_graphs]


def _nodes(name: str, nodes: Iterable[int], size: int) -> list[int]:
    numbers = []
    for node in nodes:
        try:
            number = index(node)
        except TypeError:
            number = -1
        if not 0 <= number < size:
            message = f"{name} names {node!r}, which is not a node; use 0 to {size - 1}"
            raise ParameterError(message)
        numbers.append(number)
    return numbers


def _copied_bytes(graphs: list[Adjacency], caller_graphs: list[Any]) -> int:
    """Return the bytes of the arrays of ``graphs`` that share no memory with the caller's."""
    caller_arrays = []
    for graph in caller_graphs:
        parts = graph if isinstance(graph, tuple) else [getattr(graph, "indptr", None)]
        caller_arrays += [part for part in parts if isinstance(part, np.ndarray)]
        caller_arrays += [graph.indices] if hasattr(graph, "indices") else []
    arrays = {id(array): array for graph in graphs for array in graph}.values()
    return sum(
        a.nbytes for a in arrays if not any(np.may_share_memory(a, b) for b in caller_arrays)
    )
