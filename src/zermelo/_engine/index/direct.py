"""The index of a small space: an array with an entry for every packed position.

An entry is a position's number plus one, 0 if it has none. The bits of a packed position that may
differ from 0, gathered, are the index of its entry. No position is hashed or compared, and
positions that differ in their low bits are adjacent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint32Array, Uint64Array
from zermelo._engine.core.bits import gather
from zermelo._engine.core.jit import light_kernel
from zermelo._engine.core.memory import prefetch

#: Positions whose entries are prefetched ahead.
_PREFETCH_DISTANCE = 32


@light_kernel
def insert_direct(
    positions: Uint64Array,
    count: int,
    entries: Uint32Array,
    used: np.uint64,
    keys: Uint64Array,
    known: int,
    numbers: Uint32Array,
    offset: int,
) -> int:
    """Number ``count`` packed positions; new ones are appended in order.

    Args:
        positions: the packed positions, a word each.
        count: the number of positions.
        entries: the array of entries.
        used: the bits that may differ from 0.
        keys: packed positions by number, with space for all of ``positions``.
        known: positions numbered so far.
        numbers: receives the number of each, from index ``offset``.
        offset: the first index in ``numbers``.

    Returns:
        The number of positions numbered now; -1, without any change, if one has other bits.
    """
    all_bits = np.uint64(0)
    for i in range(count):
        all_bits |= positions[i]
    if all_bits & ~used != np.uint64(0):
        return -1
    for i in range(count):
        next_position = min(i + _PREFETCH_DISTANCE, count - 1)
        prefetch(entries, np.int64(gather(positions[next_position], used)))
        entry = np.int64(gather(positions[i], used))
        number: Any = np.int64(entries[entry])
        if number == 0:
            keys[known] = positions[i]
            known += 1
            number = known
            entries[entry] = number
        numbers[offset + i] = number - 1
    return known


@light_kernel
def find_direct(
    positions: Uint64Array, count: int, entries: Uint32Array, used: np.uint64, numbers: Int64Array
) -> int:
    """Look up ``count`` packed positions; ``numbers`` receives -1 for a missing one.

    Returns:
        The number of positions found.
    """
    found_count = 0
    for i in range(count):
        next_position = min(i + _PREFETCH_DISTANCE, count - 1)
        prefetch(entries, np.int64(gather(positions[next_position], used)))
        numbers[i] = -1
        if positions[i] & ~used == np.uint64(0):
            numbers[i] = np.int64(entries[np.int64(gather(positions[i], used))]) - 1
        found_count += numbers[i] >= 0
    return found_count


@light_kernel
def find_one_direct(position: Uint64Array, entries: Uint32Array, used: np.uint64) -> Any:
    """Return the number of one packed position, -1 if it is missing."""
    if position[0] & ~used != np.uint64(0):
        return -1
    return np.int64(entries[np.int64(gather(position[0], used))]) - 1


@light_kernel
def fill_direct(entries: Uint32Array, used: np.uint64, keys: Uint64Array, count: int) -> None:
    """Enter positions 0 to ``count`` - 1, all distinct, into an empty array."""
    for i in range(count):
        next_position = min(i + _PREFETCH_DISTANCE, count - 1)
        prefetch(entries, np.int64(gather(keys[next_position], used)))
        entries[np.int64(gather(keys[i], used))] = i + 1
