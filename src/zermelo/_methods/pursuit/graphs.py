"""A pursuit as arrays: the moves of each side and the special nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from zermelo._engine.core.array_types import BoolArray, Int32Array, Int64Array


@dataclass(frozen=True)
class NodeMoves:
    """The nodes that each node leads to: ``indices[indptr[v]:indptr[v + 1]]``."""

    indptr: Int64Array
    indices: Int32Array

    @property
    def bytes(self) -> int:
        """The bytes of the arrays."""
        return self.indptr.nbytes + self.indices.nbytes

    @property
    def degree(self) -> float:
        """The average number of moves per node."""
        return len(self.indices) / max(1, len(self.indptr) - 1)


@dataclass(frozen=True)
class PursuitGraphs:
    """A pursuit in the form that the engine uses.

    Attributes:
        evader: the evader's moves.
        pursuers: the moves of each pursuer, none of them into a forbidden node.
        safe: nodes where the evader has won, by node.
        forbidden: nodes that no pursuer may enter, by node.
        together: whether one turn moves all pursuers; otherwise each has a separate turn.
        given: bytes of the caller's graph, if it stays in memory and counts against the budget.
    """

    evader: NodeMoves
    pursuers: tuple[NodeMoves, ...]
    safe: BoolArray
    forbidden: BoolArray
    together: bool = True
    given: int = 0

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.safe)

    @property
    def turns(self) -> int:
        """The number of turns in a round of the game: the evader's and the pursuers'."""
        return 2 if self.together else 1 + len(self.pursuers)

    @property
    def teams(self) -> int:
        """The number of ways to place the pursuers."""
        count: int = self.size ** len(self.pursuers)
        return count


def flags(nodes: Iterable[int], size: int) -> BoolArray:
    """Return the mask of the nodes that ``nodes`` contains."""
    marked = np.zeros(size, np.bool_)
    marked[np.fromiter(nodes, np.int64)] = True
    return marked


def moves(
    indptr: Int64Array,
    indices: Int32Array,
    closed: BoolArray | None = None,
    *,
    waits: bool = False,
    stays_if_stuck: bool = False,
) -> NodeMoves:
    """Return the moves that a graph gives.

    Args:
        indptr: with ``indices``, the neighbours of each node.
        indices: the neighbours of all nodes, one node after the other.
        closed: nodes that may not be entered, by node.
        waits: whether staying is a move everywhere.
        stays_if_stuck: whether staying is a move if there is no other.
    """
    size = len(indptr) - 1
    graph_targets = indices
    degrees = np.diff(indptr)
    if closed is not None and closed.any():
        open_ends = ~closed[indices]
        offsets = np.zeros(len(indices) + 1, np.int32 if len(indices) < 1 << 31 else np.int64)
        np.cumsum(open_ends, out=offsets[1:])
        indices = indices[open_ends]
        indptr = offsets[indptr].astype(np.int64)
        degrees = np.diff(indptr)
    loops = np.arange(size)
    if not waits:
        loops = loops[degrees == 0] if stays_if_stuck else loops[:0]
    if len(loops):
        # A forbidden node keeps its loop: no pursuer ever is there.
        indices = np.insert(indices, indptr[loops], loops.astype(np.int32))
        degrees = degrees.copy()
        degrees[loops] += 1
        indptr = np.concatenate([[0], np.cumsum(degrees)])
    # Copied, because kernels are compiled for arrays that may be written to.
    fresh = indices.copy() if indices is graph_targets else indices
    return NodeMoves(np.array(indptr, np.int64), fresh.astype(np.int32, copy=False))
