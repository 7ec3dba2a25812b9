"""The state of a range of vertices before the first round, with transposed edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.status import READY, StatusArray, begin, scale_for
from zermelo._engine.backward.tie_preference import tie_preference
from zermelo._engine.backward.transpose import (
    BUCKET_BYTES,
    place_type,
    reverse,
    transposed_bytes,
)
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._methods.cluster_rounds.ranges import KnownRange, ReadableColumns
from zermelo._methods.explicit.driver import terminal_codes
from zermelo.errors import ClusterError

#: Vertices whose degrees are computed in one batch.
_BATCH = 1 << 16
_REMEDY = "start more workers, fewer of them on each machine"


@dataclass(frozen=True)
class GraphMessage:
    """The facts of a graph that a worker receives, in addition to the columns of its arrays.

    Attributes:
        vertices: the number of vertices.
        edges: the number of edges.
        dead_end: the outcome of a vertex without edges and without a given outcome.
        favours: the player who wins by endless play, or NOBODY.
        alternate: whether the players strictly alternate, so that vertices have no owners.
    """

    vertices: int
    edges: int
    dead_end: int
    favours: int
    alternate: bool


@dataclass(frozen=True)
class VertexRows:
    """Consecutive vertices of a graph, with their edges.

    Attributes:
        begin: the first vertex.
        first: the index of each vertex's first edge, from 0, and the end of the last vertex's
            edges.
        outcome: the given outcome of each vertex.
        edges: returns the targets of the edges; called when memory for them is reserved.
    """

    begin: int
    first: npt.NDArray[Any]
    outcome: npt.NDArray[np.int8]
    edges: Callable[[], npt.NDArray[np.uint32]]

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays, without the edges."""
        return self.first.nbytes + self.outcome.nbytes


def read_rows(
    columns: ReadableColumns,
    graph: GraphMessage,
    begin: int,
    decided: npt.NDArray[np.bool_],
    end: int,
) -> VertexRows:
    """Read consecutive vertices of a graph, with the edges of undecided vertices.

    Args:
        columns: the columns of the graph's arrays.
        graph: the graph.
        begin: the first vertex.
        decided: whether each vertex is decided; empty if none is.
        end: the vertex after the last.
    """
    given = columns["first"].read(begin, np.empty(end - begin + 1, place_type(graph.edges)))
    outcome = columns["outcome"].read(begin, np.empty(end - begin, np.int8))
    low = int(given[0])
    given -= given[0]
    if not len(decided):
        return VertexRows(
            begin,
            given,
            outcome,
            lambda: columns["edges"].read(low, np.empty(int(given[-1]), np.uint32)),
        )
    batches = [(at, min(at + _BATCH, end - begin)) for at in range(0, end - begin, _BATCH)]
    first: npt.NDArray[Any] = zeros(end - begin + 1, given.dtype)
    for at, stop in batches:
        degrees = np.diff(given[at : stop + 1].astype(np.int64))
        degrees[decided[at:stop]] = 0
        np.cumsum(degrees, out=first[at + 1 : stop + 1])
        first[at + 1 : stop + 1] += first[at]

    def edges() -> npt.NDArray[np.uint32]:
        kept = np.empty(int(first[-1]), np.uint32)
        for at, stop in batches:
            degrees: npt.NDArray[Any] = np.diff(given[at : stop + 1].astype(np.int64))
            batch = np.empty(int(given[stop] - given[at]), np.uint32)
            columns["edges"].read(low + int(given[at]), batch)
            kept[first[at] : first[stop]] = batch[np.repeat(~decided[at:stop], degrees)]
        return kept

    return VertexRows(begin, first, outcome, edges)


def initial_range(
    graph: GraphMessage, rows: VertexRows, threads: int, ledger: Ledger
) -> KnownRange:
    """Return the state of vertices before the first round.

    Args:
        graph: the graph.
        rows: the vertices.
        threads: threads to use.
        ledger: the memory that may be allocated.

    Raises:
        BudgetError: there is too little memory.
        ClusterError: the rows do not belong to the graph.
    """
    vertices, count = graph.vertices, len(rows.outcome)
    owned = 0 if graph.alternate else vertices

    def check(needed: int) -> None:
        work = f"a worker's part of a graph of {vertices:,} vertices"
        ledger.reserve(owned + needed, work, _REMEDY)

    edges = int(rows.first[-1])
    least, most = _degrees(rows.first)
    _check_sound(holds=least >= 0)
    scale = scale_for(most)
    width, places = np.dtype(scale.dtype).itemsize, np.dtype(place_type(edges)).itemsize
    fixed = transposed_bytes(vertices, edges) + width * vertices
    # The transposition also needs the edges, and the index of each vertex's first edge. Vertices of
    # other ranges have no edges.
    reading = fixed + places * (vertices + 1) + 4 * edges
    capacity = Ledger(ledger.allowed - owned).capacity(edges, reading, BUCKET_BYTES)
    spreading = fixed + Spreading.needed_bytes(vertices)
    # If the buckets have no capacity, the memory for all edges is requested, which is refused.
    check(max(reading + BUCKET_BYTES * (capacity or edges), spreading))
    targets = rows.edges()
    _check_sound(holds=len(targets) == edges and not (edges and int(targets.max()) >= vertices))
    all_first: npt.NDArray[Any] = zeros(vertices + 1, place_type(edges))
    all_first[rows.begin : rows.begin + count + 1] = rows.first
    all_first[rows.begin + count + 1 :] = edges
    parent_ends, parents = reverse(all_first, targets, threads, capacity)
    del all_first, targets

    def check_wider(extra: int) -> None:
        check(spreading + extra)

    ties = tie_preference(graph.favours)
    status = StatusArray.within(zeros(vertices, scale.dtype), scale, check_wider, ties)
    state = status.state[rows.begin : rows.begin + count]
    arguments = rows.first, rows.outcome, terminal_codes(graph.dead_end), state, scale
    problem, status.decided, status.tied, _ = begin(*arguments)
    _check_sound(holds=problem == READY)
    owners: npt.NDArray[np.uint8] = zeros(owned, np.uint8)
    method = Spreading(parent_ends, parents, owners, threads)
    return KnownRange(status, owners, method, spreading + owned)


def _degrees(first: npt.NDArray[Any]) -> tuple[int, int]:
    """Return the least degree, or 0 if it is positive, and the greatest degree.

    The least degree is negative if ``first`` descends.
    """
    least, most = 0, 0
    for low in range(0, len(first) - 1, _BATCH):
        degrees = np.diff(first[low : low + _BATCH + 1].astype(np.int64))
        least, most = min(least, int(degrees.min())), max(most, int(degrees.max()))
    return least, most


def _check_sound(*, holds: bool) -> None:
    """Raise ClusterError unless a condition of a valid graph holds."""
    if not holds:
        message = (
            "the graph in the shared folder is damaged; check that folder, and delete what is "
            "unfinished there"
        )
        raise ClusterError(message)
