"""The positions of a game with levels in slots, perhaps each with its value."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.scratch import memory_of
from zermelo._engine.index.index import PAGE
from zermelo._methods.levels.index import LevelIndex
from zermelo._methods.levels.slot_lookup import (
    find_slot,
    find_slots,
    positions_at,
    positions_of,
)
from zermelo._methods.levels.slots import LINE

if TYPE_CHECKING:
    from zermelo._engine.index.index import Chunk
    from zermelo._methods.levels.workspace import LevelledRules

#: What stands in a slot whose position has no value there: it is not decided, or kept apart.
FILLED = 1


@dataclass
class SlotLevels:
    """Where the levels are.

    Attributes:
        lowest: the level of the first entry of ``bits`` and of ``partitions``.
        bits: logarithm of the number of partitions of each level, -1 where it is empty.
        partitions: the first partition of each level.
        directory: the first line of each partition, and in how many lines its positions are at
            home.
        lines: the end of the lines.
    """

    lowest: int
    bits: npt.NDArray[np.int64]
    partitions: npt.NDArray[np.int64]
    directory: npt.NDArray[np.int64]
    lines: int


class LevelSlotIndex(LevelIndex):
    """Positions of a game with levels, in slots; places are slots.

    Attributes:
        slots: what stands in slots; see ``slots``.
        levels: where levels are.
    """

    def __init__(
        self, expand: LevelledRules, slots: npt.NDArray[np.uint64], levels: SlotLevels
    ) -> None:
        """Keep the arrays; see the attributes."""
        super().__init__(expand)
        self.span = levels.lines * LINE
        self.slots = slots[: self.span]
        self.levels = levels
        self._used = np.uint64(expand.used)
        shape = (levels.lowest, levels.bits, levels.partitions, levels.directory)
        self._shape = (*shape, self._used, self.slots)
        # For each partition of any level, the logarithm of the number of its level's partitions.
        self._first = np.zeros(len(levels.directory) // 2, np.int64)
        self._bits = np.zeros(len(self._first), np.int64)
        for bits, first in zip(levels.bits.tolist(), levels.partitions.tolist(), strict=True):
            if bits >= 0:
                self._first[first : first + (1 << bits)] = first
                self._bits[first : first + (1 << bits)] = bits

    @property
    def bytes(self) -> int:
        """The bytes of memory that its arrays take."""
        return memory_of(self.slots, self.levels.directory, self._first, self._bits)

    def bytes_in_slots(self) -> npt.NDArray[np.uint8]:
        """Return the byte of each slot that holds a value; 0 where it is empty."""
        lowest = 0 if sys.byteorder == "little" else 7
        return self.slots.view(np.uint8)[lowest::8]

    def look_up(
        self,
        packed: npt.NDArray[np.uint64],
        levels: npt.NDArray[np.int64],
        count: int,
        out: npt.NDArray[np.int64],
        values: npt.NDArray[np.uint8],
        *,
        where: bool,
    ) -> int:
        """Find packed positions whose levels are known; see ``find_slots``."""
        return int(find_slots(packed, levels, count, *self._shape, where, out, values))

    def look(
        self,
        packed: npt.NDArray[np.uint64],
        levels: npt.NDArray[np.int64],
        count: int,
        out: npt.NDArray[np.int64],
    ) -> int:
        """Find packed positions whose levels are known; see ``places``."""
        return self.look_up(packed, levels, count, out, np.empty(count, np.uint8), where=True)

    def find_at(
        self, packed: npt.NDArray[np.uint64], level: npt.NDArray[np.int64]
    ) -> Callable[[], int]:
        """Return what tells the place of one packed position whose level is known."""
        return partial(find_slot, packed, level, *self._shape)

    def scan(self, size: int) -> Iterator[Chunk]:
        """Scan all positions, of ``size`` slots at once; see ``Index``."""
        keys, places = np.empty(size + 1, np.uint64), np.empty(size + 1, np.int64)
        for first, bits, begin, end in self._spans(size):
            shape = (self.levels.directory, first, bits, self._used)
            count = int(positions_of(self.slots, begin, end, *shape, keys, places))
            yield keys[:count], places[:count]

    def _spans(self, size: int) -> Iterator[tuple[int, int, int, int]]:
        """Scan ``size`` slots at once: first partition of the level, its bits, begin and end."""
        levels, directory = self.levels, self.levels.directory
        for first, bits in zip(levels.partitions.tolist(), levels.bits.tolist(), strict=True):
            if bits < 0:
                continue
            last = first + (1 << bits)
            lines = directory.item(2 * last) if 2 * last < len(directory) else levels.lines
            for begin in range(directory.item(2 * first) * LINE, lines * LINE, size):
                yield first, bits, begin, min(begin + size, lines * LINE)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        keys = np.empty(len(places), np.uint64)
        directory = self.levels.directory
        positions_at(
            self.slots,
            np.ascontiguousarray(places),
            directory,
            self._first,
            self._bits,
            self._used,
            keys,
        )
        return keys

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all places."""
        for begin in range(0, len(self.slots), PAGE):
            filled = np.flatnonzero(self.slots[begin : begin + PAGE])
            if len(filled):
                yield filled + begin
