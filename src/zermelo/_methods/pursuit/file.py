"""Pursuits on disk: a value for each position, in the order of turns and nodes.

If a game declares the pursuit, the file refers to the game; otherwise it contains the graphs too.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.column.file_column import FileColumn
from zermelo._engine.column.palette_writer import PalettePlaces, create_file, table_header
from zermelo._engine.core.scratch import ScratchColumn, release_pages
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._engine.file.writer import Writer
from zermelo._methods.pursuit.certificate.matrix import TurnValues
from zermelo._methods.pursuit.codes import convert_code, place_columns, place_rows
from zermelo._methods.pursuit.index import PursuitColumn, PursuitIndex
from zermelo.values.endless import ENDLESS_WIN
from zermelo.values.outcomes import NOBODY
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._engine.core.scratch import Scratch
    from zermelo._engine.file.arrays import Array
    from zermelo._engine.table import Table

_PER_BLOCK = 4096
#: The greatest mark that fits in 16 bits.
_NARROW = (1 << 15) - 1
#: Bytes of a file that are read before its mapped pages are released, and bytes that the system
#: maps around a byte that is read.
_SHOWN, _AROUND = 1 << 19, 1 << 16
#: Bytes of columns that may be in memory, and the part of the memory that they may take, as a
#: divisor.
_HELD, _PART = 1 << 26, 8


def write_pursuit(
    writer: Writer,
    table: Table,
    header: dict[str, Any],
    palette: Sequence[int],
    described_by: Sequence[Array] = (),
    **more: Any,
) -> None:
    """Write the values of a pursuit, turn by turn, the evader's first.

    Args:
        writer: the writer of the file.
        table: the pursuit.
        header: the other entries of the file's header.
        palette: the occurring values, ascending.
        described_by: arrays that define the pursuit, if no game declares it.
        more: other entries of the header about the table.
    """
    allowed = _HELD
    if writer.ledger is not None:
        allowed = min(_HELD, writer.ledger.allowed // _PART)
    index, column = cast("PursuitIndex", table.index), cast("PursuitColumn", table.column)
    # The winner by endless play follows from the player to move, and is not written.
    palette = sorted({*map(column.kind.turnless, palette)})
    values = _Marked(index, column, palette, allowed)
    # If all positions are starts, the header has only the game's own start.
    number = getattr(table.starts, "number", None)
    starts = table.starts.tolist() if number is None else [number]
    document = table_header("pursuit", table, palette, starts, turns=False, **more)
    sizes = {each.name: (each.dtype, each.length, each.per_block) for each in described_by}
    create_file(writer, header, document, {**sizes, "values": values.plan()})
    for each in described_by:
        writer.write_parts(each.name, each.part, each.together, each.level)
    values.write(writer)


class _Marked(PalettePlaces):
    """The marks of a pursuit in memory or on disk as palette entries."""

    def __init__(
        self, index: PursuitIndex, column: PursuitColumn, palette: Sequence[int], allowed: int
    ) -> None:
        """Store the arrays; for marks on disk ``allowed`` bytes of memory may be used."""
        super().__init__(index.span, palette, turns=False, per_block=_PER_BLOCK)
        self._half = index.half
        self._teams = index.teams
        self._marks = column.marks
        self._files = column.files
        self._allowed = allowed
        self._lock = threading.Lock()
        self._buffer = np.empty(0, self._marks[1].dtype)
        self._turn, self._first, self._held = 0, 0, self._marks[1][:, :0]
        meant = [convert_code(code) for code in palette]
        middle = max(map(abs, meant), default=0)
        self._of_marks = np.zeros(2 * middle + 1, self.dtype)
        self._of_marks[np.array(meant, np.int64) + middle] = np.arange(len(meant))

    def stored_numbers(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Return palette entries."""
        whole = np.empty(end - begin, self.dtype)
        at = begin
        while at < end:
            turn = at // self._half
            less = turn * self._half
            stop = min(end, less + self._half)
            self._write(turn, at - less, stop - less, whole[at - begin : stop - begin])
            at = stop
        return whole

    def _write(self, turn: int, begin: int, end: int, out: npt.NDArray[Any]) -> None:
        """Write the palette entries of some positions of a turn."""
        marks, teams, places = self._marks[turn], self._teams, self._of_marks
        if turn == 0:
            place_rows(marks.reshape(-1), marks.shape[1], teams, begin, end, places, out)
            release_pages(*self._files)
        elif not self._files:
            place_columns(marks.reshape(-1), marks.shape[1], teams, begin, end, places, out)
        else:
            with self._lock:
                self._load_marks(turn, begin // len(teams), -(-end // len(teams)))
                less, width = self._first * len(teams), self._held.shape[1]
                held = self._held.reshape(-1)
                place_columns(held, width, teams, begin - less, end - less, places, out)

    def _load_marks(self, turn: int, first: int, last: int) -> None:
        """Load the marks of some of the evader's nodes, for a turn of the pursuers.

        The marks are stored by team, so a node's marks are far apart in the file. The file is
        scanned once for as many nodes as fit; a few rows at a time, so that little of it is in
        memory.
        """
        there = self._first, self._first + self._held.shape[1]
        if turn == self._turn and there[0] <= first <= last <= there[1]:
            return
        marks = self._marks[turn]
        rows, every = marks.shape
        last = max(last, min(first + self._allowed // (rows * marks.itemsize), every))
        if len(self._buffer) < rows * (last - first):
            self._buffer = np.empty(rows * (last - first), marks.dtype)
        self._turn, self._first = turn, first
        self._held = self._buffer[: rows * (last - first)].reshape(rows, -1)
        step = max(1, limits.current().batch(_SHOWN) // min(marks.itemsize * every, _AROUND))
        for row in range(0, rows, step):
            self._held[row : row + step] = marks[row : row + step, first:last]
            release_pages(*self._files)


class FileMarks(FileColumn):
    """The values of a pursuit in its file."""

    #: Values are decompressed to memory, or spilled to another file.
    on_disk = False

    def __init__(self, pages: TableArrays, index: PursuitIndex) -> None:
        """Read the header's description of the values.

        Args:
            pages: the file; the array ``values`` is added to it.
            index: the positions.

        Raises:
            CorruptTableError: the file is damaged, or is of another graph.
        """
        super().__init__(pages, _PER_BLOCK)
        self._index = index
        right = self.kind is WIN_DRAW_LOSS or self.kind.favours != NOBODY
        right = right and not (np.abs(self.palette) == ENDLESS_WIN).any()
        if self.count != index.span or self.turns or not right:
            which = "header"
            raise pages.part_error(which)

    def owners(self, numbers: Places) -> npt.NDArray[np.uint8]:
        """Return the side to move at numbers: 0 for the evader, 1 for the pursuers."""
        return (numbers >= self._index.half).astype(np.uint8)

    def values(self, numbers: Places) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        return self.kind.at_turns(super().values(numbers), self.owners(numbers))

    def value(self, number: int) -> int:
        """Return the value at one number."""
        return self.kind.at_turn(super().value(number), int(number >= self._index.half))

    def tally(self) -> dict[int, int]:
        """Return the number of occurrences of each code."""
        found = super().tally()
        if self.kind.favours != NOBODY and (endless := found.pop(0, 0)):
            at, evading, which = 0, 0, int(np.flatnonzero(self.palette == 0)[0])
            for some in self.blocks():
                here = some[: max(0, self._index.half - at)]
                evading += int(np.count_nonzero(here == which))
                at += len(some)
            found[self.kind.at_turn(0, 0)] = evading
            found[self.kind.at_turn(0, 1)] = endless - evading
        return {code: count for code, count in found.items() if count}

    def halves(self) -> list[TurnValues]:
        """Return the values of each turn, the evader's first, from the loaded table."""
        return self._halves(self._pages.cached_array("values").array)

    def spilled(self, scratch: Scratch) -> list[TurnValues]:
        """Return the values of each turn, decompressed to a file instead of memory.

        Raises:
            CorruptTableError: a block is damaged.
            BudgetError: the disk has too little space.
        """
        stored = self._pages.reader.array_entry("values")
        column = ScratchColumn(scratch, stored.dtype.newbyteorder("="))
        for some in self.blocks():
            if (some >= len(self.palette)).any():
                break
            column.append(some)
        if len(column) != self.count:
            which = "array 'values'"
            raise self._pages.part_error(which)
        return self._halves(column.mapped())

    def marks(self, turn: int) -> npt.NDArray[Any]:
        """Return the marks of one turn, as a solve produces them; see ``PursuitColumn``.

        Raises:
            CorruptTableError: a block is damaged.
        """
        index = self._index
        values = self._pages.cached_array("values").fill()
        shape = index.size, len(index.teams)
        meaning = self._meaning()
        kind = np.int16 if int(np.abs(meaning).max(initial=0)) <= _NARROW else np.int32
        part = values[turn * index.half : (turn + 1) * index.half].reshape(shape)
        found = meaning.astype(kind).take(part)
        marks = np.zeros((index.size, index.size**index.pursuers), kind)
        marks[:, index.teams] = found
        return np.ascontiguousarray(marks.T) if turn else marks

    def _meaning(self) -> npt.NDArray[np.int32]:
        """Return the marks of palette entries."""
        return np.array([convert_code(code) for code in self.palette.tolist()], np.int32)

    def _halves(self, values: npt.NDArray[Any]) -> list[TurnValues]:
        index, meaning = self._index, self._meaning()
        teams = len(index.teams)
        where = np.arange(index.size) * teams, np.arange(teams)
        begins = range(0, self.count, index.half)
        return [TurnValues(values[at : at + index.half], meaning, *where) for at in begins]
