"""Scratch files: arrays too large for memory, written and read in order.

Files have no name where the system allows that, so that none is left however the process ends; if a
solve can be resumed, they are stored with its stages (``ColumnCheckpoint``). They are read and
written by explicit calls, so that their pages belong to the system and not to the process. Only a
finished array is mapped, for later reading.
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

#: The environment variable that names the folder for such files.
VARIABLE = "ZERMELO_SCRATCH"
#: Share of a disk's free space that a solve uses, as other processes may write there too.
_SHARE = 0.85
#: The mappings of files as arrays.
_MAPPED: WeakSet[mmap.mmap] = WeakSet()
#: Bytes read in one call for a checksum.
_AT_ONCE = 1 << 20
#: Zeros written in one call before an array is mapped.
_ZEROS = 1 << 17


class Scratch:
    """The folder of scratch files, and the bytes written to them and read.

    Attributes:
        checkpoint: the checkpoint that the files belong to, or ``NO_CHECKPOINT``.
        written: bytes written so far.
        read: bytes read so far.
    """

    def __init__(
        self, folder: Path | None = None, *, checkpoint: Checkpoint = NO_CHECKPOINT
    ) -> None:
        """Choose the folder, unless ``folder`` is given.

        Args:
            folder: the folder.
            checkpoint: the checkpoint of the solve. The files are stored in its folder, unless
                ``ZERMELO_SCRATCH`` names another disk and no folder is given.
        """
        own = checkpoint.directory
        beside = own is not None and (folder is not None or _may_use_stage_folder(own))
        self.checkpoint = checkpoint if beside else NO_CHECKPOINT
        self._folder = folder or self.checkpoint.directory
        self.written = 0
        self.read = 0
        self._held = 0
        self._limit: float | None = None
        self.files = ExitStack()

    @property
    def folder(self) -> Path:
        """The folder, which is chosen when the first file is created."""
        if self._folder is None:
            self._folder = scratch_folder()
        return self._folder

    def __enter__(self) -> Self:
        """Return this object; files are created on demand."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all files; mapped arrays stay."""
        self.files.close()

    def check_space(self, size: int) -> None:
        """Check that ``size`` more bytes can be written.

        Raises:
            BudgetError: the disk has less space.
        """
        free = self._free()
        if self._limit is None:
            self._limit = free * _SHARE
        left = min(self._limit - self._held, free)
        if size > left:
            raise self._space_error(size, max(0, int(left)))

    def record_growth(self, size: int) -> None:
        """Record that files have grown by ``size`` bytes.

        Raises:
            BudgetError: the files take more of the disk than a solve may use.
        """
        self._held += size
        if self._limit is None:
            self._limit = self._free() * _SHARE
        if self._held > self._limit:
            raise self._space_error(self._held, int(self._limit))

    def _free(self) -> int:
        try:
            return shutil.disk_usage(self.folder).free
        except OSError as error:
            raise self.write_error(error) from None

    def _space_error(self, size: int, free: int) -> BudgetError:
        from zermelo._engine.core.ledger import readable_pair

        wanted, left = readable_pair(size, free)
        message = (
            f"the data that does not fit into memory needs at least {wanted} on disk, but "
            f"only {left} may be used in {self._folder_name()}; "
            + self._folder_advice("with more space")
        )
        return BudgetError(message, size, free)

    def write_error(self, error: OSError) -> BudgetError:
        """Return the error for files that cannot be written."""
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            return self._space_error(self.written, 0)
        message = (
            f"the data that does not fit into memory cannot be written to {self._folder_name()}: "
            f"{error.strerror or error}; {self._folder_advice('that can be written to')}"
        )
        return BudgetError(message, self.written, 0)

    def _folder_name(self) -> str:
        return repr(str(self.folder))

    def _folder_advice(self, wanted: str) -> str:
        """Return the advice to choose another folder, which ``wanted`` describes."""
        if not self.checkpoint.saves:
            return f"set {VARIABLE} to a folder {wanted}, or allow more memory"
        return (
            "free some space there, and run the same command again to resume; or set "
            f"{VARIABLE} to a folder on another disk {wanted}, or allow more memory"
        )

    def array(self, count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array of zeros in a mapped file, of which only the pages read are in memory.

        Raises:
            BudgetError: the disk has no space for it.
        """
        self.check_space(count * np.dtype(dtype).itemsize)
        column, some = ScratchColumn(self, dtype), np.zeros(min(count, _ZEROS), dtype)
        for begin in range(0, count, _ZEROS):
            column.append(some[: count - begin])
        return column.mapped()

    def io_summary(self, positions: int) -> str:
        """Return the bytes written and read, for a sentence about how a game was solved."""
        count = max(positions, 1)
        return (
            f"on disk, {self.written / count:.3g} bytes a position written and "
            f"{self.read / count:.3g} read"
        )


def scratch_folder() -> Path:
    """Return the folder for large temporary files: the user's choice or the system's default.

    On Linux the default is ``/var/tmp``, as ``/tmp`` is often kept in memory.
    """
    for variable in (VARIABLE, "TMPDIR"):
        if said := os.environ.get(variable):
            return Path(said)
    large = Path("/var/tmp")  # noqa: S108  # a folder for such files, whose files have no name
    if sys.platform != "win32" and os.access(large, os.W_OK):
        return large
    return Path(tempfile.gettempdir())


def _may_use_stage_folder(folder: Path) -> bool:
    """Whether scratch files may be in the folder of stages: unless the user names another disk."""
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
        dtype: the type of its elements.
    """

    def __init__(
        self, scratch: Scratch, dtype: npt.DTypeLike, path: Path | None = None, size: int = 0
    ) -> None:
        """Create an empty unnamed file, or create or open the file at ``path``.

        Args:
            scratch: where files are.
            dtype: the type of the elements.
            path: the file, or None for an unnamed one.
            size: the number of elements in it; with 0 it is created.
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
                # A file that is not resumed is deleted, not truncated: a process may have mapped
                # it.
                if not size:
                    path.unlink(missing_ok=True)
                self._file = path.open("r+b" if size else "x+b", buffering=0)
        except OSError as error:
            raise scratch.write_error(error) from None
        scratch.files.callback(self._file.close)

    def __len__(self) -> int:
        """Return the number of elements."""
        return self._size

    def append(self, array: npt.NDArray[Any]) -> int:
        """Append elements and return the index of the first; threads may call this concurrently."""
        with self._lock:
            at = self._size
            self.write(at, array)
        return at

    def write(self, at: int, array: npt.NDArray[Any]) -> None:
        """Write elements from index ``at`` on.

        Raises:
            BudgetError: the disk is full.
        """
        if not len(array):
            return
        view = np.ascontiguousarray(array, self.dtype).view(np.uint8).data
        with self._lock:
            self._scratch.record_growth(
                (max(self._size, at + len(array)) - self._size) * array.itemsize
            )
            try:
                self._file.seek(at * self.dtype.itemsize)
                done = 0
                while done < len(view):
                    done += self._file.write(view[done:])
            except OSError as error:
                raise self._scratch.write_error(error) from None
            self._size = max(self._size, at + len(array))
            self._scratch.written += len(view)

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill ``out`` with the elements from index ``at`` on, and return it."""
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

    def elements(self, begin: int, end: int, buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the elements from ``begin`` to ``end``, read into the front of ``buffer``."""
        return self.read(begin, buffer[: end - begin])

    def checksum(self, begin: int, end: int) -> int:
        """Return the CRC-32 of the elements from ``begin`` to ``end``.

        Threads may call this concurrently.

        Raises:
            OSError: the file ends before ``end``.
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
        """Write everything to the disk."""
        os.fsync(self._file.fileno())

    def mapped(self) -> npt.NDArray[Any]:
        """Return the whole array as a mapping, of which only the pages read are in memory."""
        if not self._size:
            return np.empty(0, self.dtype)
        size = self._size * self.dtype.itemsize
        # Kernels are compiled for writable arrays; no kernel writes to this one.
        block = mmap.mmap(self._file.fileno(), size, access=mmap.ACCESS_WRITE)
        _MAPPED.add(block)
        return np.frombuffer(block, self.dtype, self._size)

    def close(self) -> None:
        """Close the file; mapped arrays stay."""
        if not self._file.closed:
            self._scratch.record_growth(-self._size * self.dtype.itemsize)
        self._file.close()


def is_file(array: npt.NDArray[Any]) -> bool:
    """Whether an array is a mapped file, of which only the pages read are in memory."""
    return getattr(array.base, "obj", None) in _MAPPED


def memory_of(*arrays: npt.NDArray[Any]) -> int:
    """Return the bytes of memory that arrays take, mapped files excluded."""
    return sum(array.nbytes for array in arrays if not is_file(array))


def release_pages(*arrays: npt.NDArray[Any]) -> None:
    """Release the memory pages of those arrays that are mapped files.

    Their contents stay in the file, and are read again on access.
    """
    for array in arrays:
        if is_file(array) and hasattr(mmap, "MADV_DONTNEED"):
            array.base.obj.madvise(mmap.MADV_DONTNEED)  # type: ignore[union-attr]  # a view of it
