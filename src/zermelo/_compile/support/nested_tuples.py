"""Nested tuples, and the keys of dicts and sets, as the arrays that compiled rules read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np
import numpy.typing as npt

#: The constants of the hash of a key, which compiled rules compute in the same way.
FACTOR = 0x9E3779B97F4A7C15
SHIFT = 29
_WORD = (1 << 64) - 1
_NUMBERS = frozenset({int, bool})


def depths_of(value: Any) -> tuple[int, float] | None:
    """Return the depth of a value above its integers, or None if the depth is not uniform.

    Returns:
        The least and the greatest depth that fit; they differ only if it contains no integer.
    """
    if isinstance(value, int):
        return 0, 0
    if not isinstance(value, tuple):
        return None
    # Rows of numbers, and rows of those, may be long: checked without a loop.
    kinds = set(map(type, value))
    if value and kinds <= _NUMBERS:
        return 1, 1
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(value)))
        if kinds and kinds <= _NUMBERS:
            return 2, 2
    least, most = 0, math.inf
    for item in value:
        depths = depths_of(item)
        if depths is None:
            return None
        least, most = max(least, depths[0]), min(most, depths[1])
    return (1 + least, 1 + most) if least <= most else None


def flatten(value: tuple[Any, ...], depth: int) -> list[npt.NDArray[np.int64]]:
    """Return the flat arrays of a nested tuple: the offsets of each depth, then the integers.

    They are read-only, like array parameters, so that all have one type; rules change nothing.
    """
    if depth == 1:
        return [_frozen(np.array(value, np.int64))]
    return [offsets_of(value), *flatten(tuple(chain.from_iterable(value)), depth - 1)]


def offsets_of(rows: tuple[Any, ...]) -> npt.NDArray[np.int64]:
    """Return the begin of each row in a concatenation of rows, and the end of the last."""
    ends = accumulate(map(len, rows), initial=0)
    return _frozen(np.fromiter(ends, np.int64, len(rows) + 1))


def _frozen(array: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    array.flags.writeable = False
    return array


def slots_of(keys: Sequence[tuple[int, ...]]) -> npt.NDArray[np.int64]:
    """Return the hash table of keys, each given as a tuple of its numbers."""
    size = 4
    while size < 2 * len(keys):
        size *= 2
    slots = np.zeros(size, np.int64)
    for place, key in enumerate(keys, 1):
        value = 0
        for number in key:
            value = (value ^ number & _WORD) * FACTOR & _WORD
            value ^= value >> SHIFT
        slot = value & size - 1
        while slots[slot]:
            slot = slot + 1 & size - 1
        slots[slot] = place
    return slots
