"""Kernels that sort moves by the owner of their child, and transpose them."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import (
    BoolArray,
    IntArray,
    Uint16Array,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel

#: The bit of a source that marks the first of a new child, and the most positions of a range.
FIRST, MOST_SOURCES = 1 << 15, 1 << 15


@inlined
def _owner_of(mixed: np.uint64, bits: int) -> Any:
    """Return the owner: the last bits of a hash, as an owner's hash table uses the first ones."""
    return np.int64(mixed & np.uint64((1 << bits) - 1))


@kernel
def by_owner(
    keys: Any,
    sources: IntArray,
    count: int,
    words: int,
    bits: int,
    ends: IntArray,
    out: Uint64Array,
    out_sources: IntArray,
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
def mark_firsts(keys: Any, words: int, sources: Any) -> None:
    """Mark the first source of each child; several sources in a row may lead to one child."""
    for i in range(sources.size):
        if i == 0 or not same_key(keys, i * words, keys, (i - 1) * words, words):
            sources[i] |= np.uint16(FIRST)


@kernel
def count_parents(
    places: IntArray, sources: Uint16Array, begin: int, decided: BoolArray, into: IntArray
) -> None:
    """Count the parents of positions, each count two places after its position.

    Args:
        places: the places of the children of a list.
        sources: the sources that lead to them, child by child.
        begin: the place of source 0.
        decided: whether each position is decided, and no parent any more; empty if none is.
        into: receives the counts.
    """
    child = np.int64(-1)
    for e in range(sources.size):
        child += np.int64(sources[e]) >> 15
        if decided.size == 0 or not decided[begin + (np.int64(sources[e]) & (FIRST - 1))]:
            into[np.int64(places[child]) + 2] += 1


@kernel
def put_parents(
    places: IntArray,
    sources: Uint16Array,
    begin: int,
    decided: BoolArray,
    into: IntArray,
    parents: Uint32Array,
) -> None:
    """Write the parents of positions; see ``count_parents``.

    Args:
        places: the places of the children of a list.
        sources: the sources that lead to them.
        begin: the place of source 0.
        decided: whether each position is decided, and no parent any more; empty if none is.
        into: the index where the next parent of each child goes, one place later.
        parents: receives the parents.
    """
    child = np.int64(-1)
    for e in range(sources.size):
        child += np.int64(sources[e]) >> 15
        parent = begin + (np.int64(sources[e]) & (FIRST - 1))
        if decided.size == 0 or not decided[parent]:
            place = np.int64(places[child]) + 1
            index = np.int64(into[place])
            into[place] = index + 1
            parents[index] = parent
