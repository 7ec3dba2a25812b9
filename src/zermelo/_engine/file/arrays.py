"""Arrays of plain numbers, to be written to a table file or read from one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.file.paged_array import PagedArray
from zermelo._engine.file.writer import blocks_of

if TYPE_CHECKING:
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.file.writer import Blocks

#: Elements of an array that are compressed together by one thread.
_COMPRESSED_ELEMENTS = 1 << 18


@dataclass(frozen=True)
class Array:
    """An array that is to be written to a file.

    Attributes:
        name: the name of the array in the file.
        dtype: the type of its elements.
        length: the number of elements.
        per_block: elements in each block but the last.
        part: returns the blocks of a range; threads may call it concurrently.
        together: blocks that are produced in one call.
        level: the Zstandard compression level.
    """

    name: str
    dtype: np.dtype[Any]
    length: int
    per_block: int
    part: Callable[[int, int], Blocks]
    together: int
    level: int


def plain_array(
    name: str,
    dtype: npt.DTypeLike,
    length: int,
    per_block: int,
    source: Callable[[int, int], npt.NDArray[Any]],
    *,
    level: int = 3,
) -> Array:
    """Return an array of plain numbers that is to be written to a file.

    Args:
        name: the name of the array in the file.
        dtype: the type of its elements in the file.
        length: the number of elements.
        per_block: elements in a block.
        source: returns the elements of a range; threads may call it concurrently.
        level: the Zstandard compression level.
    """
    kind = np.dtype(dtype)

    def part(begin: int, end: int) -> Blocks:
        elements = source(begin * per_block, min(end * per_block, length))
        return blocks_of(elements.astype(kind, copy=False), per_block)

    blocks_per_call = max(1, _COMPRESSED_ELEMENTS // per_block)
    return Array(name, kind, length, per_block, part, blocks_per_call, level)


def numbers(
    reader: Reader, name: str, dtype: npt.DTypeLike, length: int, per_block: int, most: int
) -> PagedArray:
    """Return an array of plain numbers whose blocks are read on demand.

    Args:
        reader: the file.
        name: the name of the array in the file.
        dtype: the type of its elements, in the file and in memory.
        length: the required number of elements.
        per_block: elements in a block.
        most: the greatest valid element; the least is 0.

    Raises:
        CorruptTableError: the file has no such array, or not of this length.
    """
    kind = np.dtype(dtype)
    check_array(reader, name, kind, length, per_block)
    file_type = kind.newbyteorder("<")

    def unpack(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # not asked
        elements = np.frombuffer(data, file_type)
        if len(elements) != len(out) or (
            len(elements) and not 0 <= elements.min() <= elements.max() <= most
        ):
            return False
        out[:] = elements
        return True

    return PagedArray(reader, name, kind, (per_block, length), unpack)


def check_array(
    reader: Reader, name: str, dtype: np.dtype[Any], length: int, per_block: int
) -> None:
    """Check the length and type of an array, before memory is allocated for it.

    Raises:
        CorruptTableError: they differ, or there is no such array.
    """
    stored = reader.array_entry(name)
    is_right = (stored.length, stored.per_block, stored.blocks) == (
        length,
        per_block,
        -(-length // per_block),
    )
    if not is_right or stored.dtype != dtype:
        raise reader.part_error(f"array {name!r}")
