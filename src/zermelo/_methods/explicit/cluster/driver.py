"""The driver of a graph on a cluster: workers decide vertices, the driver records them.

The driver writes the graph into the shared folder once, and each worker reads the rows of its range
of vertices. Then processes exchange the vertices that each round has decided. To exchange a round
that decides few vertices takes longer than to compute it. So after many such rounds the driver
decides all remaining vertices without workers, as one range.
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
_CHECKPOINT = "graph-on-cluster"
#: The least sum of vertices and edges of a graph that is solved on a cluster.
_LEAST_SIZE = 1 << 20
#: The cost of a vertex as a number of edges, for ranges of about equal cost.
_VERTEX_COST = 2
#: Elements of the graph that are checked, and written, in one batch.
_BATCH = 1 << 18
#: A round that decides fewer vertices takes longer to exchange than to compute. After a number of
#: such rounds the driver computes the remaining rounds, for which it scans all vertices once. This
#: number is at least four, and one for each 100,000 vertices.
_SMALL_ROUND, _LEAST_ROUNDS, _VERTICES_PER_ROUND = 1 << 14, 4, 100_000


def is_large_enough(graph: Arrays) -> bool:
    """Whether a graph is large enough to be solved on a cluster."""
    return graph.vertices + len(graph.edges) >= limits.current().shared(_LEAST_SIZE)


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
        driver_ledger = workers.driver_memory(ledger)
        held_bytes = copied + graph.vertices * np.dtype(NARROW.dtype).itemsize
        driver_ledger.reserve(
            held_bytes,
            f"solving {count_phrase(graph.vertices, 'vertices')}",
            "make the graph smaller",
        )
        with report.phase("retrograde", graph.vertices):
            values = solving.values(driver_ledger, copied)
        ledger.fits(driver_ledger.peak)
        return values, REVERSED


class _VertexSteps:
    """The steps of one solve of a graph on a cluster."""

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
        arrays = {
            "first": (graph.first, place_type(len(graph.edges))),
            "edges": (graph.edges, np.uint32),
            "outcome": (graph.outcome, np.int8),
            "turns": (graph.owners, np.uint8),
        }
        kinds: dict[str, Any] = {name: dtype for name, (_, dtype) in arrays.items()}
        columns = ColumnCheckpoint(scratch, _CHECKPOINT, threads, None, **kinds, **COLUMNS)
        self._columns, self._sent = columns, 0
        if columns.note is None:
            for name, (array, _) in arrays.items():
                for low in range(0, len(array), _BATCH):
                    columns[name].append(array[low : low + _BATCH])
        else:
            (self._sent,) = columns.note
        paths = {name: scratch.checkpoint.file(columns.file(name)).name for name in kinds | COLUMNS}
        alternate = not len(graph.owners)
        numbers = graph.vertices, len(graph.edges), graph.dead_end, kind.favours, alternate
        self._message = GraphMessage(*numbers)
        folder = str(scratch.folder.absolute())
        unit_class = f"{VertexUnits.__module__}:{VertexUnits.__name__}"
        columns.publish()
        workers.begin(scratch.folder, unit_class, (folder, paths, self._message))
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
        patience: float = max(_LEAST_ROUNDS, graph.vertices // _VERTICES_PER_ROUND)
        status = None
        for tie in self._rounds.run(favours, spans, self._run_units):
            self._report.advance(self._rounds.decided_count)
            self._columns.save_grown([self._sent])
            patience -= self._rounds.new_count < limits.current().shared(_SMALL_ROUND)
            if patience <= 0 and self._rounds.new_count:
                status = self._decide_remaining(tie, ledger, copied)
                if status is not None:
                    break
                patience = math.inf
        self._report.tell("cluster", self._workers.summary(self._sent, graph.vertices))
        if status is None:
            scale = self._rounds.scale((NARROW, WIDE))
            held_bytes = 0
        else:
            scale = WIDE if status.scale is WIDE else NARROW
            held_bytes = status.state.nbytes
        needed = copied + held_bytes + graph.vertices * np.dtype(scale.dtype).itemsize
        ledger.reserve(
            needed, f"solving {count_phrase(graph.vertices, 'vertices')}", "make the graph smaller"
        )
        if status is None:
            codes = self._rounds.state(scale)
        else:
            codes = zeros(graph.vertices, scale.dtype)
            status.write(codes, scale)
        return VertexCodes(codes, graph.owners, scale, self._kind)

    def _decide_remaining(self, tie: int, ledger: Ledger, copied: int) -> DenseStatus | None:
        """Decide the remaining vertices without workers; return the status of all vertices.

        Args:
            tie: the tie preference of the last round; see ``RoundHistory.run``.
            ledger: the memory that may be allocated.
            copied: bytes of the graph's copy, if it was given in another form.

        Returns:
            The status, or None if the vertices do not fit in memory.
        """
        graph, columns = self._graph, self._columns
        decided = zeros(graph.vertices, np.bool_)
        for name in ("won", "lost"):
            for batch in read_batches(columns[name], 0, len(columns[name]), np.uint32):
                decided[batch] = True

        def remaining_range(_: SpaceRoundUnit, other_bytes: int) -> KnownRange:
            rows = _undecided(graph, decided)
            allowed = ledger.allowed - copied - 2 * decided.nbytes - rows.first.nbytes - other_bytes
            known_range = initial_range(self._message, rows, self._threads, Ledger(allowed))
            state = known_range.marks.state
            state[decided] = 0  # like vertices of other ranges
            known_range.marks.tied = int(np.count_nonzero(state == known_range.marks.scale.ties))
            return known_range

        level, rounds = self._rounds.next_round(tie)
        unit = SpaceRoundUnit(level, tie, ((0, graph.vertices),), rounds, graph.vertices)
        try:
            known_range, _ = RangeRounds(columns, remaining_range, None).replay_unit(unit)
            progress = [tie != NO_TIES, level, True, self._rounds.decided_count, rounds]
            for count in known_range.marks.spread(known_range.way, begun=progress):
                self._report.advance(count)
        except BudgetError:
            return None
        return known_range.marks

    def _run_units(self, units: Sequence[SpaceRoundUnit]) -> Iterator[tuple[int, DenseResult]]:
        self._columns.publish()
        for number, result in self._workers.run(units, range(len(units))):
            self._sent += result.part.read + result.part.size
            yield number, result


def _check(graph: Arrays) -> None:
    """Check that ``first`` ascends and outcomes are valid.

    Raises:
        InvalidVertexError: ``first`` descends at a vertex, or its outcome is invalid.
    """
    numbers, terminals = (
        np.empty(min(_BATCH, graph.vertices), np.int32),
        terminal_codes(graph.dead_end),
    )
    for low in range(0, graph.vertices, _BATCH):
        end = min(low + _BATCH, graph.vertices)
        arrays = graph.first[low : end + 1], graph.outcome[low:end], terminals
        problem, _, _, offset = begin(*arrays, numbers[: end - low], WIDE)
        if problem != READY:
            raise InvalidVertexError(problem, low + offset)


def _undecided(graph: Arrays, decided: npt.NDArray[np.bool_]) -> VertexRows:
    """Return all vertices, with the edges of undecided vertices only."""
    first: npt.NDArray[Any] = zeros(graph.vertices + 1, place_type(len(graph.edges)))
    batches = [(low, min(low + _BATCH, graph.vertices)) for low in range(0, graph.vertices, _BATCH)]
    for low, end in batches:
        degrees = _degrees(graph, low, end)
        degrees[decided[low:end]] = 0
        np.cumsum(degrees, out=first[low + 1 : end + 1])
        first[low + 1 : end + 1] += first[low]

    def edges() -> npt.NDArray[np.uint32]:
        targets = np.empty(int(first[-1]), np.uint32)
        for low, end in batches:
            batch = graph.edges[int(graph.first[low]) : int(graph.first[end])]
            is_kept = np.repeat(~decided[low:end], _degrees(graph, low, end))
            targets[first[low] : first[end]] = batch[is_kept]
        return targets

    return VertexRows(0, first, graph.outcome, edges)


def _degrees(graph: Arrays, begin: int, end: int) -> npt.NDArray[Any]:
    """Return the number of edges of each vertex of a range."""
    return np.diff(graph.first[begin : end + 1].astype(np.int64))


def _spans(graph: Arrays, count: int) -> list[Spans]:
    """Return at most ``count`` ranges of vertices of about equal cost."""
    total_cost = len(graph.edges) + _VERTEX_COST * graph.vertices

    def cost_before(vertex: int) -> int:
        return int(graph.first[vertex]) + _VERTEX_COST * vertex

    vertices = range(graph.vertices)
    cuts = [bisect_left(vertices, total_cost * n // count, key=cost_before) for n in range(count)]
    return [((low, high),) for low, high in pairwise([*cuts, graph.vertices]) if low < high]
