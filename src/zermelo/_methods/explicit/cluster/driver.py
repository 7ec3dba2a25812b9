"""The driver of a graph on a cluster: workers decide vertices, the driver records them.

The driver writes the graph into the shared folder once, and each worker reads the rows of its range
of vertices. Then processes exchange the vertices that each round has decided.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from zermelo import limits
from zermelo._engine.backward.status import READY, begin
from zermelo._engine.backward.transpose import place_type
from zermelo._engine.column.codes import NARROW, WIDE
from zermelo._engine.core.scratch import Scratch
from zermelo._methods.cluster_rounds.driver import ClusterRounds
from zermelo._methods.cluster_rounds.ranges import Spans
from zermelo._methods.explicit.cluster.worker import GraphMessage, VertexUnits
from zermelo._methods.explicit.driver import REVERSED, InvalidVertexError, terminal_codes
from zermelo._methods.explicit.index import VertexCodes
from zermelo.forms.quantities import count_phrase

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
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
    work = f"solving {count_phrase(graph.vertices, 'vertices')}"
    with Scratch(checkpoint.directory, checkpoint=checkpoint) as scratch:
        with report.phase("prepare"):
            _check(graph)
            rounds = _VertexRounds(graph, kind, copied, scratch, workers, ledger, threads, report)
        rounds.reserve(copied + graph.vertices * np.dtype(NARROW.dtype).itemsize, work)
        with report.phase("retrograde", graph.vertices):
            rounds.decide_rounds()
            report.tell("cluster", workers.summary(graph.vertices))
            codes, scale = rounds.codes((NARROW, WIDE), copied, work)
        return VertexCodes(codes, graph.owners, scale, kind), REVERSED


class _VertexRounds(ClusterRounds):
    """One solve on a cluster."""

    def __init__(
        self,
        graph: Arrays,
        kind: Kind,
        copied: int,
        scratch: Scratch,
        workers: WorkerPool,
        ledger: Ledger,
        threads: int,
        report: Reporter,
    ) -> None:
        """Write the graph into columns, unless an earlier process has; begin the job of workers."""
        arrays = {
            "first": (graph.first, place_type(len(graph.edges))),
            "edges": (graph.edges, np.uint32),
            "outcome": (graph.outcome, np.int8),
            "turns": (graph.owners, np.uint8),
        }
        kinds = {name: dtype for name, (_, dtype) in arrays.items()}
        super().__init__(scratch, _CHECKPOINT, kinds, workers, ledger, threads, report)
        self._graph, self._copied = graph, copied
        self._favours, self.positions = kind.favours, graph.vertices
        for name, (array, _) in arrays.items() if self.columns.note is None else ():
            for low in range(0, len(array), _BATCH):
                self.columns[name].append(array[low : low + _BATCH])
        facts = graph.vertices, len(graph.edges), graph.dead_end, kind.favours
        self._begin_job(VertexUnits, GraphMessage(*facts, alternate=not len(graph.owners)))
        if self.columns.note is not None:
            (workers.sent,) = self.columns.note
            report.resume(f"{self.decided_count:,} vertices were decided")

    @property
    def _note(self) -> list[int]:
        return [self.workers.sent]

    def _spans(self) -> list[Spans]:
        """Return ranges of vertices of about equal cost."""
        graph, count = self._graph, self.workers.size
        total_cost = len(graph.edges) + _VERTEX_COST * graph.vertices

        def cost_before(vertex: int) -> int:
            return int(graph.first[vertex]) + _VERTEX_COST * vertex

        vertices = range(graph.vertices)
        cuts = [
            bisect_left(vertices, total_cost * n // count, key=cost_before) for n in range(count)
        ]
        return [((low, high),) for low, high in pairwise([*cuts, graph.vertices]) if low < high]

    def _remaining_job(self) -> VertexUnits:
        """Return a job whose memory is what the graph's copy leaves; see ``ClusterRounds``."""
        job: VertexUnits = self._job(self.ledger.allowed - self._copied, self.threads)
        return job


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
