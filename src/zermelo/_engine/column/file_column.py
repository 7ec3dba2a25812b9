"""Values in a table's file, by number: places in a palette of those that occur, in blocks."""

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

#: How a place in a palette is read from a file, by the bytes that it takes.
_ONE = {1: "<B", 2: "<H", 4: "<I"}


class FileColumn(Column):
    """The values of a table in its file, and whose turn it is; see ``Column``.

    Attributes:
        count: how many there are.
        kind: the kind of value that they are.
        turns: whether it is said whose turn it is.
        palette: the values that occur, ascending.
        per_block: values in a block.
    """

    def __init__(self, pages: TableArrays, per_block: int) -> None:
        """Read what the header says of them.

        Args:
            pages: the file, of which this adds the array ``values``.
            per_block: see above.

        Raises:
            CorruptTableError: it is damaged.
        """
        reader = pages.reader
        self.per_block = per_block
        try:
            said = reader.header["table"]
            self.kind: Kind = KINDS[said["value_kind"]]
            self.count: int = said["positions"]
            self.turns: bool = said["turns"]
            self._listed = palettes.read(said["palette"], self.kind)
            self.palette = np.array(self._listed, self.kind.dtype)
            stored = reader.stored("values")
            right = type(self.turns) is bool
            right &= type(self.count) is int and self.count >= 0
            right &= self.palette.ndim == 1 and (len(self.palette) > 0 or self.count == 0)
            right &= self.kind.are_codes(self.palette)
            # Nothing is made as long as it says before there are as many blocks.
            right = right and self.fits(stored)
            self._one = struct.Struct(_ONE[stored.dtype.itemsize])
        except (KeyError, TypeError, ValueError, OverflowError, StopIteration):
            raise pages.corrupt("header") from None
        if not right:
            raise pages.corrupt("header")
        self._pages = pages
        self._shift = int(self.turns)
        pages.add("values", self.largest(stored), *self.layout(stored))

    def fits(self, stored: Stored) -> bool:
        """Whether the array is as long, and its elements what, the header makes them."""
        right = stored.length == self.count and stored.blocks == -(-self.count // self.per_block)
        return right and stored.dtype == palettes.narrowest(len(self.palette) << int(self.turns))

    def largest(self, stored: Stored) -> int:
        """Return how many bytes a block holds at most."""
        return self.per_block * stored.dtype.itemsize

    def layout(self, stored: Stored) -> tuple[Any, ...]:
        """Return how blocks are decompressed; see ``PagedArray``."""
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
        """Return the block that has each number."""
        return numbers // self.per_block

    def values(self, numbers: Places) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        chosen = self._chosen(numbers)
        return self.palette.take(chosen >> 1 if self.turns else chosen)

    def value(self, number: int) -> int:
        """Return the value at one number."""
        values = self._pages.held("values")
        block = number // self.per_block
        data = values.glance(block)
        if data is None:
            chosen: int = values.array.item(number)
            return self._listed[chosen >> self._shift]
        try:
            at = self._one.size * (number - block * self.per_block)
            chosen = self._one.unpack_from(data, at)[0]
            return self._listed[chosen >> self._shift]
        except (IndexError, struct.error):  # no such value, or fewer than there should be
            raise self._pages.corrupt("values") from None

    def owners(self, numbers: Places) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at numbers."""
        if not self.turns:
            return np.zeros(len(numbers), np.uint8)
        return (self._chosen(numbers) & 1).astype(np.uint8)

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        size = len(self.palette) << self._shift
        counts = np.zeros(size, np.int64)
        for some in self.blocks():
            found = np.bincount(some, minlength=size)
            if len(found) > size:
                raise self._pages.corrupt("values")
            counts += found
        if counts.sum() != self.count:
            raise self._pages.corrupt("values")
        if self.turns:
            counts = counts.reshape(-1, 2).sum(1)
        pairs = zip(self.palette.tolist(), counts.tolist(), strict=True)
        return {code: count for code, count in pairs if count}

    def blocks(self) -> Iterator[npt.NDArray[Any]]:
        """Scan the places in the palette that blocks hold, and keep none."""
        reader = self._pages.reader
        stored = reader.stored("values")
        for _, data in reader.blocks(stored.first, stored.blocks):
            if len(data) % stored.dtype.itemsize:
                raise self._pages.corrupt("values")
            yield np.frombuffer(data, stored.dtype)

    def _chosen(self, numbers: Places) -> npt.NDArray[Any]:
        each = self.per_block * self._one.size
        return self._pages.gathered("values", numbers, self.blocks_of(numbers), each)

    def loaded(self) -> ArrayColumn:
        """Return all values in memory.

        Raises:
            CorruptTableError: a block is damaged.
        """
        chosen = self._pages.held("values").fill()
        turns = (chosen & 1).astype(np.uint8) if self.turns else np.empty(0, np.uint8)
        return ArrayColumn(self.kind, self.palette[chosen >> self._shift], turns)
