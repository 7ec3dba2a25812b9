"""The directory of a space: which slots have a position, and the positions before each.

An entry stands for 32 slots. Its lower half has a bit for each slot that has a position. Its upper
half contains, once all positions are found, the number of positions before those of the entry; so
the number of the position in a slot takes one memory access and one bit count. During discovery the
upper half marks the positions that have been given to a thread to expand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Integer, Uint32Array, Uint64Array
from zermelo._engine.core.bits import lowest, ones
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.memory import exchange, peek, prefetch, zeros

#: Look-ups that are prefetched ahead.
_PREFETCH_DISTANCE = 24
_LOW = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_HALF = np.uint64(32)
_SLOT_BITS = np.uint64(31)


def entries_for(slots: int) -> int:
    """Return the number of entries of a directory of ``slots``."""
    return (slots + 31) // 32


def new_directory(slots: int) -> Uint64Array:
    """Return a directory in which no slot has a position."""
    return zeros(entries_for(slots), np.uint64)


@inlined
def put_bits(directory: Uint64Array, entry: int, bits: np.uint64) -> Any:
    """Set bits of an entry atomically; return its earlier value."""
    old = peek(directory, entry)
    while old & bits != bits:
        current = exchange(directory, entry, old, old | bits)
        if current == old:
            break
        old = current
    return old


@kernel
def mark(
    directory: Uint64Array, slots: Int64Array, count: int, new_slots: Int64Array, new_count: int
) -> int:
    """Set the bits of slots; list the newly set ones, up to the capacity of ``new_slots``.

    Listed slots count as given out; the others are left for ``hand_out``.

    Returns:
        ``new_count`` plus the number of newly set slots; those beyond the capacity are not listed.
    """
    capacity = new_slots.size
    for i in range(count):
        prefetch(directory, slots[min(i + _PREFETCH_DISTANCE, count - 1)] >> 5)
        slot = slots[i]
        bit = _ONE << (np.uint64(slot) & _SLOT_BITS)
        new_bits = bit | (bit << _HALF) if new_count < capacity else bit
        old = peek(directory, slot >> 5)
        # Only if the bit is not set: a slot that another thread found first is that thread's to
        # list, or to leave, and must not be marked as given out here.
        while old & bit == _ZERO:
            current = exchange(directory, slot >> 5, old, old | new_bits)
            if current == old:
                if new_count < capacity:
                    new_slots[new_count] = slot
                new_count += 1
                break
            old = current
    return new_count


@kernel
def unmark(directory: Uint64Array, slots: Uint32Array) -> None:
    """Clear slots again, as before ``mark``."""
    for i in range(slots.size):
        bit = _ONE << (np.uint64(slots[i]) & _SLOT_BITS)
        directory[np.int64(slots[i]) >> 5] &= ~(bit | (bit << _HALF))


@kernel
def hand_out(directory: Uint64Array, entry: int, out: Int64Array) -> tuple[int, int]:
    """List slots that have a position and have not been given out, from an entry on.

    Returns:
        The number of slots listed, and the entry to continue from.
    """
    count = 0
    while entry < directory.size:
        entry_bits = peek(directory, entry)
        unlisted = entry_bits & ~(entry_bits >> _HALF) & _LOW
        if unlisted != _ZERO:
            if count + 32 > out.size:
                break
            put_bits(directory, entry, unlisted << _HALF)
            while unlisted != _ZERO:
                out[count] = entry * 32 + lowest(unlisted)
                count += 1
                unlisted &= unlisted - _ONE
        entry += 1
    return count, entry


@kernel
def number_all(directory: Uint64Array) -> int:
    """Write into each entry the number of positions before it; return the number of all."""
    count = 0
    for entry in range(directory.size):
        bits = directory[entry] & _LOW
        directory[entry] = bits | (np.uint64(count & 0xFFFFFFFF) << _HALF)
        count += ones(bits)
    return count


@inlined
def number_in(entry: np.uint64, slot: Integer) -> Any:
    """Return the number of the position in a slot, from its entry."""
    lower_bits = (_ONE << (np.uint64(slot) & _SLOT_BITS)) - _ONE
    return np.int64(entry >> _HALF) + ones(entry & lower_bits)


def count_before(directory: Uint64Array, slot: int) -> int:
    """Return the number of positions in the slots before one."""
    entry = int(directory[slot >> 5])
    return (entry >> 32) + (entry & ((1 << (slot & 31)) - 1)).bit_count()


@light_kernel
def find(directory: Uint64Array, slots: Int64Array, count: int, out: Int64Array) -> int:
    """Write the numbers of the positions in slots, -1 for an empty slot.

    Return the number found.
    """
    found_count = 0
    for i in range(count):
        prefetch(directory, max(slots[min(i + _PREFETCH_DISTANCE, count - 1)], 0) >> 5)
        slot = slots[i]
        out[i] = -1
        if slot < 0:
            continue
        entry = directory[slot >> 5]
        if (entry >> (np.uint64(slot) & _SLOT_BITS)) & _ONE != _ZERO:
            out[i] = number_in(entry, slot)
            found_count += 1
    return found_count


@kernel
def slots_of(directory: Uint64Array, numbers: Int64Array, count: int, out: Int64Array) -> None:
    """Write the slots of the positions with these numbers; fastest if they ascend."""
    entry = 0
    for i in range(count):
        number = np.int64(numbers[i])
        index_in_entry = number - np.int64(directory[entry] >> _HALF)
        if not 0 <= index_in_entry < 256:
            low, high = 0, directory.size - 1
            while low < high:  # the last entry with at most ``number`` positions before it
                middle = (low + high + 1) // 2
                if np.int64(directory[middle] >> _HALF) <= number:
                    low = middle
                else:
                    high = middle - 1
            entry = low
        while entry + 1 < directory.size and np.int64(directory[entry + 1] >> _HALF) <= number:
            entry += 1
        bits = directory[entry] & _LOW
        for _ in range(number - np.int64(directory[entry] >> _HALF)):
            bits &= bits - _ONE
        out[i] = entry * 32 + lowest(bits)
