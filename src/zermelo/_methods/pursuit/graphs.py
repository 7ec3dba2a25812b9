"""What a pursuit is made of, as arrays: the moves of each side and the nodes that are special."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class NodeMoves:
    """Where each node leads: ``indices[indptr[v]:indptr[v + 1]]``."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]

    @property
    def bytes(self) -> int:
        """Bytes they take."""
        return self.indptr.nbytes + self.indices.nbytes

    @property
    def degree(self) -> float:
        """Moves a node, on average."""
        return len(self.indices) / max(1, len(self.indptr) - 1)


@dataclass(frozen=True)
class PursuitGraphs:
    """A pursuit.

    Attributes:
        evader: the evader's moves.
        pursuers: the moves of each pursuer, none of them into a forbidden node.
        safe: nodes where the evader has won, by node.
        forbidden: nodes where no pursuer may be, by node.
        together: whether one turn moves all pursuers; otherwise each has a turn of its own.
        given: bytes of what it was made of, where that is kept and counts as taken.
    """

    evader: NodeMoves
    pursuers: tuple[NodeMoves, ...]
    safe: npt.NDArray[np.bool_]
    forbidden: npt.NDArray[np.bool_]
    together: bool = True
    given: int = 0

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.safe)

    @property
    def turns(self) -> int:
        """How many turns a round of the game has: the evader's and the pursuers'."""
        return 2 if self.together else 1 + len(self.pursuers)

    @property
    def teams(self) -> int:
        """How many ways there are to place the pursuers."""
        count: int = self.size ** len(self.pursuers)
        return count


def flags(nodes: Iterable[int], size: int) -> npt.NDArray[np.bool_]:
    """Return which of ``size`` nodes are among ``nodes``."""
    marked = np.zeros(size, np.bool_)
    marked[np.fromiter(nodes, np.int64)] = True
    return marked


def moves(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    closed: npt.NDArray[np.bool_] | None = None,
    *,
    waits: bool = False,
    stays_if_stuck: bool = False,
) -> NodeMoves:
    """Return the moves that a graph gives.

    Args:
        indptr: with ``indices``, the neighbours of each node.
        indices: see ``indptr``.
        closed: nodes that may not be entered, by node.
        waits: whether staying is a move everywhere.
        stays_if_stuck: whether it is one where there is no other.
    """
    size = len(indptr) - 1
    given = indices
    degrees = np.diff(indptr)
    if closed is not None and closed.any():
        open_ends = ~closed[indices]
        before: npt.NDArray[Any] = np.zeros(
            len(indices) + 1, np.int32 if len(indices) < 1 << 31 else np.int64
        )
        np.cumsum(open_ends, out=before[1:])
        indices = indices[open_ends]
        indptr = before[indptr].astype(np.int64)
        degrees = np.diff(indptr)
    loops = np.arange(size)
    if not waits:
        loops = loops[degrees == 0] if stays_if_stuck else loops[:0]
    if len(loops):
        # A node that a pursuer may not be on keeps its loop: nothing ever stands there.
        indices = np.insert(indices, indptr[loops], loops.astype(np.int32))
        degrees = degrees.copy()
        degrees[loops] += 1
        indptr = np.concatenate([[0], np.cumsum(degrees)])
    # Copied, because kernels are compiled for arrays that may be written to.
    fresh = indices.copy() if indices is given else indices
    return NodeMoves(np.array(indptr, np.int64), fresh.astype(np.int32, copy=False))
