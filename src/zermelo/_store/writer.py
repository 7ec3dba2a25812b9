"""Writing a table: beside its place, and then under its name."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo._store.format import ENTRY, FIRST_BYTES, Stored, digest, first_line, short_digest
from zermelo.errors import TableExistsError, TableWriteError

_ALIGN = 64
#: Room for what is only known when all is written: the place and the checksum of the directory.
_ROOM = 256
#: How quickly a byte is to be compressed; 3 takes hardly more time than 1 and saves a tenth.
_LEVEL = 3


class Writer:
    """Writes a table, which appears under its name when ``finish`` returns."""

    def __init__(self, path: Path, *, overwrite: bool = False) -> None:
        """Begin a file beside ``path``.

        Args:
            path: where the table is to be.
            overwrite: whether a file that is there already may be replaced.

        Raises:
            TableExistsError: there is a file, and it may not.
            TableWriteError: nothing can be written there.
        """
        self.path = path
        self.overwrite = overwrite
        if not overwrite and path.exists():
            raise _exists(path)
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL)
        self._entries: list[tuple[int, int, int, int]] = []
        self._arrays: dict[str, Stored] = {}
        self._header = b""
        try:
            handle, name = tempfile.mkstemp(
                prefix=f".{path.name}.", suffix=".part", dir=path.parent
            )
        except OSError as error:
            raise _unwritten(path, error) from None
        self._part = Path(name)
        self._file = os.fdopen(handle, "wb")
        self._at = 0

    #: Called with the bytes written so far, where somebody wants to know.
    told: Callable[[int], None] | None = None
    _sent = 0

    def begin(self, header: dict[str, Any], arrays: dict[str, Stored]) -> None:
        """Leave room for the header; arrays follow, in the order they stand here.

        Args:
            header: what the file says of itself; JSON can hold it.
            arrays: what will be written, with the blocks that each will take.
        """
        self._document = header
        self._arrays = arrays
        size = len(self._encoded(0, 0, "0" * 32)) + _ROOM
        self._room = -(-(size + FIRST_BYTES) // _ALIGN) * _ALIGN - FIRST_BYTES
        self._at = FIRST_BYTES + self._room
        self._put(bytes(self._at))

    def write(self, raw: bytes | memoryview) -> None:
        """Write the next block, already as bytes."""
        packed = self._compressor.compress(raw)
        self._entries.append((self._at, len(packed), len(raw), short_digest(packed)))
        self._put(packed)
        self._at += len(packed)

    def write_array(self, array: npt.NDArray[Any], per_block: int) -> None:
        """Write an array in blocks of ``per_block`` elements."""
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        for begin in range(0, len(little), per_block):
            self.write(little[begin : begin + per_block].tobytes())

    def finish(self) -> None:
        """Write the directory and the header, and give the file its name.

        Raises:
            TableExistsError: somebody else has put a file there meanwhile.
            TableWriteError: the disk is full, or the like; no table is there.
        """
        directory = np.array(self._entries, ENTRY).tobytes()
        self._put(directory)
        header = self._encoded(self._at, len(self._entries), digest(directory))
        header = header[:-1] + b" " * (self._room - len(header)) + b"\n"
        try:
            self._file.seek(0)
            self._file.write(first_line(header))
            self._file.write(header)
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            if self.overwrite:
                self._part.replace(self.path)
            else:
                _named(self._part, self.path)
            _synced(self.path.parent)
        except FileExistsError:
            raise _exists(self.path) from None
        except OSError as error:
            raise _unwritten(self.path, error) from None
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Leave nothing behind of a file that was not finished."""
        with contextlib.suppress(OSError):
            self._file.close()
        self._part.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        """Begin to write."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave nothing behind that is not whole."""
        self.abandon()

    def _put(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise _unwritten(self.path, error) from None
        self._sent += len(data)
        if self.told is not None:
            self.told(self._sent)

    def _encoded(self, at: int, entries: int, digest: str) -> bytes:
        arrays = {
            name: {
                "dtype": each.dtype.newbyteorder("<").str,
                "length": each.length,
                "per_block": each.per_block,
                "first": each.first,
                "blocks": each.blocks,
            }
            for name, each in self._arrays.items()
        }
        directory = {"at": at, "blocks": entries, "checksum": digest}
        document = {**self._document, "arrays": arrays, "directory": directory}
        return json.dumps(document, indent=1).encode() + b"\n"


def _named(part: Path, path: Path) -> None:
    """Give a file its name, unless a file of that name is there."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError from None
        part.replace(path)
    else:
        part.unlink()


def _synced(folder: Path) -> None:
    """Have the folder written too, where the system lets one ask for it."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _exists(path: Path) -> TableExistsError:
    message = f"{str(path)!r} is there already; give another path, or say overwrite=True"
    return TableExistsError(message)


def _unwritten(path: Path, error: OSError) -> TableWriteError:
    why = error.strerror or str(error)
    hint = "make room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "give another path"
    return TableWriteError(f"{str(path)!r} cannot be written: {why}; {hint}")
