"""The check of a table on a cluster: ranges of its file as units of work.

What is checked of a range depends on the file alone, so any worker can check any range.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.file.format import Header
from zermelo._engine.file.reader import Reader
from zermelo._engine.file.table_arrays import TableArrays
from zermelo.errors import ClusterError

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo.progress import Reporter

Unit = TypeVar("Unit")
Result = TypeVar("Result")


def open_same_table(path: str, header: Header) -> TableArrays:
    """Return the arrays of a table that the driver has open too.

    Args:
        path: the file, as all machines see it.
        header: the header of the driver's file.

    Raises:
        ClusterError: the file differs from the driver's.
        CorruptTableError: the file is damaged.
    """
    reader = Reader(Path(path))
    if reader.header != header:
        message = f"{path!r} differs between machines; mount the same folder on all of them"
        raise ClusterError(message)
    return TableArrays(reader)


class FileCheck:
    """The job of a worker: the check of ranges of a table."""

    def __init__(
        self,
        path: str,
        header: Header,
        prepare: Callable[..., Callable[[Any], Any]],
        arguments: tuple[Any, ...],
        allowed: int,
        threads: int,
    ) -> None:
        """Open the table, and prepare its check.

        Args:
            path: the file, as all machines see it.
            header: the header of the driver's file.
            prepare: returns the check of one unit; see ``check_by_workers``.
            arguments: its arguments.
            allowed: bytes of memory.
            threads: threads to use.

        Raises:
            BudgetError: there is too little memory.
            ClusterError: the file differs from the driver's.
            CorruptTableError: the file is damaged.
        """
        self._check = prepare(open_same_table(path, header), *arguments, Ledger(allowed), threads)

    def do_unit(self, unit: Any, name: str) -> Any:  # noqa: ARG002  # no file
        """Check a range; see ``worker.Job``."""
        return self._check(unit)


def check_by_workers(
    workers: WorkerPool,
    reader: Reader,
    prepare: Callable[..., Callable[[Unit], Result]],
    arguments: tuple[object, ...],
    units: Sequence[Unit],
    sizes: Sequence[int],
    report: Reporter,
) -> list[Result]:
    """Check a table by workers; return the result of each unit.

    Args:
        workers: the workers.
        reader: the table, in a file that all of them see.
        prepare: returns the check of one unit, for the arrays of the file, ``arguments``, a ledger
            and a number of threads. Workers import it by its name.
        arguments: the arguments between the arrays and the ledger.
        units: the ranges.
        sizes: the number of positions of each range.
        report: receives the number of checked positions.

    Raises:
        BudgetError: a worker has too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    path = reader.path.absolute()
    workers.begin(path.parent, FileCheck, (str(path), reader.header, prepare, arguments))
    checked, results = 0, []
    for index, result in workers.run(units):
        checked += sizes[index]
        report.advance(checked)
        results.append((index, result))
    return [result for _, result in sorted(results, key=lambda pair: pair[0])]
