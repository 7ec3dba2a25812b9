"""Cops and Robbers: the number of cops that a graph takes, and their capture times."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.game.adjacency import Adjacency, adjacency, components, is_symmetric, subgraph
from zermelo.game.parameters import neighbour_rows
from zermelo.pursuits.solve import MOST_PURSUERS, pursuit


def cop_number(graph: Any, *, memory: int | str | None = None, threads: int | None = None) -> int:
    """Return the number of cops that can catch a robber on a graph, up to three.

    The game is Cops and Robbers as in A. Bonato and R. J. Nowakowski, "The Game of Cops and
    Robbers on Graphs" (American Mathematical Society, 2011): edges have no direction; the cops
    choose their nodes, then the robber; the cops move first; each may stay or follow an edge; and
    cops may share a node. On a graph in parts, each part needs its own.

    Args:
        graph: a graph in any form that ``pursuit`` takes, each edge listed at both its ends. The
            nodes of a dictionary or of a networkx graph may have any names.
        memory: the memory that the solve may use.
        threads: threads to use.

    Raises:
        ParameterError: the graph is invalid, or some component of it needs more than three cops.
        BudgetError: it needs more memory than is allowed.
    """
    whole, nodes = _undirected(graph)
    label = components(whole)
    total = 0
    for root in np.unique(label):
        part = subgraph(whole, np.flatnonzero(label == root))
        for cops in range(1, MOST_PURSUERS + 1):
            if _fewest_rounds(part, cops, memory, threads) is not None:
                total += cops
                break
        else:
            message = f"a part of the graph, with node {nodes[int(root)]!r}, needs more than "
            message += f"{MOST_PURSUERS} cops; no more than these are tried"
            raise ParameterError(message)
    return total


def capture_time(
    graph: Any, cops: int = 1, *, memory: int | str | None = None, threads: int | None = None
) -> int | None:
    """Return the number of moves in which cops catch a robber who delays, or None if they cannot.

    The rules are those of ``cop_number``. The cops choose the best nodes for them, then the robber
    chooses the best node for it, and the capture time is the number of rounds after that, each a
    move of the cops and (except in the last) one of the robber: A. Bonato, P. Golovach, G. Hahn and
    J. Kratochvíl, "The capture time of a graph", Discrete Mathematics 309 (2009).

    Args:
        graph: as for ``cop_number``.
        cops: the number of cops, one to three.
        memory: the memory that the solve may use.
        threads: threads to use.

    Raises:
        ParameterError: the graph is invalid, or the number of cops is not one to three.
        BudgetError: it needs more memory than is allowed.
    """
    return _fewest_rounds(_undirected(graph)[0], cops, memory, threads)


def capture_times(
    graph: Any, cops: int = 1, *, memory: int | str | None = None, threads: int | None = None
) -> dict[Any, int | None]:
    """Return the number of moves in which cops catch a robber, by the cops' first nodes.

    The rules are those of ``cop_number``, and rounds are counted as in ``capture_time``, which is
    the least of these. The robber chooses its node after the cops.

    Args:
        graph: as for ``cop_number``.
        cops: the number of cops, one to three.
        memory: the memory that the solve may use.
        threads: threads to use.

    Returns:
        The rounds for each starting node of one cop, by its name; for more cops, for each tuple of
        nodes, in the order of the graph. None if the robber is never caught.

    Raises:
        ParameterError: the graph is invalid, or the number of cops is not one to three.
        BudgetError: it needs more memory than is allowed.
    """
    arrays, nodes = _undirected(graph)
    rounds = _rounds(arrays, cops, memory, threads).reshape((len(nodes),) * cops)
    times = {}
    for team in combinations_with_replacement(range(len(nodes)), cops):
        key = tuple(nodes[node] for node in team)
        time = int(rounds[team])
        times[key if cops > 1 else key[0]] = time if time >= 0 else None
    return times


def _fewest_rounds(
    graph: Adjacency, cops: int, memory: int | str | None, threads: int | None
) -> int | None:
    """Return the rounds from the best placement, or None if no placement catches the robber."""
    rounds = _rounds(graph, cops, memory, threads)
    caught = rounds >= 0
    return int(rounds[caught].min()) if caught.any() else None


def _rounds(
    graph: Adjacency, cops: int, memory: int | str | None, threads: int | None
) -> npt.NDArray[np.int32]:
    """Return the rounds from each placement of the cops, -1 if the robber is not caught."""
    solution = pursuit(graph, pursuers=cops, may_stay=True, memory=memory, threads=threads)
    solved: Any = solution._solved  # noqa: SLF001  # its arrays would copy all marks
    marks = solved.marks(1)  # by team of cops, then by the robber's node
    caught = marks.min(axis=1) > 0
    # Remoteness is odd, or 0 if the robber starts on a cop's node; a mark is one more.
    return np.where(caught, marks.max(axis=1).astype(np.int32) // 2, -1)


def _undirected(graph: object) -> tuple[Adjacency, Sequence[Hashable]]:
    """Return a graph as arrays, with the names of its nodes."""
    nodes: Sequence[Hashable] | None = None
    if hasattr(graph, "adjacency") and hasattr(graph, "nodes"):
        nodes = list(graph.nodes)
        number = {node: i for i, node in enumerate(nodes)}
        graph = [[number[other] for other in near] for _, near in graph.adjacency()]
    elif isinstance(graph, dict):
        rows = neighbour_rows("graph", graph)
        nodes = None if 0 in graph or "0" in graph else list(graph)  # numbers stay, names are kept
        graph = rows
    arrays = adjacency("graph", graph)
    if not is_symmetric(arrays):
        message = "graph has an edge that is listed at one of its ends only; list it at both"
        raise ParameterError(message)
    return arrays, range(len(arrays[0]) - 1) if nodes is None else nodes
