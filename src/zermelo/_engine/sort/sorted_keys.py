"""Positions in ascending order: their numbers, and which of them stands before another.

Of the bits of positions those that never vary are left out, so that what varies stands close
together: the others, gathered, are a position's *number*. Where a number would not fit a word, none
are left out, and a position is one large number, its first word the most significant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.bits import gather, length, ones, scatter
from zermelo._engine.core.jit import inlined, light_kernel

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def ascending(keys: npt.NDArray[np.uint64], words: int) -> npt.NDArray[np.int64]:
    """Return the numbers of packed positions in the order of their size."""
    if words == 1:
        return np.argsort(keys)
    rows = keys.reshape(-1, words)
    return np.lexsort(tuple(rows[:, word] for word in reversed(range(words))))


@inlined
def below(a: Any, i: int, b: Any, j: int, words: int) -> Any:
    """Whether position ``i`` of ``a`` is less than position ``j`` of ``b``."""
    for word in range(words):
        x, y = a[i * words + word], b[j * words + word]
        if x != y:
            return x < y
    return False


@inlined
def last_not_greater(word: Any, keys: Any, begin: Any, count: Any) -> Any:
    """Return the last of ``count`` ascending words, from ``begin`` on, that is not greater.

    It is ``begin`` where all are. No step depends on a guess, so that searches overlap.
    """
    base = np.uint64(begin)
    left = np.uint64(count)
    while left > np.uint64(1):
        half = left >> np.uint64(1)
        base = base + half if keys[base + half] <= word else base
        left -= half
    return np.int64(base)


@inlined
def _places(mask: Any) -> Any:
    """Return by how much the bits under a mask move those before it; 64 have none before them."""
    return np.uint64(ones(mask)) & np.uint64(63)


@inlined
def _number(packed: Any, i: Any, bits: Any) -> tuple[Any, Any]:
    """Return the number of packed position ``i``, and whether it can be one of the table's."""
    under, by, masks, rest = bits
    number = _ZERO
    fits = True
    for word in range(masks.size):
        here = packed[i * masks.size + word]
        here ^= (here & under[word]) << by[word]
        fits &= here & ~masks[word] == rest[word]
        number = number << _places(masks[word]) | gather(here, masks[word])
    return number, fits


@light_kernel
def to_numbers(packed: Any, bits: Any, out: Any, fits: Any) -> Any:
    """Write the numbers of packed positions.

    Args:
        packed: the positions.
        bits: four arrays, of a number for each word of a position: how it is folded (see
            ``tags.KeyTransform``, which has two), which of its bits numbers are then made of, and
            what the others are in all positions of the table.
        out: receives the numbers.
        fits: receives whether that is what they are.

    Returns:
        Whether that is what they are in all.
    """
    every = True
    for i in range(out.size):
        out[i], fits[i] = _number(packed, i, bits)
        every &= fits[i]
    return every


@light_kernel
def from_numbers(numbers: Any, bits: Any, out: Any) -> Any:
    """Write the packed positions of numbers; see ``to_numbers``.

    Returns:
        Whether no number has more bits than there are.
    """
    under, by, masks, rest = bits
    words = masks.size
    most = 0
    for word in range(words):
        most += ones(masks[word])
    longest = 0
    for i in range(numbers.size):
        number = numbers[i]
        longest = max(longest, length(number))
        for word in range(words - 1, -1, -1):
            here = scatter(number, masks[word]) | rest[word]
            out[i * words + word] = here ^ (here & under[word]) << by[word]
            number >>= _places(masks[word])
    return longest <= most


@light_kernel
def block_before(packed: Any, bits: Any, first: Any, known: int, number: Any) -> Any:
    """Return the last of ``known`` ascending numbers that is not greater than a position's, or -1.

    It is also -1 where the position cannot be one of the table's. ``number`` receives its number.
    """
    number[0], fits = _number(packed, 0, bits)
    at = last_not_greater(number[0], first, 0, known)
    return at if fits and first[at] <= number[0] else -1


@light_kernel
def at_or_before(wanted: Any, count: int, words: int, keys: Any, known: int, out: Any) -> None:
    """Find for each wanted position the last of ``known`` that is not greater, or -1."""
    if words == 1 and known > 0:
        for i in range(count):
            at = last_not_greater(wanted[i], keys, 0, known)
            out[i] = at - np.int64(keys[at] > wanted[i])
        return
    for i in range(count):
        low, high = 0, known
        while low < high:
            middle = (low + high) // 2
            if below(wanted, i, keys, middle, words):
                high = middle
            else:
                low = middle + 1
        out[i] = low - 1
