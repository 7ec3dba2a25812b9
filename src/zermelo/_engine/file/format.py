"""The file that a table is: a header that people can read, and arrays in blocks.

::

    ZERMELO-TABLE 0007 00004032 5e0c…      one line: format, bytes of the header, its checksum
    {"arrays": {…}, …}                     the header: JSON, padded with spaces
    block block block …                    arrays, cut into blocks, each compressed by itself
    directory                              of each block its two sizes and its checksum

Nothing in it is executable, and nothing in it is believed before its checksum has been compared:
the first line vouches for the header, the header for the directory and for the length of the file,
and the directory for each block. The blocks lie side by side, so every byte is vouched for.

A file appears under its name when it is whole, and not before. Until then it stands beside it under
another, and one that a dead process left there can simply be deleted.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

#: The format that is written here, and the newest that can be read.
FORMAT = 7
#: Bytes of a block before compression, at most; a directory that says more is not believed.
MOST_RAW = 1 << 22

#: Bytes of a header, at most, and lists and dictionaries in it: as Python's objects they take many
#: times as much memory as in the file.
MOST_HEADER, MOST_LISTS = 1 << 24, 1 << 17
#: Bytes that an array may have that is read whole, in any case and for each byte in the file,
#: where nothing but the file says how long it is.
READ_WHOLE, EXPANDS = 1 << 22, 100

#: What every reader of a table has to know.
CONVENTIONS = (
    "values are for the player to move; remoteness counts plies to the end, the winner hurrying "
    "and the loser delaying; a tie is a draw that the rules declare, an endless draw one that "
    "neither side can end"
)

FIRST = re.compile(rb"ZERMELO-TABLE (\d{4}) (\d{8}) ([0-9a-f]{32})\n")
FIRST_BYTES = len(b"ZERMELO-TABLE 0007 00000000 \n") + 32
ENTRY = np.dtype([("stored", "<u4"), ("raw", "<u4"), ("checksum", "<u4")])


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


def stored_as(each: dict[str, Any]) -> Stored:
    """Return what a header says of an array.

    Raises:
        KeyError: it does not say all of it.
        TypeError: it is not said as it should be.
        ValueError: there can be no such array.
    """
    numbers = [each[key] for key in ("length", "per_block", "first", "blocks")]
    if not all(
        isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1 << 62 for n in numbers
    ):
        raise ValueError
    dtype = np.dtype(each["dtype"])
    if dtype.kind not in "iu":
        raise ValueError
    return Stored(dtype, *numbers)


def first_line(header: bytes, version: int = FORMAT) -> bytes:
    """Return the line that vouches for a header."""
    begin = f"ZERMELO-TABLE {version:04} {len(header):08} "
    return f"{begin}{digest(begin.encode() + header)}\n".encode()


def plan(sizes: dict[str, tuple[Any, ...]]) -> dict[str, Stored]:
    """Return where arrays of these (dtype, length, elements a block) come to stand.

    Where blocks may have any length, elements a block are 0, and how many blocks there are follows.
    """
    arrays: dict[str, Stored] = {}
    first = 0
    for name, (dtype, length, per_block, *more) in sizes.items():
        blocks = more[0] if more else -(-length // per_block)
        arrays[name] = Stored(np.dtype(dtype), length, per_block, first, blocks)
        first += blocks
    return arrays


class Digest:
    """The checksum of a header or a directory, of which not all need be there at once."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._hash = hashlib.blake2b(digest_size=16)

    def add(self, data: Any) -> None:
        """Add what comes next."""
        self._hash.update(data)

    def add_arrays(self, *arrays: npt.NDArray[Any]) -> None:
        """Add arrays, their types and their lengths; each lies in memory as it is written."""
        for array in arrays:
            self.add(f"{array.dtype} {len(array)} ".encode())
            self.add(array)

    def told(self) -> str:
        """Return the checksum of all of it."""
        return self._hash.hexdigest()


def digest(data: Any) -> str:
    """Return the checksum of a header or a directory."""
    whole = Digest()
    whole.add(data)
    return whole.told()


#: The checksum of a block: CRC-32, which no single wrong bit passes, nor 32 in a row.
checksum = zlib.crc32
