"""The driver of a graph on a cluster: workers decide vertices, it records them.

The driver writes the graph into the shared folder once, and each worker reads the rows of its range
of vertices. Then processes exchange the vertices that each round has decided. Rounds that decide
few vertices are not worth exchanging: after many such rounds the driver takes all remaining
vertices as a range of its own, and decides them without workers.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo import limits
from zermelo._engine.backward.status import READY, begin
from zermelo._engine.backward.tie_preference import NO_TIES
from zermelo._engine.backward.transpose import place_type
from zermelo._engine.checkpoint.columns import ColumnCheckpoint
from zermelo._engine.column.codes import NARROW, WIDE
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch
from zermelo._methods.dense.cluster.ranges import KnownRange, RangeRounds, read_batches
from zermelo._methods.dense.cluster.round_history import COLUMNS, RoundHistory
from zermelo._methods.dense.cluster.units import DenseResult, SpaceRoundUnit, Spans
from zermelo._methods.explicit.cluster.vertex_ranges import GraphMessage, VertexRows, initial_range
from zermelo._methods.explicit.cluster.worker import VertexUnits
from zermelo._methods.explicit.driver import REVERSED, InvalidVertexError, terminal_codes
from zermelo._methods.explicit.index import VertexCodes
from zermelo.errors import BudgetError
from zermelo.forms.quantities import count_phrase

if TYPE_CHECKING:
    import numpy.typing as npt

    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._methods.dense.status import DenseStatus
    from zermelo._methods.explicit.graph_source import Arrays
    from zermelo.progress import Reporter
    from zermelo.values.kind import Kind

#: The name of the checkpoint of the graph and its values.
_RECORD = "graph-on-cluster"
#: With fewer vertices and edges, together, the graph is not solved on a cluster.
_WORTH = 1 << 20
#: The cost of a vertex in edges, for ranges that take about equally long.
_A_VERTEX = 2
#: Elements of the graph that are checked, and written, in one batch.
_AT_ONCE = 1 << 18
#: A round that decides fewer vertices takes longer to exchange than to do. After four such rounds,
#: and one for each 100,000 vertices, the driver does the other rounds, for which it scans all
#: vertices once.
_FEW, _LEAST_ROUNDS, _A_ROUND = 1 << 14, 4, 100_000


def is_large_enough(graph: Arrays) -> bool:
    """Return whether a graph is large enough for a cluster."""
    return graph.vertices + len(graph.edges) >= limits.current().shared(_WORTH)


def solve(
    graph: Arrays,
    kind: Kind,
    workers: WorkerPool,
    *,
    copied: int,
    ledger: Ledger,
    threads: int,
    report: Reporter,
    checkpoint: Checkpoint,
) -> tuple[VertexCodes, str]:
    """Return the value of every vertex, and a description of the solve.

    Args:
        graph: the graph.
        kind: the kind of value of vertices.
        workers: the workers, which share the checkpoint's folder.
        copied: bytes of the graph's copy, if it was given in another form.
        ledger: the memory that may be allocated.
        threads: threads to use.
        report: receives phases and progress.
        checkpoint: saves decided vertices.

    Raises:
        InvalidVertexError: edges descend at a vertex, or its outcome is invalid.
        BudgetError: the driver or a worker has too little memory.
        ClusterError: the workers cannot be used.
    """
    with Scratch(checkpoint.directory, checkpoint=checkpoint) as scratch:
        with report.phase("prepare"):
            solving = _VertexSteps(graph, kind, workers, threads, report, scratch)
        own = workers.driver_memory(ledger)
        held = copied + graph.vertices * np.dtype(NARROW.dtype).itemsize
        own.reserve(
            held, f"solving {count_phrase(graph.vertices, 'vertices')}", "make the graph smaller"
        )
        with report.phase("retrograde", graph.vertices):
            values = solving.values(own, copied)
        ledger.fits(own.peak)
        return values, REVERSED


class _VertexSteps:
    """One solve on a cluster."""

    def __init__(
        self,
        graph: Arrays,
        kind: Kind,
        workers: WorkerPool,
        threads: int,
        report: Reporter,
        scratch: Scratch,
    ) -> None:
        self._graph, self._kind, self._workers, self._report = graph, kind, workers, report
        self._threads = threads
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
        self._given = GraphMessage(*numbers)
        folder = str(scratch.folder.absolute())
        make = f"{VertexUnits.__module__}:{VertexUnits.__name__}"
        columns.publish()
        workers.begin(scratch.folder, make, (folder, paths, self._given))
        self._rounds = RoundHistory(scratch.folder, columns, graph.vertices)
        if columns.note is not None:
            report.resume(f"{self._rounds.decided_count:,} vertices were decided")

    def values(self, ledger: Ledger, copied: int) -> VertexCodes:
        """Decide all vertices, wins and losses first, then ties; return their values.

        Args:
            ledger: the memory that may be allocated.
            copied: bytes of the graph's copy, if it was given in another form.
        """
        graph, favours = self._graph, self._kind.favours
        spans = _spans(graph, self._workers.size)
        patience: float = max(_LEAST_ROUNDS, graph.vertices // _A_ROUND)
        marks = None
        for tie in self._rounds.run(favours, spans, self._run_units):
            self._report.advance(self._rounds.decided_count)
            self._columns.save_grown([self._sent])
            patience -= self._rounds.new_count < limits.current().shared(_FEW)
            if patience <= 0 and self._rounds.new_count:
                marks = self._decide_remaining(tie, ledger, copied)
                if marks is not None:
                    break
                patience = math.inf
        self._report.tell("cluster", self._workers.summary(self._sent, graph.vertices))
        if marks is None:
            scale = self._rounds.scale((NARROW, WIDE))
            held = 0
        else:
            scale = WIDE if marks.scale is WIDE else NARROW
            held = marks.state.nbytes
        needed = copied + held + graph.vertices * np.dtype(scale.dtype).itemsize
        ledger.reserve(
            needed, f"solving {count_phrase(graph.vertices, 'vertices')}", "make the graph smaller"
        )
        if marks is None:
            codes = self._rounds.state(scale)
        else:
            codes = zeros(graph.vertices, scale.dtype)
            marks.write(codes, scale)
        return VertexCodes(codes, graph.owners, scale, self._kind)

    def _decide_remaining(self, tie: int, ledger: Ledger, copied: int) -> DenseStatus | None:
        """Decide the remaining vertices without workers; return the status of all vertices.

        Args:
            tie: what the last round was of; see ``RoundHistory.run``.
            ledger: the memory that may be allocated.
            copied: bytes of the graph's copy, if it was given in another form.

        Returns:
            None if that does not fit in memory.
        """
        graph, columns = self._graph, self._columns
        done = zeros(graph.vertices, np.bool_)
        for name in ("won", "lost"):
            for some in read_batches(columns[name], 0, len(columns[name]), np.uint32):
                done[some] = True

        def made(_: SpaceRoundUnit, others: int) -> KnownRange:
            rows = _undecided(graph, done)
            allowed = ledger.allowed - copied - 2 * done.nbytes - rows.first.nbytes - others
            here = initial_range(self._given, rows, self._threads, Ledger(allowed))
            state = here.marks.state
            state[done] = 0  # as if decided in another range
            here.marks.tied = int(np.count_nonzero(state == here.marks.scale.ties))
            return here

        level, rounds = self._rounds.next_round(tie)
        unit = SpaceRoundUnit(level, tie, ((0, graph.vertices),), rounds, graph.vertices)
        try:
            here, _ = RangeRounds(columns, made, None).replay_unit(unit)
            begun = [tie != NO_TIES, level, True, self._rounds.decided_count, rounds]
            for count in here.marks.spread(here.way, begun=begun):
                self._report.advance(count)
        except BudgetError:
            return None
        return here.marks

    def _run_units(self, units: Sequence[SpaceRoundUnit]) -> Iterator[tuple[int, DenseResult]]:
        self._columns.publish()
        for place, found in self._workers.run(units, range(len(units))):
            self._sent += found.part.read + found.part.size
            yield place, found


def _check(graph: Arrays) -> None:
    """Check that ``first`` ascends and outcomes are valid.

    Raises:
        InvalidVertexError: ``first`` descends at a vertex, or its outcome is invalid.
    """
    numbers, terms = (
        np.empty(min(_AT_ONCE, graph.vertices), np.int32),
        terminal_codes(graph.dead_end),
    )
    for at in range(0, graph.vertices, _AT_ONCE):
        end = min(at + _AT_ONCE, graph.vertices)
        arrays = graph.first[at : end + 1], graph.outcome[at:end], terms
        problem, _, _, place = begin(*arrays, numbers[: end - at], WIDE)
        if problem != READY:
            raise InvalidVertexError(problem, at + place)


def _undecided(graph: Arrays, done: npt.NDArray[np.bool_]) -> VertexRows:
    """Return all vertices, with the edges of undecided ones only."""
    first: npt.NDArray[Any] = zeros(graph.vertices + 1, place_type(len(graph.edges)))
    batches = [
        (at, min(at + _AT_ONCE, graph.vertices)) for at in range(0, graph.vertices, _AT_ONCE)
    ]
    for at, end in batches:
        degrees = _degrees(graph, at, end)
        degrees[done[at:end]] = 0
        np.cumsum(degrees, out=first[at + 1 : end + 1])
        first[at + 1 : end + 1] += first[at]

    def edges() -> npt.NDArray[np.uint32]:
        found = np.empty(int(first[-1]), np.uint32)
        for at, end in batches:
            some = graph.edges[int(graph.first[at]) : int(graph.first[end])]
            wanted = np.repeat(~done[at:end], _degrees(graph, at, end))
            found[first[at] : first[end]] = some[wanted]
        return found

    return VertexRows(0, first, graph.outcome, edges)


def _degrees(graph: Arrays, begin: int, end: int) -> npt.NDArray[Any]:
    """Return the numbers of edges of some vertices."""
    return np.diff(graph.first[begin : end + 1].astype(np.int64))


def _spans(graph: Arrays, count: int) -> list[Spans]:
    """Return at most ``count`` ranges of vertices that take about equally long."""
    whole = len(graph.edges) + _A_VERTEX * graph.vertices

    def before(vertex: int) -> int:
        return int(graph.first[vertex]) + _A_VERTEX * vertex

    vertices = range(graph.vertices)
    cuts = [bisect_left(vertices, whole * n // count, key=before) for n in range(count)]
    return [((low, high),) for low, high in pairwise([*cuts, graph.vertices]) if low < high]
