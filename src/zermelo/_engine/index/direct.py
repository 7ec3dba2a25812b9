"""The index of a small space: an array with an entry for every packed position.

An entry is a position's number plus one, 0 if it has none. The bits of a packed position that may
differ from 0, gathered, are the index of its entry. No position is hashed or compared, and
positions that differ in their low bits are adjacent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.bits import gather
from zermelo._engine.core.jit import light_kernel
from zermelo._engine.core.memory import prefetch

#: Positions whose entries are prefetched ahead.
_AHEAD = 32


@light_kernel
def insert_direct(
    wanted: Any, count: int, places: Any, used: Any, keys: Any, known: int, numbers: Any, at: int
) -> int:
    """Number ``count`` packed positions; new ones are appended in order.

    Args:
        wanted: the packed positions, a word each.
        count: the number of positions.
        places: the array of entries.
        used: the bits that may differ from 0.
        keys: packed positions by number, with space for all of ``wanted``.
        known: positions numbered so far.
        numbers: receives the number of each, from index ``at``.
        at: the first index in ``numbers``.

    Returns:
        The number of positions numbered now; -1, without any change, if one has other bits.
    """
    others = np.uint64(0)
    for i in range(count):
        others |= wanted[i]
    if others & ~used != np.uint64(0):
        return -1
    for i in range(count):
        ahead = min(i + _AHEAD, count - 1)
        prefetch(places, np.int64(gather(wanted[ahead], used)))
        place = np.int64(gather(wanted[i], used))
        number: Any = np.int64(places[place])
        if number == 0:
            keys[known] = wanted[i]
            known += 1
            number = known
            places[place] = number
        numbers[at + i] = number - 1
    return known


@light_kernel
def find_direct(wanted: Any, count: int, places: Any, used: Any, numbers: Any) -> int:
    """Look up ``count`` packed positions; ``numbers`` receives -1 for a missing one.

    Returns:
        The number of positions found.
    """
    found = 0
    for i in range(count):
        ahead = min(i + _AHEAD, count - 1)
        prefetch(places, np.int64(gather(wanted[ahead], used)))
        numbers[i] = -1
        if wanted[i] & ~used == np.uint64(0):
            numbers[i] = np.int64(places[np.int64(gather(wanted[i], used))]) - 1
        found += numbers[i] >= 0
    return found


@light_kernel
def find_one_direct(wanted: Any, places: Any, used: Any) -> Any:
    """Return the number of one packed position, -1 if it is missing."""
    if wanted[0] & ~used != np.uint64(0):
        return -1
    return np.int64(places[np.int64(gather(wanted[0], used))]) - 1


@light_kernel
def fill_direct(places: Any, used: Any, keys: Any, known: int) -> None:
    """Enter positions 0 to ``known`` - 1, all distinct, into an empty array."""
    for i in range(known):
        ahead = min(i + _AHEAD, known - 1)
        prefetch(places, np.int64(gather(keys[ahead], used)))
        places[np.int64(gather(keys[i], used))] = i + 1
