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

#: Values in a block, which is a whole number of words however few bits they have.
PER_BLOCK = 4096
_WIDTHS = (1, 2, 4, 8)


class Levelled:
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
        """Go through blocks, from one to another, those of a level together.

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


def _within(code: int, left: int) -> bool:
    """Whether a position can have a value so many plies before the board is full."""
    outcome, remoteness = codes.decode(code)
    if outcome == 0:
        return remoteness == left
    return remoteness is None or remoteness <= left
