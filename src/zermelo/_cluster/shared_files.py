"""Files that processes share: results of units, and tables.

A shared file contains arrays, one after the other, as they are in memory. A worker writes it under
a temporary name, and renames it when it is on disk; the driver receives its size and its checksum.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.scratch import read_all
from zermelo.errors import ClusterError

#: Elements that are read and checked in one batch.
_ELEMENTS_PER_BATCH = 1 << 19


@dataclass(frozen=True)
class SharedFile:
    """The description of a file that a worker wrote.

    Attributes:
        name: the name of the file in the shared folder.
        count: the number of elements of its first array.
        size: its bytes.
        checksum: the CRC-32 of its bytes.
        read: the bytes of levels that the worker has read.
    """

    name: str
    count: int
    size: int
    checksum: int
    read: int


class SharedFileWriter:
    """A writer of a shared file."""

    def __init__(self, folder: Path, name: str) -> None:
        """Create the file; no other attempt has the same ``name``."""
        self._path = folder / f"{name}.part"
        self._new = folder / f"{name}.new.part"
        self._file: BinaryIO = self._new.open("xb", buffering=0)
        self._checksum = 0
        self._size = 0

    def __enter__(self) -> Self:
        """Return the writer."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Close the file, and delete it if it is not finished."""
        self._file.close()
        if kind is not None:
            self._new.unlink(missing_ok=True)

    @property
    def size(self) -> int:
        """The number of bytes written."""
        return self._size

    def write(self, array: npt.NDArray[Any]) -> None:
        """Append an array."""
        view = np.ascontiguousarray(array).view(np.uint8).data
        self._checksum = zlib.crc32(view, self._checksum)
        self._write_bytes(view)

    def write_section(self, array: npt.NDArray[Any]) -> int:
        """Append an array that is read separately; return its checksum.

        The checksum of the file covers only what ``write`` writes.
        """
        view = np.ascontiguousarray(array).view(np.uint8).data
        self._write_bytes(view)
        return zlib.crc32(view)

    def _write_bytes(self, view: memoryview) -> None:
        self._size += len(view)
        written = 0
        while written < len(view):
            written += self._file.write(view[written:])

    def finish(self, count: int, read: int, *, lasting: bool = True) -> SharedFile:
        """Rename the finished file to its final name and return its description.

        Args:
            count: the number of elements of its first array.
            read: the bytes of levels that were read for it.
            lasting: whether to flush it to disk first; else it is only visible to all processes.
        """
        if lasting:
            os.fsync(self._file.fileno())
        self._new.replace(self._path)
        return SharedFile(self._path.name, count, self._size, self._checksum, read)


class SharedFileReader:
    """A reader of a shared file, from its beginning, which deletes the file at the end."""

    def __init__(self, folder: Path, part: SharedFile) -> None:
        """Open the file.

        Raises:
            ClusterError: the file does not exist.
        """
        self._path = folder / part.name
        self._part = part
        try:
            self._file = self._path.open("rb", buffering=0)
        except OSError:
            raise damage_error(self._path) from None
        self._checksum = 0
        self._size = 0

    def __enter__(self) -> Self:
        """Return the reader."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file and delete it."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def arrays(self, count: int, kind: Any) -> Iterator[tuple[int, npt.NDArray[Any]]]:
        """Read ``count`` elements; yields batches of them, with the index of the first."""
        buffer = np.empty(min(count, _ELEMENTS_PER_BATCH), kind)
        for index in range(0, count, _ELEMENTS_PER_BATCH):
            batch = buffer[: min(_ELEMENTS_PER_BATCH, count - index)]
            view = batch.view(np.uint8).data
            if not read_all(self._file, view):
                return
            self._checksum = zlib.crc32(view, self._checksum)
            self._size += len(view)
            yield index, batch

    def end(self) -> None:
        """Check that the whole file has been read, and is intact.

        Raises:
            ClusterError: it is damaged.
        """
        part = self._part
        self.check(holds=(self._size, self._checksum) == (part.size, part.checksum))

    def check(self, *, holds: bool) -> None:
        """Raise ClusterError unless a condition of an intact file holds."""
        if not holds:
            raise damage_error(self._path)


def damage_error(path: Path) -> ClusterError:
    """Return the error for a file that is damaged."""
    message = (
        f"{path.name!r}, which a worker has written to {str(path.parent)!r}, is damaged; check the "
        "shared folder, and run the same command again to resume"
    )
    return ClusterError(message)
