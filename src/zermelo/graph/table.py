"""Solved graphs as files: saving them, and reading them again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from zermelo._methods.explicit.file import GraphFile
from zermelo.graph import names

if TYPE_CHECKING:
    from zermelo._engine.file.reader import Reader

#: The kind of these tables.
KIND = "graph"


def read(
    reader: Reader,
) -> tuple[GraphFile, Callable[[], Sequence[Hashable]] | None, int | None]:
    """Return the graph that a file holds, what reads its names, and the number of its start.

    Raises:
        CorruptTableError: it is not what it says.
    """
    source = GraphFile(reader)
    start = reader.header["table"].get("start")
    if start is not None and not (type(start) is int and 0 <= start < source.vertices):
        raise reader.wrong("start")

    def named() -> Sequence[Hashable]:
        try:
            nodes = names.read(source.names)
        except ValueError:
            nodes = []
        if len(nodes) != source.vertices:
            raise reader.wrong("array 'names'")
        return nodes

    return source, named if reader.stored("names").length else None, start
