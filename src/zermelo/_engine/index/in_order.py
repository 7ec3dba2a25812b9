"""Scanning the positions of an index that is an array, in the order in which they stand there.

That is the order of packed positions, as the bits that may differ from 0 keep theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.bits import gather, scatter
from zermelo._engine.core.jit import kernel, light_kernel
from zermelo._engine.core.memory import on_stack, prefetch, put_eight_bytes

#: Places looked at together.
_LOOKED = 64
#: Positions that are listed at once.
_RUN = 256


@kernel
def begins_of(places: Any, size: int, out: Any) -> None:
    """Write where in an index each block of ``size`` positions begins."""
    count = 0
    block = 0
    for low in range(0, places.size, _LOOKED):
        high = min(low + _LOOKED, places.size)
        here = 0
        for at in range(low, high):
            here += places[at] != 0
        if block < out.size and count + here > block * size:
            for at in range(low, high):
                if places[at] != 0:
                    if block < out.size and count == block * size:
                        out[block] = at
                        block += 1
                    count += 1
        else:
            count += here


@kernel
def places_of(places: Any, used: Any, size: int, begins: Any, wanted: Any, out: Any) -> None:
    """Write how many positions of an index stand before each wanted one.

    Args:
        places: the index.
        used: the bits of a packed position that it is by.
        size: positions a block.
        begins: where each block begins.
        wanted: packed positions.
        out: receives the numbers.
    """
    for i in range(wanted.size):
        at = np.int64(gather(wanted[i], used))
        block = np.searchsorted(begins, at, side="right") - 1
        before = block * size
        for place in range(begins[block], at):
            before += places[place] != 0
        out[i] = before


@kernel
def put_together(
    stored: Any,
    least: int,
    listed: Any,
    turns: Any,
    steps: Any,
    beside: int,
    lowest: int,
    out: Any,
) -> None:
    """Write as one number what is said of each position, so that it is come by at once.

    Args:
        stored: margins by number.
        least: the least of them.
        listed: where each margin from the least on stands in a list, or empty.
        turns: whose turn it is by number, or empty.
        steps: ranks by number.
        beside: the bits that a margin takes.
        lowest: the lowest rank.
        out: receives for each position its rank less the lowest and, behind that, how far its
            margin is from the least, or where it stands; twice that and whose turn it is, where
            there are turns.
    """
    whose = turns.size > 0
    for i in range(stored.size):
        place = stored[i] - least
        if listed.size > 0:
            place = np.int64(listed[place])
        place = 2 * place + turns[i] if whose else place
        out[i] = np.uint64(steps[i] - lowest) << np.uint64(beside) | np.uint64(place)


@light_kernel
def list_blocks(
    places: Any,
    at: Any,
    used: Any,
    varying: Any,
    said: Any,
    beside: int,
    size: int,
    count: int,
    out: Any,
    first: Any,
    chosen: Any,
    wide: int,
    ranks: Any,
    rank_wide: int,
) -> None:
    """List positions in their order, with their margins and ranks, as a table's blocks hold them.

    Args:
        places: the index.
        at: where the first position stands in it.
        used: the bits of a packed position that it is by.
        varying: those of them that are not the same in all positions.
        said: what is said of positions by number; see ``put_together``.
        beside: the bits that a margin takes there.
        size: positions a block.
        count: positions to list.
        out: receives the numbers of positions.
        first: receives the first position of each block.
        chosen: receives margins as they stand in ``said``; bytes, with room for a word behind.
        wide: how many of them a margin takes.
        ranks: receives how far each rank is from the one before, likewise.
        rank_wide: how many bytes that takes.
    """
    numbers, inner = on_stack(_RUN, np.int64), gather(varying, used)
    low, shift = (np.uint64(1) << np.uint64(beside)) - np.uint64(1), np.uint64(beside)
    rank_before = np.uint64(0)
    begin = 0
    while begin < count:
        some = min(_RUN, size - begin % size, count - begin)
        new = begin % size == 0
        if new:
            rank_before = np.uint64(0)
        i = 0
        while i < some:  # first who is there, so that what is said of many is on its way at once
            number = np.int64(places[at]) - 1
            if number >= 0:
                prefetch(said, number)
                numbers[i] = number
                if new:
                    first[begin // size] = scatter(np.uint64(at), used)
                    new = False
                out[begin + i] = gather(np.uint64(at), inner)
                i += 1
            at += 1
        for i in range(some):  # what is too much is written over by the next
            here = np.uint64(said[numbers[i]])
            put_eight_bytes(chosen, wide * (begin + i), here & low)
            put_eight_bytes(ranks, rank_wide * (begin + i), (here >> shift) - rank_before)
            rank_before = here >> shift
        begin += some
