"""An unfinished table: its file before it has its name, and arrays that are appended later.

Blocks are appended to the file; those of arrays that come later go to files of their own. If the
solve saves checkpoints, these files are stored with the stages, as columns. From time to time they
are synced, and then a *record*, which is a stage, lists the blocks written since the previous
record, with their sizes and checksums. A process that resumes compares these blocks with the files,
and writes all later blocks again.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.file.format import ENTRY, checksum
from zermelo.atomic_write import create_draft, publish_draft

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo._engine.core.checkpoint import Checkpoint

#: Bytes of an array that waits in memory; a longer one waits in a file.
_MEMORY_BYTES = 1 << 17
#: Bytes that are compared with the record in one step.
_COMPARED_BYTES = 1 << 22
#: The prefix of the names of records and of files.
_NAME = "table-"


@dataclass
class DraftFile:
    """A file to which blocks are appended.

    Attributes:
        file: the file.
        size: the bytes of the file.
        blocks: the number of blocks.
        entries: the directory entries of the blocks, in batches.
    """

    file: Any = None
    size: int = 0
    blocks: int = 0
    entries: list[npt.NDArray[Any]] = field(default_factory=list)

    def put(self, data: bytes) -> None:
        """Append bytes that are not a block."""
        self.file.write(data)
        self.size += len(data)

    def add(self, data: bytes, entries: npt.NDArray[Any]) -> None:
        """Append blocks with their directory entries."""
        self.put(data)
        self.entries.append(entries)
        self.blocks += len(entries)


class Draft:
    """An unfinished table that cannot be resumed, in a file next to its path.

    Attributes:
        pieces: the file itself, then the files of arrays that are appended later.
    """

    def __init__(self, path: Path) -> None:
        """Create a file next to a path.

        Raises:
            OSError: it cannot be created.
        """
        self._path = create_draft(path)
        self._folder = path.parent
        self.pieces = [DraftFile(self._path.open("wb"))]

    def begin(self, fingerprint: bytes, size: int) -> None:
        """Reserve space for the data before the blocks.

        Args:
            fingerprint: data that must be equal to resume from the blocks of an earlier process.
            size: the bytes to reserve.
        """
        del fingerprint
        self.pieces[0].put(bytes(size))

    def file_number(self, number: int) -> DraftFile:
        """Return the file for the blocks of an array; 0 is the table file itself."""
        if number == len(self.pieces):
            file = tempfile.SpooledTemporaryFile(  # noqa: SIM115  # it stays open
                _MEMORY_BYTES, dir=str(self._folder)
            )
            self.pieces.append(DraftFile(file))
        return self.pieces[number]

    def record_if_due(self) -> None:
        """Record the blocks written, if a record is due and the table can be resumed."""

    def finish(self, path: Path, *, overwrite: bool) -> None:
        """Sync the file to the disk, and rename it to its path.

        Raises:
            OSError: the system refuses.
        """
        file = self.pieces[0].file
        file.flush()
        os.fsync(file.fileno())
        file.close()
        publish_draft(self._path, path, overwrite=overwrite)

    def drop(self) -> None:
        """Delete files without a name that will not be resumed."""
        self._close()
        self._path.unlink(missing_ok=True)

    def _close(self) -> None:
        for piece in self.pieces:
            with contextlib.suppress(OSError, AttributeError):  # the latter if it was never opened
                piece.file.close()


class ResumableDraft(Draft):
    """An unfinished table that is stored with the stages of its solve, to be resumed."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        """Store the checkpoint; files are created later."""
        self.pieces = [DraftFile()]
        self._checkpoint = checkpoint
        self._fingerprint = np.empty(0, np.uint8)
        self._records = 0
        self._is_published = False
        #: The number of recorded entries of each piece.
        self._recorded_counts: list[int] = []
        self._pool: ThreadPoolExecutor | None = None
        self._syncing: Future[None] | None = None
        self._synced_counts: list[int] = []
        self._last_sync = time.monotonic()

    def begin(self, fingerprint: bytes, size: int) -> None:
        """Restore the blocks that an earlier process recorded, and delete the others."""
        self._fingerprint = np.frombuffer(fingerprint, np.uint8)
        self.pieces = [DraftFile(size=size)]
        while self._restore():
            self._records += 1
        record_names = {self._record(number) for number in range(self._records)}
        self._checkpoint.drop(*self._all_records() - record_names)
        self._recorded_counts = [len(piece.entries) for piece in self.pieces]
        for number, piece in enumerate(self.pieces):
            self._open(number, piece)
        if not self._records:
            self.pieces[0].file.write(bytes(size))
        self._last_sync = time.monotonic()

    def file_number(self, number: int) -> DraftFile:
        """Return the file for the blocks of an array; 0 is the table file itself."""
        if number == len(self.pieces):
            self.pieces.append(DraftFile())
            self._open(number, self.pieces[number])
        return self.pieces[number]

    def record_if_due(self) -> None:
        """Record the blocks written, if enough seconds have passed since the last record.

        A separate thread syncs the files while further blocks are written. The record follows when
        the sync is finished, or at the latest when the next record is due.
        """
        now = time.monotonic()
        is_due = now - self._last_sync >= limits.current().checkpoint_seconds
        if self._syncing is not None and (is_due or self._syncing.done()):
            self._save()
        if not is_due:
            return
        self._last_sync = now
        self._synced_counts = [len(piece.entries) for piece in self.pieces]
        for piece in self.pieces:
            piece.file.flush()
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="zermelo-sync")
        self._syncing = self._pool.submit(_sync, [piece.file for piece in self.pieces])

    def finish(self, path: Path, *, overwrite: bool) -> None:
        """Sync the file to the disk, and rename it to its path."""
        if self._syncing is not None:
            self._syncing.result()  # the system may report a write error only to this sync
        self._path = self._checkpoint.file(f"{_NAME}0")
        super().finish(path, overwrite=overwrite)
        self._is_published = True

    def drop(self) -> None:
        """Delete files that were renamed or have no records; keep the others."""
        if self._syncing is not None:
            wait([self._syncing])
        if self._pool is not None:
            self._pool.shutdown()
        self._close()
        if self._is_published or not self._all_records():
            for number in range(len(self.pieces)):
                self._checkpoint.file(f"{_NAME}{number}").unlink(missing_ok=True)

    def _save(self) -> None:
        """Record the blocks that have been synced.

        If the disk has no space for the record, the next one includes its blocks.
        """
        assert self._syncing is not None  # noqa: S101  # for the type checker: just looked at
        syncing, self._syncing = self._syncing, None
        syncing.result()
        counts = self._synced_counts
        blocks = {
            f"blocks{number}": np.concatenate(piece.entries[self._recorded_count(number) : count])
            .view(np.uint32)
            .reshape(-1, 3)
            for number, (piece, count) in enumerate(zip(self.pieces, counts, strict=False))
        }
        record = self._record(self._records)
        if self._checkpoint.put(record, [len(counts)], like=self._fingerprint, **blocks):
            self._records += 1
            self._recorded_counts = counts

    def _recorded_count(self, number: int) -> int:
        """Return the number of recorded entries of a piece."""
        return self._recorded_counts[number] if number < len(self._recorded_counts) else 0

    def _restore(self) -> bool:
        """Restore the blocks of the next record.

        Return whether there is one that matches the files.
        """
        name = self._record(self._records)
        count = self._checkpoint.note(name)
        if count is None:
            return False
        arrays = self._checkpoint.read(name)
        if not np.array_equal(arrays.pop("like"), self._fingerprint):
            return False
        recorded_entries = [
            arrays.pop(f"blocks{number}").view(ENTRY).reshape(-1) for number in range(count[0])
        ]
        self.pieces += [DraftFile() for _ in recorded_entries[len(self.pieces) :]]
        for number, (piece, entries) in enumerate(zip(self.pieces, recorded_entries, strict=True)):
            if not _matches_checksums(
                self._checkpoint.file(f"{_NAME}{number}"), piece.size, entries
            ):
                return False
        for piece, entries in zip(self.pieces, recorded_entries, strict=True):
            piece.entries.append(entries)
            piece.blocks += len(entries)
            piece.size += int(entries["stored"].sum(dtype=np.int64))
        return True

    def _open(self, number: int, piece: DraftFile) -> None:
        """Open a file at the end of its recorded blocks."""
        path = self._checkpoint.file(f"{_NAME}{number}")
        if not self._records:
            path.unlink(missing_ok=True)
        piece.file = path.open("r+b" if self._records and path.exists() else "x+b")
        if self._records:
            piece.file.truncate(piece.size)
            piece.file.seek(piece.size)

    def _all_records(self) -> set[str]:
        """Return the names of all records, of this table or another."""
        return {name for name in self._checkpoint.names() if name.startswith(_NAME)}

    @staticmethod
    def _record(number: int) -> str:
        return f"{_NAME}{number:05}"


def _sync(files: list[Any]) -> None:
    """Sync flushed files to the disk."""
    for file in files:
        os.fsync(file.fileno())


def _matches_checksums(path: Path, begin_byte: int, entries: npt.NDArray[Any]) -> bool:
    """Return whether the blocks in a file from byte ``begin_byte`` on match their checksums."""
    ends = np.cumsum(entries["stored"], dtype=np.int64)
    checksums = entries["checksum"].tolist()
    begin = 0
    try:
        with path.open("rb") as file:
            file.seek(begin_byte)
            while begin < len(ends):
                done_bytes = int(ends[begin - 1]) if begin else 0
                end = max(
                    begin + 1,
                    int(np.searchsorted(ends, done_bytes + _COMPARED_BYTES, side="right")),
                )
                places = (ends[begin:end] - done_bytes).tolist()
                data = memoryview(file.read(places[-1]))
                if len(data) < places[-1]:
                    return False
                pairs = zip([0, *places], places, strict=False)
                if [checksum(data[a:b]) for a, b in pairs] != checksums[begin:end]:
                    return False
                begin = end
    except OSError:
        return False
    return True
