"""Positions in ascending order: their sort keys, and binary search.

Bits that are equal in all positions of a table are left out of its sort keys, so that the varying
bits are adjacent: gathered, they are a position's *number*. If a number would not fit a word, no
bit is left out, and a position is one large number, its first word the most significant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import BoolArray, Int64Array, Uint64Array
from zermelo._engine.core.bits import gather, length, ones, scatter
from zermelo._engine.core.jit import inlined, light_kernel

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def ascending(keys: Uint64Array, words: int) -> Int64Array:
    """Return the indices that sort packed positions."""
    if words == 1:
        return np.argsort(keys)
    rows = keys.reshape(-1, words)
    return np.lexsort(tuple(rows[:, word] for word in reversed(range(words))))


@inlined
def is_less(a: Uint64Array, i: int, b: Uint64Array, j: int, words: int) -> Any:
    """Return whether position ``i`` of ``a`` is less than position ``j`` of ``b``."""
    for word in range(words):
        x, y = a[i * words + word], b[j * words + word]
        if x != y:
            return x < y
    return False


@inlined
def last_not_greater(word: np.uint64, keys: Uint64Array, begin: int, count: int) -> np.int64:
    """Return the index of the last of ``count`` ascending words that is not greater than ``word``.

    The words begin at ``begin``, which is returned if all are greater. The loop has no
    unpredictable branch, so that searches overlap.
    """
    base = np.uint64(begin)
    remaining = np.uint64(count)
    while remaining > np.uint64(1):
        half = remaining >> np.uint64(1)
        base = base + half if keys[base + half] <= word else base
        remaining -= half
    return np.int64(base)


@inlined
def _places(mask: np.uint64) -> np.uint64:
    """Return the shift that the gathered bits of a mask need; 0 for 64 bits."""
    return np.uint64(ones(mask)) & np.uint64(63)


@inlined
def _number(
    packed: Uint64Array, i: int, bits: tuple[Uint64Array, Uint64Array, Uint64Array, Uint64Array]
) -> tuple[np.uint64, bool]:
    """Return the number of packed position ``i``, and whether it represents the position."""
    xor_masks, shifts, masks, constant_bits = bits
    number = _ZERO
    fits = True
    for word in range(masks.size):
        value = packed[i * masks.size + word]
        value ^= (value & xor_masks[word]) << shifts[word]
        fits &= value & ~masks[word] == constant_bits[word]
        number = number << _places(masks[word]) | gather(value, masks[word])
    return number, fits


@light_kernel
def to_numbers(
    packed: Uint64Array,
    bits: tuple[Uint64Array, Uint64Array, Uint64Array, Uint64Array],
    out: Uint64Array,
    fits: BoolArray,
) -> bool:
    """Write the numbers of packed positions.

    Args:
        packed: the positions.
        bits: four arrays with an entry for each word of a position: the two of its transform (see
            ``tags.KeyTransform``), the mask of the bits that form the number, and the constant
            other bits.
        out: receives the numbers.
        fits: receives whether each number represents its position.

    Returns:
        Whether all numbers represent their positions.
    """
    every = True
    for i in range(out.size):
        out[i], fits[i] = _number(packed, i, bits)
        every &= fits[i]
    return every


@light_kernel
def from_numbers(
    numbers: Uint64Array,
    bits: tuple[Uint64Array, Uint64Array, Uint64Array, Uint64Array],
    out: Uint64Array,
) -> bool:
    """Write the packed positions of numbers; ``bits`` as for ``to_numbers``.

    Returns:
        Whether no number has more bits than the masks.
    """
    xor_masks, shifts, masks, constant_bits = bits
    words = masks.size
    most = 0
    for word in range(words):
        most += ones(masks[word])
    longest = 0
    for i in range(numbers.size):
        number = numbers[i]
        longest = max(longest, length(number))
        for word in range(words - 1, -1, -1):
            value = scatter(number, masks[word]) | constant_bits[word]
            out[i * words + word] = value ^ (value & xor_masks[word]) << shifts[word]
            number >>= _places(masks[word])
    return longest <= most


@light_kernel
def block_before(
    packed: Uint64Array,
    bits: tuple[Uint64Array, Uint64Array, Uint64Array, Uint64Array],
    first: Uint64Array,
    known: int,
    number: Uint64Array,
) -> Any:
    """Return the index of the last of ``known`` numbers not greater than a position's, or -1.

    It is also -1 if the table cannot contain the position. ``number`` receives its number.
    """
    number[0], fits = _number(packed, 0, bits)
    index = last_not_greater(number[0], first, 0, known)
    return index if fits and first[index] <= number[0] else -1


@light_kernel
def at_or_before(
    targets: Uint64Array, count: int, words: int, keys: Uint64Array, known: int, out: Int64Array
) -> None:
    """Write the index of the last known position not greater than each target, or -1."""
    if words == 1 and known > 0:
        for i in range(count):
            index = last_not_greater(targets[i], keys, 0, known)
            out[i] = index - np.int64(keys[index] > targets[i])
        return
    for i in range(count):
        low, high = 0, known
        while low < high:
            middle = (low + high) // 2
            if is_less(targets, i, keys, middle, words):
                high = middle
            else:
                low = middle + 1
        out[i] = low - 1
