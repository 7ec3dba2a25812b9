"""A table's file, read by explicit calls.

It is not mapped: if a mapped file is truncated, the system kills the process that reads a missing
page. Here a failed read is an ordinary error.
"""

from __future__ import annotations

import os
import threading
import weakref
from pathlib import Path

import zstandard

from zermelo.errors import MissingTableError

#: The flags for opening a file: without waiting for a writer, if it is a pipe.
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)

_claimed_size = zstandard.frame_content_size


def content_size(compressed: bytes | memoryview) -> int:
    """Return the decompressed size that a frame claims, -1 if it claims none."""
    try:
        return _claimed_size(compressed)
    except zstandard.ZstdError:
        return -1


class FileBytes:
    """A file that is open for reading, until ``close`` or its collection. Threads may share it.

    Attributes:
        size: the bytes that it had when it was opened.
    """

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            MissingTableError: it is missing, or cannot be read.
        """
        self._path = path
        try:
            self._file = os.open(path, _FLAGS)
            self._finish = weakref.finalize(self, os.close, self._file)
            self.size = os.fstat(self._file).st_size
            self.read(0, min(self.size, 1))  # a folder or a pipe can be opened, but not read
        except FileNotFoundError:
            message = f"there is no table at {str(path)!r}; save one there, or give another path"
            raise MissingTableError(message) from None
        except (OSError, ValueError) as error:  # the latter for a null character
            reason = getattr(error, "strerror", None) or str(error)
            message = f"{str(path)!r} cannot be read: {reason}; give the file of a table"
            raise MissingTableError(message) from None

    def read(self, begin: int, size: int) -> bytes:
        """Return bytes from ``begin`` on; fewer than ``size`` if the file has become shorter.

        Raises:
            OSError: the system cannot read it.
            MissingTableError: it has been closed.
        """
        if self._file < 0:
            raise self._closed()
        return _read(self._file, size, begin)

    def close(self) -> None:
        """Close the file."""
        self._file = -1
        self._finish()

    def _closed(self) -> MissingTableError:
        return MissingTableError(f"{str(self._path)!r} has been closed; open it again")


_seeking = threading.Lock()


def _seek_and_read(file: int, size: int, begin: int) -> bytes:
    """Read like ``os.pread``, on systems without it."""
    with _seeking:
        os.lseek(file, begin, os.SEEK_SET)
        return os.read(file, size)


_read = getattr(os, "pread", _seek_and_read)
