"""Explicit graphs, as they are scanned: in memory, or from a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger

#: Vertices that one thread handles at a time.
BATCH = 1 << 18
_LEAST = 1 << 10


class GraphPart(NamedTuple):
    """Some vertices of a graph, with their edges.

    Attributes:
        first: place in ``edges`` of each vertex's first edge, and one number more.
        edges: where each edge leads, in numbers of all vertices.
        outcome: 1, 0, -1 for the vertex's mover, or NONE.
        base: the number of the vertex that these begin with.
        at: the place, among all edges, of the edge that these begin with.
    """

    first: npt.NDArray[Any]
    edges: npt.NDArray[Any]
    outcome: npt.NDArray[np.int8]
    base: int
    at: int


class ScanSize(NamedTuple):
    """How the edges of a graph are scanned.

    Attributes:
        threads: threads that do it.
        batch: vertices that each takes at a time.
    """

    threads: int
    batch: int


class GraphSource(Protocol):
    """The edges of a graph that was solved. Threads may ask at the same time."""

    @property
    def vertices(self) -> int:
        """How many vertices there are."""

    @property
    def edges(self) -> int:
        """How many edges there are."""

    @property
    def dead_end(self) -> int:
        """The outcome of a vertex without edges whose outcome is not given."""

    def first(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Return where the edges of some vertices begin, and where those of the last end."""

    def outcomes(self, begin: int, end: int) -> npt.NDArray[np.int8]:
        """Return the outcomes that some vertices were given."""

    def targets(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Return where the edges from one place to another lead."""

    def part(self, begin: int, end: int) -> GraphPart:
        """Return some vertices with their edges, and perhaps more."""

    def scan_size(self, threads: int, ledger: Ledger, most: int = BATCH, row: int = 0) -> ScanSize:
        """Return how its edges are scanned in some memory.

        Args:
            threads: threads there are; fewer may be used.
            ledger: what may be taken.
            most: vertices that each takes at a time at most.
            row: bytes of what is made of each vertex until it has been written.
        """


@dataclass
class Arrays:
    """An explicit graph.

    Attributes:
        first: place in ``edges`` of each vertex's first edge, and one number more: uint32 or int64.
        edges: where each edge leads: uint32 or int64.
        outcome: 1, 0, -1 for the vertex's mover, or NONE.
        owners: whose turn it is, or empty where the players strictly alternate.
        dead_end: the outcome of a vertex without edges whose outcome is not given.
    """

    first: npt.NDArray[Any]
    edges: npt.NDArray[Any]
    outcome: npt.NDArray[np.int8]
    owners: npt.NDArray[np.uint8]
    dead_end: int

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return len(self.first) - 1


@dataclass
class HeldGraph:
    """A graph that is in memory; see ``GraphSource``."""

    graph: Arrays

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return self.graph.vertices

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return len(self.graph.edges)

    @property
    def dead_end(self) -> int:
        """The outcome of a vertex without edges whose outcome is not given."""
        return self.graph.dead_end

    def first(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Return where the edges of some vertices begin, and where those of the last end."""
        return self.graph.first[begin : end + 1]

    def outcomes(self, begin: int, end: int) -> npt.NDArray[np.int8]:
        """Return the outcomes that some vertices were given."""
        return self.graph.outcome[begin:end]

    def targets(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Return where the edges from one place to another lead."""
        return self.graph.edges[begin:end]

    def part(self, begin: int, end: int) -> GraphPart:  # noqa: ARG002  # all of it is at hand
        """Return the whole graph."""
        return GraphPart(self.graph.first, self.graph.edges, self.graph.outcome, 0, 0)

    def scan_size(self, threads: int, ledger: Ledger, most: int = BATCH, row: int = 0) -> ScanSize:
        """Return how its edges are scanned, which takes only what is made of them."""
        while not ledger.fits((threads + 1) * min(most, self.vertices) * row) and most > _LEAST:
            most //= 2
        return ScanSize(threads, most)
