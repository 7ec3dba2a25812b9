"""Rows of a solved game: each position with its value and its best move."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.best_moves import best_moves
from zermelo._engine.column.expected_moves import best_expected_moves
from zermelo._engine.expand.chance_labels import read_labels
from zermelo._engine.expand.expander import Buffers, Expand, expanded_parts
from zermelo._engine.file.cache_limits import limited_reading
from zermelo._store.column_files import Cells, Cost, SheetColumn
from zermelo._store.save_table import description
from zermelo.solution.export.batches import DECOMPRESSED, LOADED, BatchRow, plan_batches
from zermelo.solution.export.best_move_rows import ChosenMoves, ChosenRows
from zermelo.solution.export.files import answer_cells, answer_columns
from zermelo.values.expectations import CHANCE, Expectations

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.rules.layout import Layout, Slot
    from zermelo.values.kind import Codes

#: Names of the columns of answers; a field of a position with such a name gets another.
ANSWERS = (
    "player",
    "outcome",
    "remoteness",
    "score",
    "nimber",
    "infinity",
    "best_move",
    "best_move_name",
)
#: The names of further columns of games with chance.
CHANCE_ANSWERS = ("lower", "upper", "expectation", "chance")


class GameRows:
    """The rows of a solved game; see ``SolutionRows``."""

    def __init__(
        self, compiled: CompiledRules, table: Table, *, moves: bool, expand: Expand | None = None
    ) -> None:
        """Determine the columns; ``expand`` computes the successors, if other rules do."""
        self.compiled = compiled
        self.expand = expand or compiled
        self.rules = compiled.rules
        self.table = table
        self.with_moves = moves
        self.moves = ChosenMoves(compiled) if moves else None
        answers = {*ANSWERS, *(CHANCE_ANSWERS * self.rules.has_chance)}
        answers |= {answer.name for answer in compiled.kind.answers}
        self.fields = list(_fields(self.rules.layout, answers))
        self.columns = list(self._columns())

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.table)

    def description(self, method: str, choice: str) -> dict[str, Any]:
        """Return the description that the file contains."""
        counts = self.table.counts().by_outcome
        with self.compiled.kernels():
            return description(self.compiled, self.table, counts, method=method, choice=choice)

    def _row(self) -> BatchRow:
        """Return the size of a row."""
        numbers = len(self.rules.layout.slots)
        width = self.moves.width if self.moves is not None else 0
        expands = self.with_moves or not self.rules.alternate
        return BatchRow(
            self.compiled.words,
            self.expand.kind.gains,
            numbers,
            width,
            expands=expands,
            has_steps=not self.compiled.kind.descends,
        )

    @contextmanager
    def prepare(self, cost: Cost, threads: int, ledger: Ledger, report: Reporter) -> Iterator[int]:
        """Prepare the table for reading, and choose the batch size."""
        # The successors are looked up in this table.
        table = self.table
        self.lookup: Table = table
        with limited_reading(table, ledger.allowed):
            plan = plan_batches(table, self._row(), cost, threads, ledger, moves=self.with_moves)
            self.size, self.capacity = plan.size, plan.capacity
            if plan.reading in (LOADED, DECOMPRESSED):
                with report.phase("load"):
                    self.lookup = table.loaded() if plan.reading == LOADED else table.decompressed()
            elif plan.cache_bytes is not None:
                table.limit_cache(plan.cache_bytes)
            yield plan.threads

    def _columns(self) -> Iterator[SheetColumn]:
        for column, _ in self.fields:
            yield column
        if not self.rules.alternate:
            yield SheetColumn("player", np.dtype(np.int8))
        yield from answer_columns(self.compiled.kind)
        if self.moves is not None:
            yield self.moves.column
            yield SheetColumn("best_move_name", None, nullable=True)

    def chunks(self) -> Iterator[npt.NDArray[np.int64]]:
        """Yield all indices in chunks."""
        waiting = np.empty(0, np.int64)
        for places in self.table.pages():
            waiting = np.concatenate([waiting, places])
            while len(waiting) >= self.size:
                yield waiting[: self.size]
                waiting = waiting[self.size :]
        if len(waiting):
            yield waiting

    def compute(self, places: npt.NDArray[np.int64]) -> ChosenRows:
        """Compute some rows; threads may do so at the same time."""
        with self.compiled.kernels():
            return self._compute(places)

    def _compute(self, places: npt.NDArray[np.int64]) -> ChosenRows:
        table = self.table
        packed = table.packed(places)
        fields = self.rules.layout.unpack_many(packed)
        players = np.zeros(0 if self.rules.alternate else len(places), np.uint8)
        best = np.zeros(0, np.int64)
        if self.with_moves or len(players):
            best = self._best(packed, table.values(places), players)
        moves = None
        if self.moves is not None:
            moves = self.moves.numbers(packed, best)
        return ChosenRows(packed, fields, table.values(places), players, best, moves)

    def _best(
        self,
        packed: npt.NDArray[np.uint64],
        stored: Codes,
        players: npt.NDArray[np.uint8],
    ) -> npt.NDArray[np.int64]:
        """Return the number of the best move of each position, and write the players to move."""
        compiled, lookup, count = self.expand, self.lookup, len(stored)
        buffers = Buffers.for_rules(compiled, count, self.capacity * count)
        if len(players):  # also if symmetries exchange players, and the engine does not need them
            buffers.owners = np.empty(count, np.uint8)
        best = np.empty(count, np.int64)
        for part in expanded_parts(compiled, packed, count, buffers):
            start, end, move_count = part.begin, part.end, part.moves
            if len(players):
                players[start:end] = part.owners
            if self.with_moves:
                places = np.empty(move_count, np.int64)
                if lookup.places(buffers.children, move_count, places) < move_count:
                    np.maximum(places, 0, out=places)  # the table is wrong; verify says where
                values = lookup.values(places)
                owners = part.owners if not compiled.alternate else players[:0]
                child_owners = lookup.owners(places) if not compiled.alternate else players[:0]
                ends, out, kind = part.ends, best[start:end], self.compiled.kind
                if isinstance(kind, Expectations):
                    by_chance = (part.values == CHANCE).astype(np.uint8)
                    _, numbers, keeps = read_labels(kind, part, child_owners, each_result=False)
                    unit = kind.units_of(1)
                    best_expected_moves(ends, by_chance, keeps, values, numbers, unit, out)
                    continue
                steps = np.empty(0, np.int64)
                if not compiled.kind.descends:
                    order = np.argsort(places)
                    steps = np.empty(move_count, np.int64)
                    steps[order] = lookup.steps(places[order])
                codes, gains = stored[start:end], buffers.gains
                best_moves(kind, ends, codes, owners, values, child_owners, gains, steps, out)
        return best

    def cells(self, computed: ChosenRows) -> Iterator[list[Cells]]:
        """Yield rows as the cells of each column, in small groups."""
        for rows in computed.parts():
            cells = [
                Cells(rows.fields[:, part] if len(part) > 1 else rows.fields[:, part[0]])
                for _, part in self.fields
            ]
            if not self.rules.alternate:
                cells.append(Cells(rows.players))
            cells += answer_cells(self.compiled.kind, rows.codes)
            if self.moves is not None:
                cells += self.moves.cells(rows)
            yield cells


def _fields(layout: Layout, answers: Collection[str]) -> Iterator[tuple[SheetColumn, list[int]]]:
    """Yield the columns of a position, each with the indices of its numbers.

    Args:
        layout: the layout of positions.
        answers: the names of columns that fields cannot have.
    """
    offset = 0
    for name, length in layout.fields if layout.kind is not None else (("position", None),):
        slots = layout.slots[offset : offset + (1 if length is None else length)]
        label = f"position_{name}" if name in answers else name
        items = () if length is None else tuple(f"{label}[{n}]" for n in range(length))
        if length != 0:
            yield (
                SheetColumn(label, _narrowest(slots), items),
                list(range(offset, offset + len(slots))),
            )
        offset += len(slots)


def _narrowest(slots: tuple[Slot, ...]) -> np.dtype[Any]:
    low, high = min(slot.low for slot in slots), max(slot.high for slot in slots)
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return np.dtype(kind)
    return np.dtype(np.int64)
