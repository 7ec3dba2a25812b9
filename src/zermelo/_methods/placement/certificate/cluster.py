"""The certificate of a placement game's table on a cluster: a range of levels for each unit.

The check of a level depends only on the file and on the adjacent levels. So the check is complete
if each range of levels shares its last level with the next range. Any worker can check any range.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._cluster.pool import WorkerPool
from zermelo._cluster.shared_files import same_table
from zermelo._engine.core.ledger import Ledger
from zermelo._methods.placement.certificate.level_check import (
    LevelsResult,
    check_levels,
    remaining_bytes,
)
from zermelo._methods.placement.certificate.plan import CertificatePlan
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo._methods.placement.board import PlacementBoard
    from zermelo._methods.placement.index import Fields


class CertificateUnits:
    """The job of a worker: the certificate of ranges of levels of a table."""

    def __init__(
        self,
        path: str,
        header: dict[str, Any],
        board: PlacementBoard,
        fields: Fields,
        timed: bool,
        allowed: int,
        threads: int,
    ) -> None:
        """Open the table.

        Args:
            path: the path of the file on every machine.
            header: the header of the driver's file.
            board: the game.
            fields: the packed form of positions.
            timed: whether the table has remoteness.
            allowed: bytes of memory.
            threads: threads to use.

        Raises:
            BudgetError: there is too little memory.
            ClusterError: the file differs from the driver's.
        """
        from zermelo._engine.column.palette_writer import starts_of
        from zermelo._engine.file.table_arrays import TableArrays
        from zermelo._engine.table import Table
        from zermelo._methods.placement.file.column import TierColumn
        from zermelo._methods.placement.file.index import TierIndex

        reader = same_table(path, header)
        pages = TableArrays(reader)
        tiers = TierIndex(pages, board, fields)
        column = TierColumn(pages, tiers.begins)
        self._table = Table(tiers, column, *starts_of(pages, column.count, tiers.words), pages)
        self._plan = CertificatePlan(board, timed=timed)
        self._threads = threads
        self._remaining = remaining_bytes(self._table, self._plan, threads, Ledger(allowed))

    def do_unit(self, unit: tuple[int, int], name: str) -> LevelsResult | None:  # noqa: ARG002  # no file
        """Check a range of levels; see ``worker.Job``. No file is written."""
        return check_levels(
            self._table, self._plan, self._threads, self._remaining, Reporter(), unit
        )


def check_levels_on_cluster(
    table: Any, plan: CertificatePlan, report: Reporter, *, workers: WorkerPool
) -> LevelsResult | None:
    """Check all levels of a table on a cluster; see ``check_levels``.

    Args:
        table: positions and values, in a file that all workers see.
        plan: the layout that the table must have.
        report: receives the number of checked positions.
        workers: the workers.

    Raises:
        BudgetError: a worker has too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    path = table.reader.path.absolute()
    arguments = table.reader.header, plan.board, table.index.fields, plan.timed
    workers.begin(path.parent, CertificateUnits, (str(path), *arguments))
    units = ranges(table, plan, workers.size)
    first_places = table.index.directory.place[table.index.directory.level_section]
    results: dict[int, LevelsResult | None] = {}
    checked_count = 0
    for number, result in workers.run(units):
        results[number] = result
        begin, end = units[number]
        checked_count += int(first_places[end + 1] - first_places[begin + (begin > 0)])
        report.advance(checked_count)
    total = LevelsResult()
    for number in range(len(units)):
        part = results[number]
        if part is None:
            return None
        total.moves += part.moves
        total.samples += part.samples
        if total.unreached is None:
            total.unreached = part.unreached
        if part.suspect is not None:
            total.suspect = part.suspect
            break  # later levels need no check after a fault
    return total


def ranges(table: Any, plan: CertificatePlan, count: int) -> list[tuple[int, int]]:
    """Return ranges of levels with about equal cost; each ends with the first level of the next."""
    words = np.diff(table.index.directory.word[table.index.directory.level_section])
    costs = words * np.array([1 + len(planes) for planes in plan.planes])
    costs_before = np.cumsum(costs)
    targets = np.arange(1, count) * (costs_before[-1] / count)
    cuts = np.unique([0, *np.searchsorted(costs_before, targets).tolist(), plan.size])
    return list(pairwise(cuts.tolist())) or [(0, plan.size)]
