"""Checks of graphs that are given as rows of neighbours."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from zermelo.errors import ParameterError
from zermelo.games._checks import brief, is_whole

#: The number of edges below which sets are faster than arrays.
_FEW_EDGES = 1000


def check_graph(graph: Any, *, directed: bool, may_direct: bool = True) -> None:
    """Raise ParameterError unless ``graph`` holds one row of neighbours for each node.

    Args:
        graph: the normalised parameter, which should be a tuple of tuples of node numbers.
        directed: whether an edge may be listed at only one of its ends.
        may_direct: whether the game has a parameter ``directed``, to be named in the remedy.
    """
    if not isinstance(graph, tuple):
        message = f"graph must be a list of lists of nodes, not {brief(graph)}; give one such as "
        raise ParameterError(message + "[[1], [0, 2], [1]]")
    n = len(graph)
    if n == 0:
        message = "graph [] has no nodes; give one list of neighbours for each node"
        raise ParameterError(message)
    if not _is_graph(graph, n):
        _refuse(graph, n)
    if not directed:
        _check_symmetric(graph, n, ", or say directed=True" if may_direct else "")


def _is_graph(graph: tuple[Any, ...], n: int) -> bool:
    """Return whether all rows are rows of nodes, by a check that is fast for large graphs."""
    if {*map(type, graph)} != {tuple}:
        return False
    kinds = {*map(type, chain.from_iterable(graph))}
    if kinds != {int}:
        return not kinds
    ends: set[int] = set(chain.from_iterable(graph))
    return 0 <= min(ends) <= max(ends) < n


def _refuse(graph: tuple[Any, ...], n: int) -> None:
    """Raise ParameterError for the first entry that is not a row or not a node."""
    for node, row in enumerate(graph):
        if not isinstance(row, tuple):
            message = f"graph[{node}] must be a list of neighbours, not {brief(row)}; write [] if "
            raise ParameterError(message + "there are none")
        for neighbour in row:
            if not is_whole(neighbour):
                message = (
                    f"graph[{node}] names {brief(neighbour)}, and nodes are whole numbers; use "
                )
                raise ParameterError(message + f"0 to {n - 1}")
            if not 0 <= neighbour < n:
                message = (
                    f"graph[{node}] names node {neighbour!r}, but nodes are 0 to {n - 1}; add it "
                )
                raise ParameterError(message + "or leave the edge out")


def _check_symmetric(graph: tuple[tuple[int, ...], ...], n: int, else_do: str) -> None:
    lengths = [len(row) for row in graph]
    if sum(lengths) < _FEW_EDGES:
        ends = [set(row) for row in graph]
        one_way: Any = [
            node * n + neighbour
            for node, row in enumerate(graph)
            for neighbour in row
            if node not in ends[neighbour]
        ]
    else:
        # Arrays, because a dense graph of some thousand nodes has millions of edges.
        sources = np.repeat(np.arange(n), lengths)
        targets = np.fromiter(chain.from_iterable(graph), np.int64, len(sources))
        one_way = np.setdiff1d(sources * n + targets, targets * n + sources)
    if len(one_way):
        node, neighbour = divmod(int(min(one_way)), n)
        message = (
            f"graph[{node}] names {neighbour!r}, but graph[{neighbour}] does not name {node!r}; "
            "add it"
        )
        raise ParameterError(message + else_do)
