"""Reading solved graphs from files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from zermelo._engine.file.table_arrays import TableArrays
from zermelo._engine.table import Table
from zermelo._methods.explicit.file import GraphFile
from zermelo._methods.explicit.index import VertexIndex
from zermelo._store import graph_tables
from zermelo.graph import names

if TYPE_CHECKING:
    from zermelo._engine.file.reader import Reader


def read(
    reader: Reader,
) -> tuple[GraphFile, Table, Callable[[], Sequence[Hashable]] | None]:
    """Return the graph in a file, its table, and the function that reads its vertices' names.

    Raises:
        CorruptTableError: the contents contradict the header.
    """
    pages = TableArrays(reader)
    source = GraphFile(pages)
    starts = graph_tables.starts_of(reader, source.vertices)
    table = Table(VertexIndex(source.vertices), source.values, starts, "legal", pages)

    def named() -> Sequence[Hashable]:
        try:
            nodes = names.read(source.names)
        except ValueError:
            nodes = []
        if len(nodes) != source.vertices:
            raise reader.part_error("array 'names'")
        return nodes

    return source, table, named if reader.array_entry("names").length else None
