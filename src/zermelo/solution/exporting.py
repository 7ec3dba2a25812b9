"""From a solved game to columns: each position with its value and its best move."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._compile.rules import CompiledRules
from zermelo._engine.column.choice import best_moves
from zermelo._engine.core.ledger import allowed_bytes
from zermelo._engine.core.memory import given_back
from zermelo._engine.expand.expander import Buffers, run_expand
from zermelo._engine.file.reading import read_within
from zermelo._store.columns.palettes import Worth
from zermelo._store.saving import description
from zermelo._store.sheets import SHEETS, Cells, Sheet, SheetColumn, sheet
from zermelo.errors import ParameterError
from zermelo.solution.batches import LOADED, UNPACKED, BatchPlan, BatchRow, planned
from zermelo.solution.chosen import ChosenMoves, ChosenRows

if TYPE_CHECKING:
    import os

    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.rules.layout import Layout, Slot

#: Columns that answers stand in; a field of a position that has such a name gets another.
ANSWERS = ("player", "outcome", "remoteness", "score", "best_move", "best_move_name")


def export(
    compiled: CompiledRules,
    table: Table,
    path: str | os.PathLike[str],
    *,
    form: str | None,
    moves: bool,
    overwrite: bool,
    memory: int | None,
    threads: int,
    method: str,
    choice: str,
    report: Reporter,
) -> Path:
    """Write each position with its value to a file; see ``Solution.export``."""
    target = Path(path)
    chosen = form_of(target, form)
    allowed = allowed_bytes(memory)
    source = _Source(compiled, table, moves=moves)
    cost = SHEETS[chosen].cost(source.columns)
    with given_back() if memory is not None else nullcontext(), read_within(table, allowed):
        plan = planned(table, source.row, cost, threads, allowed, moves=moves)
        source.take(plan, report)
        about = description(compiled, table, Worth.of(table).counts, method=method, choice=choice)
        about["positions"] = len(table)
        with (
            sheet(target, chosen, source.columns, about, overwrite=overwrite) as made,
            report.phase("export", len(table)),
        ):
            _fill(made, source, plan.threads, report)
    return target


def form_of(path: Path, form: str | None) -> str:
    """Return the format to write: the one that is asked for, or that the name ends with.

    Raises:
        ParameterError: it is none of those that can be written.
    """
    chosen = path.suffix.removeprefix(".").lower() if form is None else form
    if chosen not in SHEETS:
        what = f"{str(path)!r} does not end with" if form is None else f"format={form!r} is not"
        message = f"{what} one of the formats there are; use one of {', '.join(SHEETS)}"
        raise ParameterError(message)
    return chosen


def _fill(made: Sheet, source: _Source, threads: int, report: Reporter) -> None:
    """Write all rows, worked out by some threads and written by this one."""
    done = 0
    running: deque[Any] = deque()
    chunks = source.chunks()
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-export") as pool:
        while True:
            while len(running) <= threads:
                places = next(chunks, None)
                if places is None:
                    break
                running.append(pool.submit(source.rows, places))
            if not running:
                return
            done += _written(made, source, running.popleft().result())
            report.advance(done)


def _written(made: Sheet, source: _Source, rows: ChosenRows) -> int:
    """Write rows, of which nothing is held any more when this returns, and say how many."""
    for part in rows.parts():
        made.write(source.cells(part))
    return len(rows.stored)


class _Source:
    """What rows are made from, and of what columns they are."""

    def __init__(self, compiled: CompiledRules, table: Table, *, moves: bool) -> None:
        self.compiled = compiled
        self.rules = compiled.rules
        self.table = table
        self.with_moves = moves
        self.moves = ChosenMoves(compiled) if moves else None
        self.fields = list(_fields(self.rules.layout))
        self.columns = list(self._columns())

    @property
    def row(self) -> BatchRow:
        """What a row is made of."""
        numbers = len(self.rules.layout.slots)
        width = self.moves.width if self.moves is not None else 0
        expands = self.with_moves or not self.rules.alternate
        return BatchRow(
            self.compiled.words, self.compiled.kind.gains, numbers, width, expands=expands
        )

    def take(self, plan: BatchPlan, report: Reporter) -> None:
        """Have the table as it is to be read, and rows worked out as many at once as is planned."""
        self.size, self.room = plan.size, plan.room
        # Where moves lead is looked up here.
        table: Any = self.table
        self.lookup: Table = table
        if plan.reading in (LOADED, UNPACKED):
            with report.phase("load"):
                self.lookup = table.loaded() if plan.reading == LOADED else table.unpacked()
        elif plan.keeps is not None:
            table.keep_within(plan.keeps)

    def _columns(self) -> Iterator[SheetColumn]:
        for column, _ in self.fields:
            yield column
        if not self.rules.alternate:
            yield SheetColumn("player", np.dtype(np.int8))
        yield SheetColumn("outcome", None)
        for answer in self.compiled.kind.answers:
            yield SheetColumn(answer.name, np.dtype(answer.dtype), nullable=answer.nullable)
        if self.moves is not None:
            yield self.moves.column
            yield SheetColumn("best_move_name", None, nullable=True)

    def chunks(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all places, many at once."""
        waiting = np.empty(0, np.int64)
        for places in self.table.pages():
            waiting = np.concatenate([waiting, places])
            while len(waiting) >= self.size:
                yield waiting[: self.size]
                waiting = waiting[self.size :]
        if len(waiting):
            yield waiting

    def rows(self, places: npt.NDArray[np.int64]) -> ChosenRows:
        """Work out some rows; threads may do so at the same time."""
        table = self.table
        packed = table.packed(places)
        fields = self.rules.layout.unpack_many(packed)
        players = np.zeros(0 if self.rules.alternate else len(places), np.uint8)
        best = np.zeros(0, np.int64)
        if self.with_moves or len(players):
            best = self._best(packed, len(places), players)
        moves = None
        if self.moves is not None:
            moves = self.moves.numbers(packed, best)
        return ChosenRows(packed, fields, table.values(places), players, best, moves)

    def _best(
        self, packed: npt.NDArray[np.uint64], count: int, players: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int64]:
        """Return the number of the best move of each position, and note whose turn it is."""
        compiled, lookup = self.compiled, self.lookup
        buffers = Buffers.for_rules(compiled, count, self.room * count)
        if len(players):  # also where symmetries exchange players, and the engine does not ask
            buffers.owners = np.empty(count, np.uint8)
        best = np.empty(count, np.int64)
        begin = 0
        while begin < count:
            done, made = run_expand(compiled, packed, begin, count, buffers)
            end = begin + done
            if len(players):
                players[begin:end] = buffers.owners[:done]
            if self.with_moves:
                found = np.empty(made, np.int64)
                if lookup.places(buffers.children, made, found) < made:
                    np.maximum(found, 0, out=found)  # a wrong table; verify says where
                values = lookup.values(found)
                mine = buffers.owners[:done] if not compiled.alternate else players[:0]
                theirs = lookup.owners(found) if not compiled.alternate else players[:0]
                ends, out = buffers.ends[:done], best[begin:end]
                best_moves(compiled.kind, ends, mine, values, theirs, buffers.gains, out)
            begin = end
        return best

    def cells(self, rows: ChosenRows) -> list[Cells]:
        """Return rows as the cells of each column."""
        found = [
            Cells(rows.fields[:, part] if len(part) > 1 else rows.fields[:, part[0]])
            for _, part in self.fields
        ]
        if not self.rules.alternate:
            found.append(Cells(rows.players))
        kind = self.compiled.kind
        found.append(_outcomes(kind.outcomes(rows.stored)))
        found += [Cells(*column) for column in kind.columns(rows.stored)]
        if self.moves is not None:
            found += self.moves.cells(rows)
        return found


def _outcomes(outcome: npt.NDArray[Any]) -> Cells:
    return Cells(outcome.astype(np.int32) + 1, labels=("loss", "draw", "win"))


def _fields(layout: Layout) -> Iterator[tuple[SheetColumn, list[int]]]:
    """Yield the columns that hold a position, and which of its numbers are in each."""
    at = 0
    for name, length in layout.fields if layout.kind is not None else (("position", None),):
        slots = layout.slots[at : at + (1 if length is None else length)]
        called = f"position_{name}" if name in ANSWERS else name
        items = () if length is None else tuple(f"{called}[{n}]" for n in range(length))
        if length != 0:
            yield SheetColumn(called, _narrowest(slots), items), list(range(at, at + len(slots)))
        at += len(slots)


def _narrowest(slots: tuple[Slot, ...]) -> np.dtype[Any]:
    low, high = min(slot.low for slot in slots), max(slot.high for slot in slots)
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return np.dtype(kind)
    return np.dtype(np.int64)
