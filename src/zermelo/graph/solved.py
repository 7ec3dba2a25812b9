"""A graph that was solved: its edges as rules, and the values of its vertices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.kernels import WRONG_VALUE, Finding
from zermelo._methods.explicit import driver as explicit
from zermelo._methods.explicit.file_writing import arrays_of
from zermelo._store import gameless
from zermelo.errors import PositionError
from zermelo.graph import names, table
from zermelo.graph.arrays import GraphArrays
from zermelo.graph.rules import GraphRules
from zermelo.graph.values import VertexValues
from zermelo.solution.solved import Solved

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._engine.file.reader import Reader
    from zermelo._methods.explicit.parts import GraphSource
    from zermelo.analysis import Analysis
    from zermelo.analysis.run import Wanted
    from zermelo.graph.rows import GraphRows
    from zermelo.progress import Reporter
    from zermelo.rules.view import Answering
    from zermelo.values.answers import Counts


class SolvedGraph(Solved):
    """A graph with the values of its vertices.

    Attributes:
        source: the edges and the values.
        rules: the edges as rules.
        table: the values.
    """

    def __init__(
        self,
        source: GraphSource,
        read: Callable[[], Sequence[Hashable]] | None = None,
        start: int | None = None,
    ) -> None:
        """Join what is known of a graph.

        Args:
            source: the edges and the values.
            read: returns the names of vertices, where they have any.
            start: the number of the vertex where it begins, if there is one.
        """
        self.source = source
        self.rules: GraphRules = GraphRules(source, read)
        self.table: VertexValues = VertexValues(source, start)

    @classmethod
    def read(cls, reader: Reader, threads: int) -> SolvedGraph:  # noqa: ARG003  # blocks are few
        """Return what a file holds.

        Args:
            reader: the file.
            threads: threads that may be used.

        Raises:
            CorruptTableError: it is not what it says.
        """
        return cls(*table.read(reader))

    def arrays(self, threads: int) -> GraphArrays:
        """Return the values, the best edges and the graph as arrays."""
        return GraphArrays(self.source, threads)

    # -- vertices and numbers ---------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the number of a vertex; see ``Solved``."""
        return self.rules.number(position)

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the numbers of many vertices, -1 for what is none."""
        if not isinstance(self.rules.nodes, range) or not isinstance(positions, np.ndarray):
            return super().places(positions)
        given = positions.reshape(-1)
        if given.dtype.kind not in "iu":
            message = f"vertices are numbers, not {given.dtype}; give an array of integers"
            raise PositionError(message)
        return np.where((given >= 0) & (given < len(self.table)), given, -1).astype(np.int64)

    def positions(self, places: npt.NDArray[np.int64]) -> list[Any]:
        """Return the vertices of numbers."""
        nodes = self.rules.nodes
        return [nodes[place] for place in places.tolist()]

    # -- the whole of it --------------------------------------------------------------------------

    def checked(self, threads: int, allowed: int, report: Reporter) -> Finding:
        """Check the certificate in one pass along the edges as they were given; see ``Solved``."""
        source = self.source
        scan = source.scan_size(threads, allowed)
        with report.phase("checksums"):
            source.check()
        fault = explicit.certify(source, scan.threads, report, scan.batch)
        right = Finding(len(self.table), source.edges)
        if fault is None:
            return right
        place, code = fault
        return right.but(WRONG_VALUE, place, expected=explicit.wide_code(code, source.scale))

    def analysed(
        self, solution: Answering, counts: Counts, wanted: Wanted, report: Reporter
    ) -> Analysis:
        """Work out what moving along the edges is like to play; see ``Solved``."""
        from zermelo.analysis.run import analysed
        from zermelo.analysis.survey import ListedSurvey

        survey = ListedSurvey(self, self.source.edges, self._moves)
        return analysed(solution, survey, counts, wanted, report)

    def _moves(self) -> tuple[Any, Any, Any, None]:
        """List the edges of the vertices where the game goes on."""
        source, count = self.source, self.source.vertices
        degrees = np.diff(source.first(0, count)).astype(np.int64)
        going_on = source.outcomes(0, count) == explicit.NONE
        edges = source.targets(0, source.edges)[np.repeat(going_on, degrees)]
        first = np.concatenate([[0], np.cumsum(np.where(going_on, degrees, 0))])
        return first, edges, source.owners, None

    def save(self, path: str | os.PathLike[str], **how: Any) -> Path:
        """Write the graph and its values to a file; see ``Solved``.

        Raises:
            ParameterError: a vertex has a name that a file cannot have: one that is no text and no
                number, nor a tuple of these.
        """
        held = arrays_of(self.source, names.written(self.rules.nodes))
        return gameless.write(path, table.KIND, self.rules, self.table, *held, **how)

    def rows(self, *, moves: bool) -> GraphRows:
        """Return every position with its value as rows of columns; see ``Solved``."""
        from zermelo.graph.rows import GraphRows

        return GraphRows(self.rules, self.table, moves=moves)

    def close(self) -> None:
        """Close the file that it answers from, if there is one."""
        self.source.close()
