"""Values in a table's file, by number: blocks of indices into a palette of the values."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import header_palette
from zermelo._engine.column.codes import value_counts
from zermelo._engine.column.column import ArrayColumn, Column
from zermelo._engine.column.palette import copy_below, copy_blocks
from zermelo._engine.core.array_types import Int64Array, Uint8Array
from zermelo._engine.file.format import Stored
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo.values.kind import Kind
from zermelo.values.registry import KINDS

#: The struct format of a palette index in a file, by the size of the index in bytes.
_INDEX_FORMATS = {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}
#: The most values of a palette in memory; a longer one is a range.
_MOST_IN_MEMORY = 1 << 32
#: Values that are loaded together.
_BATCH = 1 << 20
#: More than any index into a palette in memory.
_NO_LIMIT = (1 << 63) - 1


class FileColumn(Column):
    """The values of a table in its file, and the player to move; see ``Column``.

    Attributes:
        count: the number of values.
        kind: the kind of the values.
        turns: whether the player to move is stored.
        palette: the distinct values, ascending; of a long range, the first and the last.
        per_block: the number of values in a block.
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
            description = reader.header["table"]
            self.kind: Kind = KINDS[description["value_kind"]]
            if self.kind.section_types:
                self.kind = self.kind.with_sections(
                    {
                        name: reader.array(name).astype(dtype, casting="equiv")
                        for name, dtype in self.kind.section_types.items()
                    }
                )
            self.count: int = description["positions"]
            self.turns: bool = description["turns"]
            self._listed = header_palette.parse_palette(description["palette"], self.kind)
            #: The number of values in the palette, and whether it is a long range.
            self._span = header_palette.span_of(self._listed)
            self._is_long = self._span > _MOST_IN_MEMORY
            ends = [self._listed[0], self._listed[-1]] if self._is_long else self._listed
            self.palette = np.array(ends, self.kind.dtype)
            stored = reader.array_entry("values")
            is_valid = type(self.turns) is bool
            is_valid &= type(self.count) is int and self.count >= 0
            is_valid &= self.palette.ndim == 1 and (len(self.palette) > 0 or self.count == 0)
            is_valid &= self.kind.are_codes(self.palette)
            # The length of the array is checked before memory is allocated for it.
            is_valid = is_valid and self.fits(stored)
            self._index_struct = struct.Struct(_INDEX_FORMATS[stored.dtype.itemsize])
        except (KeyError, TypeError, ValueError, OverflowError, StopIteration):
            raise pages.part_error("header") from None
        if not is_valid:
            raise pages.part_error("header")
        self._pages = pages
        #: The number of positions with each code, once they have been counted.
        self._counted: dict[int, int] | None = None
        self._shift = int(self.turns)
        pages.add("values", self.largest(stored), *self.layout(stored))

    def fits(self, stored: Stored) -> bool:
        """Return whether the array has the length and type that the header implies."""
        has_length = stored.length == self.count and stored.blocks == -(
            -self.count // self.per_block
        )
        return has_length and stored.dtype == header_palette.narrowest_type(
            self._span << int(self.turns)
        )

    def largest(self, stored: Stored) -> int:
        """Return the most bytes of a block."""
        return self.per_block * stored.dtype.itemsize

    def layout(self, stored: Stored) -> tuple[Any, ...]:
        """Return the further arguments of ``PagedArray`` that describe the blocks."""
        # Indices into a long range are checked when values are read.
        limit = _NO_LIMIT if self._is_long else self._span << self._shift
        dtype = stored.dtype

        def unpack(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # for all blocks the same
            indices = np.frombuffer(data, dtype)
            return len(indices) == len(out) and bool(copy_below(indices, limit, out))

        def unpack_all(blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:
            misaligned = np.flatnonzero(ends % dtype.itemsize)
            if len(misaligned):
                return int(misaligned[0])
            indices, ends = data.view(dtype), ends // dtype.itemsize
            return int(copy_blocks(indices, ends, blocks, self.per_block, limit, out))

        return dtype.newbyteorder("="), (self.per_block, self.count), unpack, unpack_all

    def blocks_of(self, numbers: Places) -> Places:
        """Return the block that contains each number."""
        return numbers // self.per_block

    def values(self, numbers: Places) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        return self._values_of(self._palette_indices(numbers))

    def _values_of(self, stored: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the values of stored numbers.

        Raises:
            CorruptTableError: one is no palette index.
        """
        indices = stored >> self._shift if self.turns else stored
        if not self._is_long:
            return self.palette.take(indices)
        if (indices >= self._span).any():
            raise self._pages.part_error("values")
        values: npt.NDArray[Any] = indices.astype(self.palette.dtype) + self.palette[0]
        return values

    def value(self, number: int) -> int:
        """Return the value at one number."""
        values = self._pages.cached_array("values")
        block = number // self.per_block
        data = values.block_bytes(block)
        try:
            if data is None:
                index: int = values.array.item(number)
                return self._listed[index >> self._shift]
            offset = self._index_struct.size * (number - block * self.per_block)
            index = self._index_struct.unpack_from(data, offset)[0]
            return self._listed[index >> self._shift]
        except (IndexError, struct.error):  # an invalid palette index, or too few values
            raise self._pages.part_error("values") from None

    def owners(self, numbers: Places) -> Uint8Array:
        """Return the player to move at numbers."""
        if not self.turns:
            return np.zeros(len(numbers), np.uint8)
        return (self._palette_indices(numbers) & 1).astype(np.uint8)

    def tally(self) -> dict[int, int]:
        """Return the number of positions with each code, counted once."""
        if self._is_long:
            values = np.concatenate([self._values_of(indices) for indices in self.blocks()])
            return value_counts(values)
        if self._counted is None:
            size = len(self.palette) << self._shift
            counts = np.zeros(size, np.int64)
            for indices in self.blocks():
                block_counts = header_palette.index_counts(indices, size)
                if len(block_counts) > size:
                    raise self._pages.part_error("values")
                counts += block_counts
            if counts.sum() != self.count:
                raise self._pages.part_error("values")
            self.remember_counts(counts.reshape(-1, 1 << self._shift).sum(1))
        return dict(self._counted or {})

    def remember_counts(self, counts: Int64Array) -> None:
        """Remember the number of positions with each value of the palette, for ``tally``."""
        pairs = zip(self.palette.tolist(), counts.tolist(), strict=True)
        self._counted = {code: count for code, count in pairs if count}

    def blocks(self) -> Iterator[npt.NDArray[Any]]:
        """Yield the palette indices of some values at a time, without caching them."""
        reader, values = self._pages.reader, self._pages.cached_array("values")
        if values.is_complete:
            yield from np.split(values.array, range(_BATCH, self.count, _BATCH))
            return
        stored = reader.array_entry("values")
        for _, data in reader.blocks(stored.first, stored.blocks):
            if len(data) % stored.dtype.itemsize:
                raise self._pages.part_error("values")
            yield np.frombuffer(data, stored.dtype)

    def _palette_indices(self, numbers: Places) -> npt.NDArray[Any]:
        block_bytes = self.per_block * self._index_struct.size
        return self._pages.gather("values", numbers, self.blocks_of(numbers), block_bytes)

    def loaded(self) -> ArrayColumn:
        """Return all values in memory.

        Raises:
            CorruptTableError: a block is damaged.
        """
        indices = self._pages.cached_array("values").fill()
        turns = (indices & 1).astype(np.uint8) if self.turns else np.empty(0, np.uint8)
        values = np.empty(self.count, self.palette.dtype)
        for begin in range(0, self.count, _BATCH):
            values[begin : begin + _BATCH] = self._values_of(indices[begin : begin + _BATCH])
        return ArrayColumn(self.kind, values, turns)
