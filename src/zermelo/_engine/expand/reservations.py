"""Numbering by several threads concurrently, with the numbers that one thread would assign.

The children of a round are in one row, and each thread enters its share of them in the index. A
child that is not in the index is reserved: its entry contains its index in the row, the first one
if it occurs several times, whichever thread comes first. Once all are entered the reservations are
counted, share by share, which gives each thread the first number of its own; the entries then get
these numbers. So positions are numbered in the order of their first occurrences in the row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint32Array, Uint64Array
from zermelo._engine.core.bits import gather
from zermelo._engine.core.hashing import same_key
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import exchange, peek, prefetch
from zermelo._engine.index.hash_index import (
    BATCH,
    LAST,
    RING,
    entry_layout,
    named_near,
    place_of,
    prepare_batch,
)

_PREFETCH_DISTANCE = 32
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_NONE = np.uint32(0)


@kernel
def reserve(
    row: Uint64Array,
    low: int,
    high: int,
    table: Uint64Array,
    form: Uint64Array,
    keys: Uint64Array,
    offset: int,
    numbers: Uint32Array,
    places: Int64Array,
    share_size: int,
    lost: Int64Array,
) -> int:
    """Look up a share of the row in a hash table, and reserve missing positions.

    Args:
        row: packed positions.
        low: the first index of the share.
        high: the index after its last.
        table: the entries. The number in a reserved entry is ``offset`` plus an index in the row.
        form: the form of positions, which no position of the share exceeds; see ``entry_layout``.
        keys: packed positions by number.
        offset: a number greater than all position numbers after this round.
        numbers: receives the number of each, or the reservation, which an earlier occurrence may
            have replaced; its own reservation if this is the first occurrence.
        places: receives the entry of each reserved position.
        share_size: the distance between the begins of shares in the row.
        lost: receives the number of reservations of each share that this one has replaced.

    Returns:
        The number of positions reserved.
    """
    mask = table.size - 1
    words: Any = np.int64(form[0])
    layout = entry_layout(table, form)
    shift, left_out, number_bits, most = layout
    low_bits = (_ONE << number_bits) - _ONE
    hashes = np.empty(RING, np.uint64)
    displacements = np.empty(RING, np.int64)
    count = 0
    ready = low
    for begin in range(low, high, BATCH):
        later = min(begin + 2 * BATCH, high)
        prepare_batch(row, ready, later, table, form, layout, keys, hashes, displacements)
        ready = later
        for i in range(begin, min(begin + BATCH, high)):
            slot = np.int64(hashes[i & LAST] >> shift)
            slot_tag = hashes[i & LAST] << left_out >> number_bits
            near = named_near(table, slot, slot_tag, layout)
            if 0 <= near < offset:
                numbers[i] = near
                continue
            displacement = displacements[i & LAST]
            place = place_of(slot, displacement, mask)
            reservation = np.int64(offset + i)
            entry = peek(table, place)
            numbers[i] = reservation
            while True:
                tag = slot_tag + min(np.uint64(displacement), most)
                new = (tag << number_bits) | np.uint64(reservation + 1)
                if entry == _ZERO:
                    entry = exchange(table, place, _ZERO, new)
                    if entry == _ZERO:
                        places[i] = place
                        count += 1
                        break
                if entry >> number_bits == tag:
                    number = np.int64(entry & low_bits) - 1
                    is_same = np.uint64(displacement) < most
                    if number < offset:
                        if is_same or same_key(row, i * words, keys, number * words, words):
                            numbers[i] = number
                            break
                    elif is_same or same_key(row, i * words, row, (number - offset) * words, words):
                        if number < reservation:
                            numbers[i] = number
                            break
                        previous = exchange(table, place, entry, new)
                        if previous == entry:
                            numbers[number - offset] = reservation
                            lost[(number - offset) // share_size] += 1
                            places[i] = place
                            count += 1
                            break
                        entry = previous
                        continue
                displacement += 1
                place = place_of(slot, displacement, mask)
                entry = peek(table, place)
    return count


@kernel
def reserve_direct(
    row: Uint64Array,
    low: int,
    high: int,
    places: Uint32Array,
    used: np.uint64,
    offset: int,
    numbers: Uint32Array,
    share_size: int,
    lost: Int64Array,
) -> int:
    """Look up a share of the row in an array with an entry for every position; see ``reserve``."""
    count = 0
    for i in range(low, high):
        prefetch(places, np.int64(gather(row[min(i + _PREFETCH_DISTANCE, high - 1)], used)))
        place = np.int64(gather(row[i], used))
        reservation = np.int64(offset + i)
        entry = peek(places, place)
        numbers[i] = reservation
        while True:
            if entry == _NONE:
                entry = exchange(places, place, _NONE, reservation + 1)
                if entry == _NONE:
                    count += 1
                    break
            number = np.int64(entry) - 1
            if number < reservation:
                numbers[i] = number
                break
            previous = exchange(places, place, entry, reservation + 1)
            if previous == entry:
                numbers[number - offset] = reservation
                lost[(number - offset) // share_size] += 1
                count += 1
                break
            entry = previous
    return count


@kernel
def _list_first_occurrences(
    numbers: Uint32Array, low: int, high: int, offset: int, firsts: Uint32Array
) -> int:
    """List the first occurrences in a share; return their number."""
    count = 0
    for i in range(low, high):
        firsts[count] = i
        count += numbers[i] == offset + i
    return count


@kernel
def number_firsts(
    row: Uint64Array,
    low: int,
    high: int,
    table: Uint64Array,
    form: Uint64Array,
    keys: Uint64Array,
    offset: int,
    numbers: Uint32Array,
    number: int,
    places: Int64Array,
) -> None:
    """Number the first occurrences in a share, from ``number`` on, in a hash table and in ``keys``.

    ``numbers`` receives the numbers; ``places`` has the entry of each.
    """
    words = np.int64(form[0])
    number_bits = entry_layout(table, form)[2]
    firsts = np.empty(high - low + 1, np.uint32)
    count = _list_first_occurrences(numbers, low, high, offset, firsts)
    for k in range(count):
        prefetch(table, places[np.int64(firsts[min(k + _PREFETCH_DISTANCE, count - 1)])])
        i = np.int64(firsts[k])
        place = places[i]
        table[place] = (table[place] >> number_bits << number_bits) | np.uint64(number + 1)
        for word in range(words):
            keys[number * words + word] = row[i * words + word]
        numbers[i] = number
        number += 1


@kernel
def number_firsts_direct(
    row: Uint64Array,
    low: int,
    high: int,
    places: Uint32Array,
    used: np.uint64,
    keys: Uint64Array,
    offset: int,
    numbers: Uint32Array,
    number: int,
) -> None:
    """Number the first occurrences in a share in an array with an entry for every position."""
    firsts = np.empty(high - low + 1, np.uint32)
    count = _list_first_occurrences(numbers, low, high, offset, firsts)
    for k in range(count):
        prefetch(
            places,
            np.int64(gather(row[np.int64(firsts[min(k + _PREFETCH_DISTANCE, count - 1)])], used)),
        )
        i = np.int64(firsts[k])
        places[np.int64(gather(row[i], used))] = number + 1
        keys[number] = row[i]
        numbers[i] = number
        number += 1


@kernel
def link(
    numbers: Uint32Array, low: int, high: int, offset: int, edges: Uint32Array, base: int
) -> None:
    """Write the children of the moves of a share, resolving replaced reservations."""
    for i in range(low, high):
        target = np.int64(numbers[i])
        # Once without a branch, which would be mispredicted; again only if a reservation was
        # replaced.
        target = np.int64(numbers[target - offset if target >= offset else i])
        while target >= offset:
            target = np.int64(numbers[target - offset])
        edges[base + i - low] = target
