"""The form of tables of declared spaces: a bit for each slot, and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.file.format import Header
from zermelo._methods.table_form import TableForm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._engine.file.writer import Writer
    from zermelo._engine.table import Table
    from zermelo.rules.hooks import Rules


class SlotForm(TableForm):
    """The form of tables of declared spaces; see ``file``."""

    name = "slots"

    def suits(self, rules: Rules) -> bool:
        """Return whether the game declares a space."""
        return rules.has_hook("space")

    def write(
        self,
        compiled: CompiledRules,  # noqa: ARG002  # the index knows the space
        table: Table,
        writer: Writer,
        header: Header,
        palette: Sequence[int],
    ) -> None:
        """Write which slots hold a position, and their values; see ``TableForm``."""
        from zermelo._methods.dense.file import write_slots

        write_slots(writer, table, header, palette)

    def open(self, arrays: TableArrays, compiled: CompiledRules) -> Table:
        """Return the table in a file; see ``TableForm``."""
        from zermelo._engine.column.file_column import FileColumn
        from zermelo._engine.column.palette_writer import starts_of
        from zermelo._engine.table import Table
        from zermelo._methods.dense.file import PER_BLOCK, SlotIndex
        from zermelo._methods.dense.ranking import ranking_of

        column = FileColumn(arrays, PER_BLOCK)
        ranking = ranking_of(compiled.rules, compiled.elements)
        slots = SlotIndex(arrays, ranking, column.count)
        return Table(slots, column, *starts_of(arrays, column.count, slots.words), arrays)
