"""Kernels of value iteration for mean-payoff games, whose strategies may be the best ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Float64Array, Int64Array
from zermelo._engine.core.jit import light_kernel
from zermelo._engine.infinite.credit_kernels import WeightedGraph


@light_kernel
def iterate(
    graph: WeightedGraph,
    totals: Float64Array,
    next_totals: Float64Array,
    steps: int,
    chosen: Int64Array,
) -> None:
    """Update the totals of vertices: half the total before, and half the best total after a move.

    Without the half of the total before, totals could alternate for ever (M. A. Krasnosel'skii,
    "Two remarks on the method of successive approximations", 1955).

    Args:
        graph: the game; player 0 prefers greater totals.
        totals: the total of each vertex, float64.
        next_totals: working memory, float64.
        steps: the number of updates.
        chosen: receives the best edge of each vertex, int64.
    """
    for _ in range(steps):
        for v in range(totals.size):
            begin, end = np.int64(graph.first[v]), np.int64(graph.first[v + 1])
            best: Any = begin
            total = graph.weights[begin] + totals[np.int64(graph.edges[begin])]
            for edge in range(begin + 1, end):
                other = graph.weights[edge] + totals[np.int64(graph.edges[edge])]
                if other > total if graph.owners[v] == 0 else other < total:
                    total = other
                    best = edge
            chosen[v] = best
            next_totals[v] = 0.5 * (totals[v] + total)
        for v in range(totals.size):
            totals[v] = next_totals[v]


@light_kernel
def cycle_averages(
    graph: WeightedGraph, chosen: Int64Array, sums: Any, lengths: Any, visited: Any, path: Any
) -> None:
    """Write the sum and the length of the cycle to which the chosen edges lead from each vertex.

    Args:
        graph: the game.
        chosen: the chosen edge of each vertex.
        sums: receives the sum of the weights of the cycle, int64.
        lengths: receives the number of its edges, int64; 0 before.
        visited: working memory, int64, 0: the number of the walk that came to each vertex.
        path: working memory, int64.
    """
    for root in range(chosen.size):
        v, size = np.int64(root), np.int64(0)
        while visited[v] == 0:
            visited[v] = root + 1
            path[size] = v
            size += 1
            v = np.int64(graph.edges[chosen[v]])
        if lengths[v] == 0:  # the walk has closed a cycle at v
            total, length, u = np.int64(0), np.int64(0), v
            while True:
                total += graph.weights[chosen[u]]
                length += 1
                u = np.int64(graph.edges[chosen[u]])
                if u == v:
                    break
            sums[v], lengths[v] = total, length
        for i in range(size):
            sums[path[i]] = sums[v]
            lengths[path[i]] = lengths[v]
