"""External sorting: sorted runs in a file, merged as they are read.

A row is one large number of a few 64-bit words, the first the most significant. All rows differ.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np

from zermelo._engine.core.array_types import Uint64Array
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.sort.sorted_keys import ascending, at_or_before
from zermelo._engine.store.arrays import FileArray

Rows = Uint64Array


class ExternalSort:
    """A sorter of rows that are added in any order and returned in ascending order.

    Attributes:
        width: words of a row.
    """

    def __init__(self, width: int, capacity: int) -> None:
        """Create a sorter without rows.

        Args:
            width: words of a row.
            capacity: the most rows in memory; if there are more, all go to a file.
        """
        self.width = width
        self._capacity = capacity
        self._rows: Rows = zeros(capacity * width, np.uint64)
        self._count = 0
        self._files = ExitStack()
        self._runs: FileArray | None = None
        self._ends = [0]

    @staticmethod
    def bytes_of(width: int) -> int:
        """Return the bytes of memory that a row takes."""
        return 8 if width == 1 else 16 * width + 8

    def add(self, rows: Rows) -> None:
        """Append rows.

        Raises:
            BudgetError: the disk has no space for them.
        """
        width = self.width
        while len(rows):
            if self._count == self._capacity:
                self._write_run()
            row_count = min(len(rows) // width, self._capacity - self._count)
            self._rows[self._count * width : (self._count + row_count) * width] = rows[
                : row_count * width
            ]
            self._count += row_count
            rows = rows[row_count * width :]

    def sorted(self, size: int) -> Iterator[Rows]:
        """Yield all rows in ascending order, in chunks; each chunk is overwritten by the next.

        Args:
            size: the number of rows of each chunk, but the last, is a multiple of ``size``.
        """
        with self._files:
            if self._runs is None:
                yield self._sort_rows(self._rows[: self._count * self.width])
            else:
                self._write_run()
                yield from self._merge_runs(self._runs, size)

    def _sort_rows(self, rows: Rows) -> Rows:
        """Sort rows in place, and return them."""
        if self.width == 1:
            rows.sort()
        else:
            order = ascending(rows, self.width)
            rows[:] = rows.reshape(-1, self.width)[order].reshape(-1)
        return rows

    def _write_run(self) -> None:
        if self._runs is None:
            self._runs = FileArray(self._files.enter_context(Scratch()), np.uint64)
        self._runs.append(self._sort_rows(self._rows[: self._count * self.width]))
        self._ends.append(len(self._runs))
        self._count = 0

    def _merge_runs(self, runs: FileArray, size: int) -> Iterator[Rows]:
        """Merge the runs, with a third of the memory for input and the rest for merged rows."""
        width = self.width
        parts = [_Part(runs, *ends, width) for ends in itertools.pairwise(self._ends)]
        rows_per_run = max(1, self._capacity // (3 * len(parts)))
        merged = np.empty((rows_per_run * len(parts) + size) * width, np.uint64)
        del self._rows
        carried = 0
        while parts:
            for part in parts:
                part.fill(rows_per_run)
            # No unread row is below the least of the last rows read from unfinished runs.
            lasts = [part.last_row for part in parts if part.has_rows]
            count = carried
            for part in parts:
                piece = part.pop_until(min(lasts)) if lasts else part.pop_until(None)
                merged[count * width : count * width + len(piece)] = piece
                count += len(piece) // width
            parts = [part for part in parts if part.has_rows or len(part.rows)]
            rows = self._sort_rows(merged[: count * width])
            complete = count - count % size if parts else count
            yield rows[: complete * width]
            carried = count - complete
            merged[: carried * width] = merged[complete * width : count * width].copy()


class _Part:
    """The rows of a run that have been read and not merged yet.

    Attributes:
        rows: the rows that were read.
    """

    def __init__(self, runs: FileArray, begin: int, end: int, width: int) -> None:
        self.rows: Rows = np.empty(0, np.uint64)
        self._runs = runs
        self._position = begin
        self._end = end
        self._width = width

    @property
    def has_rows(self) -> bool:
        """Whether the run has unread rows."""
        return self._position < self._end

    @property
    def last_row(self) -> tuple[int, ...]:
        """The last row that has been read."""
        return tuple(self.rows[-self._width :].tolist())

    def fill(self, most: int) -> None:
        """Read rows until ``most`` are buffered or the run ends."""
        missing = min(most * self._width - len(self.rows), self._end - self._position)
        if missing > 0:
            read = self._runs.read(self._position, np.empty(missing, np.uint64))
            self.rows = np.concatenate([self.rows, read])
            self._position += missing

    def pop_until(self, last: tuple[int, ...] | None) -> Rows:
        """Remove and return the rows up to ``last``, or all of them with None."""
        count = len(self.rows)
        if last is not None:
            index, target = np.empty(1, np.int64), np.array(last, np.uint64)
            at_or_before(target, 1, self._width, self.rows, count // self._width, index)
            count = (index.item() + 1) * self._width
        popped, self.rows = self.rows[:count], self.rows[count:].copy()
        return popped
