"""A worker's part in a graph: deciding some ranges of vertices, round by round.

The worker reads the edges of its ranges, and transposes them: for every vertex of the graph, the
vertices of its ranges with an edge to it. All other facts are in the columns that the driver
records.
"""

from __future__ import annotations

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
from zermelo._methods.cluster_rounds.ranges import (
    REMEDY,
    KnownRange,
    RangeUnits,
    RoundUnit,
    read_decided,
)
from zermelo._methods.explicit.driver import terminal_codes
from zermelo.errors import ClusterError

#: Vertices whose edges are read in one batch.
_BATCH = 1 << 16


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


class VertexUnits(RangeUnits):
    """The job of a worker: rounds in its ranges of vertices."""

    def __init__(
        self, folder: str, paths: dict[str, str], graph: GraphMessage, allowed: int, threads: int
    ) -> None:
        """Create a job without ranges; see ``RangeUnits``."""
        super().__init__(folder, paths, allowed, threads)
        self._graph = graph

    def _create_range(self, unit: RoundUnit, others: int) -> KnownRange:
        """Return the initial state of a range; see ``RangeUnits``."""
        graph, vertices = self._graph, self._graph.vertices
        ((low, high),) = unit.spans
        decided = read_decided(self._columns, unit)
        given = self._columns["first"].read(low, np.empty(high - low + 1, place_type(graph.edges)))
        outcome = self._columns["outcome"].read(low, np.empty(high - low, np.int8))
        first_edge = int(given[0])
        given -= given[0]
        first, most = _index_undecided(given, decided[low:high])
        edges, players = int(first[-1]), 0 if graph.alternate else vertices
        held = others + players + decided.nbytes + outcome.nbytes + first.nbytes
        held += given.nbytes if len(decided) else 0
        ledger = Ledger(self._ledger.allowed - held)

        def check(needed: int) -> None:
            work = f"a worker's part of a graph of {vertices:,} vertices"
            self._ledger.reserve(held + needed, work, REMEDY)

        scale = scale_for(most)
        places = np.dtype(place_type(edges)).itemsize
        fixed = transposed_bytes(vertices, edges) + np.dtype(scale.dtype).itemsize * vertices
        # The transposition also needs the edges, and the index of each vertex's first edge.
        # Vertices of other ranges have no edges.
        reading = fixed + places * (vertices + 1) + 4 * edges
        capacity = ledger.capacity(edges, reading, BUCKET_BYTES)
        spreading = fixed + Spreading.needed_bytes(vertices)
        # If the buckets have no capacity, the memory for all edges is requested, which is refused.
        check(max(reading + BUCKET_BYTES * (capacity or edges), spreading))
        all_first: npt.NDArray[Any] = zeros(vertices + 1, place_type(edges))
        all_first[low : high + 1] = first
        all_first[high + 1 :] = edges
        targets = self._read_edges(first_edge, given, first, decided[low:high])
        _check_sound(holds=not (edges and int(targets.max()) >= vertices))
        parent_ends, parents = reverse(all_first, targets, self._threads, capacity)
        del all_first, targets
        ties = tie_preference(graph.favours)
        status = StatusArray.within(
            zeros(vertices, scale.dtype), scale, lambda more: check(spreading + more), ties
        )
        terminals = terminal_codes(graph.dead_end)
        problem, *_ = begin(first, outcome, terminals, status.state[low:high], scale)
        _check_sound(holds=problem == READY)
        status.state[: len(decided)][decided] = 0  # like vertices of other ranges
        owners: npt.NDArray[np.uint8] = zeros(players, np.uint8)
        method = Spreading(parent_ends, parents, owners, self._threads)
        return KnownRange(status, method, spreading + players)

    def _read_edges(
        self,
        first_edge: int,
        given: npt.NDArray[Any],
        first: npt.NDArray[Any],
        decided: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.uint32]:
        """Read the edges of the undecided vertices of a range.

        Args:
            first_edge: the index of the range's first edge in the graph.
            given: the index of each vertex's first edge in the range, and the end of the last.
            first: the same without the edges of decided vertices.
            decided: whether each vertex is decided; empty if none is.
        """
        column, targets = self._columns["edges"], np.empty(int(first[-1]), np.uint32)
        if not len(decided):
            return column.read(first_edge, targets)
        for at in range(0, len(decided), _BATCH):
            ends = given[at : at + _BATCH + 1].astype(np.int64)
            batch = np.empty(int(ends[-1] - ends[0]), np.uint32)
            column.read(first_edge + int(ends[0]), batch)
            batch = batch[np.repeat(~decided[at : at + _BATCH], np.diff(ends))]
            targets[int(first[at]) : int(first[at]) + len(batch)] = batch
        return targets


def _index_undecided(
    given: npt.NDArray[Any], decided: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[Any], int]:
    """Return the index of each vertex's first edge without those of decided vertices.

    Args:
        given: the index of each vertex's first edge in the range, and the end of the last.
        decided: whether each vertex is decided; empty if none is.

    Returns:
        The indices, with the end of the last vertex's edges, which are ``given`` itself if no
        vertex is decided; and the greatest degree.

    Raises:
        ClusterError: ``given`` descends.
    """
    first: npt.NDArray[Any] = zeros(len(given), given.dtype) if len(decided) else given
    most = 0
    for at in range(0, len(given) - 1, _BATCH):
        degrees: npt.NDArray[Any] = np.diff(given[at : at + _BATCH + 1].astype(np.int64))
        _check_sound(holds=int(degrees.min()) >= 0)
        if len(decided):
            degrees[decided[at : at + _BATCH]] = 0
            ends = first[at + 1 : at + 1 + len(degrees)]
            np.cumsum(degrees, out=ends)
            ends += first[at]
        most = max(most, int(degrees.max()))
    return first, most


def _check_sound(*, holds: bool) -> None:
    """Raise ClusterError unless a condition of a valid graph holds."""
    if not holds:
        message = (
            "the graph in the shared folder is damaged; check that folder, and delete what is "
            "unfinished there"
        )
        raise ClusterError(message)
