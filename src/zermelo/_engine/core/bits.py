"""Bit operations on 64-bit words, by processor instructions if it has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Integer
from zermelo._engine.core.jit import inlined, instruction
from zermelo._engine.core.portable import gather_portably, scatter_portably

#: Masks of the bits of a word whose index has bit k set.
PLACES = (
    np.uint64(0xAAAAAAAAAAAAAAAA),
    np.uint64(0xCCCCCCCCCCCCCCCC),
    np.uint64(0xF0F0F0F0F0F0F0F0),
    np.uint64(0xFF00FF00FF00FF00),
    np.uint64(0xFFFF0000FFFF0000),
    np.uint64(0xFFFFFFFF00000000),
)
#: Mask of the bits of a word whose index has an odd number of 1 bits.
ODD = np.uint64(0x6996966996696996)


@instruction
def population(word: Integer) -> np.uint64:
    """Return the number of bits that are 1 in a word."""
    return np.uint64(int(word).bit_count())


@instruction
def trailing(word: Integer) -> np.uint64:
    """Return the number of zeros below the lowest 1 of a word; 64 if there is no 1."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


@instruction
def leading(word: Integer) -> np.uint64:
    """Return the number of zeros above the highest 1 of a word."""
    return np.uint64(64 - int(word).bit_length())


@inlined
def ones(word: Integer) -> Any:
    """Return the number of 1 bits of a 64-bit word, as a signed number."""
    return np.int64(population(np.uint64(word)))


@inlined
def lowest(word: np.uint64) -> Any:
    """Return the index of the lowest 1 bit of a word, 64 for 0."""
    return np.int64(trailing(np.uint64(word)))


@inlined
def length(word: np.uint64) -> Any:
    """Return the bit length of a number: 0 for 0."""
    return 64 - np.int64(leading(np.uint64(word)))


@instruction
def gather(word: Integer, mask: Integer) -> np.uint64:
    """Return the result of ``gather_portably``, by one instruction if the processor has it."""
    return gather_portably(np.uint64(word), np.uint64(mask))


@instruction
def scatter(word: Integer, mask: Integer) -> np.uint64:
    """Return the result of ``scatter_portably``, by one instruction if the processor has it."""
    return scatter_portably(np.uint64(word), np.uint64(mask))
