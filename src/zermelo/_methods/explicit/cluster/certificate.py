"""Certifying the table of a graph on a cluster: some ranges of vertices for each worker.

What is checked of a vertex depends on its edges and on the values they lead to, all of which the
file has. So ranges leave nothing out, whoever looks at them.
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

#: Ranges for each worker, so that a slow one leaves some to the others.
_EACH = 4


class VerticesCheck:
    """The job of a worker: it opens the table, and follows the edges of ranges of vertices."""

    def __init__(self, path: str, header: dict[str, Any], allowed: int, threads: int) -> None:
        """Open the table, and load its values.

        Args:
            path: the file, as all machines see it.
            header: what the driver's file says of itself.
            allowed: bytes of memory.
            threads: threads to use.

        Raises:
            BudgetError: there is too little memory.
            ClusterError: it is another file.
            CorruptTableError: it is damaged.
        """
        from zermelo._engine.file.table_arrays import TableArrays
        from zermelo._methods.explicit.file import GraphFile

        self._source = GraphFile(TableArrays(same_table(path, header)))
        self._scan = self._source.scan_size(threads, Ledger(allowed))
        self._values = self._source.values.loaded()

    def do(self, unit: tuple[int, int], name: str) -> tuple[int, int] | None:  # noqa: ARG002  # no file
        """Check some vertices; see ``serving.Job``, and for what it returns ``certify``."""
        scan = self._scan
        return certify(self._source, self._values, scan.threads, Reporter(), scan.batch, unit)


def certified_by(
    workers: WorkerPool, source: GraphFile, report: Reporter
) -> tuple[int, int] | None:
    """Have workers check every code of a table; see ``certify``.

    Args:
        workers: these.
        source: the table, which all of them see.
        report: is told how many vertices are checked.

    Raises:
        BudgetError: a worker has too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    reader, count = source.reader, _EACH * workers.size
    path = reader.path.absolute()
    given = str(path), reader.header
    workers.begin(path.parent, f"{__name__}:{VerticesCheck.__name__}", given)
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
