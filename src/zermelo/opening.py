"""A table's file as what answers from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo._store.reader import Reader


def opened(reader: Reader, compiled: CompiledRules) -> Table:  # noqa: ARG001  # for other kinds
    """Return what answers from a file.

    Args:
        reader: the file, of which the header has been read.
        compiled: the rules that made it.
    """
    from zermelo._store.listed import ListedTable

    return ListedTable(reader)
