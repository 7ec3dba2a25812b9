"""The index from packed positions to numbers: a hash table or an array.

The hash table: open addressing, linear probing. An entry is 64 bits: the upper half of the
position's hash, and its number plus one (0 is an empty entry). Positions themselves are in ``keys``
in the order of their numbers, so a look-up is one access to the table and one to the position it
names. Both are prefetched, a batch at a time, which hides most of the latency.

The highest bits of the hash give an entry's slot, so entries are in the order of their upper
halves. A table that grows needs no positions for that: its entries are read and written
sequentially.

The array (``direct``) has an entry for every position of a space that is small enough. A look-up is
one access, and similar positions are near each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, Uint32Array, Uint64Array
from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, light_kernel
from zermelo._engine.core.kernel import interpreted_if_few
from zermelo._engine.core.memory import LARGE, MAPPED, forget, on_stack, prefetch, zeros
from zermelo._engine.index.direct import fill_direct, find_direct, find_one_direct, insert_direct

BATCH = 64
#: Entries of a table moved in one step.
_MOVED_ENTRIES = 1 << 10
_STACK_ENTRIES = _MOVED_ENTRIES + 1
#: The most memory of an array, as a multiple of a hash table's, and the entries that it may always
#: have: its look-up compiles faster.
_DIRECT_FACTOR, _DIRECT_ENTRIES = 4, 1 << 17
#: Entries moved to a larger table by one task; and for a table in huge pages, the entries of a
#: page.
_PART_ENTRIES, _HUGE_PAGE_ENTRIES = 1 << 13, 1 << 18
#: A larger table is rebuilt, as an entry has too few bits of its hash to give its slot.
_MOST_MOVED = 1 << 32
#: The most positions: numbers have 32 bits, one value being reserved for "none".
MOST_POSITIONS = (1 << 32) - 2

#: Calls a function with each of several numbers, in any order.
ForEach = Callable[[Callable[[int], None], Iterable[int]], None]

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@inlined
def shift_of(table: Uint64Array) -> np.uint64:
    """Return the shift that turns a hash into a slot of a table."""
    shift = 64
    while table.size >> (64 - shift) > 1:
        shift -= 1
    return np.uint64(shift)


@inlined
def hash_batch(
    rows: Uint64Array, begin: int, end: int, words: int, table: Uint64Array, hashes: Uint64Array
) -> None:
    """Write the hashes of some packed positions, and prefetch their slots."""
    shift = shift_of(table)
    if words == 1:  # vectorised, as the compiler sees that there is no inner loop
        for i in range(end - begin):
            hashes[i] = hash_of(rows, begin + i, 1)
    else:
        for i in range(end - begin):
            hashes[i] = hash_of(rows, (begin + i) * words, words)
    for i in range(end - begin):
        prefetch(table, np.int64(hashes[i] >> shift))


@inlined
def find_places(
    hashes: Uint64Array,
    count: int,
    words: int,
    table: Uint64Array,
    keys: Uint64Array,
    places: Int64Array,
) -> None:
    """Find where each of some positions may be in a table, and prefetch the positions there.

    Args:
        hashes: the hashes of the positions, whose slots were prefetched.
        count: the number of positions.
        words: words of a position.
        table: the entries.
        keys: packed positions by number.
        places: receives the first place, from a position's slot on, whose entry is empty or has the
            upper half of its hash.
    """
    mask, shift = table.size - 1, shift_of(table)
    for i in range(count):
        place = np.int64(hashes[i] >> shift)
        tag = hashes[i] >> _HALF
        entry = table[place]
        # A displaced entry is as far from the caches as any other: its position is prefetched too.
        while entry != 0 and entry >> _HALF != tag:
            place = (place + 1) & mask
            entry = table[place]
        places[i] = place
        if entry != 0:
            number = np.int64(entry & _LOW) - 1
            prefetch(keys, number * words)
            if words > 1:
                prefetch(keys, number * words + words - 1)


@light_kernel
def insert(
    positions: Uint64Array,
    count: int,
    words: int,
    table: Uint64Array,
    keys: Uint64Array,
    known: int,
    numbers: Uint32Array,
    offset: int,
) -> int:
    """Number ``count`` packed positions; new ones are appended in order.

    Args:
        positions: the packed positions, ``count * words`` words.
        count: the number of positions.
        words: words of a position.
        table: the entries; their number is a power of two, with space for all of ``positions``.
        keys: packed positions by number, with space for all of ``positions``.
        known: positions numbered so far.
        numbers: receives the number of each, from index ``offset``.
        offset: the first index in ``numbers``.

    Returns:
        The number of positions numbered now.
    """
    mask = table.size - 1
    hashes = on_stack(BATCH, np.uint64)
    places = on_stack(BATCH, np.int64)
    for begin in range(0, count, BATCH):
        end = min(begin + BATCH, count)
        hash_batch(positions, begin, end, words, table, hashes)
        find_places(hashes, end - begin, words, table, keys, places)
        for i in range(begin, end):
            place = places[i - begin]
            tag = hashes[i - begin] >> _HALF
            while True:
                entry = table[place]
                if entry == 0:
                    for word in range(words):
                        keys[known * words + word] = positions[i * words + word]
                    known += 1
                    table[place] = (tag << _HALF) | np.uint64(known)
                    numbers[offset + i] = known - 1
                    break
                if entry >> _HALF == tag:
                    number = np.int64(entry & _LOW) - 1
                    if same_key(positions, i * words, keys, number * words, words):
                        numbers[offset + i] = number
                        break
                place = (place + 1) & mask
    return known


@light_kernel
def find(
    positions: Uint64Array,
    count: int,
    words: int,
    table: Uint64Array,
    keys: Uint64Array,
    numbers: Int64Array,
) -> int:
    """Look up ``count`` packed positions; ``numbers`` receives -1 for a missing one.

    Returns:
        The number of positions found.
    """
    mask = table.size - 1
    hashes = on_stack(BATCH, np.uint64)
    places = on_stack(BATCH, np.int64)
    found_count = 0
    for begin in range(0, count, BATCH):
        end = min(begin + BATCH, count)
        hash_batch(positions, begin, end, words, table, hashes)
        find_places(hashes, end - begin, words, table, keys, places)
        for i in range(begin, end):
            place = places[i - begin]
            tag = hashes[i - begin] >> _HALF
            numbers[i] = -1
            while True:
                entry = table[place]
                if entry == 0:
                    break
                if entry >> _HALF == tag:
                    number = np.int64(entry & _LOW) - 1
                    if same_key(positions, i * words, keys, number * words, words):
                        numbers[i] = number
                        found_count += 1
                        break
                place = (place + 1) & mask
    return found_count


@light_kernel
def find_one(position: Uint64Array, table: Uint64Array, keys: Uint64Array) -> Any:
    """Return the number of one packed position, -1 if it is missing."""
    words = position.size
    position_hash = hash_of(position, 0, words)
    place = np.int64(position_hash >> shift_of(table))
    while True:
        entry = table[place]
        if entry == 0:
            return -1
        if entry >> _HALF == position_hash >> _HALF:
            number = np.int64(entry & _LOW) - 1
            if same_key(position, 0, keys, number * words, words):
                return number
        place = (place + 1) & (table.size - 1)


@light_kernel
def _move_entries(table: Uint64Array, begin: int, end: int, larger: Uint64Array) -> int:
    """Move part of a table to the corresponding part of a larger one of at most 2^32 entries.

    Entries without a free slot there, as the next part may be in use, stay behind.

    Returns:
        The number of entries left behind; they are in the table from ``begin`` on.
    """
    shift = shift_of(larger) - _HALF
    growth = larger.size // table.size
    low, high = begin * growth, end * growth
    entries = on_stack(_STACK_ENTRIES, np.uint64)
    remaining_end = begin
    for first in range(begin, end, _MOVED_ENTRIES):
        count = 0
        for i in range(first, min(first + _MOVED_ENTRIES, end)):  # without a branch to mispredict
            entries[count] = table[i]
            count += table[i] != 0
        for i in range(count):
            place = np.int64(entries[i] >> _HALF >> shift)
            if low <= place < high - 2:
                place += larger[place] != 0
                place += larger[place] != 0
                while place < high and larger[place] != 0:
                    place += 1
                if place < high:
                    larger[place] = entries[i]
                    continue
            table[remaining_end] = entries[i]
            remaining_end += 1
    return remaining_end - begin


@light_kernel
def _enter(entries: Uint64Array, table: Uint64Array) -> None:
    """Enter the entries left behind."""
    mask, shift = table.size - 1, shift_of(table) - _HALF
    for entry in entries:
        place = np.int64(entry >> _HALF >> shift)
        while table[place] != 0:
            place = (place + 1) & mask
        table[place] = entry


def entries_for(positions: int) -> int:
    """Return the entries of a table for ``positions``: at most 5/8 of them are used."""
    size = 1 << 6
    while 8 * positions > 5 * size:
        size *= 2
    return size


def for_each_in_order(work: Callable[[int], None], items: Iterable[int]) -> None:
    """Call ``work`` with each item in order."""
    for item in items:
        work(item)


def _larger_table(table: npt.NDArray[Any], size: int, for_each: ForEach) -> npt.NDArray[Any]:
    """Return a larger table with these entries; memory of the old table is freed progressively."""
    larger = zeros(size, np.uint64)
    part = _HUGE_PAGE_ENTRIES if table.nbytes >= LARGE else _PART_ENTRIES
    left_entries: list[npt.NDArray[Any]] = []

    def move(begin: int) -> None:
        end = min(begin + part, len(table))
        left_count = _move_entries(table, begin, end, larger)
        left_entries.append(table[begin : begin + left_count].copy())
        forget(table, begin, end)

    for_each(move, range(0, len(table), part))
    _enter(np.concatenate(left_entries), larger)
    return larger


class HashIndex:
    """An index from packed positions to numbers.

    Attributes:
        words: 64-bit words of a packed position.
        used: the bits of a one-word position that may differ from 0.
        direct_entries: the memory of an array with an entry for every position, in units of 8
            bytes.
    """

    def __init__(self, words: int, used: int = (1 << 64) - 1) -> None:
        """Create an empty index.

        Args:
            words: 64-bit words of a packed position.
            used: the bits of a one-word position that may differ from 0.
        """
        self.words = words
        self.direct_entries = ((1 << used.bit_count()) + 1) // 2
        self.used = np.uint64(used)
        self._direct: Uint32Array | None = None
        self._table: npt.NDArray[Any] = np.empty(0, np.uint64)
        empty: npt.NDArray[Any] = np.empty(0, np.uint64)
        self.grow(1 << 10, empty, 0, direct=self.suits_direct(1 << 10))

    @property
    def entered(self) -> npt.NDArray[Any]:
        """The hash table, or the array.

        Numbers plus one in the low 32 bits, 0 for an empty entry.
        """
        return self._table if self._direct is None else self._direct

    @property
    def is_direct(self) -> bool:
        """Whether the index is an array with an entry for every position."""
        return self._direct is not None

    @property
    def entries(self) -> int:
        """The memory of the index, in units of 8 bytes."""
        return self.direct_entries if self._direct is not None else len(self._table)

    def is_full(self, positions: int) -> bool:
        """Whether the index must grow before it can hold ``positions``."""
        return self._direct is None and 8 * positions > 5 * len(self._table)

    def suits_direct(self, size: int) -> bool:
        """Whether an array is small, or not much larger than a hash table of ``size`` entries."""
        return self.words == 1 and self.direct_entries <= max(
            _DIRECT_FACTOR * size, _DIRECT_ENTRIES
        )

    def grow(
        self,
        size: int,
        keys: Uint64Array,
        known: int,
        *,
        direct: bool,
        for_each: ForEach = for_each_in_order,
    ) -> None:
        """Rebuild the index as a hash table of ``size`` entries, or as an array.

        Args:
            size: a power of two.
            keys: packed positions by number.
            known: the number of positions, all entered in the index.
            direct: whether to build an array.
            for_each: calls a function with each of several numbers, in any order.
        """
        if self._table.nbytes >= MAPPED and len(self._table) < size <= _MOST_MOVED and not direct:
            self._table = _larger_table(self._table, size, for_each)
            return
        self._table = np.empty(0, np.uint64)
        if direct:
            self._direct = zeros(2 * self.direct_entries, np.uint32)
            if known:
                fill_direct(self._direct, self.used, keys, known)
            return
        self._direct = None
        self._table = zeros(size, np.uint64)
        numbers = np.empty(min(known, _PART_ENTRIES), np.uint32)
        for begin in range(0, known, _PART_ENTRIES):  # in order, so that the numbers do not change
            count = min(_PART_ENTRIES, known - begin)
            positions = keys[begin * self.words :]
            insert(positions, count, self.words, self._table, keys, begin, numbers, 0)

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], Uint32Array, np.uint64]:
        """The hash table, the array or an empty one, and the bits that may differ from 0."""
        direct = np.empty(0, np.uint32) if self._direct is None else self._direct
        return self._table, direct, self.used

    def insert(
        self,
        positions: Uint64Array,
        count: int,
        keys: Uint64Array,
        known: int,
        numbers: Uint32Array,
        offset: int,
    ) -> int:
        """Number ``count`` packed positions; arguments as for the kernel ``insert``.

        There must be space for them. Returns the number of positions numbered now.
        """
        if self._direct is not None:
            new_count = insert_direct(
                positions, count, self._direct, self.used, keys, known, numbers, offset
            )
            if new_count >= 0:
                return int(new_count)
            # A position is outside the declared space, though its fields fit their bits.
            self.grow(entries_for(known + count), keys, known, direct=False)
        return int(insert(positions, count, self.words, self._table, keys, known, numbers, offset))

    def find(
        self,
        positions: Uint64Array,
        count: int,
        keys: Uint64Array,
        numbers: Int64Array,
    ) -> int:
        """Look up ``count`` packed positions; arguments as for the kernel ``find``."""
        if self._direct is not None:
            kernel = interpreted_if_few(find_direct, count)
            return int(kernel(positions, count, self._direct, self.used, numbers))
        kernel = interpreted_if_few(find, count)
        return int(kernel(positions, count, self.words, self._table, keys, numbers))

    def finder(
        self,
        position: Uint64Array,
        keys: Uint64Array,
    ) -> Callable[[], int]:
        """Return a function that gives the number of the position in ``position``, or -1.

        The function refers to the current arrays, so the index must not grow afterwards.
        """
        if self._direct is not None:
            return partial(find_one_direct, position, self._direct, self.used)
        return partial(find_one, position, self._table, keys)
