"""A graph whose vertices workers decide, and the driver records.

The driver writes the graph into the shared folder once, and each worker reads the rows of its own
range of vertices. What is exchanged then are the vertices that each round has decided.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo import limits
from zermelo._engine.backward.numbers import READY, begin, narrow_scale
from zermelo._engine.backward.transpose import place_type
from zermelo._engine.checkpoint.columns import ColumnCheckpoint
from zermelo._engine.column.codes import WIDE
from zermelo._engine.core.scratch import Scratch
from zermelo._methods.dense.cluster.recorded import COLUMNS, RecordedRounds
from zermelo._methods.dense.cluster.units import DenseResult, SpaceRoundUnit, Spans
from zermelo._methods.explicit.cluster.worker import SentGraph, VertexUnits
from zermelo._methods.explicit.driver import REVERSED, StrangeVertexError, terms_of
from zermelo._methods.explicit.index import VertexCodes

if TYPE_CHECKING:
    from zermelo._cluster.workers import Workers
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
    from zermelo._methods.explicit.parts import Arrays
    from zermelo.progress import Reporter
    from zermelo.values.kind import Kind

#: The record of the graph, and of what is decided.
_RECORD = "graph-on-cluster"
#: Vertices and edges, together, that are worth asking others.
_WORTH = 1 << 20
#: How many edges a vertex is worth that has none, where ranges are to take as long as each other.
_A_VERTEX = 2
#: Elements of the graph that are looked at, and written, at once.
_AT_ONCE = 1 << 20


def is_worth(graph: Arrays) -> bool:
    """Whether a graph is large enough to be shared."""
    return graph.vertices + len(graph.edges) >= limits.current().shared(_WORTH)


def solve(
    graph: Arrays,
    kind: Kind,
    workers: Workers,
    *,
    copied: int,
    ledger: Ledger,
    threads: int,
    report: Reporter,
    checkpoint: Checkpoint,
) -> tuple[VertexCodes, str]:
    """Return the value of every vertex, and a sentence on how it was found.

    Args:
        graph: the graph.
        kind: the kind of value that vertices have.
        workers: the workers, which share the checkpoint's folder.
        copied: bytes that the graph takes besides what was given, as it came in another form.
        ledger: what may be taken.
        threads: threads to use.
        report: is told of phases and progress.
        checkpoint: keeps what is decided.

    Raises:
        StrangeVertexError: edges descend at a vertex, or its outcome is none.
        BudgetError: the driver or a worker has too little memory.
        ClusterError: the workers cannot be used.
    """
    with Scratch(checkpoint.directory, checkpoint=checkpoint) as scratch:
        with report.phase("prepare"):
            solving = _VertexSteps(graph, kind, workers, scratch, threads, report)
        own = workers.own(ledger)
        held = copied + graph.vertices * np.dtype(narrow_scale().dtype).itemsize
        own.take(held, f"solving {graph.vertices:,} vertices", "make the graph smaller")
        with report.phase("retrograde", graph.vertices):
            solving.decide()
            values = solving.values(own, copied)
        ledger.fits(own.peak)
        return values, REVERSED


class _VertexSteps:
    """One solve."""

    def __init__(
        self,
        graph: Arrays,
        kind: Kind,
        workers: Workers,
        scratch: Scratch,
        threads: int,
        report: Reporter,
    ) -> None:
        self._graph, self._kind, self._workers, self._report = graph, kind, workers, report
        _check(graph)
        given = {
            "first": (graph.first, place_type(len(graph.edges))),
            "edges": (graph.edges, np.uint32),
            "outcome": (graph.outcome, np.int8),
            "turns": (graph.owners, np.uint8),
        }
        kinds: dict[str, Any] = {name: each for name, (_, each) in given.items()}
        columns = ColumnCheckpoint(scratch, _RECORD, threads, None, **kinds, **COLUMNS)
        self._columns, self._sent = columns, 0
        if columns.note is None:
            for name, (array, _) in given.items():
                for at in range(0, len(array), _AT_ONCE):
                    columns[name].append(array[at : at + _AT_ONCE])
        else:
            (self._sent,) = columns.note
        paths = {name: scratch.checkpoint.file(columns.file(name)).name for name in kinds | COLUMNS}
        alternate = not len(graph.owners)
        numbers = graph.vertices, len(graph.edges), graph.dead_end, kind.favours, alternate
        folder = str(scratch.folder.absolute())
        make = f"{VertexUnits.__module__}:{VertexUnits.__name__}"
        columns.publish()
        workers.begin(scratch.folder, make, (folder, paths, SentGraph(*numbers)))
        self._rounds = RecordedRounds(scratch.folder, columns, graph.vertices)
        if columns.note is not None:
            report.resume(f"{self._rounds.decided:,} vertices were decided")

    def decide(self) -> None:
        """Decide all vertices: wins and losses, and then ties."""
        favours, spans = self._kind.favours, _spans(self._graph, self._workers.size)
        for _ in self._rounds.go_on(favours, spans, self._done):
            self._report.advance(self._rounds.decided)
            self._columns.save_grown([self._sent])
        self._report.tell("cluster", self._workers.summary(self._sent, self._graph.vertices))

    def _done(self, units: Sequence[SpaceRoundUnit]) -> Iterator[tuple[int, DenseResult]]:
        self._columns.publish()
        for place, found in self._workers.run(units, range(len(units))):
            self._sent += found.part.read + found.part.size
            yield place, found

    def values(self, ledger: Ledger, copied: int) -> VertexCodes:
        """Return the values, in the codes that one process has them in."""
        graph, scale = self._graph, self._rounds.scale((narrow_scale(), WIDE))
        needed = copied + graph.vertices * np.dtype(scale.dtype).itemsize
        ledger.take(needed, f"solving {graph.vertices:,} vertices", "make the graph smaller")
        return VertexCodes(self._rounds.state(scale), graph.owners, scale, self._kind)


def _check(graph: Arrays) -> None:
    """See that edges ascend, and that outcomes are some.

    Raises:
        StrangeVertexError: one does not, or is none.
    """
    numbers, terms = np.empty(min(_AT_ONCE, graph.vertices), np.int32), terms_of(graph.dead_end)
    for at in range(0, graph.vertices, _AT_ONCE):
        end = min(at + _AT_ONCE, graph.vertices)
        arrays = graph.first[at : end + 1], graph.outcome[at:end], terms
        problem, _, _, place = begin(*arrays, numbers[: end - at], WIDE)
        if problem != READY:
            raise StrangeVertexError(problem, at + place)


def _spans(graph: Arrays, count: int) -> list[Spans]:
    """Return this many ranges of vertices that take about as long, or fewer."""
    whole = len(graph.edges) + _A_VERTEX * graph.vertices

    def before(vertex: int) -> int:
        return int(graph.first[vertex]) + _A_VERTEX * vertex

    vertices = range(graph.vertices)
    cuts = [bisect_left(vertices, whole * n // count, key=before) for n in range(count)]
    return [((low, high),) for low, high in pairwise([*cuts, graph.vertices]) if low < high]
