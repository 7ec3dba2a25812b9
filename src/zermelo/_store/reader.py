"""Reading a table: nothing is believed before its checksum has been compared."""

from __future__ import annotations

import json
import mmap
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo._store.format import (
    ENTRY,
    FIRST,
    FIRST_BYTES,
    FORMAT,
    MOST_RAW,
    Stored,
    digest,
    first_line,
    short_digest,
)
from zermelo.errors import CorruptTableError, MissingTableError


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
            end = at + count * ENTRY.itemsize
            whole = 0 <= begin <= at <= end == len(self._data)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self._corrupt("its header is not that of a table") from None
        if not whole:
            raise self._corrupt(f"it should be {end:,} bytes long and is {len(self._data):,}")
        entries = self._data[at:end]
        if digest(entries) != directory["checksum"]:
            raise self._corrupt("its directory is not what was written")
        self.entries = np.frombuffer(entries, ENTRY)
        self._check_places(begin, at)
        # A record's fields one by one take longer to read than a block takes to unpack.
        self._where = [np.ascontiguousarray(self.entries[f]) for f in ("offset", "stored", "raw")]
        self._whole = bytearray(count)

    def block(self, number: int) -> bytes:
        """Return what a block holds. It is compared with its checksum when it is first read.

        Raises:
            CorruptTableError: it is not what was written.
        """
        begin, stored, raw = (array.item(number) for array in self._where)
        packed = self._data[begin : begin + stored]
        if not self._whole[number]:
            if short_digest(packed) != int(self.entries["digest"][number]):
                raise self._corrupt(f"block {number} is not what was written")
            self._whole[number] = 1
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
        self._whole = bytearray(len(self.entries))
        for number in range(len(self.entries)):
            self.block(number)
        return len(self.entries)

    def close(self) -> None:
        """Give the file back; nothing can be read any more."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    def _read_header(self) -> tuple[dict[str, Any], int]:
        first = FIRST.fullmatch(self._data[:FIRST_BYTES])
        if first is None:
            raise self._corrupt("it is no table")
        size = int(first[2])
        text = self._data[FIRST_BYTES : FIRST_BYTES + size]
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
        return header, FIRST_BYTES + size

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
    if not all(
        isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1 << 62 for n in numbers
    ):
        raise ValueError
    dtype = np.dtype(each["dtype"])
    if dtype.kind not in "iu":
        raise ValueError
    return Stored(dtype, *numbers)
