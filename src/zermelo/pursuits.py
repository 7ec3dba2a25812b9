"""Pursuit on graphs without writing a game: who catches whom, in how many plies, from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from zermelo.amounts import memory_bytes, thread_count
from zermelo.errors import ParameterError
from zermelo.game.adjacency import Adjacency, adjacency, components, is_symmetric, restricted
from zermelo.progress import Listener, Reporter

if TYPE_CHECKING:
    from zermelo._methods.pursuit.board import Board
    from zermelo.chase import Chase
    from zermelo.chase.given import Given

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
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> Chase:
    """Solve a pursuit on a graph for every placement, whoever moves next.

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
        memory: what the solve may take, in bytes or as ``"2GB"``; by default most of what the
            system has left. Where the times do not fit, they go to disk.
        threads: threads to use; by default as many as there are cores.
        progress: called with an ``Event`` now and then.

    Raises:
        ParameterError: an argument makes no sense.
        BudgetError: it needs more memory than is allowed.
    """
    graphs = _graphs(evader_graph, pursuer_graph, pursuers)
    if may_stay not in (False, True, "evader", "pursuers") or stuck not in ("stay", "lose"):
        message = f"may_stay={may_stay!r} with stuck={stuck!r}; use True, False, 'evader' or "
        raise ParameterError(message + "'pursuers' with 'stay' or 'lose'")
    from zermelo._methods.pursuit.board import flags
    from zermelo.chase.given import Given

    size = len(graphs[0][0]) - 1
    given = Given(
        tuple(graphs),
        flags(_nodes("safe", safe, size), size),
        flags(_nodes("forbidden", forbidden, size), size),
        together or len(graphs) == 2,  # noqa: PLR2004  # the evader's and one more
        (may_stay in (True, "evader"), may_stay in (True, "pursuers")),
        stuck == "stay",
    )
    theirs = pursuers if isinstance(pursuers, Sequence) else [pursuer_graph]
    own = _own_bytes(graphs, [evader_graph, *theirs])
    return _chase(given, own, memory, threads, progress)


def cop_number(graph: Any, *, memory: int | str | None = None, threads: int | None = None) -> int:
    """Return how many cops it takes to catch a robber on a graph, if up to three do.

    The game is Cops and Robbers as in A. Bonato and R. J. Nowakowski, "The Game of Cops and
    Robbers on Graphs" (American Mathematical Society, 2011): edges have no direction; the cops
    choose their nodes, then the robber; the cops move first; each may stay or follow an edge; and
    cops may share a node. On a graph in parts, each part needs its own.

    Args:
        graph: a graph in any form that ``pursuit`` takes, each edge listed at both its ends.
        memory: what the solve may take.
        threads: threads to use.

    Raises:
        ParameterError: the graph is none, or some part of it needs more than three cops.
        BudgetError: it needs more memory than is allowed.
    """
    whole = _undirected(graph)
    label = components(whole)
    total = 0
    for root in np.unique(label):
        part = restricted(whole, np.flatnonzero(label == root))
        for cops in range(1, MOST_PURSUERS + 1):
            if _capture(part, cops, memory, threads) is not None:
                total += cops
                break
        else:
            message = f"a part of the graph, with node {int(root)}, needs more than "
            message += f"{MOST_PURSUERS} cops; no more than these are tried"
            raise ParameterError(message)
    return total


def capture_time(
    graph: Any, cops: int = 1, *, memory: int | str | None = None, threads: int | None = None
) -> int | None:
    """Return in how many of their moves cops catch a robber who delays, or None if they cannot.

    The game is that of ``cop_number``. The cops choose the places that serve them best, the
    robber then the one that serves it best, and the capture time is the number of rounds after
    that, each a move of the cops and (but for the last) one of the robber: A. Bonato,
    P. Golovach, G. Hahn and J. Kratochvíl, "The capture time of a graph", Discrete Mathematics
    309 (2009).

    Args:
        graph: a graph in any form that ``pursuit`` takes, each edge listed at both its ends.
        cops: how many there are, one to three.
        memory: what the solve may take.
        threads: threads to use.

    Raises:
        ParameterError: the graph is none, or the number of cops is not one to three.
        BudgetError: it needs more memory than is allowed.
    """
    return _capture(_undirected(graph), cops, memory, threads)


def _capture(
    graph: Adjacency, cops: int, memory: int | str | None, threads: int | None
) -> int | None:
    chase = pursuit(graph, pursuers=cops, may_stay=True, memory=memory, threads=threads)
    marks = chase._marks[1]  # noqa: SLF001  # by team of cops, then by the robber's node
    caught = marks.min(axis=1) > 0
    if not caught.any():
        return None
    # Remoteness is odd, or 0 where the robber begins on a cop; a mark is one more.
    return int(marks.max(axis=1)[caught].min()) // 2


def _undirected(graph: Any) -> Adjacency:
    arrays = adjacency("graph", graph)
    if not is_symmetric(arrays):
        message = "graph has an edge that is listed at one of its ends only; list it at both"
        raise ParameterError(message)
    return arrays


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
            message = f"pursuers={given!r} is no number; use 1 to {MOST_PURSUERS}"
            raise ParameterError(message)
        shared = evader if pursuer_graph is None else adjacency("pursuer_graph", pursuer_graph)
        theirs = [shared] * given
    if not 1 <= len(theirs) <= MOST_PURSUERS:
        message = f"pursuers={pursuers!r} is not 1 to {MOST_PURSUERS} of them; use that many"
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
            message = f"{name} names {node!r}, which is no node; use 0 to {size - 1}"
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


def _chase(
    given: Given,
    own: int,
    memory: int | str | None,
    threads: int | None,
    progress: Listener | None,
) -> Chase:
    """Solve a pursuit.

    Args:
        given: the pursuit.
        own: bytes that what was given takes besides what the caller has.
        memory: see ``pursuit``; likewise ``threads`` and ``progress``.
        threads: see ``memory``.
        progress: see ``memory``.
    """
    from zermelo._engine.core.ledger import allowed_bytes
    from zermelo._methods.pursuit.driver import solve
    from zermelo.chase import Chase
    from zermelo.chase.marks import Held

    report = Reporter(progress)
    bound, crew = memory_bytes(memory), thread_count(threads)
    found = solve(_board(given, own), allowed_bytes(bound), crew, report)
    how = f"by rows of bits: {found.rounds} rounds" + (f", {found.how}" if found.how else "")
    return Chase(
        given,
        Held(found.marks, on_disk=bool(found.how)),
        rounds=found.rounds,
        choice=how,
        peak_bytes=found.peak,
        phases=report.phases,
        threads=crew,
        memory=bound,
    )


def _board(given: Given, own: int) -> Board:
    """Return a pursuit as the engine solves it; see ``_chase``."""
    from zermelo._methods.pursuit.board import Board, moves

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
    return Board(evader, pursuers, given.safe, barred, given.together, own)
