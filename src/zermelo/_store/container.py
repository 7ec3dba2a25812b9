"""The file that a table is: a header that people can read, and arrays in blocks.

::

    ZERMELO-TABLE 0001 00004032 5e0c…      one line: format, bytes of the header, its checksum
    {"arrays": {…}, …}                     the header: JSON, padded with spaces
    block block block …                    arrays, cut into blocks, each compressed by itself
    directory                              of each block where it is, its size and its checksum

Nothing in it is executable, and nothing in it is believed before its checksum has been compared:
the first line vouches for the header, the header for the directory and for the length of the file,
and the directory for each block. The blocks lie side by side, so every byte is vouched for.

A file appears under its name when it is whole, and not before. Until then it stands beside it under
another, and one that a dead process left there can simply be deleted.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import mmap
import os
import re
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo.errors import CorruptTableError, MissingTableError, TableExistsError, TableWriteError

#: The format that is written here, and the newest that can be read.
FORMAT = 1
#: Bytes of a block before compression, at the most; a directory that says more is not believed.
MOST_RAW = 1 << 24

_FIRST = re.compile(rb"ZERMELO-TABLE (\d{4}) (\d{8}) ([0-9a-f]{32})\n")
_FIRST_BYTES = len(b"ZERMELO-TABLE 0001 00000000 \n") + 32
_ALIGN = 64
#: Room for what is only known when all is written: the place and the checksum of the directory.
_ROOM = 256
#: How quickly a byte is to be compressed; 3 takes hardly more time than 1 and saves a tenth.
_LEVEL = 3

_ENTRY = np.dtype([("offset", "<u8"), ("stored", "<u4"), ("raw", "<u4"), ("digest", "<u8")])


@dataclass(frozen=True)
class Stored:
    """An array in a file.

    Attributes:
        dtype: what its elements are.
        length: how many there are.
        per_block: elements in each block but the last; 0 where blocks are bytes of any length.
        first: the number of its first block.
        blocks: how many blocks it has.
    """

    dtype: np.dtype[Any]
    length: int
    per_block: int
    first: int
    blocks: int


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
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        except OSError as error:
            raise _unwritten(path, error) from None
        self._part = Path(name)
        self._file = os.fdopen(handle, "wb")
        self._at = 0

    def begin(self, header: dict[str, Any], arrays: dict[str, Stored]) -> None:
        """Leave room for the header; arrays follow, in the order they stand here.

        Args:
            header: what the file says of itself; JSON can hold it.
            arrays: what will be written, with the blocks that each will take.
        """
        self._document = header
        self._arrays = arrays
        size = len(self._encoded(0, 0, "0" * 32)) + _ROOM
        self._room = -(-(size + _FIRST_BYTES) // _ALIGN) * _ALIGN - _FIRST_BYTES
        self._at = _FIRST_BYTES + self._room
        self._put(bytes(self._at))

    def write(self, raw: bytes | memoryview) -> None:
        """Write the next block, already as bytes."""
        packed = self._compressor.compress(raw)
        self._entries.append((self._at, len(packed), len(raw), _short_digest(packed)))
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
        directory = np.array(self._entries, _ENTRY).tobytes()
        self._put(directory)
        header = self._encoded(self._at, len(self._entries), _digest(directory))
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


class Reader:
    """A table that is open.

    Attributes:
        path: where it is.
        header: what it says of itself.
        arrays: what it holds, by name.
    """

    def __init__(self, path: Path) -> None:
        """Open a table and check all of it but its blocks, which are checked as they are read.

        Raises:
            MissingTableError: there is no file.
            CorruptTableError: it is no table, not whole, or not as it was written; or it has a
                newer format.
        """
        self.path = path
        self._data = _mapped(path)
        self._local = threading.local()
        self.header, begin = self._read_header()
        try:
            directory = self.header["directory"]
            at, count = directory["at"], directory["blocks"]
            self.arrays = {name: _stored(each) for name, each in self.header["arrays"].items()}
            end = at + count * _ENTRY.itemsize
            whole = 0 <= begin <= at <= end == len(self._data)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self._corrupt("its header is not that of a table") from None
        if not whole:
            raise self._corrupt(f"it should be {end:,} bytes long and is {len(self._data):,}")
        entries = self._data[at:end]
        if _digest(entries) != directory["checksum"]:
            raise self._corrupt("its directory is not what was written")
        self.entries = np.frombuffer(entries, _ENTRY)
        self._check_places(begin, at)

    def block(self, number: int) -> bytes:
        """Return what a block holds.

        Raises:
            CorruptTableError: it is not what was written.
        """
        entry = self.entries[number]
        begin = int(entry["offset"])
        packed = self._data[begin : begin + int(entry["stored"])]
        if _short_digest(packed) != int(entry["digest"]):
            raise self._corrupt(f"block {number} is not what was written")
        raw = int(entry["raw"])
        try:
            decompressor = self._local.decompressor
        except AttributeError:
            decompressor = self._local.decompressor = zstandard.ZstdDecompressor()
        try:
            data: bytes = decompressor.decompress(packed, max_output_size=raw)
        except zstandard.ZstdError:
            data = b""
        if len(data) != raw:
            raise self._corrupt(f"block {number} cannot be unpacked")
        return data

    def array(self, name: str) -> npt.NDArray[Any]:
        """Return a whole array.

        Raises:
            CorruptTableError: there is none of this name, or it is not what was written.
        """
        stored = self.stored(name)
        parts = [self.block(stored.first + n) for n in range(stored.blocks)]
        data = b"".join(parts)
        if len(data) != stored.length * stored.dtype.itemsize:
            raise self._corrupt(f"its array {name!r} has another length than it says")
        return np.frombuffer(data, stored.dtype).astype(stored.dtype.newbyteorder("="), copy=False)

    def stored(self, name: str) -> Stored:
        """Return where an array is.

        Raises:
            CorruptTableError: there is none of this name.
        """
        if name not in self.arrays:
            raise self._corrupt(f"it has no array {name!r}")
        return self.arrays[name]

    def check(self) -> int:
        """Compare every block with its checksum, and return how many there are.

        Raises:
            CorruptTableError: one is not what was written.
        """
        for number in range(len(self.entries)):
            self.block(number)
        return len(self.entries)

    def close(self) -> None:
        """Give the file back; nothing can be read any more."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    def _read_header(self) -> tuple[dict[str, Any], int]:
        first = _FIRST.fullmatch(self._data[:_FIRST_BYTES])
        if first is None:
            raise self._corrupt("it is no table")
        size = int(first[2])
        text = self._data[_FIRST_BYTES : _FIRST_BYTES + size]
        if len(text) < size:
            raise self._corrupt("it has been cut short")
        if first_line(text, int(first[1])) != first[0]:
            raise self._corrupt("its header is not what was written")
        if int(first[1]) > FORMAT:
            message = (
                f"{str(self.path)!r} has the format {int(first[1])}, and this Zermelo reads up to "
                f"{FORMAT}; install a newer one"
            )
            raise CorruptTableError(message)
        try:
            header = json.loads(text)
        except (ValueError, RecursionError):
            raise self._corrupt("its header is not JSON") from None
        if not isinstance(header, dict):
            raise self._corrupt("its header is not that of a table")
        return header, _FIRST_BYTES + size

    def _check_places(self, begin: int, end: int) -> None:
        """See that the blocks fill the file, and that each array's blocks are there."""
        sizes = self.entries["stored"].astype(np.uint64)
        places = begin + np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64)
        side_by_side = bool((self.entries["offset"] == places[:-1]).all())
        if not side_by_side or int(places[-1]) != end or (self.entries["raw"] > MOST_RAW).any():
            raise self._corrupt("its directory is not that of a table")
        for name, each in self.arrays.items():
            if each.first < 0 or each.blocks < 0 or each.first + each.blocks > len(self.entries):
                raise self._corrupt(f"its array {name!r} is not there")

    def _corrupt(self, why: str) -> CorruptTableError:
        return CorruptTableError(f"{str(self.path)!r} cannot be used: {why}; make the table again")


