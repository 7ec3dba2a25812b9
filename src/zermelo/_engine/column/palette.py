"""Kernels for tables on disk: values as palette indices, and decompression of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    IntArray,
    Integer,
    Uint8Array,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.bits import lowest, ones
from zermelo._engine.core.jit import inlined, kernel

_GOLDEN = 0x9E3779B97F4A7C15
_FACTOR = np.uint64(_GOLDEN)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
#: Entries of the hash table that counts values; more distinct values are counted by sorting.
_ENTRIES = 1 << 12
_VALUES_PER_BATCH = 1 << 20
#: Attempts to find a hash table without collisions.
_TRIES = 8


@inlined
def _entry(value: Integer, factor: np.uint64, size: int) -> np.int64:
    return np.int64((np.uint64(value) * factor) >> np.uint64(40)) & (size - 1)


@kernel
def count_values(values: Int32Array, keys: Int64Array, counts: Int64Array) -> bool:
    """Add to ``counts`` the number of times each value occurs.

    Return whether the table had space.
    """
    free = keys.size // 2
    for i in range(values.size):
        value = np.int64(values[i])
        entry = _entry(value, _FACTOR, keys.size)
        while counts[entry] != 0 and keys[entry] != value:
            entry = (entry + 1) & (keys.size - 1)
        if counts[entry] == 0:
            free -= 1
            if free < 0:
                return False
            keys[entry] = value
        counts[entry] += 1
    return True


@kernel
def _fill_places(
    palette: Int64Array, factor: np.uint64, keys: Int64Array, places: Int64Array
) -> int:
    """Enter the index of each value of a palette; return the number of collisions."""
    collisions = 0
    for n in range(palette.size):
        entry = _entry(palette[n], factor, keys.size)
        while places[entry] >= 0:
            entry = (entry + 1) & (keys.size - 1)
            collisions += 1
        keys[entry] = palette[n]
        places[entry] = n
    return collisions


@kernel
def _choose(
    values: IntArray,
    owners: Uint8Array,
    factor: np.uint64,
    keys: Int64Array,
    places: Int64Array,
    out: IntArray,
) -> Any:
    """Write the palette index of each value; return whether every value has one."""
    turns = owners.size > 0
    has_all: Any = True
    for i in range(values.size):
        value = np.int64(values[i])
        entry = _entry(value, factor, keys.size)
        while places[entry] >= 0 and keys[entry] != value:
            entry = (entry + 1) & (keys.size - 1)
        place = np.int64(places[entry])
        has_all &= place >= 0
        out[i] = 2 * place + owners[i] if turns else place
    return has_all


class Palette:
    """The values that occur, and the index of each."""

    def __init__(self, values: Int64Array) -> None:
        """Create the hash table of distinct values, whose indices are given by their order."""
        self.values = values
        size = 4
        while size < 4 * len(values):
            size *= 2
        # Without collisions, look-ups have no branch to mispredict.
        for power in range(1, _TRIES + 1):
            self._factor = np.uint64(pow(_GOLDEN, power, 1 << 64))
            self._keys = np.zeros(size, np.int64)
            self._places = np.full(size, -1, np.int64)
            if not _fill_places(values, self._factor, self._keys, self._places):
                break

    def choose(self, values: IntArray, owners: Uint8Array, out: IntArray) -> bool:
        """Write the palette index of each value; with ``owners``, twice the index plus owner.

        Returns:
            Whether each value is in the palette.
        """
        return bool(_choose(values, owners, self._factor, self._keys, self._places, out))


def value_counts(values: npt.NDArray[Any]) -> dict[int, int]:
    """Return the number of times each value occurs."""
    total: dict[int, int] = {}
    for begin in range(0, len(values), _VALUES_PER_BATCH):
        part = values[begin : begin + _VALUES_PER_BATCH]
        keys, counts = np.zeros(_ENTRIES, np.int64), np.zeros(_ENTRIES, np.int64)
        if count_values(part, keys, counts):
            present = np.flatnonzero(counts)
            distinct, occurrences = keys[present], counts[present]
        else:
            distinct, occurrences = np.unique(part, return_counts=True)
        for value, count in zip(distinct.tolist(), occurrences.tolist(), strict=True):
            total[value] = total.get(value, 0) + count
    return total


@kernel
def copy_below(data: IntArray, limit: int, out: IntArray) -> np.bool_:
    """Copy palette indices; return whether all are below ``limit``."""
    most = np.int64(-1)
    for i in range(data.size):
        most = max(most, np.int64(data[i]))
        out[i] = data[i]
    return most < limit


@kernel
def copy_blocks(
    data: IntArray, ends: Int64Array, blocks: Int64Array, size: int, limit: int, out: IntArray
) -> int:
    """Copy palette indices of several blocks.

    Args:
        data: the indices of all blocks.
        ends: the end of each block in it.
        blocks: the number of each block.
        size: indices in a block; the last block may be shorter.
        limit: the number of values in the palette.
        out: receives each block at its offset.

    Returns:
        The first invalid block, as an index into ``blocks``, -1 for none.
    """
    begin = 0
    for n in range(blocks.size):
        first = blocks[n] * size
        count = min(size, out.size - first)
        if ends[n] - begin != count:
            return n
        if not copy_below(data[begin : ends[n]], limit, out[first : first + count]):
            return n
        begin = ends[n]
    return -1


@kernel
def number_part(slot_bits: Uint32Array, positions_before: int, out: Uint64Array) -> int:
    """Write the entries of a directory from the bits of its slots.

    Return the number of positions.
    """
    count = positions_before
    for entry in range(slot_bits.size):
        bits = np.uint64(slot_bits[entry])
        out[entry] = bits | (np.uint64(count & 0xFFFFFFFF) << _HALF)
        count += ones(bits)
    return count - positions_before


@kernel
def number_parts(
    slot_bits: Uint32Array,
    ends: Int64Array,
    blocks: Int64Array,
    size: int,
    positions_before: Int64Array,
    out: Uint64Array,
) -> int:
    """Write the entries of several parts of a directory, as ``number_part`` does.

    Args:
        slot_bits: the bits of all parts.
        ends: the end of each part in it.
        blocks: the number of each part.
        size: entries in a part; the last part may be shorter.
        positions_before: the number of positions before each part, and of all positions.
        out: receives the entries at their offsets.

    Returns:
        The first part with a wrong number of positions, as an index into ``blocks``, -1 for none.
    """
    begin = 0
    for n in range(blocks.size):
        block = blocks[n]
        first = block * size
        count = min(size, out.size - first)
        if ends[n] - begin != count:
            return n
        count_written = number_part(
            slot_bits[begin : ends[n]], positions_before[block], out[first : first + count]
        )
        if count_written != positions_before[block + 1] - positions_before[block]:
            return n
        begin = ends[n]
    return -1


@kernel
def slots_within(
    directory: Uint64Array, numbers: Int64Array, parts: Int64Array, size: int, out: Int64Array
) -> None:
    """Write the slots of numbered positions whose parts of the directory are loaded.

    Args:
        directory: the entries; those of ``parts`` are loaded.
        numbers: the numbers of positions.
        parts: the part of the directory that contains each.
        size: entries in a part.
        out: receives the slots.
    """
    for i in range(numbers.size):
        number = np.int64(numbers[i])
        low = parts[i] * size
        high = min(low + size, directory.size) - 1
        while low < high:  # the last entry with at most ``number`` positions before it
            middle = (low + high + 1) // 2
            if np.int64(directory[middle] >> _HALF) <= number:
                low = middle
            else:
                high = middle - 1
        bits = directory[low] & _LOW
        for _ in range(number - np.int64(directory[low] >> _HALF)):
            bits &= bits - _ONE
        out[i] = low * 32 + lowest(bits)
