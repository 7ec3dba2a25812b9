"""Solved graphs as files: saving them, and opening them again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from zermelo.amounts import thread_count
from zermelo.graph.names import read, written
from zermelo.graph.solution import GraphSolution

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._methods.explicit.parts import Source
    from zermelo.graph.whole import Whole
    from zermelo.progress import Reporter

#: The kind of these tables.
KIND = "graph"
_METHOD = "explicit graph"


def open_table(path: str | os.PathLike[str], *, threads: int | None = None) -> GraphSolution:
    """Open the table of a graph, which answers as the solution did that was saved.

    Nothing is solved, and nothing in the file is run. Blocks are read as they are needed, and
    each is compared with its checksum. The graph itself is in the file, and is not needed.

    Args:
        path: the file.
        threads: threads to use for what is asked of it; by default as many as there are cores.

    Returns:
        The solution.

    Raises:
        MissingTableError: there is no file.
        CorruptTableError: it is not a table, damaged, cut short, or of a newer format.
        ParameterError: it is the table of a game, which ``zermelo.open`` opens.
    """
    from zermelo._store.gameless import opened, wrong

    crew = thread_count(threads)
    reader = opened(path, KIND)
    try:
        from zermelo._store.indexes.graph_file import GraphFile

        source = GraphFile(reader)
    except BaseException:
        reader.close()
        raise

    def names() -> Sequence[Hashable]:
        try:
            nodes = read(source.names)
        except ValueError:
            nodes = []
        if len(nodes) != source.vertices:
            raise wrong(reader, "array 'names'")
        return nodes

    return GraphSolution(
        source,
        choice=reader.header["choice"],
        phases=[],
        peak_bytes=0,
        threads=crew,
        names=names if reader.stored("names").length else None,
    )


def save(
    solution: Whole,
    source: Source,
    path: str | os.PathLike[str],
    *,
    overwrite: bool,
    report: Reporter,
) -> Path:
    """Write a solved graph to a file; see ``GraphSolution.save``."""
    from zermelo._store.gameless import write
    from zermelo._store.indexes.graphs import arrays_of

    table, counts, arrays = arrays_of(source, written(solution.nodes))
    about = {
        "holds": f"a graph of {source.vertices:,} vertices and {source.edges:,} edges",
        "method": _METHOD,
        "choice": solution.choice,
        "counts": counts,
    }
    return write(
        path,
        KIND,
        about,
        table,
        arrays,
        overwrite=overwrite,
        threads=solution.threads,
        report=report,
    )
