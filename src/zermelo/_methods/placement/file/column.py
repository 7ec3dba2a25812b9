"""The values of a table of tiers in its file: level by level, in as few bits as a level needs.

At a level few values can occur: the winner with each later ply, and the one tie. They have numbers
in ascending order, of one, two, four or eight bits, and those of a block are side by side, the
first lowest. No block has values of two levels.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.column.file_column import FileColumn
from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.file.format import Stored
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._methods.placement.file.kernels import unpack, unpack_blocks
from zermelo.values.outcomes import NOBODY

#: Values per block, which is a whole number of words for every width.
PER_BLOCK = 4096
_WIDTHS = (1, 2, 4, 8)


class LevelBlocks:
    """The layout of the blocks of values of a table of tiers.

    Attributes:
        begins: the first place of each level, and the number of places at the end.
        listed: by level: the palette entries of its numbers.
        widths: by level: the bits of a number.
        first: the first block of each level, and the number of blocks at the end.
        bounds: the first place of each block, and the number of places at the end.
        sizes: the bytes of each block.
        arrays: the arguments of kernels: bounds, levels of blocks, the widths of levels, and the
            palette entries of numbers, -1 for an invalid number.
    """

    def __init__(self, palette: Sequence[int], begins: Int64Array) -> None:
        """Compute the layout.

        Args:
            palette: the occurring values, ascending.
            begins: the first place of each level, and the number of places at the end.

        Raises:
            ValueError: the palette is longer than numbers allow.
        """
        if len(palette) > 1 << _WIDTHS[-1]:
            raise ValueError(len(palette))
        self.begins: list[int] = begins.tolist()
        levels = len(self.begins) - 1
        self.listed = [
            np.array(
                [k for k, code in enumerate(palette) if _can_have_value(code, plies_left)], np.uint8
            )
            for plies_left in reversed(range(levels))
        ]
        self.widths = [
            next(w for w in _WIDTHS if len(numbers) <= 1 << w) for numbers in self.listed
        ]
        counts = np.diff(begins)
        blocks = -(-counts // PER_BLOCK)
        self.first: list[int] = [0, *np.cumsum(blocks).tolist()]
        level = np.repeat(np.arange(levels), blocks)
        number = np.arange(self.first[-1]) - np.array(self.first)[level]
        self.bounds = np.append(begins[level] + PER_BLOCK * number, begins[-1])
        self.sizes = -(-np.diff(self.bounds) * np.array(self.widths)[level] // 8)
        self._level = level
        meanings = np.full((levels, 1 << _WIDTHS[-1]), -1, np.int16)
        for numbers, row in zip(self.listed, meanings, strict=True):
            row[: len(numbers)] = numbers
        self.arrays = (self.bounds, level, np.array(self.widths), meanings)

    @property
    def bytes(self) -> int:
        """The bytes of its arrays."""
        size: int = self.bounds.nbytes + self.sizes.nbytes + self._level.nbytes
        return size

    def blocks_by_level(self, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield a range of blocks, level by level.

        Yields:
            The level, its first block of the range, and the block after its last.
        """
        while begin < end:
            level = self.level_of(begin)
            last = min(end, self.first[level + 1])
            yield level, begin, last
            begin = last

    def level_of(self, block: int) -> int:
        """Return the level of a block."""
        return self._level.item(block)

    def locate(self, place: int) -> tuple[int, int, int]:
        """Return the level of a place, the block of its value, and the index in the block."""
        level = bisect_right(self.begins, place) - 1
        block, index = divmod(place - self.begins[level], PER_BLOCK)
        return level, self.first[level] + block, index

    def blocks_of(self, places: Int64Array) -> Int64Array:
        """Return the block of each place's value."""
        return np.searchsorted(self.bounds, places, side="right") - 1


