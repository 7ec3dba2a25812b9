"""The values of a table of tiers in its file: level by level, each in as few bits as a level needs.

At a level few values can occur: who has won by which later ply, and the one tie. They have numbers
in ascending order, of one, two, four or eight bits, and those of a block lie side by side, the
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
from zermelo._engine.file.format import Stored
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._methods.placement.file.kernels import unpack, unpack_blocks
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS

#: Values in a block, which is a whole number of words however few bits they have.
PER_BLOCK = 4096
_WIDTHS = (1, 2, 4, 8)


class LevelBlocks:
    """Where those values are.

    Attributes:
        begins: the place at which each level begins, and the number of all at the end.
        listed: of each level the places in the palette that its numbers stand for.
        widths: of each level the bits that a number takes.
        first: the block that each level begins with, and the number of all at the end.
        bounds: the place at which each block begins, and the number of all at the end.
        sizes: the bytes of each block.
        arrays: of all blocks, as kernels take them: bounds, levels, the widths of levels, and what
            numbers stand for there, -1 for nothing.
    """

    def __init__(self, palette: Sequence[int], begins: npt.NDArray[np.int64]) -> None:
        """Work it out.

        Args:
            palette: the values that occur in the table, ascending.
            begins: see above.

        Raises:
            ValueError: there are more values than numbers.
        """
        if len(palette) > 1 << _WIDTHS[-1]:
            raise ValueError(len(palette))
        self.begins: list[int] = begins.tolist()
        levels = len(self.begins) - 1
        self.listed = [
            np.array([k for k, code in enumerate(palette) if _within(code, left)], np.uint8)
            for left in reversed(range(levels))
        ]
        self.widths = [next(w for w in _WIDTHS if len(some) <= 1 << w) for some in self.listed]
        counts = np.diff(begins)
        blocks = -(-counts // PER_BLOCK)
        self.first: list[int] = [0, *np.cumsum(blocks).tolist()]
        level = np.repeat(np.arange(levels), blocks)
        number = np.arange(self.first[-1]) - np.array(self.first)[level]
        self.bounds = np.append(begins[level] + PER_BLOCK * number, begins[-1])
        self.sizes = -(-np.diff(self.bounds) * np.array(self.widths)[level] // 8)
        self._level = level
        meant = np.full((levels, 1 << _WIDTHS[-1]), -1, np.int16)
        for some, row in zip(self.listed, meant, strict=True):
            row[: len(some)] = some
        self.arrays = (self.bounds, level, np.array(self.widths), meant)

    @property
    def bytes(self) -> int:
        """The bytes that this takes."""
        size: int = self.bounds.nbytes + self.sizes.nbytes + self._level.nbytes
        return size

    def by_level(self, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Scan blocks, from one to another, those of a level together.

        Yields:
            The level, its first block of these, and the block after its last.
        """
        while begin < end:
            level = self.level_of(begin)
            last = min(end, self.first[level + 1])
            yield level, begin, last
            begin = last

    def level_of(self, block: int) -> int:
        """Return the level of a block."""
        return self._level.item(block)

    def found(self, place: int) -> tuple[int, int, int]:
        """Return the level of a place, the block that has its value, and which of those it is."""
        level = bisect_right(self.begins, place) - 1
        block, at = divmod(place - self.begins[level], PER_BLOCK)
        return level, self.first[level] + block, at

    def blocks_of(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the block that has the value of each place."""
        blocks: npt.NDArray[Any] = np.searchsorted(self.bounds, places, side="right") - 1
        return blocks


class TierColumn(FileColumn):
    """The values of a table of tiers in its file; see ``LevelBlocks``."""

    def __init__(self, pages: TableArrays, begins: npt.NDArray[np.int64]) -> None:
        """Read what the header says of them.

        Args:
            pages: the file, of which this adds the array ``values``.
            begins: the place at which each level begins, and the number of all at the end.

        Raises:
            CorruptTableError: it is damaged.
        """
        self._begins = begins
        super().__init__(pages, PER_BLOCK)

    def fits(self, stored: Stored) -> bool:
        """Whether the array has the blocks that the header makes of it."""
        if self.turns or self.kind not in (WIN_DRAW_LOSS, OUTCOME_ALONE):
            return False
        if self._begins[-1] != self.count:
            return False
        self.levelled = LevelBlocks(self.palette.tolist(), self._begins)
        listed, sizes = self.levelled.listed, self.levelled.sizes
        self._meant: list[list[int]] = [self.palette[some].tolist() for some in listed]
        blocks = (stored.per_block, stored.length, stored.blocks)
        return stored.dtype == np.uint8 and blocks == (0, int(sizes.sum()), len(sizes))

    def largest(self, stored: Stored) -> int:  # noqa: ARG002  # known before
        """Return how many bytes a block holds at most."""
        return int(self.levelled.sizes.max(initial=0))

    def layout(self, stored: Stored) -> tuple[Any, ...]:  # noqa: ARG002  # known before
        """Return how blocks are decompressed; see ``PagedArray``."""

        def unpack_all(blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:
            return int(unpack_blocks(data, ends, blocks, *self.levelled.arrays, out))

        return np.uint8, self.levelled.bounds, self._unpack, unpack_all

    def _unpack(self, block: int, data: Any, out: npt.NDArray[Any]) -> bool:
        """Write the places in the palette that a block holds; return whether it has any."""
        level, some = self.levelled.level_of(block), np.frombuffer(data, np.uint8)
        return bool(unpack(some, self.levelled.widths[level], self.levelled.listed[level], out))

    def blocks_of(self, numbers: Places) -> Places:
        """Return the block that has each number."""
        return self.levelled.blocks_of(numbers)

    def value(self, number: int) -> int:
        """Return the value at one number."""
        values, levelled = self._pages.held("values"), self.levelled
        level, block, at = levelled.found(number)
        data = values.glance(block)
        if data is None:
            return self._listed[int(values.array[number])]
        width = levelled.widths[level]
        at *= width
        try:
            return self._meant[level][data[at >> 3] >> (at & 7) & ((1 << width) - 1)]
        except IndexError:  # no such value, or fewer than there should be
            raise self._pages.corrupt("values") from None

    @property
    def bytes(self) -> int:
        """The bytes that it takes before anything is asked: where blocks are."""
        return self.levelled.bytes

    def numbered(self, level: int) -> tuple[int, int, npt.NDArray[Any]]:
        """Return how many blocks of values a level has, and what the numbers there stand for.

        Returns:
            The blocks; the bits of a number; and the value that each number stands for.
        """
        levelled = self.levelled
        first, end = levelled.first[level : level + 2]
        return end - first, levelled.widths[level], self.palette[levelled.listed[level]]

    def packed_values(self, level: int, begin: int, end: int) -> npt.NDArray[np.uint64]:
        """Return some blocks of a level's values, numbers side by side, and keep none of them.

        Raises:
            CorruptTableError: a block is damaged.
        """
        first, width = self.levelled.first[level], self.levelled.widths[level]
        data, ends = self._pages.joined("values", np.arange(first + begin, first + end))
        sizes = self.levelled.sizes[first + begin : first + end]
        if not np.array_equal(ends, np.cumsum(sizes)):
            raise self._pages.corrupt("array 'values'")
        out = np.zeros(-(-len(data) // (8 * width)) * width, "<u8")
        out.view(np.uint8)[: len(data)] = data
        return out.astype(np.uint64, copy=False)

    def blocks(self) -> Iterator[npt.NDArray[Any]]:
        """Scan the places in the palette that blocks hold, and keep none."""
        reader, bounds = self._pages.reader, self.levelled.bounds
        stored = reader.stored("values")
        for number, data in reader.blocks(stored.first, stored.blocks):
            block = number - stored.first
            out = np.empty(bounds.item(block + 1) - bounds.item(block), np.uint8)
            if not self._unpack(block, data, out):
                raise self._pages.corrupt("values")
            yield out


def _within(code: int, left: int) -> bool:
    """Whether a position can have a value this many plies before the board is full."""
    outcome, remoteness = codes.decode(code)
    if outcome == 0:
        return remoteness == left
    return remoteness is None or remoteness <= left
