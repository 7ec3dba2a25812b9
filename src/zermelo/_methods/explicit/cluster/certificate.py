"""Certifying the table of a graph on a cluster: some ranges of vertices for each worker.

The check of a vertex depends on its edges and on the values of its successors, all of which are in
the file.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from zermelo._cluster.file_check import check_by_workers
from zermelo._cluster.ranges import even_ranges
from zermelo._methods.explicit.driver import certify
from zermelo._methods.explicit.file import GraphFile
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.table_arrays import TableArrays

#: Ranges per worker, so that other workers can do some of a slow one's.
_EACH = 4


def prepare_vertices(
    arrays: TableArrays, ledger: Ledger, threads: int
) -> Callable[[tuple[int, int]], tuple[int, int] | None]:
    """Return the check of a range of vertices; see ``check_by_workers``, and ``certify``."""
    source = GraphFile(arrays)
    scan = source.scan_size(threads, ledger)
    return partial(certify, source, source.values.loaded(), scan.threads, Reporter(), scan.batch)


def certify_on_cluster(
    workers: WorkerPool, source: GraphFile, report: Reporter
) -> tuple[int, int] | None:
    """Check every code of a table on a cluster; see ``certify``.

    Args:
        workers: the workers.
        source: the table, in a file that all of them see.
        report: receives the number of checked vertices.

    Raises:
        BudgetError: a worker has too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    units = even_ranges(source.vertices, _EACH * workers.size)
    sizes = [end - begin for begin, end in units]
    with report.phase("verify", source.vertices):
        faults = check_by_workers(
            workers, source.reader, prepare_vertices, (), units, sizes, report
        )
    return min((fault for fault in faults if fault is not None), default=None)
