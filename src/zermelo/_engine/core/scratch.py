"""Files that stand in for memory: arrays too large for it, written and read in order.

They have no name where the system can do without one, so that nothing is left of them however the
process ends; or, where a solve is to be resumed, they lie with its stages (``kept_columns``).
They are read and written by explicit calls, whose pages are the system's and not the process's;
only an array that is done is mapped, for whoever asks about it afterwards.
"""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import sys
import tempfile
import threading
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Checkpoint
from zermelo.errors import BudgetError

#: Names the folder for such files.
VARIABLE = "ZERMELO_SCRATCH"
#: Share of a disk's free space that a solve takes, which may not be the only one to write there.
_SHARE = 0.85
#: Files that are arrays.
_MAPPED: WeakSet[mmap.mmap] = WeakSet()
#: Bytes read at once where only their checksum is wanted.
_AT_ONCE = 1 << 20
#: Elements of an array that are written at once before it is mapped.
_ZEROS = 1 << 17


class Scratch:
    """Where such files are, and what was written to them and read.

    Attributes:
        checkpoint: what keeps them with the stages of the solve, if anything does.
        written: bytes written so far.
        read: bytes read so far.
    """

    def __init__(
        self, folder: Path | None = None, *, checkpoint: Checkpoint = NO_CHECKPOINT
    ) -> None:
        """Choose a folder, unless one is given.

        Args:
            folder: the folder.
            checkpoint: what keeps the stages of the solve, with which the files lie that resume
                it, unless ``ZERMELO_SCRATCH`` names another disk than theirs and no folder is
                given.
        """
        own = checkpoint.directory
        beside = own is not None and (folder is not None or _beside(own))
        self.checkpoint = checkpoint if beside else NO_CHECKPOINT
        self._folder = folder or self.checkpoint.directory
        self.written = 0
        self.read = 0
        self._held = 0
        self._limit: float | None = None
        self.files = ExitStack()

    @property
    def folder(self) -> Path:
        """The folder; it is looked for when a file is wanted."""
        if self._folder is None:
            self._folder = scratch_folder()
        return self._folder

    def __enter__(self) -> Self:
        """Begin; files are made when they are wanted."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let all files go; what was mapped stays."""
        self.files.close()

    def need(self, size: int) -> None:
        """Make sure that this many bytes more can be written.

        Raises:
            BudgetError: the disk has less room.
        """
        free = self._free()
        if self._limit is None:
            self._limit = free * _SHARE
        left = min(self._limit - self._held, free)
        if size > left:
            raise self._full(size, max(0, int(left)))

    def grown(self, size: int) -> None:
        """Note that files are this many bytes longer than they were.

        Raises:
            BudgetError: that is more of the disk than a solve takes.
        """
        self._held += size
        if self._limit is None:
            self._limit = self._free() * _SHARE
        if self._held > self._limit:
            raise self._full(self._held, int(self._limit))

    def _free(self) -> int:
        try:
            return shutil.disk_usage(self.folder).free
        except OSError as error:
            raise self.refused(error) from None

    def _full(self, size: int, free: int) -> BudgetError:
        from zermelo._engine.core.ledger import readable_pair

        wanted, left = readable_pair(size, free)
        message = (
            f"the data that does not fit into memory needs at least {wanted} on disk, but "
            f"only {left} may be used in {self._where()}; " + self._instead("with more space")
        )
        return BudgetError(message, size, free)

    def refused(self, error: OSError) -> BudgetError:
        """Return the error for files that cannot be written."""
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            return self._full(self.written, 0)
        message = (
            f"the data that does not fit into memory cannot be written to {self._where()}: "
            f"{error.strerror or error}; {self._instead('that can be written to')}"
        )
        return BudgetError(message, self.written, 0)

    def _where(self) -> str:
        return repr(str(self.folder))

    def _instead(self, wanted: str) -> str:
        """Return what to do about a folder that is not one ``wanted``."""
        if not self.checkpoint.saves:
            return f"set {VARIABLE} to a folder {wanted}, or allow more memory"
        return (
            "free some space there, and run the same command again to resume; or set "
            f"{VARIABLE} to a folder on another disk {wanted}, or allow more memory"
        )

    def array(self, count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array of zeros in a file, of which memory has what is looked at.

        Raises:
            BudgetError: the disk has no room for it.
        """
        self.need(count * np.dtype(dtype).itemsize)
        column, some = ScratchColumn(self, dtype), np.zeros(min(count, _ZEROS), dtype)
        for begin in range(0, count, _ZEROS):
            column.append(some[: count - begin])
        return column.mapped()

    def said(self, positions: int) -> str:
        """Return how much was written and read, for a sentence on how a game was solved."""
        count = max(positions, 1)
        return (
            f"on disk, {self.written / count:.3g} bytes a position written and "
            f"{self.read / count:.3g} read"
        )


def scratch_folder() -> Path:
    """Return the folder for large temporary files: as the user says, or the system's custom.

    On Linux that is ``/var/tmp``, as ``/tmp`` is often kept in memory.
    """
    for variable in (VARIABLE, "TMPDIR"):
        if said := os.environ.get(variable):
            return Path(said)
    large = Path("/var/tmp")  # noqa: S108  # a folder for such files, whose files have no name
    if sys.platform != "win32" and os.access(large, os.W_OK):
        return large
    return Path(tempfile.gettempdir())


def _beside(folder: Path) -> bool:
    """Whether files may lie with stages: unless the user names another disk for them."""
    said = os.environ.get(VARIABLE)
    if not said:
        return True
    try:
        return Path(said).stat().st_dev == folder.stat().st_dev
    except OSError:
        return False


class ScratchColumn:
    """One array in a file.

    Attributes:
        dtype: what its elements are.
    """

    def __init__(
        self, scratch: Scratch, dtype: npt.DTypeLike, path: Path | None = None, size: int = 0
    ) -> None:
        """Begin with nothing, in a file without a name; or with what a file has.

        Args:
            scratch: where files are.
            dtype: what the elements are.
            path: the file, where it is to have a name.
            size: how many elements there are in it; with 0 it is created.
        """
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self._scratch = scratch
        self._lock = threading.RLock()
        self._size = size
        self._file: Any
        try:
            if path is None:
                self._file = tempfile.TemporaryFile(  # noqa: SIM115  # it stays open
                    prefix="zermelo-", dir=scratch.folder, buffering=0
                )
            else:
                # A file that nothing resumes from is deleted, not cut: somebody may have mapped it.
                if not size:
                    path.unlink(missing_ok=True)
                self._file = path.open("r+b" if size else "x+b", buffering=0)
        except OSError as error:
            raise scratch.refused(error) from None
        scratch.files.callback(self._file.close)

    def __len__(self) -> int:
        """Return how many elements there are."""
        return self._size

    def append(self, array: npt.NDArray[Any]) -> int:
        """Write elements behind all others, and return where they begin; threads may do so."""
        with self._lock:
            at = self._size
            self.write(at, array)
        return at

    def write(self, at: int, array: npt.NDArray[Any]) -> None:
        """Write elements from a place on.

        Raises:
            BudgetError: the disk is full.
        """
        if not len(array):
            return
        view = np.ascontiguousarray(array, self.dtype).view(np.uint8).data
        with self._lock:
            self._scratch.grown((max(self._size, at + len(array)) - self._size) * array.itemsize)
            try:
                self._file.seek(at * self.dtype.itemsize)
                done = 0
                while done < len(view):
                    done += self._file.write(view[done:])
            except OSError as error:
                raise self._scratch.refused(error) from None
            self._size = max(self._size, at + len(array))
            self._scratch.written += len(view)

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill an array with the elements from a place on, and return it."""
        if not len(out):
            return out
        view = out.view(np.uint8).data
        with self._lock:
            self._file.seek(at * self.dtype.itemsize)
            done = 0
            while done < len(view):
                got = self._file.readinto(view[done:])
                if not got:
                    message = f"a temporary file in {self._scratch.folder} was truncated"
                    raise OSError(message)
                done += got
            self._scratch.read += len(view)
        return out

    def part(self, begin: int, end: int, buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the elements between two places, read into the beginning of an array."""
        return self.read(begin, buffer[: end - begin])

    def checksum(self, begin: int, end: int) -> int:
        """Return the CRC-32 of the elements from one place to another; threads may do so at once.

        Raises:
            OSError: they are not all there.
        """
        file, size = self._file.fileno(), self.dtype.itemsize
        found, at = 0, begin * size
        while at < end * size:
            block = os.pread(file, min(_AT_ONCE, end * size - at), at)
            if not block:
                raise OSError(errno.EIO, "a file was truncated")
            found = zlib.crc32(block, found)
            at += len(block)
        return found

    def sync(self) -> None:
        """Have everything on the disk."""
        os.fsync(self._file.fileno())

    def mapped(self) -> npt.NDArray[Any]:
        """Return the whole array, of which the system has in memory what is looked at."""
        if not self._size:
            return np.empty(0, self.dtype)
        size = self._size * self.dtype.itemsize
        # Kernels are compiled for arrays that may be written; nobody writes to this one.
        block = mmap.mmap(self._file.fileno(), size, access=mmap.ACCESS_WRITE)
        _MAPPED.add(block)
        return np.frombuffer(block, self.dtype, self._size)

    def close(self) -> None:
        """Let the file go; what was mapped stays."""
        if not self._file.closed:
            self._scratch.grown(-self._size * self.dtype.itemsize)
        self._file.close()


def is_file(array: npt.NDArray[Any]) -> bool:
    """Whether an array is a whole file, of which the system has in memory what is looked at."""
    return getattr(array.base, "obj", None) in _MAPPED


def memory_of(*arrays: npt.NDArray[Any]) -> int:
    """Return the bytes of memory that arrays take, those that are files left out."""
    return sum(array.nbytes for array in arrays if not is_file(array))


def let_go(*arrays: npt.NDArray[Any]) -> None:
    """Let the system have the memory of those arrays that are files.

    What stands there stays, and is read again when it is looked at.
    """
    for array in arrays:
        if is_file(array) and hasattr(mmap, "MADV_DONTNEED"):
            array.base.obj.madvise(mmap.MADV_DONTNEED)  # type: ignore[union-attr]  # a view of it
