"""The positions of a game with levels in slots, perhaps each with its value."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint64Array
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.core.scratch import memory_of
from zermelo._engine.index.index import PAGE
from zermelo._methods.levels.index import LevelIndex
from zermelo._methods.levels.slots import (
    LINE,
    LINE_BITS,
    VALUE,
    count_of,
    first_bits,
    home,
    mix,
    probe_lines,
    unmix,
)

if TYPE_CHECKING:
    from zermelo._engine.index.index import Chunk
    from zermelo._methods.levels.workspace import LevelledRules

#: The value bits of a slot without a value: its position is undecided, or has its value elsewhere.
FILLED = 1
#: Positions that are looked up in one batch.
_BATCH = 128

_ONE, _64 = np.uint64(1), np.uint64(64)


@inlined
def _partition_at(line: int, directory: Int64Array, first: int, last: int) -> int:
    """Return the partition, among ``first`` to ``last`` - 1, that contains a line."""
    while last - first > 1:
        middle = (first + last) >> 1
        if directory[2 * middle] <= line:
            first = middle
        else:
            last = middle
    return first


@inlined
def _position(
    word: np.uint64, partition: int, bits: int, used: np.uint64, free: np.uint64
) -> np.uint64:
    """Return the packed position in a slot, from its partition within the level."""
    # In two steps, because the shift may be by all 64 bits.
    top = (np.uint64(partition) << np.uint64(63 - bits)) << _ONE
    return unmix(top | ((word & ~VALUE) >> np.uint64(bits)), used, free)


@kernel
def positions_of(
    slots: Uint64Array,
    begin: int,
    end: int,
    directory: Int64Array,
    first: int,
    bits: int,
    used: np.uint64,
    keys: Uint64Array,
    places: Int64Array,
) -> int:
    """Write the packed positions of filled slots, and their slots.

    Args:
        slots: all slots.
        begin: the first slot to read, of a level.
        end: the slot after the last, on the same level.
        directory: the first line of each partition, and the number of home lines of its positions.
        first: the level's first partition.
        bits: logarithm of the number of the level's partitions.
        used: the bits that keys use.
        keys: receives the positions.
        places: receives their slots, unless it is empty.

    Returns:
        The number of positions.
    """
    free = _64 - np.uint64(count_of(used))
    last = first + (1 << bits)
    partition = _partition_at(begin >> LINE_BITS, directory, first, last)
    count = 0
    at = begin
    while at < end:
        stop = end
        if partition + 1 < last:
            stop = min(end, directory[2 * partition + 2] << LINE_BITS)
        for slot in range(at, stop):
            word = slots[slot]
            keys[count] = _position(word, partition - first, bits, used, free)
            if places.size > 0:
                places[count] = slot
            count += word != np.uint64(0)
        at = stop
        partition += 1
    return count


@kernel
def find_slots(
    keys: Uint64Array,
    levels: Int64Array,
    count: int,
    lowest: int,
    level_bits: Int64Array,
    level_partitions: Int64Array,
    directory: Int64Array,
    used: np.uint64,
    slots: Uint64Array,
    where: bool,
    places: Int64Array,
    values: Uint8Array,
) -> int:
    """Look up ``count`` packed positions of known levels.

    Args:
        keys: the positions.
        levels: the level of each.
        count: the number of positions.
        lowest: the level of the first entry of the next two arrays.
        level_bits: logarithm of the number of partitions of each level, -1 if the level is empty.
        level_partitions: the first partition of each level.
        directory: the first line and the number of home lines of each partition; see
            ``positions_of``.
        used: the bits that keys use.
        slots: all slots.
        where: whether ``places`` has to be exact.
        places: receives the slot of each, or without ``where`` its first possible slot; -1 for an
            absent position.
        values: receives the stored value of each, 0 for an absent position.

    Returns:
        The number of positions found.
    """
    free = _64 - np.uint64(count_of(used))
    remainders = np.empty(_BATCH, np.uint64)
    waiting = np.empty(_BATCH + 1, np.int64)
    found = 0
    for begin in range(0, count, _BATCH):
        end = min(begin + _BATCH, count)
        for i in range(begin, end):
            level = levels[i] - lowest
            places[i] = -1
            remainders[i - begin] = np.uint64(0)
            if 0 <= level < level_bits.size and level_bits[level] >= 0:
                bits = level_bits[level]
                mixed = mix(keys[i], used, free)
                partition = level_partitions[level] + first_bits(mixed, bits)
                rest = mixed << np.uint64(bits)
                if keys[i] & ~used == np.uint64(0):
                    remainders[i - begin] = rest
                    line = directory[2 * partition] + home(rest, directory[2 * partition + 1])
                    places[i] = line << LINE_BITS
                    prefetch(slots, line << LINE_BITS)
        size = end - begin
        lines, stored = places[begin:end], values[begin:end]
        missing = probe_lines(slots, lines, remainders, stored, waiting, size, VALUE)
        found += size - missing
        if where:
            for i in range(begin, end):
                if values[i] != 0:
                    word = remainders[i - begin] | np.uint64(values[i])
                    while slots[places[i]] != word:
                        places[i] += 1
    return found


@light_kernel
def find_slot(
    keys: Uint64Array,
    level: Int64Array,
    lowest: int,
    level_bits: Int64Array,
    level_partitions: Int64Array,
    directory: Int64Array,
    used: np.uint64,
    slots: Uint64Array,
) -> Any:
    """Return the slot of one packed position, or -1; ``find_slots`` for a single position.

    Args:
        keys: the position.
        level: its level.
        lowest: as in ``find_slots``, like all that follow.
        level_bits: logarithm of the number of partitions of each level.
        level_partitions: the first partition of each level.
        directory: the first line and the number of home lines of each partition.
        used: the bits that keys use.
        slots: all slots.
    """
    at = level[0] - lowest
    if at < 0 or at >= level_bits.size or level_bits[at] < 0:
        return -1
    if keys[0] & ~used != np.uint64(0):
        return -1
    bits = level_bits[at]
    mixed = mix(keys[0], used, _64 - np.uint64(count_of(used)))
    own = level_partitions[at] + first_bits(mixed, bits)
    rest = mixed << np.uint64(bits)
    slot = (directory[2 * own] + home(rest, directory[2 * own + 1])) << LINE_BITS
    while True:
        for _ in range(LINE):
            if (slots[slot] ^ rest) - _ONE < VALUE:
                return slot
            slot += 1
        if slots[slot - 1] == np.uint64(0):  # a line that is not full ends the search
            return -1


@kernel
def positions_at(
    slots: Uint64Array,
    places: Int64Array,
    directory: Int64Array,
    firsts: Int64Array,
    logarithms: Int64Array,
    used: np.uint64,
    keys: Uint64Array,
) -> None:
    """Write the packed positions at some places; fastest if these are in order.

    Args:
        slots: all slots.
        places: filled slots.
        directory: the first line of each partition, and the number of home lines of its positions.
        firsts: for each partition, the first partition of its level.
        logarithms: for each partition, the logarithm of the number of partitions of its level.
        used: the bits that keys use.
        keys: receives the positions.
    """
    free = _64 - np.uint64(count_of(used))
    partitions = firsts.size
    partition = 0
    for i in range(places.size):
        line = places[i] >> LINE_BITS
        if line < directory[2 * partition] or (
            partition + 1 < partitions and line >= directory[2 * partition + 2]
        ):
            partition = _partition_at(line, directory, 0, partitions)
        keys[i] = _position(
            slots[places[i]], partition - firsts[partition], logarithms[partition], used, free
        )


@dataclass
class SlotLevels:
    """The location of the levels in the slots.

    Attributes:
        lowest: the level of the first entry of ``bits`` and of ``partitions``.
        bits: logarithm of the number of partitions of each level, -1 if the level is empty.
        partitions: the first partition of each level.
        directory: the first line of each partition, and the number of home lines of its positions.
        lines: the number of lines.
    """

    lowest: int
    bits: Int64Array
    partitions: Int64Array
    directory: Int64Array
    lines: int


class LevelSlotIndex(LevelIndex):
    """Positions of a game with levels, in slots; places are slots.

    Attributes:
        slots: the contents of the slots; see the module ``slots``.
        levels: the location of levels.
    """

    def __init__(self, expand: LevelledRules, slots: Uint64Array, levels: SlotLevels) -> None:
        """Store the arrays."""
        super().__init__(expand)
        self.span = levels.lines * LINE
        self.slots = slots[: self.span]
        self.levels = levels
        self.begins = levels.directory[2 * levels.partitions[levels.bits >= 0]] * LINE
        self._used = np.uint64(expand.used)
        shape = (levels.lowest, levels.bits, levels.partitions, levels.directory)
        self._shape = (*shape, self._used, self.slots)
        # For each partition of any level: its level's first partition, and the logarithm of their
        # number.
        self._first = np.zeros(len(levels.directory) // 2, np.int64)
        self._bits = np.zeros(len(self._first), np.int64)
        for bits, first in zip(levels.bits.tolist(), levels.partitions.tolist(), strict=True):
            if bits >= 0:
                self._first[first : first + (1 << bits)] = first
                self._bits[first : first + (1 << bits)] = bits

    @property
    def bytes(self) -> int:
        """The bytes of memory of its arrays."""
        return memory_of(self.slots, self.levels.directory, self._first, self._bits)

    def bytes_in_slots(self) -> Uint8Array:
        """Return the byte of each slot that contains the value; 0 for an empty slot."""
        lowest = 0 if sys.byteorder == "little" else 7
        return self.slots.view(np.uint8)[lowest::8]

    def look_up(
        self,
        packed: Uint64Array,
        levels: Int64Array,
        count: int,
        out: Int64Array,
        values: Uint8Array,
        *,
        where: bool,
    ) -> int:
        """Look up packed positions whose levels are known; see ``find_slots``."""
        return int(find_slots(packed, levels, count, *self._shape, where, out, values))

    def find_at_levels(
        self,
        packed: Uint64Array,
        levels: Int64Array,
        count: int,
        out: Int64Array,
    ) -> int:
        """Look up packed positions whose levels are known; see ``places``."""
        return self.look_up(packed, levels, count, out, np.empty(count, np.uint8), where=True)

    def find_at(self, packed: Uint64Array, level: Int64Array) -> Callable[[], int]:
        """Return a function that looks up one packed position whose level is known."""
        return partial(find_slot, packed, level, *self._shape)

    def scan(self, size: int) -> Iterator[Chunk]:
        """Scan all positions, ``size`` slots at a time; see ``Index``."""
        keys, places = np.empty(size + 1, np.uint64), np.empty(size + 1, np.int64)
        for first, bits, begin, end in self._spans(size):
            shape = (self.levels.directory, first, bits, self._used)
            count = int(positions_of(self.slots, begin, end, *shape, keys, places))
            yield keys[:count], places[:count]

    def _spans(self, size: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield ranges of ``size`` slots: the level's first partition, its bits, begin and end."""
        levels, directory = self.levels, self.levels.directory
        for first, bits in zip(levels.partitions.tolist(), levels.bits.tolist(), strict=True):
            if bits < 0:
                continue
            last = first + (1 << bits)
            lines = directory.item(2 * last) if 2 * last < len(directory) else levels.lines
            for begin in range(directory.item(2 * first) * LINE, lines * LINE, size):
                yield first, bits, begin, min(begin + size, lines * LINE)

    def packed(self, places: Int64Array) -> Uint64Array:
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

    def pages(self) -> Iterator[Int64Array]:
        """Scan all places."""
        for begin in range(0, len(self.slots), PAGE):
            filled = np.flatnonzero(self.slots[begin : begin + PAGE])
            if len(filled):
                yield filled + begin
