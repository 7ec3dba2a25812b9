"""Certifying the table of a graph on a cluster: some ranges of vertices for each worker.

The check of a vertex depends on its edges and on the values of its successors, all of which are in
the file. So the ranges together are complete, whichever worker checks them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zermelo._cluster.shared_files import same_table
from zermelo._engine.core.ledger import Ledger
from zermelo._methods.explicit.driver import certify
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._methods.explicit.file import GraphFile

#: Ranges per worker, so that other workers can do some of a slow one's.
_EACH = 4


class VerticesCheck:
    """The job of a worker: the certificate of ranges of vertices of a table."""

    def __init__(self, path: str, header: dict[str, Any], allowed: int, threads: int) -> None:
        """Open the table, and load its values.

        Args:
            path: the file, as all machines see it.
            header: the header of the driver's file.
            allowed: bytes of memory.
            threads: threads to use.

        Raises:
            BudgetError: the values do not fit in memory.
            ClusterError: the file is another one than the driver's.
            CorruptTableError: the file is damaged.
        """
        from zermelo._engine.file.table_arrays import TableArrays
        from zermelo._methods.explicit.file import GraphFile

        self._source = GraphFile(TableArrays(same_table(path, header)))
        self._scan = self._source.scan_size(threads, Ledger(allowed))
        self._values = self._source.values.loaded()

    def do_unit(self, unit: tuple[int, int], name: str) -> tuple[int, int] | None:  # noqa: ARG002
        """Check some vertices; see ``worker.Job``, and ``certify`` for the result."""
        scan = self._scan
        return certify(self._source, self._values, scan.threads, Reporter(), scan.batch, unit)


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
    reader, count = source.reader, _EACH * workers.size
    path = reader.path.absolute()
    given = str(path), reader.header
    workers.begin(path.parent, VerticesCheck, given)
    vertices = source.vertices
    cuts = sorted({vertices * n // count for n in range(count + 1)})
    units = list(pairwise(cuts))
    done, wrong = 0, []
    with report.phase("verify", vertices):
        for number, found in workers.run(units):
            done += units[number][1] - units[number][0]
            report.advance(done)
            if found is not None:
                wrong.append(found)
    return min(wrong, default=None)
