"""A solved graph as a whole: how many vertices of each value, the graph, and files of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from zermelo.amounts import memory_bytes
from zermelo.progress import Listener, Reporter
from zermelo.values.answers import Counts

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from zermelo._methods.explicit.parts import Source


class Whole:
    """The part of ``GraphSolution`` that is about all vertices, and about files."""

    choice: str
    threads: int
    _source: Source
    _names: Callable[[], Sequence[Hashable]] | None

    @cached_property
    def nodes(self) -> Sequence[Hashable]:
        """The names of the vertices, where the graph came from networkx; else their numbers."""
        return range(self._source.vertices) if self._names is None else self._names()

    def counts(self) -> Counts:
        """Return how many vertices there are of each outcome and remoteness."""
        from zermelo._methods.explicit.driver import tally

        return Counts.of_codes(tally(self._source.stored, self._source.scale))

    def arrays(
        self,
    ) -> tuple[
        npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int8], npt.NDArray[np.uint8] | None
    ]:
        """Return the graph: ``indptr``, ``indices``, ``outcome`` and ``owner``; see ``solve``.

        What was opened reads them from the file, where they can be compared with others, or solved
        again. ``owner`` is None where vertices have none.
        """
        source, count = self._source, self._source.vertices
        owner = source.owners if source.owned else None
        return (
            source.first(0, count),
            source.targets(0, source.edges),
            source.outcomes(0, count),
            owner,
        )

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        progress: Listener | None = None,
    ) -> Path:
        """Keep the solution in a file, a table, which ``zermelo.graph.open`` opens.

        The graph is written too, so that the file is all that is needed to ask, and to verify. The
        file appears when it is whole. It does not depend on the threads. Some megabytes a thread
        are taken meanwhile.

        Args:
            path: where.
            overwrite: whether a file that is there may be replaced.
            progress: called with an ``Event`` now and then.

        Returns:
            The path.

        Raises:
            ParameterError: a vertex has a name that a file cannot have: one that is no text and no
                number, nor a tuple of these.
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder may not be written to.
        """
        from zermelo.graph.table import save

        return save(self, self._source, path, overwrite=overwrite, report=Reporter(progress))

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002  # it is what everybody calls it
        moves: bool = True,
        overwrite: bool = False,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Path:
        """Write every vertex with its value to a file that other programs read.

        A row is a vertex, in order of number. The columns are ``vertex``, its ``name`` (where
        vertices have names), ``player`` (its owner, where they have owners), ``outcome``,
        ``remoteness`` (nothing for an endless draw), and ``best_move``, the vertex to move to, with
        ``best_move_name`` (nothing where the game is over). ``docs/reference/export.md`` says how
        each format holds them.

        Args:
            path: where.
            format: "parquet", "csv" or "npz"; by default as the path ends.
            moves: whether best moves are written.
            overwrite: whether a file that is there may be replaced.
            memory: what may be taken beside the solution, as for ``verify``.
            progress: called with an ``Event`` now and then.

        Returns:
            The path.

        Raises:
            ParameterError: there is no such format.
            MissingExtraError: Parquet needs pyarrow: ``pip install 'zermelo[export]'``.
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder may not be written to.
            CorruptTableError: the table is damaged.
            BudgetError: the memory is too little.
        """
        from zermelo.graph.exporting import export

        return export(
            self,
            self._source,
            path,
            form=format,
            moves=moves,
            overwrite=overwrite,
            memory=memory_bytes(memory),
            report=Reporter(progress),
        )

    def close(self) -> None:
        """Give back the file that the solution was opened from; see ``Solution.close``."""
        self._source.close()

    def __enter__(self) -> Self:
        """Be open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give the file back."""
        self.close()
