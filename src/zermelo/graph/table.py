"""Solved graphs as files: saving them, and reading them again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from zermelo._store import gameless
from zermelo._store.indexes.graph_file import GraphFile
from zermelo._store.indexes.graphs import arrays_of
from zermelo.graph import names

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._engine.file.reader import Reader
    from zermelo._methods.explicit.parts import GraphSource
    from zermelo.graph.rules import GraphRules
    from zermelo.graph.values import VertexValues
    from zermelo.progress import Reporter

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


def save(
    source: GraphSource,
    rules: GraphRules,
    values: VertexValues,
    path: str | os.PathLike[str],
    *,
    method: str,
    choice: str,
    overwrite: bool,
    threads: int,
    allowed: int,  # noqa: ARG001  # blocks are written as they are made
    report: Reporter,
) -> Path:
    """Write a solved graph to a file; see ``Solution.save``.

    Raises:
        ParameterError: a vertex has a name that a file cannot have: one that is no text and no
            number, nor a tuple of these.
    """
    table, counts, arrays = arrays_of(source, names.written(rules.nodes))
    if len(values.starts):
        table["start"] = int(values.starts[0])
    about = {
        "holds": rules.described,
        "method": method,
        "choice": choice,
        "counts": counts,
    }
    return gameless.write(
        path,
        KIND,
        about,
        table,
        arrays,
        overwrite=overwrite,
        threads=threads,
        report=report,
    )
