"""Columns stored with the stages of a solve: data that is on disk already is not written again.

A column is written while the solve runs. A *record*, which is a stage, lists the ranges of each
column that are complete, with checksums. A process that resumes trusts only these ranges, and
writes everything behind them again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.checkpoint import Arrays
from zermelo._engine.core.scratch import Scratch, ScratchColumn
from zermelo.errors import BudgetError

#: The initial estimate of bytes recorded per second, and the least bytes that update the estimate.
_RATE, _MUCH = 1e9, 1 << 22
#: Bytes covered by one checksum.
_SEALED = 1 << 26
#: The index of a column, the begin and end of a complete range, and its checksum.
_Seal: TypeAlias = tuple[int, int, int, int]
#: Begin and end of ranges, by the names of columns.
Spans: TypeAlias = Mapping[str, tuple[int, int]]


class ColumnCheckpoint:
    """Columns, and the record of their complete ranges.

    Without a checkpoint they are unnamed files, and nothing is recorded.

    Attributes:
        note: the note of the record that an earlier process left, or None.
        found: the other arrays of this record.
        lost: whether there was a record that did not match the columns.
    """

    def __init__(
        self,
        scratch: Scratch,
        record: str,
        threads: int,
        into: Arrays | None = None,
        **kinds: npt.DTypeLike,
    ) -> None:
        """Open the recorded columns if they are undamaged, else start anew.

        Args:
            scratch: the folder of the columns; its ``checkpoint`` stores the record.
            record: the name of the record.
            threads: threads that read columns for their checksums.
            into: arrays to read other arrays of the record into, by name.
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
        if seals and not self._is_intact():
            self.lost = True
            self.drop()

    @property
    def saves(self) -> bool:
        """Whether records are stored."""
        return self._checkpoint.saves

    def __getitem__(self, name: str) -> ScratchColumn:
        """Return a column; one that cannot be resumed is created on first access."""
        if name not in self._columns:
            self._columns[name] = ScratchColumn(self._scratch, self._kinds[name])
        return self._columns[name]

    def file(self, name: str) -> str:
        """Return the name of a column's file, for ``Checkpoint.file``."""
        return f"{self._record}-{name}"

    @property
    def paths(self) -> dict[str, str]:
        """The name of each column's file in the folder of the checkpoint."""
        return {name: self._checkpoint.file(self.file(name)).name for name in self._kinds}

    def end(self, name: str) -> int:
        """Return the end of the recorded ranges of a column."""
        which = list(self._kinds).index(name)
        return max((end for of, _, end, _ in self._seals if of == which), default=0)

    def should_save(self, size: int) -> bool:
        """Whether recording ``size`` more bytes takes little of the time since the last record."""
        self._began = time.monotonic()
        return self._checkpoint.should_save(size, self._rate)

    def size(self, spans: Spans) -> int:
        """Return the bytes of some ranges of columns."""
        each = {name: np.dtype(self._kinds[name]).itemsize for name in spans}
        return sum((b - a) * each[name] for name, (a, b) in spans.items())

    def publish(self) -> None:
        """Sync the columns that have grown to the disk, for other processes to read."""
        for name, column in self._columns.items():
            if len(column) > self._published.get(name, 0):
                column.sync()
                self._published[name] = len(column)

    def growth(self) -> Spans:
        """Return the range by which each column has grown since the last record."""
        return {name: (self.end(name), len(column)) for name, column in self._columns.items()}

    def save_grown(self, note: Sequence[int], files: Mapping[Path, int] | None = None) -> bool:
        """Record the ranges by which columns have grown, if ``should_save`` allows it.

        Return whether that succeeded.

        Args:
            note: the numbers of the record's note.
            files: the files that the record needs beside the columns, and the bytes of each.
        """
        spans = self.growth()
        size = self.size(spans) + sum((files or {}).values())
        if not self.should_save(size):
            return False
        for path in files or {}:
            with path.open("rb") as file:
                os.fsync(file.fileno())
        return self.save(spans, note)

    def save(
        self,
        spans: Spans,
        note: Sequence[int],
        arrays: Arrays | None = None,
        new: Iterable[tuple[str, int, npt.NDArray[Any]]] = (),
        *,
        copies: bool = False,
    ) -> bool:
        """Record complete ranges, after ``should_save`` allowed it; return whether that succeeded.

        Args:
            spans: the range by which each column has grown since the last record.
            note: the numbers of the record's note.
            arrays: other arrays of the record.
            new: data to write first, for columns that are not written while the solve runs: the
                column, the index, and the elements.
            copies: whether all columns are copies that only a resuming process reads. The table
                needs disk space, too, and they are deleted if there is too little.
        """
        moved = [self._scratch.written, self._scratch.read]
        try:
            if self._refused:
                return False
            if copies:
                self._scratch.check_space(2 * self.size(spans))
            for name, at, array in new:
                self._columns[name].write(at, array)
        except BudgetError:
            # The disk has no space for data that is only needed after a kill: continue without it.
            if copies:
                self.drop()
            self._refused = True
            return False
        finally:
            self._scratch.written, self._scratch.read = moved
        return self._record_spans(spans, note, arrays or {})

    def _record_spans(self, spans: Spans, note: Sequence[int], arrays: Arrays) -> bool:
        """Record ranges of columns that have been written; return whether that succeeded."""
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
        except OSError:  # a disk may report a write error only now
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
        """Delete the record and start with empty columns."""
        self.note, self.found = None, {}
        self._refused = False
        self._checkpoint.drop(self._record)
        for column in self._columns.values():
            column.close()
        self._open([])

    def _open(self, seals: list[_Seal]) -> None:
        """Open the columns with the ranges that ``seals`` cover."""
        self._seals = seals
        self._columns.clear()
        self._published: dict[str, int] = {}
        for name, kind in self._kinds.items() if self.saves else ():
            size = self.end(name)
            path = self._checkpoint.file(self.file(name))
            self._columns[name] = ScratchColumn(
                self._scratch, kind, path, size if path.exists() else 0
            )

    def _is_intact(self) -> bool:
        """Whether all recorded ranges match their checksums."""
        try:
            found = self._checksums([(of, begin, end) for of, begin, end, _ in self._seals])
        except OSError:
            return False
        return found == [said for *_, said in self._seals]

    def _checksums(self, parts: list[tuple[int, int, int]]) -> list[int]:
        """Return the checksums of ranges of columns."""
        columns = list(self._columns.values())
        with ThreadPoolExecutor(self._threads, thread_name_prefix="zermelo-seal") as pool:
            return list(pool.map(lambda part: columns[part[0]].checksum(*part[1:]), parts))
