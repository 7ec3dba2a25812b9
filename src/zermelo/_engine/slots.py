"""Positions in slots, eight to a cache line: how those of a level are strewn, thinned and placed.

A position of up to 60 bits is mixed into as many bits, one to one. The first of them say its pile;
the others stand in the upper bits of its slot, so that slot and pile together give the position
back (Cleary, "Compact hash tables using bidirectional linear probing", IEEE Transactions on
Computers C-33(9), 1984). The lowest eight bits of the slot hold its value: to have found a
position is to have read its value, and both take one access to memory.

The slots of a pile are lines of eight. Its positions stand in ascending order, each in the line
its bits call home or, where that is full, in the next ones; so the same positions stand in the
same slots, whatever order they were found in. An empty slot is 0, and the last slot of each pile
is empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.bits import gather, scatter
from zermelo._engine.buckets import BLOCK, BLOCK_BITS, last_block
from zermelo._engine.jit import inlined, kernel
from zermelo._engine.memory import prefetch

#: Slots of a line, and their logarithm.
LINE, LINE_BITS = 8, 3
#: Bits of a slot that hold the value; 0 in them is an empty slot.
VALUE_BITS = 8
#: Of so many slots, this many are filled on average before lines overflow.
_SLOTS, _FILLED = 40, 32
#: Positions that are looked for at once.
_BATCH = 128

_MIX_A, _MIX_B = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9
_A, _B = np.uint64(_MIX_A), np.uint64(_MIX_B)
_UNDO_A = np.uint64(pow(_MIX_A, -1, 1 << 64))
_UNDO_B = np.uint64(pow(_MIX_B, -1, 1 << 64))
_ONE, _HALF, _64 = np.uint64(1), np.uint64(32), np.uint64(64)
_VALUE = np.uint64((1 << VALUE_BITS) - 1)


@inlined
def mix(key: Any, used: Any, free: Any) -> Any:
    """Return the bits of a key under ``used``, mixed, at the upper end of a word.

    Args:
        key: the packed position, which has no other bits.
        used: a mask.
        free: how many bits of a word it leaves out, at least 1.
    """
    half = (_64 - free + _ONE) >> _ONE
    word = gather(key, used)
    word = ((word ^ (word >> half)) * _A) << free >> free
    return ((word ^ (word >> half)) * _B) << free


@inlined
def unmix(mixed: Any, used: Any, free: Any) -> Any:
    """Return the key that ``mix`` made this of."""
    half = (_64 - free + _ONE) >> _ONE
    word = (mixed * _UNDO_B) >> free
    word = ((word ^ (word >> half)) * _UNDO_A) << free >> free
    return scatter(word ^ (word >> half), used)


@inlined
def _first_bits(word: Any, bits: Any) -> Any:
    """Return the first ``bits`` bits of a word, of which there may be none."""
    return np.int64((word >> _ONE) >> (np.uint64(63) - np.uint64(bits)))


@inlined
def _home(rest: Any, lines: Any) -> Any:
    """Return the line, of so many, in which a position with this rest is at home."""
    return np.int64(((rest >> _HALF) * np.uint64(lines)) >> _HALF)


def lines_for(positions: int) -> int:
    """Return how many lines so many positions of a pile are at home in."""
    return max(1, -(-positions * _SLOTS // (_FILLED * LINE)))


@kernel
def strew_rests(
    children: Any,
    levels: Any,
    count: int,
    level: int,
    used: Any,
    bits: int,
    pool: Any,
    links: Any,
    following: Any,
    blocks: int,
) -> tuple[Any, Any, Any]:
    """Put what slots hold of the positions of one level on their piles; see ``buckets``.

    Returns:
        The blocks used, how many positions are of the level, and whether all bits were under
        ``used``.
    """
    free = _64 - np.uint64(_count(used))
    outside = np.uint64(0)
    added = 0
    for i in range(count):
        if levels[i] != level:
            continue
        outside |= children[i] & ~used
        mixed = mix(children[i], used, free)
        pile = _first_bits(mixed, bits)
        place = following[pile]
        if place & (BLOCK - 1) == 0:
            links[blocks] = (place >> BLOCK_BITS) - 1
            place = blocks << BLOCK_BITS
            blocks += 1
        pool[place] = mixed << np.uint64(bits)
        prefetch(pool, place + LINE)
        following[pile] = place + 1
        added += 1
    return blocks, added, outside == np.uint64(0)


@inlined
def _count(used: Any) -> Any:
    bits = 0
    word = used
    while word != np.uint64(0):
        word &= word - _ONE
        bits += 1
    return bits


@kernel
def gather_rests(
    pile: int,
    pool: Any,
    links: Any,
    following: Any,
    into: Any,
    at: int,
    inner: int,
    places: Any,
) -> Any:
    """Copy a pile behind the first ``at`` of ``into``, and count it by its first bits.

    ``places[b + 1]`` grows by how many begin with the ``inner`` bits b. Returns the new end.
    """
    shift = np.uint64(64 - inner)
    block, fill = last_block(following[pile])
    while block >= 0:
        place = block * BLOCK
        for i in range(fill):
            rest = pool[place + i]
            into[at + i] = rest
            places[np.int64(rest >> shift) + 1] += 1
        at += fill
        fill = BLOCK
        block = links[block]
    return at


@kernel
def thin_rests(raw: Any, count: int, inner: int, places: Any, strewn: Any, out: Any) -> Any:
    """Leave each of the rests of a pile once, in ascending order.

    They are strewn over buckets, and each bucket, of about eight, is sorted by comparing all with
    all: there is nothing for the processor to guess in that.

    Args:
        raw: the pile, ``count`` rests.
        count: see there.
        inner: logarithm of the number of buckets, at least 1.
        places: how many are in each bucket, one place further; is overwritten.
        strewn: room for ``count`` rests.
        out: receives the different ones; room for ``count``.

    Returns:
        How many different ones there are.
    """
    buckets = 1 << inner
    shift = np.uint64(64 - inner)
    for bucket in range(buckets):
        places[bucket + 1] += places[bucket]
    for i in range(count):
        into = np.int64(raw[i] >> shift)
        strewn[places[into]] = raw[i]
        places[into] += 1
    kept = 0
    begin = np.int64(0)
    for bucket in range(buckets):
        end = np.int64(places[bucket])
        first = kept
        for i in range(begin, end):
            rest = strewn[i]
            same = 0
            for j in range(first, kept):
                same += out[j] == rest
            if same == 0:
                out[kept] = rest
                kept += 1
        for i in range(first, kept):
            less = 0
            for j in range(first, kept):
                less += out[j] < out[i]
            strewn[begin + less] = out[i]
        for i in range(kept - first):
            out[first + i] = strewn[begin + i]
        begin = end
    return kept


@kernel
def place_rests(rests: Any, count: int, lines: int, slots: Any, first: int) -> Any:
    """Put ascending rests in slots from line ``first``, all of them empty; return the lines taken.

    Args:
        rests: what is left of the positions of a pile.
        count: how many, all different.
        lines: in how many lines they are at home.
        slots: receives them.
        first: see above.
    """
    begin = first << LINE_BITS
    at = begin
    for i in range(count):
        at = max(at, begin + (_home(rests[i], lines) << LINE_BITS))
        slots[at] = rests[i] | _ONE
        at += 1
    return max(lines, (at + LINE - begin) >> LINE_BITS)


@inlined
def _pile_at(line: Any, directory: Any, first: Any, last: Any) -> Any:
    """Return which of the piles ``first`` to ``last`` - 1 has a line."""
    while last - first > 1:
        middle = (first + last) >> 1
        if directory[2 * middle] <= line:
            first = middle
        else:
            last = middle
    return first


@inlined
def _position(word: Any, pile: Any, bits: Any, used: Any, free: Any) -> Any:
    """Return the packed position that stands in a slot of a pile of its level."""
    # Twice, so that it may be shifted by all 64 bits.
    top = (np.uint64(pile) << np.uint64(63 - bits)) << _ONE
    return unmix(top | ((word & ~_VALUE) >> np.uint64(bits)), used, free)


@kernel
def positions_of(
    slots: Any,
    begin: int,
    end: int,
    directory: Any,
    first: int,
    bits: int,
    used: Any,
    keys: Any,
    places: Any,
) -> Any:
    """Write the packed positions of filled slots, and which slots they are.

    Args:
        slots: all slots.
        begin: the first one, of a level.
        end: the end of them, on the same level.
        directory: the first line of each pile, and in how many lines its positions are at home.
        first: the level's first pile.
        bits: logarithm of the number of its piles.
        used: the bits of keys.
        keys: receives the positions.
        places: receives their slots.

    Returns:
        How many there are.
    """
    free = _64 - np.uint64(_count(used))
    last = first + (1 << bits)
    pile = _pile_at(begin >> LINE_BITS, directory, first, last)
    count = 0
    at = begin
    while at < end:
        stop = end
        if pile + 1 < last:
            stop = min(end, directory[2 * pile + 2] << LINE_BITS)
        for slot in range(at, stop):
            word = slots[slot]
            keys[count] = _position(word, pile - first, bits, used, free)
            places[count] = slot
            count += word != np.uint64(0)
        at = stop
        pile += 1
    return count


@inlined
def _in_line(slots: Any, line: Any, rest: Any) -> Any:
    """Return the value that stands in a line with a rest, 0 where it is not there.

    All slots at once, without a branch to guess wrong. What differs from the rest in the bits of
    the value alone is the position, and the difference its value.
    """
    value = np.uint64(0)
    for j in range(LINE):
        difference = slots[line + np.uint64(j)] ^ rest
        if difference - _ONE < _VALUE:
            value = difference
    return value


@kernel
def find_slots(
    wanted: Any,
    levels: Any,
    count: int,
    lowest: int,
    level_bits: Any,
    level_piles: Any,
    directory: Any,
    used: Any,
    slots: Any,
    where: Any,
    places: Any,
    values: Any,
) -> Any:
    """Find ``count`` packed positions of known levels.

    Args:
        wanted: the positions.
        levels: the level of each.
        count: how many.
        lowest: the level of the first entry of the next two arrays.
        level_bits: logarithm of the number of piles of each level, -1 where it is empty.
        level_piles: the first pile of each level.
        directory: see ``positions_of``.
        used: the bits of keys.
        slots: all slots.
        where: whether to say where they are.
        places: receives the slot of each, or where to begin to look for it; -1 for one that is
            not there.
        values: receives the value that stands there, 0 for one that is not there.

    Returns:
        How many were found.
    """
    free = _64 - np.uint64(_count(used))
    rests = np.empty(_BATCH, np.uint64)
    waiting = np.empty(_BATCH + 1, np.int64)
    found = 0
    for begin in range(0, count, _BATCH):
        end = min(begin + _BATCH, count)
        for i in range(begin, end):
            level = levels[i] - lowest
            places[i] = -1
            rests[i - begin] = np.uint64(0)
            if 0 <= level < level_bits.size and level_bits[level] >= 0:
                bits = level_bits[level]
                mixed = mix(wanted[i], used, free)
                pile = level_piles[level] + _first_bits(mixed, bits)
                rest = mixed << np.uint64(bits)
                if wanted[i] & ~used == np.uint64(0):
                    rests[i - begin] = rest
                    line = directory[2 * pile] + _home(rest, directory[2 * pile + 1])
                    places[i] = line << LINE_BITS
                    prefetch(slots, line << LINE_BITS)
        # First the line each is at home in; then, for those that are not there, the next ones.
        left = 0
        for i in range(begin, end):
            place = places[i]
            value = _in_line(slots, np.uint64(max(place, 0)), rests[i - begin])
            value = value if place >= 0 else np.uint64(0)
            values[i] = value
            waiting[left] = i
            left += value == np.uint64(0)
        missing = 0
        while left > 0:
            still = 0
            for n in range(left):
                i = waiting[n]
                if places[i] >= 0:
                    places[i] += LINE
                    prefetch(slots, places[i])
            for n in range(left):
                i = waiting[n]
                line = np.uint64(places[i])
                if places[i] < 0 or slots[line - _ONE] == np.uint64(0):  # the last was not full
                    places[i] = -1
                    missing += 1
                    continue
                value = _in_line(slots, line, rests[i - begin])
                values[i] = value
                waiting[still] = i
                still += value == np.uint64(0)
            left = still
        found += end - begin - missing
        if where:
            for i in range(begin, end):
                if values[i] != 0:
                    word = rests[i - begin] | np.uint64(values[i])
                    while slots[places[i]] != word:
                        places[i] += 1
    return found


@kernel
def positions_at(
    slots: Any, places: Any, directory: Any, firsts: Any, logarithms: Any, used: Any, keys: Any
) -> None:
    """Write the packed positions at some places, quickest where those are in order.

    Args:
        slots: all slots.
        places: filled ones.
        directory: the first line of each pile, and in how many lines its positions are at home.
        firsts: for each pile, the first one of its level.
        logarithms: for each pile, the logarithm of the number of piles of its level.
        used: the bits of keys.
        keys: receives the positions.
    """
    free = _64 - np.uint64(_count(used))
    piles = firsts.size
    pile = 0
    for i in range(places.size):
        line = places[i] >> LINE_BITS
        if line < directory[2 * pile] or (pile + 1 < piles and line >= directory[2 * pile + 2]):
            pile = _pile_at(line, directory, 0, piles)
        keys[i] = _position(slots[places[i]], pile - firsts[pile], logarithms[pile], used, free)
