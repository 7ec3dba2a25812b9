"""A worker's part in a graph: deciding some ranges of vertices, round by round.

The worker reads the edges of its ranges, and transposes them: for every vertex of the graph, the
vertices of its ranges with an edge to it. All other facts are in the columns that the driver
records.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from zermelo._cluster.shared_files import shared_columns
from zermelo._engine.core.ledger import Ledger
from zermelo._methods.cluster_rounds.ranges import (
    KnownRange,
    RangeRounds,
    read_decided,
    write_round,
)
from zermelo._methods.cluster_rounds.units import RoundResult, RoundUnit
from zermelo._methods.explicit.cluster.vertex_ranges import GraphMessage, initial_range, read_rows


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
        self._scratch, self._columns = shared_columns(folder, paths)
        self._graph, self._allowed, self._threads = graph, allowed, threads
        pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-unit")
        self.rounds = RangeRounds(self._columns, self._initial_range, pool if threads > 1 else None)

    def do_unit(self, unit: RoundUnit, name: str) -> RoundResult:
        """Do a unit; see ``worker.Job``."""
        return write_round(self.rounds, unit, self._scratch, name)

    def _initial_range(self, unit: RoundUnit, others: int) -> KnownRange:
        """Return the initial state of a range; ``others`` is the bytes of other ranges."""
        decided = read_decided(self._columns, unit)
        ((begin, end),) = unit.spans
        rows = read_rows(self._columns, self._graph, begin, decided[begin:end], end)
        ledger = Ledger(self._allowed - others - decided.nbytes - rows.nbytes)
        known = initial_range(self._graph, rows, self._threads, ledger)
        known.status.state[: len(decided)][decided] = 0  # like vertices of other ranges
        return known
