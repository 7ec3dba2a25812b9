"""Graphs of networkx and scipy as arrays, with the attributes of their nodes and edges."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.rules.faults import as_two_play


def networkx_arrays(
    graph: Any,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], list[Hashable]]:
    """Return the edges of a graph of networkx as ``indptr`` and ``indices``, and its nodes.

    Edges of a directed graph are in the order of ``graph.edges``.

    Raises:
        ParameterError: ``graph`` is not a graph of networkx.
    """
    if not is_networkx(graph):
        message = f"a {type(graph).__name__} is not a graph; give one of networkx"
        raise ParameterError(message)
    nodes: list[Hashable] = list(graph.nodes)
    number = {node: i for i, node in enumerate(nodes)}
    if graph.is_multigraph():
        rows = [
            [number[neighbour] for neighbour, edges in neighbours.items() for _ in edges]
            for _, neighbours in graph.adjacency()
        ]
    else:
        rows = [
            [number[neighbour] for neighbour in neighbours] for _, neighbours in graph.adjacency()
        ]
    indptr = np.zeros(len(nodes) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=indptr[1:])
    indices = np.fromiter((i for row in rows for i in row), np.uint32, int(indptr[-1]))
    return indptr, indices, nodes


def networkx_owners(
    graph: Any, nodes: Sequence[Hashable], owner: str | Mapping[Any, int]
) -> npt.NDArray[np.uint8]:
    """Return the player to move at each node of a graph of networkx.

    Raises:
        ParameterError: a node has no owner, or an owner that is not 0 or 1.
    """
    turns = node_attribute(graph, owner)
    owners = np.zeros(len(nodes), np.uint8)
    for i, node in enumerate(nodes):
        if turns.get(node) not in (0, 1):
            message = f"node {node!r} has the owner {turns.get(node)!r}; use 0 or 1"
            message += as_two_play(turns.get(node))
            raise ParameterError(message)
        owners[i] = turns[node]
    return owners


def networkx_edge_attribute(graph: Any, attribute: str) -> list[Any]:
    """Return an attribute of each edge in the order of ``networkx_arrays``; None if it has none."""
    if graph.is_multigraph():
        return [
            data.get(attribute)
            for _, neighbours in graph.adjacency()
            for edges in neighbours.values()
            for data in edges.values()
        ]
    return [
        data.get(attribute) for _, neighbours in graph.adjacency() for data in neighbours.values()
    ]


def matrix_arrays(matrix: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the stored entries of a sparse matrix as ``indptr`` and ``indices``.

    Raises:
        ParameterError: ``matrix`` is not a square sparse matrix.
    """
    if not hasattr(matrix, "tocsr"):
        message = f"a {type(matrix).__name__} is not a sparse matrix; give one of scipy.sparse"
        raise ParameterError(message)
    rows = matrix.tocsr()
    if len(rows.shape) != 2 or rows.shape[0] != rows.shape[1]:  # noqa: PLR2004  # two sides
        message = f"a matrix of shape {rows.shape!r} is not a graph; give a square one"
        raise ParameterError(message)
    return rows.indptr, rows.indices


def is_networkx(graph: Any) -> bool:
    """Return whether something is a graph of networkx, or has the methods of one."""
    return all(hasattr(graph, name) for name in ("adjacency", "nodes", "is_multigraph"))


def node_attribute(graph: Any, attribute: str | Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return the attribute's value for each node that has one."""
    if isinstance(attribute, str):
        return {node: value for node, value in graph.nodes(data=attribute) if value is not None}
    return attribute
