"""The index of positions: a hash table from packed positions to numbers.

Open addressing, linear probing. An entry is 64 bits: the upper half of the position's hash, and
its number plus one (0 is an empty entry). Positions themselves stand in ``keys`` in the order of
their numbers, so a look-up is one access to the table and one to the position it names. Both are
asked for ahead, a batch at a time, which hides most of the wait for memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.jit import inlined, kernel
from zermelo._engine.memory import prefetch, zeros

BATCH = 64
#: Numbers take 32 bits, one value being kept for "none".
MOST_POSITIONS = (1 << 32) - 2

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@inlined
def _hash(keys: Any, at: int, words: int) -> Any:
    mixed = np.uint64(words) * _GOLDEN
    for word in range(words):
        mixed = (mixed ^ keys[at + word]) * _MIX_A
        mixed ^= mixed >> np.uint64(29)
        mixed *= _MIX_B
        mixed ^= mixed >> _HALF
    return mixed


@inlined
def _same(a: Any, i: int, b: Any, j: Any, words: int) -> bool:
    for word in range(words):
        if a[i + word] != b[j + word]:
            return False
    return True


@kernel
def insert(
    wanted: Any, count: int, words: int, table: Any, keys: Any, known: int, numbers: Any, at: int
) -> int:
    """Number ``count`` packed positions, adding those not met before in the order they come.

    Args:
        wanted: the packed positions, ``count * words`` words.
        count: how many there are.
        words: words a position.
        table: the entries; a power of two of them, with room for all of ``wanted``.
        keys: packed positions by number; likewise.
        known: positions numbered so far.
        numbers: receives the number of each, from place ``at``.
        at: see ``numbers``.

    Returns:
        How many positions are numbered now.
    """
    mask = np.uint64(table.size - 1)
    hashes = np.empty(BATCH, np.uint64)
    for begin in range(0, count, BATCH):
        end = min(begin + BATCH, count)
        for i in range(begin, end):
            mixed = _hash(wanted, i * words, words)
            hashes[i - begin] = mixed
            prefetch(table, np.int64(mixed & mask))
        for i in range(begin, end):
            entry = table[np.int64(hashes[i - begin] & mask)]
            if entry >> _HALF == hashes[i - begin] >> _HALF:
                prefetch(keys, np.int64((entry & _LOW) - np.uint64(1)) * words)
        for i in range(begin, end):
            mixed = hashes[i - begin]
            place = np.int64(mixed & mask)
            tag = mixed >> _HALF
            while True:
                entry = table[place]
                if entry == 0:
                    for word in range(words):
                        keys[known * words + word] = wanted[i * words + word]
                    known += 1
                    table[place] = (tag << _HALF) | np.uint64(known)
                    numbers[at + i] = known - 1
                    break
                if entry >> _HALF == tag:
                    number = np.int64(entry & _LOW) - 1
                    if _same(wanted, i * words, keys, number * words, words):
                        numbers[at + i] = number
                        break
                place = (place + 1) & np.int64(mask)
    return known


@kernel
def find(wanted: Any, count: int, words: int, table: Any, keys: Any, numbers: Any) -> int:
    """Look up ``count`` packed positions; ``numbers`` receives -1 for one that is not there.

    Returns:
        How many were found.
    """
    mask = np.uint64(table.size - 1)
    hashes = np.empty(BATCH, np.uint64)
    found = 0
    for begin in range(0, count, BATCH):
        end = min(begin + BATCH, count)
        for i in range(begin, end):
            mixed = _hash(wanted, i * words, words)
            hashes[i - begin] = mixed
            prefetch(table, np.int64(mixed & mask))
        for i in range(begin, end):
            entry = table[np.int64(hashes[i - begin] & mask)]
            if entry >> _HALF == hashes[i - begin] >> _HALF:
                prefetch(keys, np.int64((entry & _LOW) - np.uint64(1)) * words)
        for i in range(begin, end):
            mixed = hashes[i - begin]
            place = np.int64(mixed & mask)
            tag = mixed >> _HALF
            numbers[i] = -1
            while True:
                entry = table[place]
                if entry == 0:
                    break
                if entry >> _HALF == tag:
                    number = np.int64(entry & _LOW) - 1
                    if _same(wanted, i * words, keys, number * words, words):
                        numbers[i] = number
                        found += 1
                        break
                place = (place + 1) & np.int64(mask)
    return found


@kernel
def _fill(table: Any, keys: Any, known: int, words: int) -> None:
    """Enter positions 0 to ``known`` - 1, all different, into an empty table."""
    mask = np.uint64(table.size - 1)
    hashes = np.empty(BATCH, np.uint64)
    for begin in range(0, known, BATCH):
        end = min(begin + BATCH, known)
        for i in range(begin, end):
            mixed = _hash(keys, i * words, words)
            hashes[i - begin] = mixed
            prefetch(table, np.int64(mixed & mask))
        for i in range(begin, end):
            mixed = hashes[i - begin]
            place = np.int64(mixed & mask)
            while table[place] != 0:
                place = (place + 1) & np.int64(mask)
            table[place] = (mixed >> _HALF << _HALF) | np.uint64(i + 1)


def table_size(positions: int) -> int:
    """Return how many entries a table for so many positions has: at most 5/8 of them filled."""
    size = 1 << 6
    while 8 * positions > 5 * size:
        size *= 2
    return size


def new_table(keys: npt.NDArray[np.uint64], known: int, words: int, size: int) -> npt.NDArray[Any]:
    """Return a table of ``size`` entries holding the first ``known`` positions of ``keys``."""
    table = zeros(size, np.uint64)
    _fill(table, keys, known, words)
    return table