class TierColumn(FileColumn):
    """The values of a table of tiers in its file; see ``LevelBlocks``."""

    def __init__(self, pages: TableArrays, begins: Int64Array) -> None:
        """Read the header's description of the values.

        Args:
            pages: the file; the array ``values`` is added to it.
            begins: the first place of each level, and the number of places at the end.

        Raises:
            CorruptTableError: the file is damaged.
        """
        self._begins = begins
        super().__init__(pages, PER_BLOCK)

    def fits(self, stored: Stored) -> bool:
        """Return whether the array has the blocks that follow from the header."""
        if self.turns or not self.kind.outcomes_alone or self.kind.favours != NOBODY:
            return False
        if self._begins[-1] != self.count:
            return False
        self.level_blocks = LevelBlocks(self.palette.tolist(), self._begins)
        listed, sizes = self.level_blocks.listed, self.level_blocks.sizes
        self._level_codes: list[list[int]] = [self.palette[numbers].tolist() for numbers in listed]
        blocks = (stored.per_block, stored.length, stored.blocks)
        return stored.dtype == np.uint8 and blocks == (0, int(sizes.sum()), len(sizes))

    def largest(self, stored: Stored) -> int:  # noqa: ARG002  # known from the layout
        """Return the most bytes of a block."""
        return int(self.level_blocks.sizes.max(initial=0))

    def layout(self, stored: Stored) -> tuple[Any, ...]:  # noqa: ARG002  # known from the layout
        """Return the decompression of blocks; see ``PagedArray``."""

        def unpack_all(blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:
            return int(unpack_blocks(data, ends, blocks, *self.level_blocks.arrays, out))

        return np.uint8, self.level_blocks.bounds, self._unpack, unpack_all

    def _unpack(self, block: int, data: Any, out: npt.NDArray[Any]) -> bool:
        """Write the palette entries of a block; return whether all are valid."""
        level, packed = self.level_blocks.level_of(block), np.frombuffer(data, np.uint8)
        return bool(
            unpack(packed, self.level_blocks.widths[level], self.level_blocks.listed[level], out)
        )

    def blocks_of(self, numbers: Places) -> Places:
        """Return the block of each number."""
        return self.level_blocks.blocks_of(numbers)

    def value(self, number: int) -> int:
        """Return the value at one number."""
        values, level_blocks = self._pages.cached_array("values"), self.level_blocks
        level, block, bit = level_blocks.locate(number)
        data = values.block_bytes(block)
        if data is None:
            return self._listed[int(values.array[number])]
        width = level_blocks.widths[level]
        bit *= width
        try:
            return self._level_codes[level][data[bit >> 3] >> (bit & 7) & ((1 << width) - 1)]
        except IndexError:  # an invalid number, or too few bytes
            raise self._pages.part_error("values") from None

    @property
    def bytes(self) -> int:
        """The initial bytes of memory: the layout."""
        return self.level_blocks.bytes

    def level_layout(self, level: int) -> tuple[int, int, npt.NDArray[Any]]:
        """Return the layout of a level's values, and their meaning.

        Returns:
            The number of blocks; the bits of a number; and the value of each number.
        """
        level_blocks = self.level_blocks
        first, end = level_blocks.first[level : level + 2]
        return end - first, level_blocks.widths[level], self.palette[level_blocks.listed[level]]

    def packed_values(self, level: int, begin: int, end: int) -> Uint64Array:
        """Return some blocks of a level's values, numbers side by side, without caching them.

        Raises:
            CorruptTableError: a block is damaged.
        """
        first, width = self.level_blocks.first[level], self.level_blocks.widths[level]
        data, ends = self._pages.join_blocks("values", np.arange(first + begin, first + end))
        sizes = self.level_blocks.sizes[first + begin : first + end]
        if not np.array_equal(ends, np.cumsum(sizes)):
            raise self._pages.part_error("array 'values'")
        out = np.zeros(-(-len(data) // (8 * width)) * width, "<u8")
        out.view(np.uint8)[: len(data)] = data
        return out.astype(np.uint64, copy=False)

    def blocks(self) -> Iterator[npt.NDArray[Any]]:
        """Yield the palette entries of all blocks, without caching them."""
        reader, bounds = self._pages.reader, self.level_blocks.bounds
        stored = reader.array_entry("values")
        for number, data in reader.blocks(stored.first, stored.blocks):
            block = number - stored.first
            out = np.empty(bounds.item(block + 1) - bounds.item(block), np.uint8)
            if not self._unpack(block, data, out):
                raise self._pages.part_error("values")
            yield out


def _can_have_value(code: int, plies_left: int) -> bool:
    """Return whether a position can have a value, ``plies_left`` plies before the board is full."""
    outcome, remoteness = codes.decode(code)
    if outcome == 0:
        return remoteness == plies_left
    return remoteness is None or remoteness <= plies_left
