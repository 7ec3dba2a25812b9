"""Where to cut a table's positions into stretches that fit into memory, one after another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo._engine.sort.tags import Bits, count_between
from zermelo._store.indexes.given import GivenTable

#: Bits by which tags are counted at once, and the greatest tag.
_DIGITS, _MOST = 16, (1 << 64) - 1


def stretches(
    given: GivenTable, bits: Bits, room: int, rest: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Return stretches, from a tag to another, in ascending order, that all of the rest is in.

    Args:
        given: the table.
        bits: what its tags are made of; they fit a word.
        room: how many positions a stretch may have; it has more only where as many have one tag.
        rest: the least tag that is wanted, and how many positions there are from there on.
    """
    behind, count = rest
    if count <= room:
        return iter([(behind, _MOST)] * (count > 0))
    cut = _cut(given, bits, room, 0, bits.length)
    return ((max(low, behind), high) for low, high in cut if high >= behind)


def _cut(
    given: GivenTable, bits: Bits, room: int, low: int, length: int
) -> Iterator[tuple[int, int]]:
    """Cut the tags from ``low`` on, whose last ``length`` bits differ."""
    digits = min(length, _DIGITS)
    shift = length - digits
    high = low + (1 << length) - 1
    found = np.zeros(1 << digits, np.int64)
    for keys, chosen in given.chunks():
        ends = np.uint64(low), np.uint64(high)
        count_between(keys, bits.masks, chosen, bits.beside, *ends, shift, found)
    begin, held = low, 0
    for digit in np.flatnonzero(found).tolist():
        count = int(found[digit])
        here = low + (digit << shift)
        if held and held + count > room:
            yield begin, here - 1
            begin, held = here, 0
        if count > room and shift:
            yield from _cut(given, bits, room, here, shift)
            begin = here + (1 << shift)
        else:
            held += count
    if held:
        yield begin, high
