"""The form of tables that store their positions, sorted: any game has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.file.format import Header
from zermelo._methods.table_form import TableForm
from zermelo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._engine.file.writer import Writer
    from zermelo._engine.table import Table
    from zermelo._store.listed_writer import Images, Levels
    from zermelo.rules.hooks import Rules


class ListedForm(TableForm):
    """The form of tables that store their positions; see ``listed_writer``."""

    name = "listed"

    def __init__(self, images: Images | None = None) -> None:
        """Store the images of positions under symmetries, if files must contain them."""
        self._images = images

    def suits(self, rules: Rules) -> bool:  # noqa: ARG002  # those of each game do
        """Return whether the rules number positions so: those of every game do."""
        return True

    def write(
        self,
        compiled: CompiledRules,
        table: Table,
        writer: Writer,
        header: Header,
        palette: Sequence[int],
    ) -> None:
        """Write every position with its value; see ``TableForm``."""
        from zermelo._store.listed_writer import write_listed

        write_listed(
            writer,
            table,
            header,
            palette,
            turns=not compiled.alternate,
            varying=np.uint64(compiled.used),
            levels=_levels_of(compiled),
            images=self._images,
        )

    def open(self, arrays: TableArrays, compiled: CompiledRules) -> Table:
        """Return the table in a file; see ``TableForm``."""
        from zermelo._engine.column.file_column import FileColumn
        from zermelo._engine.column.palette_writer import starts_of
        from zermelo._engine.table import Table
        from zermelo._store.listed_index import BLOCK, ListedIndex

        column = FileColumn(arrays, BLOCK)
        index = ListedIndex(arrays, compiled.words, column.count)
        return Table(index, column, *starts_of(arrays, column.count, compiled.words), arrays)


def images_of(compiled: CompiledRules) -> Images:
    """Return the images of positions under symmetries for a portable table; empty without these.

    Raises:
        ParameterError: the rules have a ``canonical`` written by hand, or codes of values refer to
            further arrays of the file, which the readers of portable tables do not know.
    """
    from zermelo._store.listed_writer import Images

    if compiled.kind.section_types:
        message = (
            f"a portable table cannot hold a {compiled.kind.noun}; save without portable=True, or "
            "use export(), which writes each value as text"
        )
        raise ParameterError(message)
    group, elements = compiled.rules.group, compiled.elements
    if compiled.is_folded and not elements:
        message = (
            f"{compiled.rules.name} has a canonical() of its own, which a portable table cannot "
            "hold; solve with symmetry=False, or save without portable=True"
        )
        raise ParameterError(message)
    if group is None or not elements:
        return Images([], np.empty(0, np.uint64))
    chunks = [(chunk.word, chunk.shift, chunk.bits) for chunk in group.chunks]
    return Images(chunks, group.tables(elements))


def _levels_of(compiled: CompiledRules) -> Levels | None:
    """Return a function that gives the levels of packed positions, or None without levels."""
    if not compiled.rules.has_hook("level"):
        return None

    def levels(packed: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        count = len(packed) // compiled.words
        out = np.empty(count, np.int64)
        compiled.levels(packed, count, out)
        return out

    return levels
