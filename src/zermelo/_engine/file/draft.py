"""A table under way: its file until it has its name, and what waits to come behind.

Blocks go to the file one after another; those of arrays that come later go to files of their own.
Where the solve keeps its stages, these files lie with them, as columns. Now and then they are
synced, and then a *record*, which is a stage, says which blocks have been written since the one
before, with their sizes and checksums. Whoever goes on compares so much with what is there, and
makes the blocks behind it.
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
from zermelo.atomic_write import give_name, part_of

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo._engine.core.checkpoint import Checkpoint

#: Bytes of an array that waits for its place, after which it waits in a file.
_WAITING = 1 << 17
#: Bytes that are compared at once with what was recorded.
_AT_ONCE = 1 << 22
#: What the names of records and of files begin with.
_NAME = "table-"


@dataclass
class DraftFile:
    """A file that blocks are appended to.

    Attributes:
        file: the file.
        size: its bytes.
        blocks: how many blocks there are.
        entries: what the directory will say of them, some at a time.
    """

    file: Any = None
    size: int = 0
    blocks: int = 0
    entries: list[npt.NDArray[Any]] = field(default_factory=list)

    def put(self, data: bytes) -> None:
        """Write what is not a block."""
        self.file.write(data)
        self.size += len(data)

    def add(self, data: bytes, entries: npt.NDArray[Any]) -> None:
        """Write some blocks."""
        self.put(data)
        self.entries.append(entries)
        self.blocks += len(entries)


class Draft:
    """A table under way that is never resumed, in a file beside its place.

    Attributes:
        pieces: the file itself, and then those that wait.
    """

    def __init__(self, path: Path) -> None:
        """Begin a file beside a path.

        Raises:
            OSError: it cannot be made.
        """
        self._path = part_of(path)
        self._folder = path.parent
        self.pieces = [DraftFile(self._path.open("wb"))]

    def begin(self, like: bytes, size: int) -> None:
        """Leave room for what stands before the blocks.

        Args:
            like: what has to be the same to resume from its blocks.
            size: bytes.
        """
        del like
        self.pieces[0].put(bytes(size))

    def waiting(self, number: int) -> DraftFile:
        """Return the piece for the blocks of an array; 0 is the file itself."""
        if number == len(self.pieces):
            file = tempfile.SpooledTemporaryFile(  # noqa: SIM115  # it stays open
                _WAITING, dir=str(self._folder)
            )
            self.pieces.append(DraftFile(file))
        return self.pieces[number]

    def passed(self) -> None:
        """Record what has been written, if it is time for that and somebody may resume from it."""

    def finish(self, path: Path, *, overwrite: bool) -> None:
        """Have the file on the disk, and give it its name.

        Raises:
            OSError: the system refuses.
        """
        file = self.pieces[0].file
        file.flush()
        os.fsync(file.fileno())
        file.close()
        give_name(self._path, path, overwrite=overwrite)

    def drop(self) -> None:
        """Leave nothing behind that has no name and that nothing will resume from."""
        self._close()
        self._path.unlink(missing_ok=True)

    def _close(self) -> None:
        for piece in self.pieces:
            with contextlib.suppress(OSError, AttributeError):  # or it was never opened
                piece.file.close()


class ResumableDraft(Draft):
    """A table under way that lies with the stages of its solve, to be resumed."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        """Note where the stages are; nothing is made yet."""
        self.pieces = [DraftFile()]
        self._checkpoint = checkpoint
        self._like = np.empty(0, np.uint8)
        self._records = 0
        self._named = False
        #: Of each piece, how many of its entries are recorded.
        self._recorded: list[int] = []
        self._pool: ThreadPoolExecutor | None = None
        self._syncing: Future[None] | None = None
        self._next: list[int] = []
        self._since = time.monotonic()

    def begin(self, like: bytes, size: int) -> None:
        """Find what an earlier process has recorded, and delete what it has not."""
        self._like = np.frombuffer(like, np.uint8)
        self.pieces = [DraftFile(size=size)]
        while self._restore():
            self._records += 1
        known = {self._record(number) for number in range(self._records)}
        self._checkpoint.drop(*self._all_records() - known)
        self._recorded = [len(piece.entries) for piece in self.pieces]
        for number, piece in enumerate(self.pieces):
            self._open(number, piece)
        if not self._records:
            self.pieces[0].file.write(bytes(size))
        self._since = time.monotonic()

    def waiting(self, number: int) -> DraftFile:
        """Return the piece for the blocks of an array; 0 is the file itself."""
        if number == len(self.pieces):
            self.pieces.append(DraftFile())
            self._open(number, self.pieces[number])
        return self.pieces[number]

    def passed(self) -> None:
        """Record what has been written, once it has been some seconds' work.

        The disk is waited for by a thread of its own while further blocks are written, and the
        record follows when that is done; or at the latest when the next one is due.
        """
        now = time.monotonic()
        due = now - self._since >= limits.current().checkpoint_seconds
        if self._syncing is not None and (due or self._syncing.done()):
            self._save()
        if not due:
            return
        self._since = now
        self._next = [len(piece.entries) for piece in self.pieces]
        for piece in self.pieces:
            piece.file.flush()
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="zermelo-sync")
        self._syncing = self._pool.submit(_sync, [piece.file for piece in self.pieces])

    def finish(self, path: Path, *, overwrite: bool) -> None:
        """Have the file on the disk, and give it its name."""
        if self._syncing is not None:
            self._syncing.result()  # which may have heard of an error that nobody is told again
        self._path = self._checkpoint.file(f"{_NAME}0")
        super().finish(path, overwrite=overwrite)
        self._named = True

    def drop(self) -> None:
        """Leave what is recorded where the file has no name yet, and nothing else."""
        if self._syncing is not None:
            wait([self._syncing])
        if self._pool is not None:
            self._pool.shutdown()
        self._close()
        if self._named or not self._all_records():
            for number in range(len(self.pieces)):
                self._checkpoint.file(f"{_NAME}{number}").unlink(missing_ok=True)

    def _save(self) -> None:
        """Record what has been synced.

        A disk without room for that does not stop anybody: the next record says it again.
        """
        assert self._syncing is not None  # noqa: S101  # for the type checker: just looked at
        syncing, self._syncing = self._syncing, None
        syncing.result()
        counts = self._next
        blocks = {
            f"blocks{number}": np.concatenate(piece.entries[self._before(number) : count])
            .view(np.uint32)
            .reshape(-1, 3)
            for number, (piece, count) in enumerate(zip(self.pieces, counts, strict=False))
        }
        record = self._record(self._records)
        if self._checkpoint.put(record, [len(counts)], like=self._like, **blocks):
            self._records += 1
            self._recorded = counts

    def _before(self, number: int) -> int:
        """Return how many entries of a piece are recorded."""
        return self._recorded[number] if number < len(self._recorded) else 0

    def _restore(self) -> bool:
        """Take over what the next record vouches for; return whether there is one that does."""
        name = self._record(self._records)
        count = self._checkpoint.note(name)
        if count is None:
            return False
        arrays = self._checkpoint.read(name)
        if not np.array_equal(arrays.pop("like"), self._like):
            return False
        found = [
            arrays.pop(f"blocks{number}").view(ENTRY).reshape(-1) for number in range(count[0])
        ]
        self.pieces += [DraftFile() for _ in found[len(self.pieces) :]]
        for number, (piece, entries) in enumerate(zip(self.pieces, found, strict=True)):
            if not _is_whole(self._checkpoint.file(f"{_NAME}{number}"), piece.size, entries):
                return False
        for piece, entries in zip(self.pieces, found, strict=True):
            piece.entries.append(entries)
            piece.blocks += len(entries)
            piece.size += int(entries["stored"].sum(dtype=np.int64))
        return True

    def _open(self, number: int, piece: DraftFile) -> None:
        """Open a file behind what is recorded of it."""
        path = self._checkpoint.file(f"{_NAME}{number}")
        if not self._records:
            path.unlink(missing_ok=True)
        piece.file = path.open("r+b" if self._records and path.exists() else "x+b")
        if self._records:
            piece.file.truncate(piece.size)
            piece.file.seek(piece.size)

    def _all_records(self) -> set[str]:
        """Return the names of the records there are, of this table or another."""
        return {name for name in self._checkpoint.names() if name.startswith(_NAME)}

    @staticmethod
    def _record(number: int) -> str:
        return f"{_NAME}{number:05}"


def _sync(files: list[Any]) -> None:
    """Have what was flushed on the disk."""
    for file in files:
        os.fsync(file.fileno())


def _is_whole(path: Path, at: int, entries: npt.NDArray[Any]) -> bool:
    """Whether blocks stand in a file as they were written, from a byte on."""
    ends = np.cumsum(entries["stored"], dtype=np.int64)
    said = entries["checksum"].tolist()
    begin = 0
    try:
        with path.open("rb") as file:
            file.seek(at)
            while begin < len(ends):
                past = int(ends[begin - 1]) if begin else 0
                end = max(begin + 1, int(np.searchsorted(ends, past + _AT_ONCE, side="right")))
                places = (ends[begin:end] - past).tolist()
                data = memoryview(file.read(places[-1]))
                if len(data) < places[-1]:
                    return False
                pairs = zip([0, *places], places, strict=False)
                if [checksum(data[a:b]) for a, b in pairs] != said[begin:end]:
                    return False
                begin = end
    except OSError:
        return False
    return True
