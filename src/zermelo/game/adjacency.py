"""Conversion of graphs to two arrays with each node's neighbours."""

from __future__ import annotations

from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.game.parameters import neighbour_rows

#: The neighbours of node v are ``indices[indptr[v]:indptr[v + 1]]``.
Adjacency: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]

_MOST_NODES = 1 << 31
#: The square of a smaller number has 31 bits.
_SMALL_SQUARE = 46_341
_BATCH = 1 << 16


def adjacency(name: str, graph: Any) -> Adjacency:
    """Return the neighbours (successors, if edges are directed) of nodes 0, 1, … n-1.

    Args:
        name: the name of the graph in messages.
        graph: a list of lists of nodes, a dictionary of them, a networkx graph, a scipy sparse
            matrix (each stored entry of row v is a neighbour of v), or the tuple of arrays
            ``(indptr, indices)``.

    Raises:
        ParameterError: it is not such a graph, or names nodes that do not exist.
    """
    if isinstance(graph, tuple) and len(graph) == 2 and isinstance(graph[0], np.ndarray):  # noqa: PLR2004  # (indptr, indices)
        indptr, indices = (np.asarray(part) for part in graph)
    elif hasattr(graph, "tocsr"):
        matrix = graph.tocsr()
        if matrix.shape[0] != matrix.shape[1]:
            message = f"{name} is a matrix of shape {matrix.shape}; give one row for each column"
            raise ParameterError(message)
        indptr, indices = matrix.indptr, matrix.indices
    else:
        if isinstance(graph, dict) or (hasattr(graph, "adjacency") and hasattr(graph, "nodes")):
            graph = neighbour_rows(name, graph)
        indptr, indices = _from_rows(name, graph)
    return _checked(name, indptr, indices)


def is_symmetric(graph: Adjacency) -> bool:
    """Return whether each edge exists in both directions."""
    indptr, indices = graph
    n = len(indptr) - 1
    dtype = np.int32 if n < _SMALL_SQUARE else np.int64
    edges: npt.NDArray[Any] = np.repeat(np.arange(n, dtype=dtype), np.diff(indptr))
    edges *= n
    edges += indices
    edges.sort()
    for begin in range(0, len(edges), _BATCH):  # in batches, to save memory
        sources, targets = np.divmod(edges[begin : begin + _BATCH], n)
        reversals = targets * n + sources
        places = np.minimum(np.searchsorted(edges, reversals), len(edges) - 1)
        if not np.array_equal(edges[places], reversals):
            return False
    return True


def components(graph: Adjacency) -> npt.NDArray[np.int64]:
    """Return, for each node of a symmetric graph, the least node that it can reach."""
    indptr, indices = graph
    label = np.full(len(indptr) - 1, -1, np.int64)
    for root in range(len(label)):
        if label[root] >= 0:
            continue
        label[root] = root
        stack = [root]
        while stack:
            node = stack.pop()
            row = indices[indptr[node] : indptr[node + 1]]
            new_nodes = np.unique(row[label[row] < 0])
            label[new_nodes] = root
            stack += new_nodes.tolist()
    return label


def subgraph(graph: Adjacency, nodes: npt.NDArray[np.int64]) -> Adjacency:
    """Return the subgraph on ``nodes``, which ascend and are renumbered from 0."""
    indptr, indices = graph
    if len(nodes) == len(indptr) - 1:
        return graph
    number = np.full(len(indptr) - 1, -1, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    rows = [number[indices[indptr[node] : indptr[node + 1]]] for node in nodes]
    inner_rows = [row[row >= 0] for row in rows]
    ends = np.cumsum([0, *map(len, inner_rows)])
    return ends.astype(np.int64), np.concatenate(inner_rows).astype(np.int32)


def _from_rows(name: str, graph: object) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    rows: Any = None if isinstance(graph, str) else graph
    try:
        lengths = np.fromiter(map(len, rows), np.int64)
        flat = list(chain.from_iterable(rows))
    except TypeError:
        message = (
            f"{name} must be a list of lists of nodes, a networkx graph, a scipy sparse matrix or "
            f"the arrays (indptr, indices), not {type(graph).__name__}; give one of these"
        )
        raise ParameterError(message) from None
    return np.concatenate([[0], np.cumsum(lengths)]), np.array(flat) if flat else np.empty(0, int)


def _checked(name: str, indptr: npt.NDArray[Any], indices: npt.NDArray[Any]) -> Adjacency:
    n = len(indptr) - 1
    for array_name, array in (("indptr", indptr), ("indices", indices)):
        if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
            message = f"{name} names nodes by {array.dtype} numbers, shape {array.shape}; give "
            message += "whole numbers" if array_name == "indices" else "indptr as a row of them"
            raise ParameterError(message)
    if n < 1 or n >= _MOST_NODES:
        limit = f"fewer than {_MOST_NODES:,}" if n > 0 else "it at least one"
        message = f"{name} has {max(n, 0):,} nodes; give {limit}"
        raise ParameterError(message)
    if indptr[0] != 0 or indptr[-1] != len(indices) or (np.diff(indptr) < 0).any():
        message = (
            f"{name} has an indptr from {int(indptr[0])} to {int(indptr[-1])} for {len(indices)} "
            "indices; give one that ascends from 0 to their number"
        )
        raise ParameterError(message)
    if len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < n:
        entry = int(np.argmax((indices < 0) | (indices >= n)))
        node = int(np.searchsorted(indptr, entry, side="right")) - 1
        message = f"{name}[{node}] names node {int(indices[entry])!r}; use 0 to {n - 1}"
        raise ParameterError(message)
    return indptr.astype(np.int64, copy=False), indices.astype(np.int32, copy=False)
