"""Strongly connected components of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray
from zermelo._engine.core.jit import light_kernel


def components(first: IntArray, edges: IntArray) -> tuple[npt.NDArray[np.int64], int]:
    """Return the component of each vertex, and the number of components.

    Components are numbered so that edges lead to components of the same number or a lesser one.

    Args:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
    """
    count = len(first) - 1
    component = np.full(count, -1, np.int64)
    return component, int(
        number_components(first, edges, np.zeros((4, count), np.int64), component)
    )


@light_kernel
def number_components(first: IntArray, edges: IntArray, work: Any, component: Any) -> np.int64:
    """Number the strongly connected components; return the number of components.

    R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1
    (1972), without recursion.

    Args:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        work: working memory, int64, four rows with an entry for each vertex.
        component: receives the component of each vertex, int64; -1 before.
    """
    order, low, path, next_edge = work[0], work[1], work[2], work[3]
    # ``path`` is the stack of vertices without a component, and ``at`` the next edge of each;
    # ``order`` is 0 for an unvisited vertex.
    seen, count, path_size = np.int64(0), np.int64(0), np.int64(0)
    for root in range(component.size):
        if component[root] >= 0:
            continue
        v = np.int64(root)
        parent = np.int64(-1)
        seen += 1
        order[v] = low[v] = seen
        path[path_size] = v
        path_size += 1
        next_edge[v] = np.int64(first[v])
        component[v] = -2 - parent  # the link to the parent, until the component is known
        while True:
            if next_edge[v] < np.int64(first[v + 1]):
                w = np.int64(edges[next_edge[v]])
                next_edge[v] += 1
                if order[w] == 0:
                    seen += 1
                    order[w] = low[w] = seen
                    path[path_size] = w
                    path_size += 1
                    next_edge[w] = np.int64(first[w])
                    component[w] = -2 - v
                    v = w
                elif component[w] < 0:
                    low[v] = min(low[v], order[w])
                continue
            parent = -2 - component[v]
            if low[v] == order[v]:
                while True:
                    path_size -= 1
                    w = path[path_size]
                    component[w] = count
                    if w == v:
                        break
                count += 1
            if parent < 0:
                break
            low[parent] = min(low[parent], low[v])
            v = parent
    return count
