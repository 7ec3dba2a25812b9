"""Scratch files, for data too large for memory: their folder, and their mappings as arrays.

Files have no name where the system allows that, so that none is left however the process ends; if a
solve can be resumed, they are stored with its stages (``Store``).
"""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self
from weakref import WeakSet

import numpy.typing as npt

from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Checkpoint
from zermelo.errors import BudgetError

#: The environment variable that names the folder for such files.
VARIABLE = "ZERMELO_SCRATCH"
#: Share of a disk's free space that a solve uses, as other processes may write there too.
_SHARE = 0.85
#: The mappings of files as arrays.
_MAPPED: WeakSet[mmap.mmap] = WeakSet()


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
        stage_folder = checkpoint.directory
        uses_stage_folder = stage_folder is not None and (
            folder is not None or _may_use_stage_folder(stage_folder)
        )
        self.checkpoint = checkpoint if uses_stage_folder else NO_CHECKPOINT
        self._folder = folder or self.checkpoint.directory
        self.written = 0
        self.read = 0
        self._file_bytes = 0
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
        left = min(self._limit - self._file_bytes, free)
        if size > left:
            raise self._space_error(size, max(0, int(left)))

    def record_growth(self, size: int) -> None:
        """Record that files have grown by ``size`` bytes.

        Raises:
            BudgetError: the files take more of the disk than a solve may use.
        """
        self._file_bytes += size
        if self._limit is None:
            self._limit = self._free() * _SHARE
        if self._file_bytes > self._limit:
            raise self._space_error(self._file_bytes, int(self._limit))

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

    def _folder_advice(self, description: str) -> str:
        """Return the advice to choose another folder, which ``description`` describes."""
        if not self.checkpoint.saves:
            return f"set {VARIABLE} to a folder {description}, or allow more memory"
        return (
            "free some space there, and run the same command again to resume; or set "
            f"{VARIABLE} to a folder on another disk {description}, or allow more memory"
        )

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
        if chosen := os.environ.get(variable):
            return Path(chosen)
    large = Path("/var/tmp")  # noqa: S108  # a folder for such files, whose files have no name
    if sys.platform != "win32" and os.access(large, os.W_OK):
        return large
    return Path(tempfile.gettempdir())


def _may_use_stage_folder(folder: Path) -> bool:
    """Return whether the folder of stages is on the disk that the user chose, if any."""
    chosen = os.environ.get(VARIABLE)
    if not chosen:
        return True
    try:
        return Path(chosen).stat().st_dev == folder.stat().st_dev
    except OSError:
        return False


def read_all(file: Any, view: memoryview) -> bool:
    """Fill ``view`` from an unbuffered file; return whether the file has enough bytes."""
    done = 0
    while done < len(view):
        read_count = file.readinto(view[done:])
        if not read_count:
            return False
        done += read_count
    return True


def mapped_file(file: int, size: int) -> mmap.mmap:
    """Return the first ``size`` bytes of a file as a mapping that ``is_file`` knows."""
    block = mmap.mmap(file, size, access=mmap.ACCESS_WRITE)
    _MAPPED.add(block)
    return block


def is_file(array: npt.NDArray[Any]) -> bool:
    """Return whether an array is a mapped file, of which only the pages read are in memory."""
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
