"""Values in a table's file, by number.

Indices into a palette of the occurring values, in blocks.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import palettes
from zermelo._engine.column.column import ArrayColumn, Column
from zermelo._engine.column.palette import copy_below, copy_blocks
from zermelo._engine.file.format import Stored
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo.values.kind import Kind
from zermelo.values.registry import KINDS

#: The struct format of a palette index in a file, by its bytes.
_ONE = {1: "<B", 2: "<H", 4: "<I"}


class FileColumn(Column):
    """The values of a table in its file, and the player to move; see ``Column``.

    Attributes:
        count: the number of values.
        kind: the kind of the values.
        turns: whether the player to move is stored.
        palette: the values that occur, ascending.
        per_block: values in a block.
    """

    def __init__(self, pages: TableArrays, per_block: int) -> None:
        """Read the description of the values in the header.

        Args:
            pages: the arrays of the file; the array ``values`` is added to them.
            per_block: values in a block.

        Raises:
            CorruptTableError: the header is damaged.
        """
        reader = pages.reader
        self.per_block = per_block
        try:
            said = reader.header["table"]
            self.kind: Kind = KINDS[said["value_kind"]]
            self.count: int = said["positions"]
            self.turns: bool = said["turns"]
            self._listed = palettes.parse_palette(said["palette"], self.kind)
            self.palette = np.array(self._listed, self.kind.dtype)
            stored = reader.array_entry("values")
            right = type(self.turns) is bool
            right &= type(self.count) is int and self.count >= 0
            right &= self.palette.ndim == 1 and (len(self.palette) > 0 or self.count == 0)
            right &= self.kind.are_codes(self.palette)
            # The length of the array is checked before memory is allocated for it.
            right = right and self.fits(stored)
            self._one = struct.Struct(_ONE[stored.dtype.itemsize])
        except (KeyError, TypeError, ValueError, OverflowError, StopIteration):
            raise pages.part_error("header") from None
        if not right:
            raise pages.part_error("header")
        self._pages = pages
        self._shift = int(self.turns)
        pages.add("values", self.largest(stored), *self.layout(stored))

    def fits(self, stored: Stored) -> bool:
        """Whether the array has the length and type that the header implies."""
        right = stored.length == self.count and stored.blocks == -(-self.count // self.per_block)
        return right and stored.dtype == palettes.narrowest_type(
            len(self.palette) << int(self.turns)
        )

    def largest(self, stored: Stored) -> int:
        """Return the most bytes of a block."""
        return self.per_block * stored.dtype.itemsize

    def layout(self, stored: Stored) -> tuple[Any, ...]:
        """Return the further arguments of ``PagedArray`` that describe the blocks."""
        limit, dtype = len(self.palette) << self._shift, stored.dtype

        def unpack(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # not asked
            some = np.frombuffer(data, dtype)
            return len(some) == len(out) and bool(copy_below(some, limit, out))

        def unpack_all(blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:
            cut = np.flatnonzero(ends % dtype.itemsize)
            if len(cut):
                return int(cut[0])
            some, ends = data.view(dtype), ends // dtype.itemsize
            return int(copy_blocks(some, ends, blocks, self.per_block, limit, out))

        return dtype.newbyteorder("="), (self.per_block, self.count), unpack, unpack_all

    def blocks_of(self, numbers: Places) -> Places:
        """Return the block that contains each number."""
        return numbers // self.per_block

    def values(self, numbers: Places) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        chosen = self._palette_indices(numbers)
        return self.palette.take(chosen >> 1 if self.turns else chosen)

    def value(self, number: int) -> int:
        """Return the value at one number."""
        values = self._pages.cached_array("values")
        block = number // self.per_block
        data = values.block_bytes(block)
        if data is None:
            chosen: int = values.array.item(number)
            return self._listed[chosen >> self._shift]
        try:
            at = self._one.size * (number - block * self.per_block)
            chosen = self._one.unpack_from(data, at)[0]
            return self._listed[chosen >> self._shift]
        except (IndexError, struct.error):  # an invalid palette index, or too few values
            raise self._pages.part_error("values") from None

    def owners(self, numbers: Places) -> npt.NDArray[np.uint8]:
        """Return the player to move at numbers."""
        if not self.turns:
            return np.zeros(len(numbers), np.uint8)
        return (self._palette_indices(numbers) & 1).astype(np.uint8)

    def tally(self) -> dict[int, int]:
        """Return the number of times each code occurs."""
        size = len(self.palette) << self._shift
        counts = np.zeros(size, np.int64)
        for some in self.blocks():
            found = np.bincount(some, minlength=size)
            if len(found) > size:
                raise self._pages.part_error("values")
            counts += found
        if counts.sum() != self.count:
            raise self._pages.part_error("values")
        if self.turns:
            counts = counts.reshape(-1, 2).sum(1)
        pairs = zip(self.palette.tolist(), counts.tolist(), strict=True)
        return {code: count for code, count in pairs if count}

    def blocks(self) -> Iterator[npt.NDArray[Any]]:
        """Yield the palette indices of each block, without caching them."""
        reader = self._pages.reader
        stored = reader.array_entry("values")
        for _, data in reader.blocks(stored.first, stored.blocks):
            if len(data) % stored.dtype.itemsize:
                raise self._pages.part_error("values")
            yield np.frombuffer(data, stored.dtype)

    def _palette_indices(self, numbers: Places) -> npt.NDArray[Any]:
        each = self.per_block * self._one.size
        return self._pages.gather("values", numbers, self.blocks_of(numbers), each)

    def loaded(self) -> ArrayColumn:
        """Return all values in memory.

        Raises:
            CorruptTableError: a block is damaged.
        """
        chosen = self._pages.cached_array("values").fill()
        turns = (chosen & 1).astype(np.uint8) if self.turns else np.empty(0, np.uint8)
        return ArrayColumn(self.kind, self.palette[chosen >> self._shift], turns)
