"""The arrays of a store: in memory, in a file of this process, or in a file of another process.

Files are read and written by explicit calls, so that their pages belong to the system and not to
the process. Only a finished array is mapped, for later reading.
"""

from __future__ import annotations

import errno
import os
import tempfile
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import Arena
from zermelo._engine.core.scratch import Scratch, mapped_file, read_all

#: Bytes read in one call for a checksum.
_BYTES_PER_READ = 1 << 20
#: Zeros written in one call before an array is mapped.
_ZEROS = 1 << 17


class ReadableArray(ABC):
    """An array of a store, as read by a process that may not write it."""

    @abstractmethod
    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill ``out`` with the elements from index ``at`` on, and return it."""

    def elements(self, begin: int, end: int, buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the elements from ``begin`` to ``end``, perhaps read into ``buffer``."""
        return self.read(begin, buffer[: end - begin])


class StoredArray(ReadableArray):
    """An array of a store, which grows at its end.

    Attributes:
        dtype: the type of its elements.
    """

    dtype: np.dtype[Any]

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of elements."""

    @abstractmethod
    def append(self, array: npt.NDArray[Any]) -> int:
        """Append elements and return the index of the first."""

    @abstractmethod
    def write(self, at: int, array: npt.NDArray[Any]) -> None:
        """Write elements from index ``at`` on."""

    @abstractmethod
    def extend(self, size: int) -> None:
        """Append zeros until there are at least ``size`` elements, to be written in any order."""

    @abstractmethod
    def ranges(
        self, begins: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], behind: int
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Return an array that contains ranges, and the index at which each begins in it.

        Args:
            begins: the first element of each range.
            sizes: the number of elements of each.
            behind: the number of elements that may be read past the last range.
        """

    @abstractmethod
    def mapped(self, behind: int = 0) -> npt.NDArray[Any]:
        """Return the whole array, and ``behind`` more elements that look-ups may read."""

    @abstractmethod
    def close(self) -> None:
        """Release the elements; mapped arrays stay."""


