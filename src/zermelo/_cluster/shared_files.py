"""Files that processes share: what comes of a unit, columns that another one writes, and tables.

A part holds arrays one after the other, as they are in memory. The worker writes it under another
name, and renames it when it is on the disk; the driver is told its size and its checksum.
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

from zermelo._engine.core.scratch import Scratch
from zermelo._engine.file.reader import Reader
from zermelo.errors import ClusterError

#: Elements that are read and checked at once.
_SOME = 1 << 19


def same_table(path: str, header: dict[str, Any]) -> Reader:
    """Return what reads a table that the driver has, too.

    Args:
        path: the file, as all machines see it.
        header: what the driver's file says of itself.

    Raises:
        ClusterError: it is another file.
        CorruptTableError: it is damaged.
    """
    reader = Reader(Path(path))
    if reader.header != header:
        message = f"{path!r} differs between machines; mount the same folder on all of them"
        raise ClusterError(message)
    return reader


@dataclass(frozen=True)
class SharedFile:
    """What a worker says of a file that it wrote.

    Attributes:
        name: the file, in the shared folder.
        count: how many elements its first array has.
        size: its bytes.
        checksum: their CRC-32.
        read: bytes that the worker has read of levels.
    """

    name: str
    count: int
    size: int
    checksum: int
    read: int


class SharedFileWriter:
    """A part that is being written."""

    def __init__(self, folder: Path, name: str) -> None:
        """Create the file; ``name`` is no other attempt's."""
        self._path = folder / f"{name}.part"
        self._new = folder / f"{name}.new.part"
        self._file: BinaryIO = self._new.open("xb", buffering=0)
        self._checksum = 0
        self._size = 0

    def __enter__(self) -> Self:
        """Write."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Close the file, and delete it where it is not finished."""
        self._file.close()
        if kind is not None:
            self._new.unlink(missing_ok=True)

    @property
    def size(self) -> int:
        """The bytes that are written."""
        return self._size

    def write(self, array: npt.NDArray[Any]) -> None:
        """Write an array behind what there is."""
        view = np.ascontiguousarray(array).view(np.uint8).data
        self._checksum = zlib.crc32(view, self._checksum)
        self._written(view)

    def put(self, array: npt.NDArray[Any]) -> int:
        """Write an array that is read by itself; return its checksum.

        The part's own checksum is of what ``write`` is given.
        """
        view = np.ascontiguousarray(array).view(np.uint8).data
        self._written(view)
        return zlib.crc32(view)

    def _written(self, view: memoryview) -> None:
        self._size += len(view)
        done = 0
        while done < len(view):
            done += self._file.write(view[done:])

    def finish(self, count: int, read: int, *, lasting: bool = True) -> SharedFile:
        """Have the file under its name.

        Args:
            count: how many elements its first array has.
            read: bytes that were read of levels for it.
            lasting: whether it has to be on the disk by then, and not only where all processes
                can read it.
        """
        if lasting:
            os.fsync(self._file.fileno())
        self._new.replace(self._path)
        return SharedFile(self._path.name, count, self._size, self._checksum, read)


class SharedFileReader:
    """A part that is there, read from its beginning; it is deleted in the end."""

    def __init__(self, folder: Path, part: SharedFile) -> None:
        """Open the file.

        Raises:
            ClusterError: it is not there.
        """
        self._path = folder / part.name
        self._part = part
        try:
            self._file = self._path.open("rb", buffering=0)
        except OSError:
            raise damaged(self._path) from None
        self._checksum = 0
        self._size = 0

    def __enter__(self) -> Self:
        """Read."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file and delete it."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def arrays(self, count: int, kind: Any) -> Iterator[tuple[int, npt.NDArray[Any]]]:
        """Read this many elements; yields some of them and their place among these."""
        buffer = np.empty(min(count, _SOME), kind)
        for at in range(0, count, _SOME):
            some = buffer[: min(_SOME, count - at)]
            view = some.view(np.uint8).data
            done = 0
            while done < len(view):
                got = self._file.readinto(view[done:])
                if not got:
                    return
                done += got
            self._checksum = zlib.crc32(view, self._checksum)
            self._size += len(view)
            yield at, some

    def end(self) -> None:
        """See that all that has been read is as it was written, and all there is.

        Raises:
            ClusterError: it is not.
        """
        part = self._part
        self.check(holds=(self._size, self._checksum) == (part.size, part.checksum))

    def check(self, *, holds: bool) -> None:
        """Raise ClusterError where something does not hold that the part was to say."""
        if not holds:
            raise damaged(self._path)


def damaged(path: Path) -> ClusterError:
    """Return the error for a file that is not as a worker has written it."""
    message = (
        f"{path.name!r}, which a worker has written to {str(path.parent)!r}, is damaged; check the "
        "shared folder, and run the same command again to resume"
    )
    return ClusterError(message)


class SharedColumn:
    """A column of a solve that another process writes, to be read where it is finished."""

    def __init__(self, scratch: Scratch, path: Path) -> None:
        """Read a file; ``scratch`` counts how much."""
        self._scratch = scratch
        self._path = path

    def __len__(self) -> int:
        """Return 0: nothing of it is this process's."""
        return 0

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill an array with the elements from a place on, and return it."""
        if not len(out):
            return out
        view = out.view(np.uint8).data
        place = at * out.itemsize
        # Opened each time: a shared file system shows what others have written to whoever opens.
        with self._path.open("rb", buffering=0) as file:
            done = 0
            while done < len(view):
                got = os.preadv(file.fileno(), [view[done:]], place + done)
                if not got:
                    message = f"{str(self._path)!r} is shorter than it should be"
                    raise OSError(message)
                done += got
        self._scratch.read += len(view)
        return out

    def part(self, begin: int, end: int, buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the elements between two places, read into the beginning of an array."""
        return self.read(begin, buffer[: end - begin])
