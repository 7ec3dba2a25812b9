"""Pursuits on disk: a value for each placement, in the order of its nodes, and nothing else."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.column.filed import FileColumn
from zermelo._engine.column.written import PalettePlaces, begun, described, starts_of
from zermelo._engine.core.scratch import ScratchColumn, let_go
from zermelo._engine.file.pages import Pages, Places
from zermelo._engine.file.writer import Writer
from zermelo._methods.pursuit.certificate.matrix import Half
from zermelo._methods.pursuit.index import PursuitColumn, PursuitIndex
from zermelo._methods.pursuit.marks import coded, place_columns, place_rows
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._engine.core.scratch import Scratch
    from zermelo._engine.table import Table

_PER_BLOCK = 4096
#: Bytes of a file that are looked at until they are let go, and what the system has in memory
#: around a byte that is looked at.
_SHOWN, _AROUND = 1 << 19, 1 << 16
#: Bytes of columns that are held, as far as they take no more than a part of the memory there is.
_HELD, _PART = 1 << 26, 8


def write_pursuit(
    writer: Writer,
    table: Table,
    header: dict[str, Any],
    palette: Sequence[int],
) -> None:
    """Write the values of a pursuit: first where the evader is to move, then the pursuer.

    Args:
        writer: the file.
        table: the pursuit.
        header: what else the file says of itself.
        palette: the values that occur, ascending.
    """
    room = _HELD if writer.allowed is None else min(_HELD, writer.allowed // _PART)
    index, column = cast("PursuitIndex", table.index), cast("PursuitColumn", table.column)
    values = _Marked(index, column, palette, room)
    # All placements are starts; the header says which is the game's own.
    document = described("pursuit", table, palette, [_number(index)], turns=False)
    begun(writer, header, document, {"values": values.plan()})
    values.write(writer)


class _Marked(PalettePlaces):
    """The values of a pursuit in memory, which are marks there, on their way to a file."""

    def __init__(
        self, index: PursuitIndex, column: PursuitColumn, palette: Sequence[int], room: int
    ) -> None:
        """Note where they are; those on disk have ``room`` bytes of memory."""
        super().__init__(index.span, palette, turns=False, per_block=_PER_BLOCK)
        self._half = index.half
        self._nodes = index.nodes
        self._size = index.board.size
        self._marks = column.marks
        self._files = column.files
        self._room = room
        self._lock = threading.Lock()
        self._buffer = np.empty(0, self._marks[1].dtype)
        self._first, self._held = 0, self._marks[1][:, :0]
        meant = [coded(code) for code in palette]
        middle = max(map(abs, meant))
        self._of_marks = np.zeros(2 * middle + 1, self.dtype)
        self._of_marks[np.array(meant) + middle] = np.arange(len(meant))

    def chosen(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Return places in the palette."""
        whole, half = np.empty(end - begin, self.dtype), self._half
        count = max(0, min(end, half) - begin)
        of_evader, of_pursuer = self._marks
        nodes, places, out = self._nodes, self._of_marks, whole
        if count:
            place_rows(of_evader.reshape(-1), self._size, nodes, begin, begin + count, places, out)
            let_go(*self._files)
        if end > half:
            begin, end, out = begin + count - half, end - half, out[count:]
            if not self._files:
                place_columns(of_pursuer.reshape(-1), self._size, nodes, begin, end, places, out)
                return whole
            with self._lock:
                self._hold(begin // len(nodes), -(-end // len(nodes)))
                less, width = self._first * len(nodes), self._held.shape[1]
                held = self._held.reshape(-1)
                place_columns(held, width, nodes, begin - less, end - less, places, out)
        return whole

    def _hold(self, first: int, last: int) -> None:
        """See that the marks with the pursuer to move are held of the evader's nodes so far.

        They are by the pursuer's node, and so far apart in the file, which is scanned once
        for as many as there is room for; few rows at a time, to have little of it in memory.
        """
        if self._first <= first <= last <= self._first + self._held.shape[1]:
            return
        marks = self._marks[1]
        rows, every = marks.shape
        last = max(last, min(first + self._room // (rows * marks.itemsize), every))
        if len(self._buffer) < rows * (last - first):
            self._buffer = np.empty(rows * (last - first), marks.dtype)
        self._first = first
        self._held = self._buffer[: rows * (last - first)].reshape(rows, -1)
        step = max(1, limits.current().batch(_SHOWN) // min(marks.itemsize * every, _AROUND))
        for row in range(0, rows, step):
            self._held[row : row + step] = marks[row : row + step, first:last]
            let_go(*self._files)


class FileMarks(FileColumn):
    """The values of a pursuit in its file."""

    #: Values are unpacked to memory, or else spilled.
    on_disk = False

    def __init__(self, pages: Pages, index: PursuitIndex) -> None:
        """Read what the header says of them.

        Args:
            pages: the file, of which this adds the array ``values``.
            index: the positions.

        Raises:
            CorruptTableError: it is damaged, or of another graph.
        """
        super().__init__(pages, _PER_BLOCK)
        self._index = index
        starts, _ = starts_of(pages, self.count, index.words)
        same = self.count == index.span and starts.tolist() == [_number(index)]
        if not same or self.turns or self.kind is not WIN_DRAW_LOSS:
            which = "header"
            raise pages.corrupt(which)

    def owners(self, numbers: Places) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at numbers."""
        return (numbers >= self._index.half).astype(np.uint8)

    def halves(self) -> tuple[Half, Half]:
        """Return the values with the evader to move, and with the pursuer; all must be there."""
        return self._halves(self._pages.held("values").array)

    def spilled(self, scratch: Scratch) -> tuple[Half, Half]:
        """Return the same of values that are unpacked to a file, and not to memory.

        Raises:
            CorruptTableError: a block is damaged.
            BudgetError: the disk has no room for it.
        """
        stored = self._pages.reader.stored("values")
        column = ScratchColumn(scratch, stored.dtype.newbyteorder("="))
        for some in self.blocks():
            if (some >= len(self.palette)).any():
                break
            column.append(some)
        if len(column) != self.count:
            which = "array 'values'"
            raise self._pages.corrupt(which)
        return self._halves(column.mapped())

    def _halves(self, values: npt.NDArray[Any]) -> tuple[Half, Half]:
        half, within = self._index.half, len(self._index.nodes)
        meaning = np.array([coded(code) for code in self.palette.tolist()], np.int32)
        rows, columns = np.arange(self._index.board.size) * within, np.arange(within)
        return Half(values[:half], meaning, rows, columns), Half(
            values[half:], meaning, rows, columns
        )


def _number(index: PursuitIndex) -> int:
    """Return the number of the game's own start as files say it, which counts the turn least."""
    turn, pair = divmod(index.starts_at[0], index.half)
    return int(2 * pair + turn)
