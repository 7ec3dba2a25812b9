"""What a worker does of a graph: it decides some ranges of vertices, round by round.

Of its ranges it reads the edges, and holds them reversed: for every vertex of the graph, which of
its own have an edge to it. Whatever else it knows is in the columns that the driver has recorded.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._cluster.parts import PartWriter, SharedColumn
from zermelo._engine.backward.liking import liking
from zermelo._engine.backward.numbers import READY, begin
from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.transpose import (
    BUCKET_BYTES,
    place_type,
    reverse,
    transposed_bytes,
)
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch
from zermelo._methods.dense.cluster.ranges import KnownRange, RangeRounds
from zermelo._methods.dense.cluster.units import DenseResult, SpaceRoundUnit
from zermelo._methods.dense.marks import DenseMarks, scale_for
from zermelo._methods.explicit.driver import terms_of
from zermelo.errors import ClusterError

if TYPE_CHECKING:
    from collections.abc import Callable

_INSTEAD = "start more workers, fewer of them on each machine"


@dataclass(frozen=True)
class SentGraph:
    """What a worker is told of a graph, beside the columns that hold it.

    Attributes:
        vertices: how many there are.
        edges: how many there are.
        dead_end: the outcome of a vertex without edges whose outcome is not given.
        favours: the player who wins by endless play, or NOBODY.
        alternate: whether the players strictly alternate, so that vertices have no owners.
    """

    vertices: int
    edges: int
    dead_end: int
    favours: int
    alternate: bool


class VertexUnits:
    """The job of a worker."""

    def __init__(
        self, folder: str, paths: dict[str, str], graph: SentGraph, allowed: int, threads: int
    ) -> None:
        """Begin with nothing.

        Args:
            folder: the folder that is shared.
            paths: the file in it of each column.
            graph: the graph.
            allowed: bytes of memory.
            threads: threads to use.
        """
        self._folder, self._graph = Path(folder), graph
        self._scratch = Scratch(self._folder)
        self._columns = {
            name: SharedColumn(self._scratch, self._folder / path) for name, path in paths.items()
        }
        self._ledger, self._threads = Ledger(allowed), threads
        pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-unit")
        self.rounds = RangeRounds(self._columns, self._made, pool if threads > 1 else None)

    def do(self, unit: SpaceRoundUnit, name: str) -> DenseResult:
        """Do a unit; see ``serving.Job``."""
        before = self._scratch.read
        with PartWriter(self._folder, name) as part:
            won, lost, _ = self.rounds.decided(unit)
            part.write(won)
            part.write(lost)
            read = self._scratch.read - before
            return DenseResult(part.finish(len(won), read, lasting=False), len(won), len(lost))

    def _made(self, unit: SpaceRoundUnit, others: int) -> KnownRange:
        """Return what is known of a range before the first round, beside what takes memory."""
        graph, columns = self._graph, self._columns
        vertices, (span,) = graph.vertices, unit.spans
        count = span[1] - span[0]
        owned = 0 if graph.alternate else vertices

        def check(needed: int) -> None:
            work = f"a worker's part of a graph of {vertices:,} vertices"
            self._ledger.take(others + owned + needed, work, _INSTEAD)

        kind = place_type(graph.edges)
        check(2 * vertices + np.dtype(kind).itemsize * (count + 1))
        first = columns["first"].read(span[0], np.empty(count + 1, kind))
        low, edges = int(first[0]), int(first[-1]) - int(first[0])
        degrees = np.diff(first.astype(np.int64))
        self._sound(holds=edges >= 0 and int(degrees.min(initial=0)) >= 0)
        scale = scale_for(int(degrees.max(initial=0)))
        fixed = transposed_bytes(vertices, edges) + np.dtype(scale.dtype).itemsize * vertices
        # While they are reversed there are, besides, the edges, and where those of each vertex
        # begin: those of other ranges are as if they had none.
        reading = fixed + np.dtype(place_type(edges)).itemsize * (vertices + 1) + 4 * edges
        capacity = Ledger(self._ledger.allowed - others - owned).capacity(
            edges, reading, BUCKET_BYTES
        )
        spreading = fixed + Spreading.needed(vertices)
        # Without room for any edge in buckets, this asks for all of it, which is refused.
        check(max(reading + BUCKET_BYTES * (capacity or edges), spreading))
        targets = columns["edges"].read(low, np.empty(edges, np.uint32))
        self._sound(holds=not edges or int(targets.max()) < vertices)
        into, parents = reverse(*_alone(first, span, vertices, targets), self._threads, capacity)
        del targets

        def wider(more: int) -> None:
            check(spreading + more)

        marks = self._marks(span, first, scale, wider)
        owners: npt.NDArray[np.uint8] = zeros(owned, np.uint8)
        way = Spreading(into, parents, owners, self._threads)
        return KnownRange(marks, owners, way, spreading + owned)

    def _marks(
        self,
        span: tuple[int, int],
        first: npt.NDArray[Any],
        scale: Any,
        check: Callable[[int], None],
    ) -> DenseMarks:
        """Return what is known of the vertices of a range before the first round."""
        graph = self._graph
        marks = DenseMarks(zeros(graph.vertices, scale.dtype), scale, check)
        marks.ties = liking(graph.favours)
        outcome = self._columns["outcome"].read(span[0], np.empty(len(first) - 1, np.int8))
        state, terms = marks.state[span[0] : span[1]], terms_of(graph.dead_end)
        problem, marks.decided, marks.tied, _ = begin(first, outcome, terms, state, scale)
        self._sound(holds=problem == READY)
        return marks

    def _sound(self, *, holds: bool) -> None:
        """Raise ClusterError where the columns are not those of the graph that the driver had."""
        if not holds:
            message = (
                f"the graph in {str(self._folder)!r} is not as it was written; see to the shared "
                "folder, delete that one, and run the same command again"
            )
            raise ClusterError(message)


def _alone(
    first: npt.NDArray[Any], span: tuple[int, int], vertices: int, edges: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """Return a graph of all vertices, of which only those of a range have their edges."""
    whole: npt.NDArray[Any] = zeros(vertices + 1, place_type(len(edges)))
    whole[span[0] : span[1] + 1] = first - first[0]
    whole[span[1] + 1 :] = len(edges)
    return whole, edges
