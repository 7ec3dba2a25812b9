"""A worker's part in a graph: deciding some ranges of vertices, round by round.

The worker reads the edges of its ranges, and transposes them: for every vertex of the graph, the
vertices of its ranges with an edge to it. All other facts are in the columns that the driver
records.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from zermelo._cluster.shared_files import SharedColumn, SharedFileWriter
from zermelo._engine.backward.transpose import place_type
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.scratch import Scratch
from zermelo._methods.dense.cluster.ranges import KnownRange, RangeRounds
from zermelo._methods.dense.cluster.units import DenseResult, SpaceRoundUnit
from zermelo._methods.explicit.cluster.vertex_ranges import GraphMessage, VertexRows, initial_range


class VertexUnits:
    """The job of a worker: rounds of its ranges of vertices.

    Attributes:
        rounds: the worker's ranges of vertices.
    """

    def __init__(
        self, folder: str, paths: dict[str, str], graph: GraphMessage, allowed: int, threads: int
    ) -> None:
        """Create an object without ranges.

        Args:
            folder: the shared folder.
            paths: the file of each column in the folder.
            graph: the graph.
            allowed: bytes of memory.
            threads: threads to use.
        """
        self._folder, self._graph = Path(folder), graph
        self._scratch = Scratch(self._folder)
        self._columns = {
            name: SharedColumn(self._scratch, self._folder / path) for name, path in paths.items()
        }
        self._allowed, self._threads = allowed, threads
        pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-unit")
        self.rounds = RangeRounds(self._columns, self._initial_range, pool if threads > 1 else None)

    def do_unit(self, unit: SpaceRoundUnit, name: str) -> DenseResult:
        """Do a unit; see ``worker.Job``."""
        before = self._scratch.read
        with SharedFileWriter(self._folder, name) as part:
            won, lost, _ = self.rounds.decide_unit(unit)
            part.write(won)
            part.write(lost)
            read = self._scratch.read - before
            return DenseResult(part.finish(len(won), read, lasting=False), len(won), len(lost))

    def _initial_range(self, unit: SpaceRoundUnit, others: int) -> KnownRange:
        """Return the initial state of a range; ``others`` is the bytes of other ranges."""
        columns, ((begin, end),) = self._columns, unit.spans
        first = columns["first"].read(
            begin, np.empty(end - begin + 1, place_type(self._graph.edges))
        )
        low = int(first[0])
        first -= first[0]
        rows = VertexRows(
            begin,
            first,
            columns["outcome"].read(begin, np.empty(end - begin, np.int8)),
            lambda: columns["edges"].read(low, np.empty(int(first[-1]), np.uint32)),
        )
        return initial_range(self._graph, rows, self._threads, Ledger(self._allowed - others))