def first_line(header: bytes, version: int = FORMAT) -> bytes:
    """Return the line that vouches for a header."""
    begin = f"ZERMELO-TABLE {version:04} {len(header):08} "
    return f"{begin}{_digest(begin.encode() + header)}\n".encode()


def plan(sizes: dict[str, tuple[Any, int, int]]) -> dict[str, Stored]:
    """Return where arrays of these (dtype, length, elements a block) come to stand."""
    arrays: dict[str, Stored] = {}
    first = 0
    for name, (dtype, length, per_block) in sizes.items():
        blocks = -(-length // per_block)
        arrays[name] = Stored(np.dtype(dtype), length, per_block, first, blocks)
        first += blocks
    return arrays


def _mapped(path: Path) -> mmap.mmap | bytes:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        message = f"there is no table at {str(path)!r}; save one there, or give another path"
        raise MissingTableError(message) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        message = f"{str(path)!r} cannot be read: {why}; give the file of a table"
        raise MissingTableError(message) from None


def _stored(each: dict[str, Any]) -> Stored:
    numbers = [each[key] for key in ("length", "per_block", "first", "blocks")]
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1 << 62 for n in numbers):
        raise ValueError
    dtype = np.dtype(each["dtype"])
    if dtype.kind not in "iu":
        raise ValueError
    return Stored(dtype, *numbers)


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


def _digest(data: Any) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _short_digest(data: Any) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")
