"""Columns that lie with the stages of a solve: what is on disk already is not written once more.

A column is written as the solve goes, and a *record*, which is a stage, says how much of each is
whole: from where to where, with a checksum. Whoever goes on trusts that much and no more; what was
written behind it is written again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.checkpoint import Arrays
from zermelo._engine.core.scratch import Scratch, ScratchColumn
from zermelo.errors import BudgetError

#: Bytes of columns that are recorded in a second, until it has been seen how many there are; and
#: fewer than these say nothing of that.
_RATE, _MUCH = 1e9, 1 << 22
#: Bytes that have a checksum together.
_SEALED = 1 << 26
#: A column, from where to where it is whole, and the checksum of that.
_Seal: TypeAlias = tuple[int, int, int, int]
#: From where to where columns are meant, by their names.
Spans: TypeAlias = Mapping[str, tuple[int, int]]


class ColumnCheckpoint:
    """Columns, and what is known to be whole of them.

    Without a checkpoint they are files without a name, and nothing is recorded.

    Attributes:
        note: what was noted beside the record that an earlier process left, or None.
        found: its other arrays.
        lost: whether there was a record whose columns are not what it says.
    """

    def __init__(
        self,
        scratch: Scratch,
        record: str,
        threads: int,
        into: Arrays | None = None,
        **kinds: npt.DTypeLike,
    ) -> None:
        """Open what was recorded, if it is undamaged, and restart if not.

        Args:
            scratch: where the columns go; its ``checkpoint`` keeps the record.
            record: the name of the record.
            threads: threads that read columns for their checksums.
            into: where to read other arrays of the record to, by name.
            kinds: the type of each column's elements.
        """
        self._checkpoint = scratch.checkpoint
        self._scratch = scratch
        self._record = record
        self._threads = threads
        self._kinds = kinds
        self._rate, self._began = _RATE, 0.0
        self._refused = False
        self.found: Arrays = {}
        self.note = self._checkpoint.note(record)
        self.lost = False
        seals: list[_Seal] = []
        if self.note is not None:
            self.found = self._checkpoint.read(record, **(into or {}))
            seals = [(of, a, b, said) for of, a, b, said in self.found.pop("seals").tolist()]
        self._seals: list[_Seal] = []
        self._columns: dict[str, ScratchColumn] = {}
        self._open(seals)
        if seals and not self._whole():
            self.lost = True
            self.drop()

    @property
    def saves(self) -> bool:
        """Whether anything is recorded."""
        return self._checkpoint.saves

    def __getitem__(self, name: str) -> ScratchColumn:
        """Return a column; one that nobody resumes from is made when it is asked for."""
        if name not in self._columns:
            self._columns[name] = ScratchColumn(self._scratch, self._kinds[name])
        return self._columns[name]

    def file(self, name: str) -> str:
        """Return the name of the file that a column is, for ``Checkpoint.file``."""
        return f"{self._record}-{name}"

    def end(self, name: str) -> int:
        """Return where that ends which is recorded of a column."""
        which = list(self._kinds).index(name)
        return max((end for of, _, end, _ in self._seals if of == which), default=0)

    def worth(self, size: int) -> bool:
        """Whether recording this many bytes more takes little against what was done since."""
        self._began = time.monotonic()
        return self._checkpoint.worth(size, self._rate)

    def size(self, spans: Spans) -> int:
        """Return how many bytes some parts of columns are."""
        each = {name: np.dtype(self._kinds[name]).itemsize for name in spans}
        return sum((b - a) * each[name] for name, (a, b) in spans.items())

    def publish(self) -> None:
        """Have on the disk, for other processes to read, what columns have grown by."""
        for name, column in self._columns.items():
            if len(column) > self._published.get(name, 0):
                column.sync()
                self._published[name] = len(column)

    def save_grown(self, note: Sequence[int]) -> None:
        """Record what columns have grown by, if that is ``worth`` it."""
        spans = {name: (self.end(name), len(column)) for name, column in self._columns.items()}
        if self.worth(self.size(spans)):
            self.save(spans, note)

    def save(
        self,
        spans: Spans,
        note: Sequence[int],
        arrays: Arrays | None = None,
        new: Iterable[tuple[str, int, npt.NDArray[Any]]] = (),
        *,
        copies: bool = False,
    ) -> bool:
        """Record what is whole, after it was ``worth`` it; return whether that could be done.

        Args:
            spans: from where to where each column has become so since the last time.
            note: numbers to be found again.
            arrays: what else is.
            new: of columns that are not written as the solve goes, what to write now: the column,
                the place, and what goes there.
            copies: whether all columns are such, and only a process that resumes reads them. The
                table has to find room on the disk, too, and they are dropped where it has none.
        """
        moved = [self._scratch.written, self._scratch.read]
        try:
            if self._refused:
                return False
            if copies:
                self._scratch.need(2 * self.size(spans))
            for name, at, array in new:
                self._columns[name].write(at, array)
        except BudgetError:
            # The disk has no space for what only kills would need: the solve goes on without.
            if copies:
                self.drop()
            self._refused = True
            return False
        finally:
            self._scratch.written, self._scratch.read = moved
        return self._record_spans(spans, note, arrays or {})

    def _record_spans(self, spans: Spans, note: Sequence[int], arrays: Arrays) -> bool:
        """Record what is whole in columns that are written; return whether that could be done."""
        parts = []
        size = 0
        try:
            for n, (name, column) in enumerate(self._columns.items()):
                begin, end = spans.get(name, (0, 0))
                if begin < end:
                    column.sync()
                    each = _SEALED // column.dtype.itemsize
                    parts += [(n, at, min(at + each, end)) for at in range(begin, end, each)]
                    size += (end - begin) * column.dtype.itemsize
            sums = self._checksums(parts)
        except OSError:  # which a disk may say only now
            return False
        sealed = [(*part, found) for part, found in zip(parts, sums, strict=True)]
        seals = [*self._seals, *sealed]
        rows = np.array(seals, np.int64).reshape(-1, 4)
        if not self._checkpoint.put(self._record, note, seals=rows, **arrays):
            return False
        if size >= _MUCH:
            self._rate = size / max(time.monotonic() - self._began, 1e-6)
        self._seals = seals
        return True

    def drop(self) -> None:
        """Forget what was recorded."""
        self.note, self.found = None, {}
        self._refused = False
        self._checkpoint.drop(self._record)
        for column in self._columns.values():
            column.close()
        self._open([])

    def _open(self, seals: list[_Seal]) -> None:
        """Open the columns, as long as they are vouched for."""
        self._seals = seals
        self._columns.clear()
        self._published: dict[str, int] = {}
        for name, kind in self._kinds.items() if self.saves else ():
            size = self.end(name)
            path = self._checkpoint.file(self.file(name))
            self._columns[name] = ScratchColumn(
                self._scratch, kind, path, size if path.exists() else 0
            )

    def _whole(self) -> bool:
        """Whether all that is vouched for is as it was written."""
        try:
            found = self._checksums([(of, begin, end) for of, begin, end, _ in self._seals])
        except OSError:
            return False
        return found == [said for *_, said in self._seals]

    def _checksums(self, parts: list[tuple[int, int, int]]) -> list[int]:
        """Return the checksums of parts of columns."""
        columns = list(self._columns.values())
        with ThreadPoolExecutor(self._threads, thread_name_prefix="zermelo-seal") as pool:
            return list(pool.map(lambda part: columns[part[0]].checksum(*part[1:]), parts))
