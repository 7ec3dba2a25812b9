"""The driver of a pursuit on a cluster: workers decide rows, it records the logs of rounds.

Processes exchange logs: the words of rows with new bits in a round. A process that reads all logs
has all rows of bits, and at the end the driver makes the marks from the logs, as in a solve without
a cluster if memory is short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo import limits
from zermelo._cluster.ranges import even_ranges
from zermelo._cluster.shared_files import SharedFileReader
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.store.store import Store
from zermelo._methods.pursuit.cluster.units import RowsUnit
from zermelo._methods.pursuit.cluster.worker import PursuitUnits
from zermelo._methods.pursuit.driver import ChaseResult
from zermelo._methods.pursuit.round_log import MOST_MARKS, PursuitRoundLog, needed_bytes_on_disk
from zermelo._methods.pursuit.turns import begin, needed_bytes, row_bytes

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
    from zermelo._methods.pursuit.graphs import PursuitGraphs
    from zermelo.progress import Reporter

#: The name of the checkpoint of logs.
_RECORD = "pursuit-on-cluster"
#: Units of a turn per worker; and the least words of a round that workers share.
_EACH, _WORTH = 2, 1 << 24


def solve(
    board: PursuitGraphs,
    workers: WorkerPool,
    ledger: Ledger,
    threads: int,
    report: Reporter,
    checkpoint: Checkpoint,
) -> ChaseResult:
    """Decide every position on a cluster.

    Args:
        board: the pursuit.
        workers: the workers, which share the checkpoint's folder.
        ledger: the memory that may be allocated.
        threads: threads to use.
        report: receives phases and progress.
        checkpoint: saves decided positions.

    Raises:
        BudgetError: all rows of bits do not fit in the memory of the driver or of a worker.
        ClusterError: the workers cannot be used.
    """
    with (
        report.phase("pursuit", board.turns * board.size * board.teams),
        Scratch(checkpoint.directory, checkpoint=checkpoint) as scratch,
    ):
        return _Rounds(board, workers, ledger, threads, report, scratch).solve()


class _Rounds:
    """One solve on a cluster."""

    def __init__(
        self,
        board: PursuitGraphs,
        workers: WorkerPool,
        ledger: Ledger,
        threads: int,
        report: Reporter,
        scratch: Scratch,
    ) -> None:
        self._workers, self._report, self._board = workers, report, board
        self._scratch = scratch
        self._positions = board.turns * board.size * board.teams
        kinds = {f"trail{u}": np.uint64 for u in range(board.turns)}
        self._store = Store(scratch, _RECORD, threads, kinds)
        arguments = str(scratch.folder.absolute()), self._store.paths, board
        self._job = workers.begin(scratch.folder, PursuitUnits, arguments, self._store.publish)
        own = workers.driver_memory(ledger)
        self._work = f"a pursuit of {self._positions:,} positions"
        own.reserve(
            needed_bytes_on_disk(board), self._work, "take a smaller graph or fewer pursuers"
        )
        ledger.fits(own.peak)
        self._own_ledger = own
        self._turns, self._fresh = begin(board, marked=False)
        self._trails = [
            PursuitRoundLog(scratch, turn, log)
            for turn, log in zip(self._turns, self._store.values(), strict=True)
        ]
        self._threads = threads
        self._rounds, self._decided = 0, self._fresh

    def solve(self) -> ChaseResult:
        """Do all rounds, and make the marks."""
        if self._store.note is not None:
            self._fresh, self._rounds, self._decided, self._workers.sent = self._store.note
            self._report.resume(f"{self._rounds:,} rounds were done")
        else:
            for trail in self._trails:
                trail.record_round(1)
                trail.flush()
        sizes = [(turn.rows, turn.words, turn.moves.degree) for turn in self._turns]
        for turn in self._turns:
            turn.forget()
        # The driver does small rounds itself, with all rows in memory like a worker.
        self._own = self._job(self._own_ledger.allowed, self._threads)
        while self._fresh:
            self._report.advance(self._decided)
            if self._rounds + 2 >= MOST_MARKS:
                self._own_ledger.reserve(needed_bytes(self._board), self._work)
            self._fresh = self._decide_round(sizes)
            self._decided += self._fresh
            self._rounds += bool(self._fresh)
            self._record()
        self._report.advance(self._decided)
        self._report.tell("cluster", self._workers.summary(self._positions))
        kind = np.int16 if self._rounds < limits.current().narrow else np.int32
        allowed = row_bytes(self._board)
        del self._own
        marks = [trail.marks(kind, allowed) for trail in self._trails]
        return ChaseResult(marks, self._rounds, "")

    def _decide_round(self, sizes: list[tuple[int, int, float]]) -> int:
        """Decide what follows from the last round; return the number of decided positions."""
        logs = [trail.log for trail in self._trails]
        ends = tuple(map(len, logs))
        words = sum(
            min(rows, self._fresh * (1 + degree)) * words * degree for rows, words, degree in sizes
        )
        alone = words < limits.current().shared(_WORTH)
        count = 1 if alone else _EACH * self._workers.size
        units = [
            RowsUnit(self._rounds + 1, u, *span, ends)
            for u, (rows, _, _) in enumerate(sizes)
            for span in even_ranges(rows, count)
        ]
        decided = 0
        for place, found in self._workers.run(units, own=self._own if alone else None):
            decided += found.decided
            with SharedFileReader(self._scratch.folder, found.part) as reader:
                for _, some in reader.arrays(found.part.count, np.uint64):
                    logs[units[place].turn].append(some)
                reader.end()
        return decided

    def _record(self) -> None:
        """Record what is decided, if there is enough of it."""
        self._store.save([self._fresh, self._rounds, self._decided, self._workers.sent])
