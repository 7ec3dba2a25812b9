"""A worker's part in a pursuit: the next round of a range of rows.

The worker has all rows of bits, which follow from the recorded logs, and reads what has been added
to these since its last round. It discards its own decisions until they are in the logs: so a unit
is a function of what is recorded, whichever worker does it and how often.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from zermelo._cluster.file_job import FileJob
from zermelo._cluster.shared_files import SharedFile, SharedFileWriter
from zermelo._engine.core.array_types import Uint64Array
from zermelo._engine.core.ledger import Ledger
from zermelo._methods.pursuit.cluster.units import RowsResult, RowsUnit
from zermelo._methods.pursuit.driver import RowSolver
from zermelo._methods.pursuit.graphs import PursuitGraphs
from zermelo._methods.pursuit.round_log import (
    RoundRecorder,
    clear_new,
    needed_bytes_on_disk,
    replay_round,
)
from zermelo._methods.pursuit.turns import begin

#: Elements of a log that are read in one batch, three for each word.
_AT_ONCE = 3 << 13


class PursuitUnits(FileJob):
    """The job of a worker: units of a pursuit."""

    def __init__(
        self, folder: str, paths: dict[str, str], board: PursuitGraphs, allowed: int, threads: int
    ) -> None:
        """Decide the terminal positions.

        Args:
            folder: the shared folder.
            paths: the file of each turn's log in the folder.
            board: the pursuit.
            allowed: bytes of memory.
            threads: threads to use.

        Raises:
            BudgetError: the rows need more bytes than are allowed.
        """
        work = f"a worker's rows of a pursuit of {board.turns * board.size * board.teams:,} places"
        Ledger(allowed).reserve(needed_bytes_on_disk(board), work, "start fewer workers a machine")
        super().__init__(folder, paths)
        self._trails = list(self._columns.values())
        self._turns, _ = begin(board, marked=False)
        pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-unit")
        self._solver = RowSolver(self._turns, pool, threads, may_list=False)
        for turn in self._turns:
            clear_new(turn, back=False)
        self._known = [0] * len(paths)
        self._level = 0
        self._buffer: Uint64Array = np.empty(_AT_ONCE, np.uint64)

    def _write_unit(
        self, unit: RowsUnit, part: SharedFileWriter
    ) -> tuple[int, Callable[[SharedFile], RowsResult]]:
        """Write what a round decides in some rows; see ``FileJob``."""
        if unit.level != self._level:
            self._catch_up(unit)
        turn = self._turns[unit.turn]
        mark = unit.level + 1
        decided = self._solver.decide_rows(turn, mark, unit.begin, unit.end)
        try:
            notes = RoundRecorder(turn, part.write)
            notes.record_round(mark)
            notes.flush()
        finally:
            clear_new(turn, back=True)
        return part.size // 8, partial(RowsResult, decided=decided)

    def _catch_up(self, unit: RowsUnit) -> None:
        """Read what was decided before a round from the logs."""
        for u, (turn, end) in enumerate(zip(self._turns, unit.ends, strict=True)):
            for at in range(self._known[u], end, _AT_ONCE):
                some = self._buffer[: min(_AT_ONCE, end - at)]
                replay_round(self._trails[u].read(at, some), turn)
            self._known[u] = end
        self._solver.carry()
        for turn in self._turns:
            clear_new(turn, back=False)
        self._level = unit.level
