"""Moves sorted by the owners of what they lead to, transposed there, and sent back along."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch

#: The bit of a source that says that a new child begins there, and the most positions of a range.
FIRST, MOST_SOURCES = 1 << 15, 1 << 15
#: Bits of a digit, by which children are sorted.
_DIGIT = 11
DIGITS = 1 << _DIGIT
_AHEAD = 32


@inlined
def _owner_of(mixed: Any, bits: int) -> Any:
    """Return the last bits of a hash: an owner's table goes by the first ones."""
    return np.int64(mixed & np.uint64((1 << bits) - 1))


@kernel
def by_owner(
    keys: Any,
    sources: Any,
    count: int,
    words: int,
    bits: int,
    ends: Any,
    out: Any,
    out_sources: Any,
) -> None:
    """Put children together that have one owner, with the sources that lead to them.

    Args:
        keys: packed children.
        sources: which position of the range leads to each.
        count: how many there are.
        words: words a position.
        bits: logarithm of the number of owners.
        ends: receives where those of each owner end.
        out: receives the children.
        out_sources: receives their sources.
    """
    ends[:] = 0
    for i in range(count):
        ends[_owner_of(hash_of(keys, i * words, words), bits)] += 1
    begin: Any = np.int64(0)
    for owner in range(ends.size):
        size = ends[owner]
        ends[owner] = begin
        begin += size
    for i in range(count):
        owner = _owner_of(hash_of(keys, i * words, words), bits)
        place = ends[owner]
        ends[owner] = place + 1
        for word in range(words):
            out[place * words + word] = keys[i * words + word]
        out_sources[place] = sources[i]


@kernel
def sort_children(
    keys: Any, sources: Any, used: Any, other: Any, other_sources: Any, begins: Any
) -> tuple[Any, Any]:
    """Sort children of one word, digit by digit from the lowest; return where they then are.

    Args:
        keys: the children.
        sources: which position leads to each.
        used: the bits that may differ from 0; digits without any are left out.
        other: room for as many.
        other_sources: likewise.
        begins: room for a number for each digit.
    """
    mask = np.uint64(DIGITS - 1)
    shift = np.uint64(0)
    while shift < np.uint64(64) and used >> shift != np.uint64(0):
        if used >> shift & np.uint64(1) == np.uint64(0):
            shift += np.uint64(1)
            continue
        begins[:] = 0
        for i in range(keys.size):
            begins[keys[i] >> shift & mask] += 1
        begin = 0
        for digit in range(DIGITS):
            size = begins[digit]
            begins[digit] = begin
            begin += size
        for i in range(keys.size):
            digit_of = keys[i] >> shift & mask
            place = begins[digit_of]
            begins[digit_of] = place + 1
            other[place] = keys[i]
            other_sources[place] = sources[i]
        keys, other = other, keys
        sources, other_sources = other_sources, sources
        shift += np.uint64(_DIGIT)
    return keys, sources


@kernel
def mark_firsts(keys: Any, words: int, sources: Any) -> None:
    """Mark the first source of each child, of which there may be several alike in a row."""
    for i in range(sources.size):
        if i == 0 or not same_key(keys, i * words, keys, (i - 1) * words, words):
            sources[i] |= np.uint16(FIRST)


@kernel
def count_parents(numbers: Any, sources: Any, into: Any) -> None:
    """Count the parents of positions, each at the place behind the next.

    Args:
        numbers: the children of a list.
        sources: what leads to them, one child after the other.
        into: receives the counts.
    """
    child: Any = np.int64(-1)
    for e in range(sources.size):
        child += np.int64(sources[e]) >> 15
        into[np.int64(numbers[child]) + 2] += np.uint32(1)


@kernel
def put_parents(numbers: Any, sources: Any, ids: Any, into: Any, parents: Any) -> None:
    """Write the parents of positions; see ``count_parents``.

    Args:
        numbers: the children of a list.
        sources: what leads to them.
        ids: of each source, the owner and the number there.
        into: where the parents of each child go on, one place behind.
        parents: receives them.
    """
    child: Any = np.int64(-1)
    for e in range(sources.size):
        child += np.int64(sources[e]) >> 15
        number = np.int64(numbers[child])
        place = np.int64(into[number + 1])
        into[number + 1] = place + 1
        parents[place] = ids[np.int64(sources[e]) & (FIRST - 1)]


@kernel
def count_messages(
    found: Any, state: Any, turns: Any, into: Any, parents: Any, shift: int, counts: Any
) -> None:
    """Count the messages to each owner, and whom they say to win.

    Args:
        found: positions that were decided.
        state: the numbers of all.
        turns: whose turn it is, or empty where the players strictly alternate.
        into: where the parents of each position begin.
        parents: the parents.
        shift: the bits of a parent's number among those of its owner.
        counts: receives a count for each owner and each of two kinds.
    """
    for k in range(found.size):
        i = np.int64(found[k])
        prefetch(into, np.int64(found[min(k + _AHEAD, found.size - 1)]))
        prefetch(parents, np.int64(into[np.int64(found[min(k + _AHEAD // 2, found.size - 1)])]))
        flag = np.int64(state[i] < 0)
        if turns.size:
            flag ^= np.int64(turns[i])
        for e in range(np.int64(into[i]), np.int64(into[i + 1])):
            counts[2 * (np.int64(parents[e]) >> shift) + flag] += 1


@kernel
def put_messages(
    found: Any, state: Any, turns: Any, into: Any, parents: Any, shift: int, places: Any, out: Any
) -> None:
    """Write the messages; see ``count_messages``.

    Args:
        found: see there; likewise all that follow.
        state: see there.
        turns: see there.
        into: see there.
        parents: see there.
        shift: see there.
        places: where the messages to each owner, of each kind, go on.
        out: receives the numbers of parents.
    """
    mask = (1 << shift) - 1
    for k in range(found.size):
        i = np.int64(found[k])
        prefetch(into, np.int64(found[min(k + _AHEAD, found.size - 1)]))
        prefetch(parents, np.int64(into[np.int64(found[min(k + _AHEAD // 2, found.size - 1)])]))
        flag = np.int64(state[i] < 0)
        if turns.size:
            flag ^= np.int64(turns[i])
        for e in range(np.int64(into[i]), np.int64(into[i + 1])):
            parent = np.int64(parents[e])
            which = 2 * (parent >> shift) + flag
            place = places[which]
            places[which] = place + 1
            out[place] = parent & mask
