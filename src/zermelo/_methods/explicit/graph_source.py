"""Explicit graphs as sources of vertices and edges: in memory, or from a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger

#: Vertices in a thread's batch.
BATCH = 1 << 18
_LEAST = 1 << 10


class GraphPart(NamedTuple):
    """Some vertices of a graph, with their edges.

    Attributes:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge, as a number among all vertices.
        outcome: 1, 0, -1 for the player to move at the vertex, or NONE.
        base: the number of the first of these vertices.
        at: the place of the first of these edges among all edges.
    """

    first: npt.NDArray[Any]
    edges: npt.NDArray[Any]
    outcome: npt.NDArray[np.int8]
    base: int
    at: int


class ScanSize(NamedTuple):
    """How the edges of a graph are scanned.

    Attributes:
        threads: the number of threads.
        batch: vertices in a thread's batch.
    """

    threads: int
    batch: int


class GraphSource(Protocol):
    """The edges of a solved graph. Threads may read them at the same time."""

    @property
    def vertices(self) -> int:
        """The number of vertices."""

    @property
    def edges(self) -> int:
        """The number of edges."""

    @property
    def dead_end(self) -> int:
        """The outcome of a vertex without edges and without a given outcome."""

    def first(self, begin: int, end: int) -> IntArray:
        """Return the edge offsets of some vertices, and the end of the last one's edges."""

    def outcomes(self, begin: int, end: int) -> npt.NDArray[np.int8]:
        """Return the given outcomes of some vertices."""

    def targets(self, begin: int, end: int) -> IntArray:
        """Return the targets of the edges from one place to another."""

    def vertex_range(self, begin: int, end: int) -> GraphPart:
        """Return some vertices with their edges, and perhaps more vertices."""

    def scan_size(self, threads: int, ledger: Ledger, most: int = BATCH, row: int = 0) -> ScanSize:
        """Return the number of threads and the size of their batches for a scan of the edges.

        Args:
            threads: the most threads to use.
            ledger: the memory that may be allocated.
            most: the most vertices in a thread's batch.
            row: bytes that the caller makes of each vertex and has not written yet.
        """


@dataclass
class Arrays:
    """An explicit graph in arrays.

    Attributes:
        first: the index in ``edges`` of each vertex's first edge, and one number more: uint32 or
            int64.
        edges: the target of each edge: uint32 or int64.
        outcome: 1, 0, -1 for the player to move at the vertex, or NONE.
        owners: the player to move at each vertex, or empty if the players strictly alternate.
        dead_end: the outcome of a vertex without edges and without a given outcome.
    """

    first: npt.NDArray[Any]
    edges: npt.NDArray[Any]
    outcome: npt.NDArray[np.int8]
    owners: npt.NDArray[np.uint8]
    dead_end: int

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return len(self.first) - 1


@dataclass
class HeldGraph:
    """A graph that is in memory; see ``GraphSource``."""

    graph: Arrays

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return self.graph.vertices

    @property
    def edges(self) -> int:
        """The number of edges."""
        return len(self.graph.edges)

    @property
    def dead_end(self) -> int:
        """The outcome of a vertex without edges and without a given outcome."""
        return self.graph.dead_end

    def first(self, begin: int, end: int) -> IntArray:
        """Return the edge offsets of some vertices, and the end of the last one's edges."""
        return self.graph.first[begin : end + 1]

    def outcomes(self, begin: int, end: int) -> npt.NDArray[np.int8]:
        """Return the given outcomes of some vertices."""
        return self.graph.outcome[begin:end]

    def targets(self, begin: int, end: int) -> IntArray:
        """Return the targets of the edges from one place to another."""
        return self.graph.edges[begin:end]

    def vertex_range(self, begin: int, end: int) -> GraphPart:  # noqa: ARG002  # all of it is in memory
        """Return the whole graph."""
        return GraphPart(self.graph.first, self.graph.edges, self.graph.outcome, 0, 0)

    def scan_size(self, threads: int, ledger: Ledger, most: int = BATCH, row: int = 0) -> ScanSize:
        """Return the threads and batches for a scan of the edges; only ``row`` takes memory."""
        while not ledger.fits((threads + 1) * min(most, self.vertices) * row) and most > _LEAST:
            most //= 2
        return ScanSize(threads, most)