class MemoryArray(Arena, StoredArray):
    """An array of a store in memory."""

    def __init__(self, dtype: npt.DTypeLike, limit: int) -> None:
        """Create an empty array of at most ``limit`` bytes; see ``Arena``."""
        super().__init__(dtype, limit)
        self._size = 0

    def __len__(self) -> int:
        """Return the number of elements."""
        return self._size

    def extend(self, size: int) -> None:
        """Append zeros until there are at least ``size`` elements; see ``StoredArray``."""
        self.ensure(size, self._size)
        self._size = max(self._size, size)

    def append(self, array: npt.NDArray[Any]) -> int:
        """Append elements and return the index of the first."""
        at = self._size
        self.extend(at + len(array))
        self.array[at : self._size] = array
        return at

    def write(self, at: int, array: npt.NDArray[Any]) -> None:
        """Write elements from index ``at`` on."""
        self.extend(at + len(array))
        self.array[at : at + len(array)] = array

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill ``out`` with the elements from index ``at`` on, and return it."""
        out[:] = self.array[at : at + len(out)]
        return out

    def elements(self, begin: int, end: int, _buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the elements from ``begin`` to ``end``, not copied."""
        return self.array[begin:end]

    def ranges(
        self,
        begins: npt.NDArray[np.int64],
        sizes: npt.NDArray[np.int64],  # noqa: ARG002  # nothing is copied
        behind: int,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Return the whole array; see ``StoredArray``."""
        return self.mapped(behind), begins

    def mapped(self, behind: int = 0) -> npt.NDArray[Any]:
        """Return the array, and ``behind`` more elements."""
        return self.ensure(self._size + behind, self._size)[: self._size + behind]

    def close(self) -> None:
        """Free the memory."""
        self.clear()
        self._size = 0


class FileArray(StoredArray):
    """An array of a store in a file of this process."""

    def __init__(
        self, scratch: Scratch, dtype: npt.DTypeLike, path: Path | None = None, size: int = 0
    ) -> None:
        """Create an empty unnamed file, or create or open the file at ``path``.

        Args:
            scratch: the folder of files.
            dtype: the type of the elements.
            path: the file, or None for an unnamed one.
            size: the number of elements in it; with 0 it is created.
        """
        self.dtype = np.dtype(dtype)
        self._scratch = scratch
        self._lock = threading.RLock()
        self._size = size
        self._is_synced = True
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
        """Write elements from index ``at`` on; threads may call this concurrently.

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
            self._is_synced = False
            try:
                self._file.seek(at * self.dtype.itemsize)
                done = 0
                while done < len(view):
                    done += self._file.write(view[done:])
            except OSError as error:
                raise self._scratch.write_error(error) from None
            self._size = max(self._size, at + len(array))
            self._scratch.written += len(view)

    def extend(self, size: int) -> None:
        """Append zeros until there are at least ``size`` elements; see ``StoredArray``.

        Raises:
            BudgetError: the disk has no space for them.
        """
        more = (size - self._size) * self.dtype.itemsize
        if more > 0:
            self._scratch.check_space(more)
            self._scratch.record_growth(more)
            self._truncate(size)
            self._size = size

    def _truncate(self, size: int) -> None:
        """Set the size of the file to this many elements; new ones take no space before a write."""
        try:
            self._file.truncate(size * self.dtype.itemsize)
        except OSError as error:
            raise self._scratch.write_error(error) from None

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill ``out`` with the elements from index ``at`` on, and return it."""
        if not len(out):
            return out
        view = out.view(np.uint8).data
        with self._lock:
            self._file.seek(at * self.dtype.itemsize)
            if not read_all(self._file, view):
                message = f"a temporary file in {self._scratch.folder} was truncated"
                raise OSError(message)
            self._scratch.read += len(view)
        return out

    def ranges(
        self, begins: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], behind: int
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Return an array into which the ranges are read; see ``StoredArray``."""
        ends = np.cumsum(sizes)
        array, places = np.zeros(int(ends[-1]) + behind, self.dtype), ends - sizes
        for begin, place, end in zip(begins.tolist(), places.tolist(), ends.tolist(), strict=True):
            self.read(begin, array[place:end])
        return array, places

    def checksum(self, begin: int, end: int) -> int:
        """Return the CRC-32 of the elements from ``begin`` to ``end``.

        Threads may call this concurrently.

        Raises:
            OSError: the file ends before ``end``.
        """
        file, size = self._file.fileno(), self.dtype.itemsize
        checksum, at = 0, begin * size
        while at < end * size:
            block = os.pread(file, min(_BYTES_PER_READ, end * size - at), at)
            if not block:
                raise OSError(errno.EIO, "a file was truncated")
            checksum = zlib.crc32(block, checksum)
            at += len(block)
        return checksum

    def sync(self) -> None:
        """Sync to the disk what was written since the last call, for other processes to read."""
        if not self._is_synced:
            os.fsync(self._file.fileno())
            self._is_synced = True

    def mapped(self, behind: int = 0) -> npt.NDArray[Any]:
        """Return the whole array as a mapping, of which only the pages read are in memory."""
        count = self._size + behind
        if not count:
            return np.empty(0, self.dtype)
        if behind:
            self._truncate(count)
        # Kernels are compiled for writable arrays; no kernel writes to this one.
        size = count * self.dtype.itemsize
        return np.frombuffer(mapped_file(self._file.fileno(), size), self.dtype, count)

    def close(self) -> None:
        """Close the file; mapped arrays stay."""
        if not self._file.closed:
            self._scratch.record_growth(-self._size * self.dtype.itemsize)
        self._file.close()


class SharedArray(ReadableArray):
    """An array of a store in a file of another process, readable as far as it is finished."""

    def __init__(self, scratch: Scratch, path: Path) -> None:
        """Store the path of the file; ``scratch`` counts the bytes read."""
        self._scratch = scratch
        self._path = path

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill ``out`` with the elements from index ``at`` on, and return it."""
        if not len(out):
            return out
        view = out.view(np.uint8).data
        # Opened each time: a shared file system shows what others have written when a file is
        # opened.
        with self._path.open("rb", buffering=0) as file:
            file.seek(at * out.itemsize)
            if not read_all(file, view):
                message = f"{str(self._path)!r} is shorter than it should be"
                raise OSError(message)
        self._scratch.read += len(view)
        return out


def shared_arrays(folder: str, paths: Mapping[str, str]) -> tuple[Scratch, dict[str, SharedArray]]:
    """Return the folder of another process's store, which counts the bytes read, and its arrays.

    Args:
        folder: the folder.
        paths: the file of each array in the folder; see ``Store.paths``.
    """
    scratch = Scratch(Path(folder))
    arrays = {name: SharedArray(scratch, scratch.folder / path) for name, path in paths.items()}
    return scratch, arrays


def mapped_zeros(scratch: Scratch, count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros in a mapped file, of which only the pages in use are in memory.

    Raises:
        BudgetError: the disk has no space for it.
    """
    scratch.check_space(count * np.dtype(dtype).itemsize)
    array, zeros = FileArray(scratch, dtype), np.zeros(min(count, _ZEROS), dtype)
    for begin in range(0, count, _ZEROS):  # written, as a full disk would end a process that maps
        array.append(zeros[: count - begin])
    return array.mapped()
