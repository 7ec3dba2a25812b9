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
from zermelo._engine.core.array_types import Int32Array, Uint8Array
from zermelo._engine.core.scratch import release_pages
from zermelo._engine.file.format import Header
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._engine.file.writer import Writer
from zermelo._engine.store.arrays import FileArray
from zermelo._methods.pursuit.certificate.matrix import TurnValues
from zermelo._methods.pursuit.codes import convert_code, place_columns, place_rows
from zermelo._methods.pursuit.index import PursuitColumn, PursuitIndex
from zermelo.values.endless import ENDLESS_WIN, REMOTENESS_ALGEBRAS
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._engine.core.scratch import Scratch
    from zermelo._engine.file.arrays import Array
    from zermelo._engine.table import Table

_PER_BLOCK = 4096
#: The greatest code that fits in 16 bits.
_NARROW = (1 << 15) - 1
#: Bytes of a file that are read before its mapped pages are released; and bytes that the system
#: maps around a byte when it is read.
_RELEASE_BYTES, _MAPPED_MARGIN = 1 << 19, 1 << 16
#: The most bytes of columns in memory; and the part of the memory budget that they may take, as a
#: divisor.
_COLUMN_BYTES, _MEMORY_PART = 1 << 26, 8


def write_pursuit(
    writer: Writer,
    table: Table,
    header: Header,
    palette: Sequence[int],
    described_by: Sequence[Array] = (),
    **extra_entries: object,
) -> None:
    """Write the values of a pursuit, turn by turn, the evader's first.

    Args:
        writer: the writer of the file.
        table: the pursuit.
        header: the other entries of the file's header.
        palette: the distinct values, ascending.
        described_by: arrays that define the pursuit, if no game declares it.
        extra_entries: other entries of the header about the table.
    """
    allowed = _COLUMN_BYTES
    if writer.ledger is not None:
        allowed = min(_COLUMN_BYTES, writer.ledger.allowed // _MEMORY_PART)
    index, column = cast("PursuitIndex", table.index), cast("PursuitColumn", table.column)
    # The winner by endless play follows from the player to move, and is not written.
    palette = sorted({*map(column.kind.turnless, palette)})
    values = _CodeEntries(index, column, palette, allowed)
    # If all positions are starts, the header has only the game's own start.
    number = getattr(table.starts, "number", None)
    starts = table.starts.tolist() if number is None else [number]
    document = table_header("pursuit", table, palette, starts, turns=False, **extra_entries)
    sizes = {array.name: (array.dtype, array.length, array.per_block) for array in described_by}
    create_file(writer, header, document, {**sizes, "values": values.plan()})
    for array in described_by:
        writer.write_parts(array.name, array.part, array.together, array.level)
    values.write(writer)


class _CodeEntries(PalettePlaces):
    """The codes of a solved pursuit, in memory or on disk, as palette entries."""

    def __init__(
        self, index: PursuitIndex, column: PursuitColumn, palette: Sequence[int], allowed: int
    ) -> None:
        """Store the arrays; codes on disk are read with at most ``allowed`` bytes of memory."""
        super().__init__(index.span, palette, turns=False, per_block=_PER_BLOCK)
        self._half = index.half
        self._teams = index.teams
        self._marks = column.marks
        self._files = column.files
        self._allowed = allowed
        self._lock = threading.Lock()
        self._buffer = np.empty(0, self._marks[1].dtype)
        self._turn, self._first, self._loaded = 0, 0, self._marks[1][:, :0]
        codes = [convert_code(code) for code in palette]
        greatest = max(map(abs, codes), default=0)
        self._entry_by_mark = np.zeros(2 * greatest + 1, self.dtype)
        self._entry_by_mark[np.array(codes, np.int64) + greatest] = np.arange(len(codes))

    def stored_numbers(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Return the palette entries of positions ``begin`` to ``end``."""
        entries = np.empty(end - begin, self.dtype)
        low = begin
        while low < end:
            turn = low // self._half
            turn_begin = turn * self._half
            stop = min(end, turn_begin + self._half)
            self._write(
                turn, low - turn_begin, stop - turn_begin, entries[low - begin : stop - begin]
            )
            low = stop
        return entries

    def _write(self, turn: int, begin: int, end: int, out: npt.NDArray[Any]) -> None:
        """Write the palette entries of some positions of a turn."""
        marks, teams, entry_of = self._marks[turn], self._teams, self._entry_by_mark
        if turn == 0:
            place_rows(marks.reshape(-1), marks.shape[1], teams, begin, end, entry_of, out)
            release_pages(*self._files)
        elif not self._files:
            place_columns(marks.reshape(-1), marks.shape[1], teams, begin, end, entry_of, out)
        else:
            with self._lock:
                self._load_marks(turn, begin // len(teams), -(-end // len(teams)))
                loaded_begin, width = self._first * len(teams), self._loaded.shape[1]
                loaded = self._loaded.reshape(-1)
                place_columns(
                    loaded, width, teams, begin - loaded_begin, end - loaded_begin, entry_of, out
                )

    def _load_marks(self, turn: int, first: int, last: int) -> None:
        """Load the codes of a range of the evader's nodes, for a turn of the pursuers.

        The codes are stored by team, so the codes of a node are far apart in the file. One scan of
        the file loads as many nodes as fit in memory. It reads a few rows at a time, so that little
        of the file is mapped.
        """
        loaded_range = self._first, self._first + self._loaded.shape[1]
        if turn == self._turn and loaded_range[0] <= first <= last <= loaded_range[1]:
            return
        marks = self._marks[turn]
        rows, columns = marks.shape
        last = max(last, min(first + self._allowed // (rows * marks.itemsize), columns))
        if len(self._buffer) < rows * (last - first):
            self._buffer = np.empty(rows * (last - first), marks.dtype)
        self._turn, self._first = turn, first
        self._loaded = self._buffer[: rows * (last - first)].reshape(rows, -1)
        step = max(
            1,
            limits.current().batch(_RELEASE_BYTES) // min(marks.itemsize * columns, _MAPPED_MARGIN),
        )
        for row in range(0, rows, step):
            self._loaded[row : row + step] = marks[row : row + step, first:last]
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
            CorruptTableError: the file is damaged, or belongs to another graph.
        """
        super().__init__(pages, _PER_BLOCK)
        self._index = index
        is_valid = self.kind.algebra in REMOTENESS_ALGEBRAS
        is_valid = is_valid and not (np.abs(self.palette) == ENDLESS_WIN).any()
        if self.count != index.span or self.turns or not is_valid:
            part = "header"
            raise pages.part_error(part)

    def owners(self, numbers: Places) -> Uint8Array:
        """Return the side to move at numbers: 0 for the evader, 1 for the pursuers."""
        return (numbers >= self._index.half).astype(np.uint8)

    def values(self, numbers: Places) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        return self.kind.at_turns(super().values(numbers), self.owners(numbers))

    def value(self, number: int) -> int:
        """Return the value at one number."""
        return self.kind.at_turn(super().value(number), int(number >= self._index.half))

    def tally(self) -> dict[int, int]:
        """Return the number of positions with each code."""
        counts = super().tally()
        if self.kind.favours != NOBODY and (endless := counts.pop(0, 0)):
            begin, evader_count, zero_entry = 0, 0, int(np.flatnonzero(self.palette == 0)[0])
            for block in self.blocks():
                evader_block = block[: max(0, self._index.half - begin)]
                evader_count += int(np.count_nonzero(evader_block == zero_entry))
                begin += len(block)
            counts[self.kind.at_turn(0, 0)] = evader_count
            counts[self.kind.at_turn(0, 1)] = endless - evader_count
        return {code: count for code, count in counts.items() if count}

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
        column = FileArray(scratch, stored.dtype.newbyteorder("="))
        for block in self.blocks():
            if (block >= len(self.palette)).any():
                break
            column.append(block)
        if len(column) != self.count:
            part = "array 'values'"
            raise self._pages.part_error(part)
        return self._halves(column.mapped())

    def marks(self, turn: int) -> npt.NDArray[Any]:
        """Return the codes of one turn in the layout of a solve; see ``PursuitColumn``.

        Raises:
            CorruptTableError: a block is damaged.
        """
        index = self._index
        values = self._pages.cached_array("values").fill()
        shape = index.size, len(index.teams)
        meaning = self._meaning()
        kind = np.int16 if int(np.abs(meaning).max(initial=0)) <= _NARROW else np.int32
        turn_values = values[turn * index.half : (turn + 1) * index.half].reshape(shape)
        turn_marks = meaning.astype(kind).take(turn_values)
        marks = np.zeros((index.size, index.size**index.pursuers), kind)
        marks[:, index.teams] = turn_marks
        return np.ascontiguousarray(marks.T) if turn else marks

    def _meaning(self) -> Int32Array:
        """Return the code that each palette entry stands for."""
        return np.array([convert_code(code) for code in self.palette.tolist()], np.int32)

    def _halves(self, values: npt.NDArray[Any]) -> list[TurnValues]:
        index, meaning = self._index, self._meaning()
        teams = len(index.teams)
        numbers = np.arange(index.size) * teams, np.arange(teams)
        begins = range(0, self.count, index.half)
        return [
            TurnValues(values[begin : begin + index.half], meaning, *numbers) for begin in begins
        ]
