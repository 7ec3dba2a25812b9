"""Numbering by several threads at once, with the numbers that one would give.

Each thread enters its share of the children of some positions, all of which have places in one
row. What is not in the index is claimed: its entry says at which place of the row it stands, the
first one where it stands at several, whichever thread comes first. Once all are entered the
claims are counted, share by share, so that each thread knows from which number on to number its
own; the entries then get these numbers. So a position has the number of its first place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.bits import gather
from zermelo._engine.index import BATCH, hash_batch, same_key, shift_of
from zermelo._engine.jit import kernel
from zermelo._engine.memory import exchange, peek, prefetch

_AHEAD = 32
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ZERO = np.uint64(0)
_NONE = np.uint32(0)


@kernel
def claim(
    row: Any,
    low: int,
    high: int,
    words: int,
    table: Any,
    keys: Any,
    offset: int,
    told: Any,
    numbers: Any,
) -> None:
    """Look up a share of the row in a hash table, and claim what is not there.

    Args:
        row: packed positions.
        low: the first of the share.
        high: the first not of it.
        words: words a position.
        table: the entries. The number in one is ``offset`` and a place in the row where it is a
            claim.
        keys: packed positions by number.
        offset: more than the numbers that there will be after.
        told: receives the number of each, or that of the claim, which may in turn have lost to
            another; its own where it stands here first.
        numbers: receives the entry of each that is claimed, until it is numbered.
    """
    mask, shift = table.size - 1, shift_of(table)
    hashes = np.empty(BATCH, np.uint64)
    for begin in range(low, high, BATCH):
        end = min(begin + BATCH, high)
        hash_batch(row, begin, end, words, table, hashes)
        for i in range(begin, end):
            entry = peek(table, np.int64(hashes[i - begin] >> shift))
            if entry >> _HALF == hashes[i - begin] >> _HALF:
                number = np.int64(entry & _LOW) - 1
                if number < offset:
                    prefetch(keys, number * words)
        for i in range(begin, end):
            mixed = hashes[i - begin]
            place = np.int64(mixed >> shift)
            tag = mixed >> _HALF
            own = np.int64(offset + i)
            new = (tag << _HALF) | np.uint64(own + 1)
            entry = peek(table, place)
            told[i] = own
            while True:
                if entry == _ZERO:
                    entry = exchange(table, place, _ZERO, new)
                    if entry == _ZERO:
                        numbers[i] = place
                        break
                if entry >> _HALF == tag:
                    number = np.int64(entry & _LOW) - 1
                    if number < offset:
                        if same_key(row, i * words, keys, number * words, words):
                            told[i] = number
                            break
                    elif same_key(row, i * words, row, (number - offset) * words, words):
                        if number < own:
                            told[i] = number
                            break
                        before = exchange(table, place, entry, new)
                        if before == entry:
                            told[number - offset] = own
                            numbers[i] = place
                            break
                        entry = before
                        continue
                place = (place + 1) & mask
                entry = peek(table, place)


@kernel
def claim_direct(
    row: Any, low: int, high: int, places: Any, used: Any, offset: int, told: Any
) -> None:
    """Do the same in an array with a place for every position."""
    for i in range(low, high):
        prefetch(places, np.int64(gather(row[min(i + _AHEAD, high - 1)], used)))
        place = np.int64(gather(row[i], used))
        own = np.int64(offset + i)
        entry = peek(places, place)
        told[i] = own
        while True:
            if entry == _NONE:
                entry = exchange(places, place, _NONE, own + 1)
                if entry == _NONE:
                    break
            number = np.int64(entry) - 1
            if number < own:
                told[i] = number
                break
            before = exchange(places, place, entry, own + 1)
            if before == entry:
                told[number - offset] = own
                break
            entry = before


@kernel
def has_place(row: Any, low: int, high: int, used: Any) -> bool:
    """Return whether all of a share have a place in an array."""
    others = _ZERO
    for i in range(low, high):
        others |= row[i]
    return bool(others & ~used == _ZERO)


@kernel
def count_claims(told: Any, low: int, high: int, offset: int) -> int:
    """Return how many of a share stand there first."""
    count = 0
    for i in range(low, high):
        count += told[i] == offset + i
    return count


@kernel
def _claims(told: Any, low: int, high: int, offset: int, firsts: Any) -> int:
    """List which of a share stand there first; return how many."""
    count = 0
    for i in range(low, high):
        firsts[count] = i
        count += told[i] == offset + i
    return count


@kernel
def settle(
    row: Any,
    low: int,
    high: int,
    words: int,
    table: Any,
    keys: Any,
    offset: int,
    told: Any,
    number: int,
    numbers: Any,
) -> None:
    """Number what stands first in a share, from ``number`` on, in a hash table and in ``keys``.

    ``numbers`` has the entry of each at its place, and receives its number.
    """
    firsts = np.empty(high - low + 1, np.uint32)
    count = _claims(told, low, high, offset, firsts)
    for k in range(count):
        prefetch(table, numbers[np.int64(firsts[min(k + _AHEAD, count - 1)])])
        i = np.int64(firsts[k])
        place = numbers[i]
        table[place] = (table[place] >> _HALF << _HALF) | np.uint64(number + 1)
        for word in range(words):
            keys[number * words + word] = row[i * words + word]
        numbers[i] = number
        number += 1


@kernel
def settle_direct(
    row: Any,
    low: int,
    high: int,
    places: Any,
    used: Any,
    keys: Any,
    offset: int,
    told: Any,
    number: int,
    numbers: Any,
) -> None:
    """Do the same in an array with a place for every position."""
    firsts = np.empty(high - low + 1, np.uint32)
    count = _claims(told, low, high, offset, firsts)
    for k in range(count):
        prefetch(places, np.int64(gather(row[np.int64(firsts[min(k + _AHEAD, count - 1)])], used)))
        i = np.int64(firsts[k])
        places[np.int64(gather(row[i], used))] = number + 1
        keys[number] = row[i]
        numbers[i] = number
        number += 1


@kernel
def link(
    ends: Any,
    done: int,
    parent: int,
    low: int,
    offset: int,
    told: Any,
    numbers: Any,
    beyond: int,
    keep: bool,  # noqa: FBT001  # a kernel takes no keywords
    base: int,
    first: Any,
    edges: Any,
) -> tuple[bool, bool]:
    """Write the moves of ``done`` positions; say whether all lead forward, and beyond.

    Args:
        ends: for each, how many children there are up to and with it.
        done: how many positions.
        parent: the number of the first.
        low: where in the row their children begin.
        offset: see ``claim``.
        told: likewise.
        numbers: the numbers of what stands there first.
        beyond: the first number beyond their layer.
        keep: whether the moves are kept.
        base: where in ``edges``.
        first: receives where the moves of each end.
        edges: receives where they lead.
    """
    forward = True
    layered = True
    at = 0
    for i in range(done):
        least = np.int64(1) << 62
        while at < ends[i]:
            target = np.int64(told[low + at])
            if target >= offset:
                place = target - offset
                while np.int64(told[place]) != offset + place:
                    place = np.int64(told[place]) - offset
                target = np.int64(numbers[place])
            least = min(least, target)
            if keep:
                edges[base + at] = target
            at += 1
        if keep:
            first[parent + i + 1] = base + at
        if least <= parent + i:
            forward = False
        if least < beyond:
            layered = False
    return forward, layered
