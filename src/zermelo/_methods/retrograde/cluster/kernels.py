"""Kernels that sort moves by the owner of their child, transpose them and gather messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch

#: The bit of a source that marks the first of a new child, and the most positions of a range.
FIRST, MOST_SOURCES = 1 << 15, 1 << 15
#: Bits of a digit of the radix sort of children.
_DIGIT = 11
DIGITS = 1 << _DIGIT
_AHEAD = 32


@inlined
def _owner_of(mixed: Any, bits: int) -> Any:
    """Return the owner: the last bits of a hash, as an owner's hash table uses the first ones."""
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
    """Group children by owner, together with the sources that lead to them.

    Args:
        keys: packed children.
        sources: the position of the range that leads to each child.
        count: the number of children.
        words: words per position.
        bits: logarithm of the number of owners.
        ends: receives the end of each owner's group.
        out: receives the grouped children.
        out_sources: receives the grouped sources.
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
    """Sort one-word children by radix sort, lowest digit first; return the sorted arrays.

    Args:
        keys: the children.
        sources: the position that leads to each child.
        used: the bits that may differ from 0; the sort skips the others.
        other: a buffer as long as ``keys``.
        other_sources: a buffer as long as ``sources``.
        begins: a buffer of ``DIGITS`` numbers.
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
    """Mark the first source of each child; several sources in a row may lead to one child."""
    for i in range(sources.size):
        if i == 0 or not same_key(keys, i * words, keys, (i - 1) * words, words):
            sources[i] |= np.uint16(FIRST)


@kernel
def count_parents(numbers: Any, sources: Any, into: Any) -> None:
    """Count the parents of positions, each count two places after its position.

    Args:
        numbers: the numbers of the children of a list.
        sources: the sources that lead to them, child by child.
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
        numbers: the numbers of the children of a list.
        sources: the sources that lead to them.
        ids: the owner and the number of each source.
        into: the index where the next parent of each child goes, one place later.
        parents: receives the parents.
    """
    child: Any = np.int64(-1)
    for e in range(sources.size):
        child += np.int64(sources[e]) >> 15
        number = np.int64(numbers[child])
        place = np.int64(into[number + 1])
        into[number + 1] = place + 1
        parents[place] = ids[np.int64(sources[e]) & (FIRST - 1)]


@kernel
def gather_parents(found: Any, state: Any, turns: Any, into: Any, parents: Any, out: Any) -> Any:
    """Write the parents of decided positions, by kind; return the number of the first kind.

    If players alternate, a parent of the second kind wins; otherwise the second player wins there.

    Args:
        found: the decided positions.
        state: the status of all positions.
        turns: the player to move, or empty if the players strictly alternate.
        into: the index of the first parent of each position.
        parents: the parents.
        out: receives parents of the first kind from its beginning on, and the others from its end.
    """
    first: Any = np.int64(0)
    behind: Any = np.int64(out.size)
    for k in range(found.size):
        i = np.int64(found[k])
        prefetch(state, np.int64(found[min(k + _AHEAD, found.size - 1)]))
        prefetch(into, np.int64(found[min(k + _AHEAD, found.size - 1)]))
        prefetch(parents, np.int64(into[np.int64(found[min(k + _AHEAD // 2, found.size - 1)])]))
        second = state[i] < 0
        if turns.size:
            second ^= turns[i] != 0
        begin, end = np.int64(into[i]), np.int64(into[i + 1])
        if second:
            behind -= end - begin
            for e in range(begin, end):
                out[behind + e - begin] = parents[e]
        else:
            for e in range(begin, end):
                out[first + e - begin] = parents[e]
            first += end - begin
    return first


@kernel
def count_messages(gathered: Any, first: int, shift: int, counts: Any) -> None:
    """Count the messages to each owner, of each kind.

    Args:
        gathered: the parents, as ``gather_parents`` writes them.
        first: the number of parents of the first kind.
        shift: the number of bits of a parent's number within its owner.
        counts: receives a count for each owner and each of two kinds.
    """
    for e in range(gathered.size):
        counts[2 * np.int64(gathered[e] >> np.uint32(shift)) + np.int64(e >= first)] += 1


@kernel
def put_messages(gathered: Any, first: int, shift: int, places: Any, out: Any) -> None:
    """Write the messages; see ``count_messages``.

    Args:
        gathered: the parents, as ``gather_parents`` writes them.
        first: the number of parents of the first kind.
        shift: the number of bits of a parent's number within its owner.
        places: the index of the next message to each owner, of each kind.
        out: receives the numbers of parents.
    """
    mask = np.uint32((1 << shift) - 1)
    for e in range(gathered.size):
        which = 2 * np.int64(gathered[e] >> np.uint32(shift)) + np.int64(e >= first)
        place = places[which]
        places[which] = place + 1
        out[place] = gathered[e] & mask
