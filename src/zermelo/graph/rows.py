"""Rows of a solved graph: each vertex with its value and its best move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._methods.explicit.driver import best_edges, split
from zermelo._store import graph_tables
from zermelo._store.column_files import Cells, Cost, SheetColumn
from zermelo.solution.export.files import answer_columns, outcome_cells

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo._methods.explicit.graph_source import GraphSource
    from zermelo._methods.explicit.index import VertexCodes
    from zermelo.graph.rules import GraphRules
    from zermelo.progress import Reporter

#: The most rows of a batch; rows with names are Python objects.
_ROWS = 1 << 16
#: Bytes of a row as cells, and of its names.
_CELLS, _NAMES = 64, 200


class GraphRows:
    """The source of the rows of a solved graph; see ``Rows``.

    A row is a vertex, in order of number. The columns are ``vertex``, its ``name`` (if vertices
    have names), ``player`` (its owner, if they have owners), ``outcome``, ``remoteness`` (null for
    an endless draw), and ``best_move``, the vertex to move to, with ``best_move_name`` (null if the
    game is over).
    """

    def __init__(
        self,
        rules: GraphRules,
        source: GraphSource,
        table: Table,
        values: Callable[[], VertexCodes],
        *,
        moves: bool,
    ) -> None:
        """Choose the columns of the rows.

        Args:
            rules: the graph as rules.
            source: the edges of the graph.
            table: the values of vertices.
            values: returns the values in memory.
            moves: whether best moves are included.
        """
        self._rules, self._source, self._table, self._values = rules, source, table, values
        self._moves = moves
        self._names = rules.nodes if rules.named else None
        self.columns = list(self._columns())

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._source.vertices

    def description(self, method: str, choice: str) -> dict[str, Any]:
        """Return the description of the graph for the file."""
        return graph_tables.description(self._rules, self._table, method, choice)

    @contextmanager
    def prepare(
        self,
        cost: Cost,
        threads: int,
        ledger: Ledger,
        report: Reporter,  # noqa: ARG002  # nothing is loaded
    ) -> Iterator[int]:
        """Choose the number of vertices of a batch that fit in memory with their edges."""
        row = _CELLS + _NAMES * (self._names is not None) + cost.row
        scan = self._source.scan_size(threads, ledger, _ROWS, row)
        self._size = scan.batch
        yield scan.threads

    def chunks(self) -> Iterator[slice]:
        """Yield all vertices in batches."""
        for begin in range(0, len(self), self._size):
            yield slice(begin, min(begin + self._size, len(self)))

    def _columns(self) -> Iterator[SheetColumn]:
        number = np.dtype(np.int32 if self._source.vertices <= 1 << 31 else np.int64)
        yield SheetColumn("vertex", number)
        if self._names is not None:
            yield SheetColumn("name", None)
        if self._table.column.turns:
            yield SheetColumn("player", np.dtype(np.int8))
        yield from answer_columns(self._table.kind)
        if self._moves:
            yield SheetColumn("best_move", number, nullable=True)
            if self._names is not None:
                yield SheetColumn("best_move_name", None, nullable=True)

    def compute(self, batch: slice) -> list[Cells]:
        """Return the cells of a batch of rows; threads may do so at the same time."""
        vertices = np.arange(batch.start, batch.stop)
        cells = [Cells(vertices)]
        if self._names is not None:
            cells.append(_vertex_names(self._names, vertices))
        values = self._values()
        if values.turns:
            cells.append(Cells(values.owner[batch]))
        outcome, remoteness = split(values.stored[batch], values.scale)
        cells += [outcome_cells(outcome), Cells(remoteness, remoteness >= 0)]
        if self._moves:
            _, best = best_edges(self._source, values, batch.start, batch.stop)
            cells.append(Cells(best, best >= 0))
            if self._names is not None:
                cells.append(_vertex_names(self._names, best))
        return cells

    def cells(self, computed: list[Cells]) -> tuple[list[Cells]]:
        """Return the cells of a batch."""
        return (computed,)


def _vertex_names(names: Sequence[object], places: npt.NDArray[np.int64]) -> Cells:
    """Return the names of some vertices, null for -1."""
    distinct, label_numbers = np.unique(places, return_inverse=True)
    labels = [str(names[place]) for place in distinct.tolist() if place >= 0]
    return Cells(label_numbers - (len(distinct) - len(labels)), places >= 0, labels)
