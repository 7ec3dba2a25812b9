"""Arrays by name that a solve appends to, and the record of what is complete of them.

An array is in a file, which is written while the solve runs, or in memory, and then has a copy in a
file that is written with each record. A *record*, which is a stage, lists the ranges of each array
that are complete, with checksums. A process that resumes trusts only these ranges: it reads them
into arrays in memory, and writes everything behind them again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.checkpoint import Arrays
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.store.arrays import FileArray, MemoryArray, StoredArray
from zermelo.errors import BudgetError

#: The initial estimate of bytes recorded per second, and the least bytes that update the estimate.
_RATE, _MUCH = 1e9, 1 << 22
#: Bytes covered by one checksum.
_SEALED = 1 << 26
#: The index of an array, the begin and end of a complete range, and its checksum.
_Seal: TypeAlias = tuple[int, int, int, int]
#: Begin and end of ranges, by the names of arrays.
Spans: TypeAlias = Mapping[str, tuple[int, int]]


def array_file(record: str, name: str) -> str:
    """Return the name of the file of an array of a record, for ``Checkpoint.file``."""
    return f"{record}-{name}"


class Store(Mapping[str, StoredArray]):
    """Arrays by name, and the record of their complete ranges.

    Without a checkpoint files have no name, and nothing is recorded.

    Attributes:
        note: the note of the record that an earlier process left, or None.
        found: the other arrays of this record.
        lost: whether there was a record that did not match the files.
    """

    def __init__(
        self,
        scratch: Scratch,
        record: str,
        threads: int,
        arrays: Mapping[str, npt.DTypeLike | MemoryArray],
        *,
        into: Arrays | None = None,
    ) -> None:
        """Open the recorded arrays if their files are undamaged, else start anew.

        Args:
            scratch: the folder of the files; its ``checkpoint`` stores the record.
            record: the name of the record.
            threads: threads that read files for their checksums.
            arrays: by name, an empty array in memory; or the type of the elements of an array in a
                file.
            into: arrays to read other arrays of the record into, by name.
        """
        self._checkpoint = scratch.checkpoint
        self._scratch = scratch
        self._record = record
        self._threads = threads
        self._memory = {name: a for name, a in arrays.items() if isinstance(a, MemoryArray)}
        self._kinds = {
            name: self._memory[name].dtype if name in self._memory else np.dtype(a)
            for name, a in arrays.items()
        }
        self._rate = _RATE
        self._refused = False
        self.found: Arrays = {}
        self.note = self._checkpoint.note(record)
        self.lost = False
        seals: list[_Seal] = []
        if self.note is not None:
            self.found = self._checkpoint.read(record, **(into or {}))
            seals = [(of, a, b, said) for of, a, b, said in self.found.pop("seals").tolist()]
        self._seals: list[_Seal] = []
        self._files: dict[str, FileArray] = {}
        self._open(seals)
        if seals and not self._is_intact():
            self.lost = True
            self.drop()
        self._restore()

    @property
    def saves(self) -> bool:
        """Whether records are stored."""
        return self._checkpoint.saves

    def __getitem__(self, name: str) -> StoredArray:
        """Return an array; a file that cannot be resumed is created on first access."""
        return self._memory[name] if name in self._memory else self._file(name)

    def __iter__(self) -> Iterator[str]:
        """Return an iterator over the names."""
        return iter(self._kinds)

    def __len__(self) -> int:
        """Return the number of arrays."""
        return len(self._kinds)

    def _file(self, name: str) -> FileArray:
        """Return the file of an array; of one in memory, that with its recorded elements."""
        if name not in self._files:
            self._files[name] = FileArray(self._scratch, self._kinds[name])
        return self._files[name]

    def move_to_file(self, name: str) -> None:
        """Write what an array in memory has past the end of its file; it is that file from now on.

        Raises:
            BudgetError: the disk has no space for it.
        """
        file, array = self._file(name), self._memory.pop(name)
        at = len(file)
        file.write(at, array.elements(at, len(array), array.array))
        array.close()

    @property
    def paths(self) -> dict[str, str]:
        """The name of each array's file in the folder of the checkpoint."""
        return {name: self._path(name).name for name in self._kinds}

    def _path(self, name: str) -> Path:
        return self._checkpoint.file(array_file(self._record, name))

    def end(self, name: str) -> int:
        """Return the end of the recorded ranges of an array."""
        return max((end for _, end in self._recorded(name)), default=0)

    def _recorded(self, name: str) -> list[tuple[int, int]]:
        """Return the recorded ranges of an array."""
        which = list(self._kinds).index(name)
        return [(begin, end) for of, begin, end, _ in self._seals if of == which]

    def publish(self) -> None:
        """Sync the files to the disk, for other processes to read."""
        for file in self._files.values():
            file.sync()

    def save(
        self,
        note: Sequence[int],
        *,
        spans: Spans | None = None,
        arrays: Arrays | None = None,
        files: Mapping[Path, int] | None = None,
        needed: bool = False,
    ) -> bool:
        """Record complete ranges, if that takes little of the time since the last record.

        Return whether that succeeded.

        Args:
            note: the numbers of the record's note.
            spans: the ranges that have been completed since the last record; by default those by
                which arrays have grown.
            arrays: other arrays of the record.
            files: the files that the record needs beside the arrays, and the bytes of each.
            needed: whether to record however long that takes.
        """
        if not self.saves:
            return False
        began = time.monotonic()
        spans = self._growth() if spans is None else spans
        arrays, files = arrays or {}, files or {}
        held, size = sum(a.nbytes for a in arrays.values()), self._size(spans) + sum(files.values())
        should_save = self._checkpoint.should_save
        if not needed and not (should_save(held) and should_save(size, self._rate)):
            return False
        for path in files:
            with path.open("rb") as file:
                os.fsync(file.fileno())
        if not (self._copy(spans) and self._record_spans(spans, note, arrays)):
            return False
        if size >= _MUCH:
            self._rate = size / max(time.monotonic() - began, 1e-6)
        return True

    def _growth(self) -> Spans:
        """Return the range by which each array has grown since the last record."""
        return {name: (self.end(name), len(array)) for name, array in self.items()}

    def _size(self, spans: Spans) -> int:
        """Return the bytes of some ranges of arrays."""
        return sum((b - a) * self._kinds[name].itemsize for name, (a, b) in spans.items())

    def _copy(self, spans: Spans) -> bool:
        """Write ranges of arrays in memory to their files, which only a resuming process reads."""
        moved = [self._scratch.written, self._scratch.read]
        copies = len(self._memory) == len(self._kinds)  # no file is needed but to resume
        try:
            if self._refused:
                return False
            if copies:  # the table needs disk space, too
                self._scratch.check_space(2 * self._size(spans))
            for name, (begin, end) in spans.items():
                if name in self._memory:
                    self._files[name].write(begin, self._memory[name].array[begin:end])
        except BudgetError:
            # The disk has no space for data that is only needed after a kill: continue without it.
            if copies:
                self.drop()
            self._refused = True
            return False
        finally:
            self._scratch.written, self._scratch.read = moved
        return True

    def _record_spans(self, spans: Spans, note: Sequence[int], arrays: Arrays) -> bool:
        """Record ranges of arrays that are in files; return whether that succeeded."""
        parts = []
        try:
            for n, (name, kind) in enumerate(self._kinds.items()):
                begin, end = spans.get(name, (0, 0))
                if begin < end:
                    self._files[name].sync()
                    each = _SEALED // kind.itemsize
                    parts += [(n, at, min(at + each, end)) for at in range(begin, end, each)]
            sums = self._checksums(parts)
        except OSError:  # a disk may report a write error only now
            return False
        sealed = [(*part, found) for part, found in zip(parts, sums, strict=True)]
        seals = [*self._seals, *sealed]
        rows = np.array(seals, np.int64).reshape(-1, 4)
        if not self._checkpoint.put(self._record, note, seals=rows, **arrays):
            return False
        self._seals = seals
        return True

    def drop(self) -> None:
        """Delete the record and the files, and start with empty files; arrays in memory stay."""
        self.note, self.found = None, {}
        self._refused = False
        self._checkpoint.drop(self._record)
        for file in self._files.values():
            file.close()
        self._open([])

    def _open(self, seals: list[_Seal]) -> None:
        """Open the files with the ranges that ``seals`` cover."""
        self._seals = seals
        self._files.clear()
        for name, kind in self._kinds.items() if self.saves else ():
            path = self._path(name)
            size = self.end(name) if path.exists() else 0
            self._files[name] = FileArray(self._scratch, kind, path, size)

    def _restore(self) -> None:
        """Read the recorded ranges of arrays in memory from their files."""
        for name, array in self._memory.items():
            array.extend(self.end(name))
            for begin, end in self._recorded(name):
                self._files[name].read(begin, array.array[begin:end])

    def _is_intact(self) -> bool:
        """Return whether all recorded ranges match their checksums."""
        try:
            found = self._checksums([(of, begin, end) for of, begin, end, _ in self._seals])
        except OSError:
            return False
        return found == [said for *_, said in self._seals]

    def _checksums(self, parts: list[tuple[int, int, int]]) -> list[int]:
        """Return the checksums of ranges of files."""
        files = [self._files[name] for name in self._kinds]
        with ThreadPoolExecutor(self._threads, thread_name_prefix="zermelo-seal") as pool:
            return list(pool.map(lambda part: files[part[0]].checksum(*part[1:]), parts))
