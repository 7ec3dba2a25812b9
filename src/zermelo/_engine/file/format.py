"""The format of table files: a readable header, and arrays in blocks.

::

    ZERMELO-TABLE 0007 00004032 5e0c…      one line: format, bytes of the header, its checksum
    {"arrays": {…}, …}                     the header: JSON, padded with spaces
    block block block …                    arrays, cut into blocks, each compressed separately
    directory                              the two sizes and the checksum of each block

A file contains no executable data, and all data is checked against its checksum before use. The
first line has the checksum of the header. The header has the checksum of the directory and the
length of the file. The directory has the checksum of each block. The blocks are adjacent, so the
checksums cover every byte.

A file is written under a temporary name in the same folder, and renamed when it is complete. A
temporary file of a dead process can be deleted.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

#: The header of a file, a JSON object.
Header: TypeAlias = dict[str, Any]

#: The format that is written, and the newest that can be read.
FORMAT = 7
#: The most bytes of a block before compression; a directory with larger blocks is rejected.
MOST_RAW = 1 << 22

#: The most bytes of a header, and the most lists and dictionaries in a header: as Python objects,
#: these take many times the memory of their text.
MOST_HEADER, MOST_LISTS = 1 << 24, 1 << 17
#: The most bytes of an array that is read completely and whose length only the file gives: a fixed
#: number, plus a multiple of the bytes that the array takes in the file.
READ_WHOLE, EXPANDS = 1 << 22, 100

#: The conventions that every reader of a table must know.
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
        dtype: the type of its elements.
        length: the number of elements.
        per_block: elements in each block but the last; 0 if blocks are bytes of any length.
        first: the number of its first block.
        blocks: the number of its blocks.
    """

    dtype: np.dtype[Any]
    length: int
    per_block: int
    first: int
    blocks: int


def stored_as(entry: dict[str, Any]) -> Stored:
    """Return the description of an array from its entry in a header.

    Raises:
        KeyError: the entry lacks a key.
        TypeError: a value has the wrong type.
        ValueError: the description is invalid.
    """
    numbers = [entry[key] for key in ("length", "per_block", "first", "blocks")]
    if not all(
        isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 1 << 62
        for number in numbers
    ):
        raise ValueError
    dtype = np.dtype(entry["dtype"])
    if dtype.kind not in "iu":
        raise ValueError
    return Stored(dtype, *numbers)


def first_line(header: bytes, version: int = FORMAT) -> bytes:
    """Return the first line of a file, with the checksum of the header."""
    begin = f"ZERMELO-TABLE {version:04} {len(header):08} "
    return f"{begin}{digest(begin.encode() + header)}\n".encode()


def plan(sizes: dict[str, tuple[Any, ...]]) -> dict[str, Stored]:
    """Return the descriptions of arrays.

    Args:
        sizes: for each array (dtype, length, elements of a block); or (dtype, length, 0, blocks) if
            blocks have any length.
    """
    arrays: dict[str, Stored] = {}
    first = 0
    for name, (dtype, length, per_block, *block_count) in sizes.items():
        blocks = block_count[0] if block_count else -(-length // per_block)
        arrays[name] = Stored(np.dtype(dtype), length, per_block, first, blocks)
        first += blocks
    return arrays


class Digest:
    """The checksum of a header or a directory, computed in steps."""

    def __init__(self) -> None:
        """Start with no data."""
        self._hash = hashlib.blake2b(digest_size=16)

    def add(self, data: Any) -> None:
        """Append data."""
        self._hash.update(data)

    def add_arrays(self, *arrays: npt.NDArray[Any]) -> None:
        """Append arrays with their types and lengths, in their native byte order."""
        for array in arrays:
            self.add(f"{array.dtype} {len(array)} ".encode())
            self.add(array)

    def hexdigest(self) -> str:
        """Return the checksum of all data."""
        return self._hash.hexdigest()


def digest(data: Any) -> str:
    """Return the checksum of a header or a directory."""
    hasher = Digest()
    hasher.add(data)
    return hasher.hexdigest()


#: The checksum of a block: CRC-32, which detects every error burst of at most 32 bits.
checksum = zlib.crc32
