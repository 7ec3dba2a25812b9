"""Certifying a pursuit's table on a cluster: some columns of each turn for each worker.

The check of a column depends on the file alone, so columns may be divided in any way.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._cluster.shared_files import same_table
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.scratch import Scratch
from zermelo._methods.pursuit.certificate.kernels import MatrixCheck, Span, build_check
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.table import Table
    from zermelo._methods.pursuit.graphs import PursuitGraphs
    from zermelo._methods.pursuit.index import PursuitIndex

#: Ranges of a turn's columns per worker, so that other workers can do some of a slow one's.
_RANGES_PER_WORKER = 2


class ColumnsCheck:
    """The job of a worker: the certificate of ranges of columns of a table."""

    def __init__(
        self,
        path: str,
        header: dict[str, Any],
        board: PursuitGraphs,
        index: PursuitIndex,
        allowed: int,
        threads: int,
    ) -> None:
        """Open the table, and prepare the comparison of its values.

        Args:
            path: the file, as all machines see it.
            header: the header of the driver's file.
            board: the pursuit.
            index: the positions of the pursuit.
            allowed: bytes of memory.
            threads: threads to use.

        Raises:
            BudgetError: there is too little memory.
            ClusterError: the file is another one than the driver's.
        """
        from zermelo._engine.file.table_arrays import TableArrays
        from zermelo._engine.table import Table
        from zermelo._methods.pursuit.file import FileMarks

        reader = same_table(path, header)
        pages = TableArrays(reader)
        no_places = np.empty(0, np.int64)
        table = Table(index, FileMarks(pages, index), no_places, "", pages)
        self._scratch = Scratch()
        arguments = board, table, threads, Ledger(allowed), 0, Reporter(), self._scratch
        self._matrices, self._threads = build_check(*arguments)

    def do_unit(self, unit: Span, name: str) -> MatrixCheck | None:  # noqa: ARG002  # no file
        """Compare some columns; see ``worker.Job``."""
        return self._matrices.compare(self._threads, Reporter(), [unit])


def compare_on_cluster(
    board: PursuitGraphs, table: Table, report: Reporter, *, workers: WorkerPool
) -> MatrixCheck | None:
    """Compare all values of a table on a cluster; see ``compare_table``.

    Args:
        board: the pursuit.
        table: positions and values, in a file that all workers see.
        report: receives the number of checked positions.
        workers: the workers.

    Raises:
        BudgetError: a worker has too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    index: Any = table.index
    reader: Any = table.reader
    path = reader.path.absolute()
    arguments = str(path), reader.header, board, index
    workers.begin(path.parent, ColumnsCheck, arguments)
    units, sizes = [], []
    for turn in range(board.turns):
        columns, rows = (board.size, len(index.teams))[:: -1 if turn == 0 else 1]
        count = min(columns, _RANGES_PER_WORKER * workers.size)
        for begin, end in pairwise(columns * n // count for n in range(count + 1)):
            units.append((turn, begin, end))
            sizes.append(rows * (end - begin))
    checks: list[MatrixCheck] = []
    checked_count, is_invalid = 0, False
    for number, check in workers.run(units):
        checked_count += sizes[number]
        report.advance(checked_count)
        is_invalid |= check is None
        if check is not None:
            checks.append(check)
    if is_invalid:
        return None
    wrong = [check.wrong for check in checks if check.wrong is not None]
    return MatrixCheck(checks[0].moves, min(wrong, default=None))
