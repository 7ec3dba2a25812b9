"""The interface of a form of table files: how its tables are written, opened and checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from zermelo import limits
from zermelo._engine.file.format import Header

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._engine.file.writer import Writer
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules


class TableForm(ABC):
    """A form of table files.

    Most processes need one form or none, so a form imports what it needs when it is used.

    Attributes:
        name: the name of the form in a file's header, as ``kind``, and of an index that is saved
            in this form, as ``saved_as``.
    """

    name: str

    @abstractmethod
    def suits(self, rules: Rules) -> bool:
        """Return whether the rules number positions as files of this form do."""

    @abstractmethod
    def write(
        self,
        compiled: CompiledRules,
        table: Table,
        writer: Writer,
        header: Header,
        palette: Sequence[int],
    ) -> None:
        """Write a table to a file.

        Args:
            compiled: the rules, canonicalising as in the solve.
            table: positions and values.
            writer: the writer of the file.
            header: the header of the file; the key ``table`` is added.
            palette: the occurring values, ascending.
        """

    @abstractmethod
    def open(self, arrays: TableArrays, compiled: CompiledRules) -> Table:
        """Return the table in a file.

        Args:
            arrays: the file, whose header has been checked.
            compiled: the rules, which the form ``suits``.

        Raises:
            CorruptTableError: the file is damaged, or is of other positions.
        """

    def can_share(self, compiled: CompiledRules, table: Table) -> bool:
        """Return whether the workers of a cluster can share the certificate of a table file."""
        return compiled.rules.has_hook("level") or table.kind.outcomes_alone

    def check(
        self,
        compiled: CompiledRules,
        table: Table,
        threads: int,  # noqa: ARG002  # the workers'
        ledger: Ledger,  # noqa: ARG002  # the workers'
        report: Reporter,
        workers: WorkerPool | None,
    ) -> Finding | None:
        """Check the values of a table by kernels for its form, or by workers.

        Args:
            compiled: the rules.
            table: positions and values.
            threads: threads to use.
            ledger: the memory budget.
            report: receives the number of positions checked.
            workers: processes to share the check among, if the form ``can_share`` it.

        Returns:
            The finding; None if every position must be expanded in this process.

        Raises:
            BudgetError: the memory is too little.
            ClusterError: workers cannot be used, or are lost.
        """
        if workers is None:
            return None
        from zermelo._methods.places_certificate import check_on_cluster

        return check_on_cluster(self.open, compiled, table, report, workers)


class BitwiseForm(TableForm):
    """A form whose values are checked by kernels for many positions at once."""

    def can_share(self, compiled: CompiledRules, table: Table) -> bool:  # noqa: ARG002  # each can
        """Return whether workers can share the certificate: of every table of these forms."""
        return True

    def check(
        self,
        compiled: CompiledRules,
        table: Table,
        threads: int,
        ledger: Ledger,
        report: Reporter,
        workers: WorkerPool | None,
    ) -> Finding | None:
        """Check the values by these kernels; see ``TableForm``.

        The table must be large enough, and contain every position, not one for all that symmetries
        make equal.
        """
        if len(table) < limits.current().bitwise or compiled.is_folded:
            return None
        return self.check_bitwise(compiled, table, threads, ledger, report, workers)

    @abstractmethod
    def check_bitwise(
        self,
        compiled: CompiledRules,
        table: Table,
        threads: int,
        ledger: Ledger,
        report: Reporter,
        workers: WorkerPool | None,
    ) -> Finding | None:
        """Check the values by these kernels, whatever the size of the table; see ``check``."""
