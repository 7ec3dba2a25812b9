"""Rows of a solved pursuit: each position with its value and the position after the best move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._store import graph_tables
from zermelo._store.column_files import Cells, Cost, SheetColumn
from zermelo.pursuits.position_batch import MoveTable, PositionBatch
from zermelo.solution.export.files import answer_cells, answer_columns

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.pursuits.definition import PursuitDefinition

#: The most moves of a batch, bytes of a move in a batch, and of a row.
_MOVES, _MOVE, _ROW = 1 << 18, 160, 160


class PursuitRows:
    """The source of the rows of a solved pursuit; see ``Rows``.

    The columns are ``evader``, ``pursuers``, ``turn``, ``outcome`` for the player to move,
    ``remoteness`` (null for an endless draw), and the nodes after the first of ``options``:
    ``next_evader`` and ``next_pursuers`` (null if the pursuit is over).
    """

    def __init__(self, definition: PursuitDefinition, table: Table, *, moves: bool) -> None:
        """Choose the columns of the rows."""
        self._definition, self._table = definition, table
        self._steps = MoveTable(definition) if moves else None
        self.columns = list(self._columns())

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._definition.positions

    def description(self, method: str, choice: str) -> dict[str, Any]:
        """Return the description of the pursuit for the file."""
        return graph_tables.description(self._definition, self._table, method, choice)

    @contextmanager
    def prepare(
        self,
        cost: Cost,
        threads: int,  # noqa: ARG002  # one thread does it
        ledger: Ledger,
        report: Reporter,  # noqa: ARG002  # nothing is loaded
    ) -> Iterator[int]:
        """Choose the number of positions of a batch that fit in memory."""
        moves = self._steps.most_moves if self._steps is not None else 1
        bytes_per_position = _MOVE * moves + _ROW + cost.row
        fixed = self._table.decompressed_bytes + cost.fixed
        ledger.reserve(fixed + bytes_per_position, f"exporting {len(self):,} positions")
        self._size = min(
            (ledger.allowed - fixed) // bytes_per_position,
            max(1, limits.current().batch(_MOVES) // moves),
        )
        yield 1

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Yield the positions of each turn in batches."""
        half = self._definition.index.half
        for first in range(0, len(self), max(half, 1)):
            for start in range(first, first + half, self._size):
                yield start, min(start + self._size, first + half)

    def compute(self, chunk: tuple[int, int]) -> tuple[int, int]:
        """Do nothing: the writing thread computes the cells, as memory has room for one batch."""
        return chunk

    def _columns(self) -> Iterator[SheetColumn]:
        node = np.min_scalar_type(-max(self._definition.nodes - 1, 1))
        team = tuple(f"pursuers[{i}]" for i in range(self._definition.pursuers))
        yield SheetColumn("evader", node)
        yield SheetColumn("pursuers", node, team)
        yield SheetColumn("turn", np.dtype(np.int8))
        yield from answer_columns(self._table.kind)
        if self._steps is not None:
            next_names = tuple(f"next_{name}" for name in team)
            yield SheetColumn("next_evader", node, nullable=True)
            yield SheetColumn("next_pursuers", node, next_names, nullable=True)

    def cells(self, limits: tuple[int, int]) -> Iterator[list[Cells]]:
        """Yield the cells of each column for a batch."""
        places = np.arange(*limits)
        rows = PositionBatch.from_places(self._definition, places)
        cells = [Cells(rows.evader), Cells(rows.team), Cells(np.full(len(places), rows.turn))]
        cells += answer_cells(self._table.kind, self._table.values(places))
        if self._steps is not None:
            children, has_move = self._best(rows, self._steps)
            cells += [Cells(children.evader, has_move), Cells(children.team, has_move)]
        yield cells

    def _best(
        self, rows: PositionBatch, steps: MoveTable
    ) -> tuple[PositionBatch, npt.NDArray[np.bool_]]:
        """Return the position after the first best move of each, and which have a move."""
        children, parent = steps.children(rows)
        codes = self._table.values(children.places(self._definition)).astype(np.int64)
        # A win is a ply later one less, and so is a loss; the other side's are losses and wins.
        values = codes - np.sign(codes)
        if not children.turn > rows.turn > 0:
            values = -values
        # The first of equal ones: sorted by position, then by value, in a stable sort.
        order = np.lexsort((-values, parent))
        with_move, first = np.unique(parent[order], return_index=True)
        best_children = PositionBatch(children.turn, rows.evader.copy(), rows.team.copy())
        chosen = children.select(order[first])
        best_children.evader[with_move], best_children.team[with_move] = chosen.evader, chosen.team
        has = np.zeros(len(rows.evader), np.bool_)
        has[with_move] = True
        return best_children, has
