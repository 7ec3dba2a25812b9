"""The form of tables of pursuits that a game declares: a value for each position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo._engine.file.format import Header
from zermelo._methods.table_form import BitwiseForm

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


class PursuitForm(BitwiseForm):
    """The form of tables of pursuits; see ``file``."""

    name = "pursuit"

    def suits(self, rules: Rules) -> bool:
        """Return whether the game declares a pursuit."""
        return rules.has_hook("pursuit")

    def write(
        self,
        compiled: CompiledRules,  # noqa: ARG002  # the index knows the graph
        table: Table,
        writer: Writer,
        header: Header,
        palette: Sequence[int],
    ) -> None:
        """Write the values turn by turn; see ``TableForm``."""
        from zermelo._methods.pursuit.file import write_pursuit

        write_pursuit(writer, table, header, palette)

    def open(self, arrays: TableArrays, compiled: CompiledRules) -> Table:
        """Return the table in a file; see ``TableForm``."""
        from zermelo._engine.column.palette_writer import starts_of
        from zermelo._engine.table import Table
        from zermelo._methods.pursuit.file import FileMarks
        from zermelo._methods.pursuit.index import EveryStart, PursuitIndex
        from zermelo._methods.pursuit.method import board_of

        description, board = board_of(compiled.rules)
        index = PursuitIndex.of_game(compiled.rules, description.fields, board)
        starts: Any = EveryStart(compiled.rules, index)
        start_places, evidence = starts_of(arrays, index.span, index.words)
        if start_places.tolist() != [starts.number]:
            array_name = "header"
            raise arrays.reader.part_error(array_name)
        return Table(index, FileMarks(arrays, index), starts, evidence, arrays)

    def check_bitwise(
        self,
        compiled: CompiledRules,
        table: Table,
        threads: int,
        ledger: Ledger,
        report: Reporter,
        workers: WorkerPool | None,
    ) -> Finding | None:
        """Check the values a row of positions at a time; see ``BitwiseForm``."""
        from zermelo._methods.pursuit.certificate.kernels import check_rows

        return check_rows(compiled, table, threads, ledger, report, workers)
