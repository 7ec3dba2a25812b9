"""Folds: kernels that give a position the best value of its moves, made for each algebra.

The children are decided before, or are decided in the same call, as they have greater numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.value_operations import ValueOperations
from zermelo._engine.core.array_types import Int64Array, IntArray, Integer, Uint8Array, Uint32Array
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.core.threads import for_layers_reversed

#: Distances of prefetching: children of expanded positions, and moves of a graph.
_AHEAD, _MOVES_AHEAD = 32, 64
#: Positions decided between updates of the progress, when an interrupt is noticed too.
BATCH = 1 << 18
#: The rank of a position that is not decided.
NEVER = (1 << 32) - 1


@functools.cache
def expanded_fold(operations: ValueOperations) -> Callable[..., None]:
    """Return the kernel that decides positions that have just been expanded."""
    of_child, better = operations.of_child, operations.better
    least, undecided, scored = operations.least, operations.undecided, operations.scored

    @kernel
    def fold_expanded(
        begin: int,
        done: int,
        ends: IntArray,
        numbers: IntArray,
        owners: Uint8Array,
        gains: IntArray,
        values: IntArray,
    ) -> None:
        """Decide expanded positions from last to first.

        Args:
            begin: the number of the first position.
            done: the number of positions.
            ends: the index after the last child of each.
            numbers: the numbers of the children.
            owners: the player to move by number, or empty if the players strictly alternate.
            gains: the points of each move, if moves make points.
            values: the codes by number, which are changed.
        """
        alternate = owners.size == 0
        for i in range(done - 1, -1, -1):
            if values[begin + i] != undecided:
                continue
            best = np.int64(least)
            low = ends[i - 1] if i else 0
            for e in range(low, ends[i]):
                prefetch(values, numbers[max(e - _AHEAD, 0)])
                child = numbers[e]
                same = (not alternate) and owners[begin + i] == owners[child]
                gain = gains[e] if scored else 0
                best = better(best, of_child(np.int64(values[child]), same, gain, 0))
            values[begin + i] = best

    return fold_expanded


@functools.cache
def ready_fold(operations: ValueOperations) -> Callable[..., int]:
    """Return the kernel that decides those expanded positions whose children are all decided."""
    of_child, better = operations.of_child, operations.better
    least, scored = operations.least, operations.scored

    @kernel
    def fold_ready(
        which: IntArray,
        done: int,
        ends: IntArray,
        numbers: IntArray,
        owners: Uint8Array,
        gains: IntArray,
        values: IntArray,
        ranks: Uint32Array,
        rank: int,
    ) -> int:
        """Decide undecided positions, last first, and rank them; return the next rank.

        Args:
            which: the numbers of the positions.
            done: how many of them are expanded.
            ends: the index after the last child of each.
            numbers: the numbers of the children.
            owners: the player to move by number, or empty if the players strictly alternate.
            gains: the points of each move, if moves make points.
            values: the codes by number, which are changed.
            ranks: the ranks by number, ``NEVER`` for positions that are not decided.
            rank: the rank of the first position to be decided.
        """
        alternate = owners.size == 0
        for i in range(done - 1, -1, -1):
            position = which[i]
            low = ends[i - 1] if i else 0
            best = np.int64(least)
            ready = True
            for e in range(low, ends[i]):
                child = numbers[e]
                if ranks[child] == NEVER:
                    ready = False
                    break
                same = (not alternate) and owners[position] == owners[child]
                gain = gains[e] if scored else 0
                best = better(best, of_child(np.int64(values[child]), same, gain, 0))
            if ready:
                values[position] = best
                ranks[position] = rank
                rank += 1
        return rank

    return fold_ready


@kernel
def rank_decided(values: IntArray, undecided: int, ranks: Uint32Array) -> int:
    """Give decided positions rank 0 and others ``NEVER``; return the number of others."""
    left = 0
    for i in range(values.size):
        ranks[i] = NEVER if values[i] == undecided else 0
        left += values[i] == undecided
    return left


@functools.cache
def position_fold(operations: ValueOperations) -> Callable[..., None]:
    """Return the inlined kernel that decides one position of a graph."""
    of_child, better = operations.of_child, operations.better
    least, undecided, scored = operations.least, operations.undecided, operations.scored

    @inlined
    def fold_position(
        first: Int64Array,
        edges: Uint32Array,
        owners: Uint8Array,
        gains: IntArray,
        values: IntArray,
        i: Integer,
    ) -> None:
        """Decide position ``i`` from its successors, unless it is decided."""
        if values[i] != undecided:
            return
        best = np.int64(least)
        for e in range(first[i], first[i + 1]):
            target = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[target]
            gain = gains[e] if scored else 0
            best = better(best, of_child(np.int64(values[target]), same, gain, 0))
        values[i] = best

    return fold_position


@functools.cache
def graph_fold(operations: ValueOperations) -> Callable[..., None]:
    """Return the kernel that decides positions of a graph whose moves lead forward."""
    of_child, better = operations.of_child, operations.better
    least, undecided, scored = operations.least, operations.undecided, operations.scored

    @light_kernel
    def fold_graph(
        first: Int64Array,
        edges: Uint32Array,
        owners: Uint8Array,
        gains: IntArray,
        values: IntArray,
        begin: int,
        end: int,
    ) -> None:
        """Decide positions ``end`` - 1 down to ``begin`` from their successors."""
        # The loop of ``fold_position``, which takes half as long again as a function.
        alternate = owners.size == 0
        for i in range(end - 1, begin - 1, -1):
            if values[i] != undecided:
                continue
            best = np.int64(least)
            for e in range(first[i], first[i + 1]):
                prefetch(values, np.int64(edges[max(e - _MOVES_AHEAD, 0)]))
                target = np.int64(edges[e])
                same = (not alternate) and owners[i] == owners[target]
                gain = gains[e] if scored else 0
                best = better(best, of_child(np.int64(values[target]), same, gain, 0))
            values[i] = best

    return fold_graph


class ForwardGraph(Protocol):
    """A graph of positions whose moves all lead to greater numbers; see ``expand.discovery``."""

    first: npt.NDArray[Any]
    edges: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    gains: npt.NDArray[Any]
    values: npt.NDArray[Any]
    layered: bool

    @property
    def layers(self) -> Sequence[int]:
        """The first position of each layer, and the end of the last layer."""

    @property
    def positions(self) -> int:
        """The number of positions."""


def fold_forward(graph: ForwardGraph, operations: ValueOperations, threads: int) -> Iterator[int]:
    """Decide a graph whose moves all lead forward, in place.

    Args:
        graph: the graph; its terminal positions are decided.
        operations: the operations on its values.
        threads: threads to use at most.

    Yields:
        The number of positions that are decided.
    """
    arrays = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    fold = graph_fold(operations)
    threads = threads if graph.layered else 1
    layers = graph.layers if threads > 1 else [0, graph.positions]
    for begin in for_layers_reversed(
        layers, threads, BATCH, lambda low, high: fold(*arrays, low, high)
    ):
        yield graph.positions - begin
