"""A solved graph: its edges as rules, and the values of its vertices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.kernels import WRONG_VALUE, Finding
from zermelo._engine.file.cache_limits import verified_reading
from zermelo._methods.explicit import driver as explicit
from zermelo._methods.explicit.file_writer import write_graph
from zermelo._methods.explicit.kernels import NONE
from zermelo._store import graph_tables
from zermelo.errors import PositionError
from zermelo.graph import file, names
from zermelo.graph.arrays import GraphArrays
from zermelo.graph.rules import GraphRules
from zermelo.rules.layout import lay_out
from zermelo.solution.solved_base import Solved

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.table import Table
    from zermelo._methods.explicit.graph_source import GraphSource
    from zermelo._methods.explicit.index import VertexCodes
    from zermelo._store.save_options import SaveOptions
    from zermelo.analysis.survey import ListedSurvey
    from zermelo.graph.rows import GraphRows
    from zermelo.progress import Reporter
    from zermelo.solution.solved_base import Decode
    from zermelo.values.outcomes import Value


#: Bytes that names take in memory for each byte in the file, and for each name.
_BYTES_PER_TEXT_BYTE, _BYTES_PER_NAME = 3, 250


class SolvedGraph(Solved):
    """A graph with the values of its vertices.

    Attributes:
        source: the edges.
        rules: the edges as rules.
    """

    def __init__(
        self,
        source: GraphSource,
        table: Table,
        read_names: Callable[[], Sequence[Hashable]] | None = None,
    ) -> None:
        """Store the edges and the table.

        Args:
            source: the edges.
            table: the values of vertices.
            read_names: returns the names of vertices; None if they have none.
        """
        self.source = source
        self.table = table
        self.rules: GraphRules = GraphRules(source, table, read_names)
        width = (0, max(source.vertices - 1, 0).bit_length())
        self.layout = lay_out(None, (("position", None),), (width,))[0]

    @classmethod
    def read(cls, reader: Reader) -> SolvedGraph:
        """Return the solved graph of a file.

        Raises:
            CorruptTableError: the contents contradict the header.
        """
        return cls(*file.read(reader))

    @cached_property
    def values(self) -> VertexCodes:
        """All values, in memory."""
        values: Any = self.table.column.loaded()
        codes: VertexCodes = values
        return codes

    def arrays(self, threads: int) -> GraphArrays:
        """Return the values, the best edges and the graph as arrays."""
        return GraphArrays(self.source, lambda: self.values, threads)

    # -- vertices and numbers ---------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the number of a vertex; see ``Solved``."""
        return self.rules.number(position)

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the numbers of many vertices, -1 for an invalid one."""
        if not isinstance(self.rules.nodes, range) or not isinstance(positions, np.ndarray):
            return super().places(positions)
        numbers = positions.reshape(-1)
        if numbers.dtype.kind not in "iu":
            message = f"vertices are numbers, not {numbers.dtype}; give an array of integers"
            raise PositionError(message)
        return np.where((numbers >= 0) & (numbers < len(self.table)), numbers, -1).astype(np.int64)

    def positions(self, places: npt.NDArray[np.int64]) -> list[Any]:
        """Return the vertices with the given numbers."""
        nodes = self.rules.nodes
        return [nodes[place] for place in places.tolist()]

    def prober(self, decode: Decode) -> Callable[[Any], Value | None] | None:
        """Return a fast prober of one vertex's value, if vertices are numbers."""
        return None if self.rules.named else super().prober(decode)

    # -- the whole table --------------------------------------------------------------------------

    def expected_header(self, counts: dict[str, int]) -> dict[str, Any]:
        """Return the entries of its file's header; see ``Solved``."""
        return graph_tables.implied_header(self.rules, self.table, counts)

    def check_values(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Check the certificate in one pass along the given edges; see ``Solved``."""
        with verified_reading(self.table, ledger.allowed, report):
            scan = self.source.scan_size(threads, ledger)
            fault = explicit.certify(self.source, self.values, scan.threads, report, scan.batch)
            if self.table.reader is not None:
                self._check_names(self.table.reader, ledger)
        faultless = Finding(len(self.table), self.source.edges)
        if fault is None:
            return faultless
        place, code = fault
        return faultless.with_fault(WRONG_VALUE, place, expected=code)

    def _check_names(self, reader: Reader, ledger: Ledger) -> None:
        """Check that the vertex names in a file are valid and distinct.

        Raises:
            BudgetError: there is too little memory for the names.
            CorruptTableError: a name is invalid, or two are equal.
        """
        size = reader.array_entry("names").length
        if size:
            ledger.reserve(
                _BYTES_PER_TEXT_BYTE * size + _BYTES_PER_NAME * len(self.table),
                "reading the names of vertices",
            )
            len(self.rules.nodes)

    def survey(self) -> ListedSurvey:
        """Return the vertices and their edges; see ``Solved``."""
        from zermelo.analysis.survey import ListedSurvey

        return ListedSurvey(self, self.source.edges, self._moves)

    def _moves(self) -> tuple[Any, Any, Any]:
        """List the edges of the vertices that are not terminal."""
        source, count = self.source, self.source.vertices
        degrees = np.diff(source.first(0, count)).astype(np.int64)
        is_undecided = source.outcomes(0, count) == NONE
        edges = source.targets(0, source.edges)[np.repeat(is_undecided, degrees)]
        first = np.concatenate([[0], np.cumsum(np.where(is_undecided, degrees, 0))])
        return first, edges, self.values.owner

    def save(self, path: str | os.PathLike[str], options: SaveOptions) -> Path:
        """Write the graph and its values to a file; see ``Solved``.

        Raises:
            ParameterError: a vertex has a name that cannot be written to a file: one that is not
                text, a number or a tuple of these.
        """
        write = partial(write_graph, self.source, names.encode_names(self.rules.nodes), self.table)
        return graph_tables.save(path, self.rules, self.table, write, options)

    def rows(self, *, moves: bool) -> GraphRows:
        """Return every position with its value as rows of columns; see ``Solved``."""
        from zermelo.graph.rows import GraphRows

        return GraphRows(self.rules, self.source, self.table, lambda: self.values, moves=moves)
