"""Positions in slots, eight to a cache line: scattered, deduplicated and placed for each level.

A position of up to 60 bits is mixed into as many bits, one to one. The first of them are its
partition; the others are the upper bits of its slot, so that slot and partition together determine
the position (Cleary, "Compact hash tables using bidirectional linear probing", IEEE Transactions on
Computers C-33(9), 1984). The lowest eight bits of the slot are its value: finding a position reads
its value too, in one access to memory.

The slots of a partition are lines of eight. Its positions are in ascending order, each in the home
line that its bits determine or, if that is full, in the next lines. So equal sets of positions fill
equal slots, whatever order they were found in. An empty slot is 0, and the last slot of each
partition is empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column import codes
from zermelo._engine.column.codes import LAST, TIES, UNKNOWN
from zermelo._engine.column.value_operations import outcome_of_child
from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.bits import gather, scatter
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.sort.buckets import BLOCK, BLOCK_BITS, last_block
from zermelo._engine.sort.deduplicate import sort_few
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: Slots per line, and their logarithm.
LINE, LINE_BITS = 8, 3
#: The bits of a slot that contain the value; 0 in them is an empty slot.
VALUE_BITS = 8
#: Lines are allocated so that ``_FILLED`` of ``_SLOTS`` slots are filled on average.
_SLOTS, _FILLED = 40, 32

#: The greatest remoteness that a byte can express.
MOST_REMOTE = 62
#: The least byte of losses, and the greatest of ties and wins.
_LOSS, _TIE, _WIN = 1, 1 + 2 * (MOST_REMOTE + 1), 255

_MIX_A, _MIX_B = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9
_A, _B = np.uint64(_MIX_A), np.uint64(_MIX_B)
_UNDO_A = np.uint64(pow(_MIX_A, -1, 1 << 64))
_UNDO_B = np.uint64(pow(_MIX_B, -1, 1 << 64))
_ONE, _HALF, _64 = np.uint64(1), np.uint64(32), np.uint64(64)
VALUE = np.uint64((1 << VALUE_BITS) - 1)


@inlined
def mix(key: np.uint64, used: np.uint64, free: np.uint64) -> np.uint64:
    """Return the bits of a key under ``used``, mixed, at the upper end of a word.

    Args:
        key: the packed position, which has no other bits.
        used: a mask.
        free: the number of bits of a word that the mask leaves out, at least 1.
    """
    half = (_64 - free + _ONE) >> _ONE
    word = gather(key, used)
    word = ((word ^ (word >> half)) * _A) << free >> free
    return ((word ^ (word >> half)) * _B) << free


@inlined
def unmix(mixed: np.uint64, used: np.uint64, free: np.uint64) -> np.uint64:
    """Return the key that ``mix`` maps to ``mixed``."""
    return scatter(unmix_bits(mixed, free), used)


@inlined
def unmix_bits(mixed: np.uint64, free: np.uint64) -> np.uint64:
    """Return the bits of the key that ``mix`` maps to ``mixed``, compacted to the right."""
    half = (_64 - free + _ONE) >> _ONE
    word = (mixed * _UNDO_B) >> free
    word = ((word ^ (word >> half)) * _UNDO_A) << free >> free
    return word ^ (word >> half)


@inlined
def first_bits(word: np.uint64, bits: int) -> Any:
    """Return the first ``bits`` bits of a word; ``bits`` may be 0."""
    return np.int64((word >> _ONE) >> (np.uint64(63) - np.uint64(bits)))


@inlined
def home(rest: np.uint64, lines: int) -> Any:
    """Return the home line, among ``lines``, of a position with this rest."""
    return np.int64(((rest >> _HALF) * np.uint64(lines)) >> _HALF)


def most_lines(positions: int, partitions: int) -> int:
    """Return the largest number of lines for ``positions`` positions in ``partitions`` parts."""
    return positions * _SLOTS // (_FILLED * LINE) + positions // LINE + 4 * partitions


def lines_for(positions: int) -> int:
    """Return the number of home lines for ``positions`` positions of a partition."""
    return max(1, -(-positions * _SLOTS // (_FILLED * LINE)))


@kernel
def scatter_remainders(
    children: Uint64Array,
    levels: Int64Array,
    count: int,
    level: int,
    used: np.uint64,
    bits: int,
    pool: Uint64Array,
    links: Int64Array,
    following: Int64Array,
    blocks: int,
) -> tuple[int, int, int]:
    """Scatter the remainders of the positions of one level into partitions; see ``buckets``.

    Returns:
        The number of blocks, the number of positions of the level, and whether all their bits were
        under ``used``.
    """
    free = _64 - np.uint64(count_of(used))
    outside = np.uint64(0)
    added = 0
    for i in range(count):
        if levels[i] != level:
            continue
        outside |= children[i] & ~used
        mixed = mix(children[i], used, free)
        partition = first_bits(mixed, bits)
        place = following[partition]
        if place & (BLOCK - 1) == 0:
            links[blocks] = (place >> BLOCK_BITS) - 1
            place = blocks << BLOCK_BITS
            blocks += 1
        pool[place] = mixed << np.uint64(bits)
        prefetch(pool, place + LINE)
        following[partition] = place + 1
        added += 1
    return blocks, added, outside == np.uint64(0)


@inlined
def count_of(used: np.uint64) -> int:
    """Return the number of bits of a mask."""
    bits = 0
    word = used
    while word != np.uint64(0):
        word &= word - _ONE
        bits += 1
    return bits


@kernel
def gather_rests(
    partition: int,
    pool: Uint64Array,
    links: Int64Array,
    following: Int64Array,
    into: Uint64Array,
    at: int,
    inner: int,
    places: Uint32Array,
) -> int:
    """Append a partition to the first ``at`` elements of ``into``, and count it by first bits.

    ``places[b + 1]`` grows by the number of rests that begin with the ``inner`` bits b. Returns the
    new count.
    """
    shift = np.uint64(64 - inner)
    block, fill = last_block(following[partition])
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
def deduplicate_remainders(
    raw: Uint64Array,
    count: int,
    inner: int,
    places: Uint32Array,
    scattered: Uint64Array,
    out: Uint64Array,
) -> int:
    """Deduplicate the remainders of a partition, in ascending order.

    They are scattered over buckets, and each bucket, with about eight remainders, is sorted by
    comparing all with all, which has no branches to mispredict.

    Args:
        raw: the partition, ``count`` remainders.
        count: the number of remainders.
        inner: logarithm of the number of buckets, at least 1.
        places: the number of remainders of each bucket, one place later; is overwritten.
        scattered: a buffer for ``count`` remainders.
        out: receives the distinct remainders; as long as ``count``.

    Returns:
        The number of distinct remainders.
    """
    buckets = 1 << inner
    shift = np.uint64(64 - inner)
    for bucket in range(buckets):
        places[bucket + 1] += places[bucket]
    for i in range(count):
        into = np.int64(raw[i] >> shift)
        scattered[places[into]] = raw[i]
        places[into] += 1
    done = 0
    begin = np.int64(0)
    for bucket in range(buckets):
        end = np.int64(places[bucket])
        done = sort_few(scattered, begin, end, out, done)
        begin = end
    return done


@kernel
def lines_taken(remainders: Uint64Array, count: int, lines: int) -> np.int64:
    """Return the number of lines that ``place_remainders`` fills."""
    at = np.int64(0)
    for i in range(count):
        at = max(at, home(remainders[i], lines) << LINE_BITS) + 1
    return max(np.int64(lines), (at + LINE) >> LINE_BITS)


@kernel
def place_remainders(
    remainders: Uint64Array, count: int, lines: int, slots: Uint64Array, first: int
) -> None:
    """Store ascending remainders in empty slots, from line ``first`` on.

    Args:
        remainders: the remainders of the positions of a partition.
        count: the number of remainders, all distinct.
        lines: the number of their home lines.
        slots: receives the remainders.
        first: the first line.
    """
    begin = first << LINE_BITS
    at = begin
    for i in range(count):
        at = max(at, begin + (home(remainders[i], lines) << LINE_BITS))
        slots[at] = remainders[i] | _ONE
        at += 1


# -- look-ups -------------------------------------------------------------------------------------


@inlined
def _value_in_line(
    slots: Uint64Array, line: np.uint64, rest: np.uint64, most: np.uint64
) -> np.uint64:
    """Return the value that is stored with a rest in a line, or 0 if the rest is not there.

    All slots are compared, without a branch that could be mispredicted. A slot that differs from
    the rest in the bits of the value alone has the position, and the difference is its value.
    """
    value = np.uint64(0)
    for j in range(LINE):
        difference = slots[line + np.uint64(j)] ^ rest
        if difference - _ONE < most:
            value = difference
    return value


@inlined
def probe_lines(
    slots: Uint64Array,
    lines: Int64Array,
    rests: Uint64Array,
    values: IntArray,
    waiting: Int64Array,
    size: int,
    most: np.uint64,
) -> int:
    """Look up a batch of rests: first the home line of each, then the next lines.

    Args:
        slots: all slots; home lines should have been prefetched.
        lines: the first slot of each home line, -1 for a position without one; receives the first
            slot of the line that has the rest, -1 if none has.
        rests: the rests, whose bits for the value are 0.
        values: receives the value of each, 0 for an absent rest.
        waiting: a buffer of a number more than rests.
        size: the number of rests.
        most: the greatest value.

    Returns:
        The number of absent rests.
    """
    left = 0
    for i in range(size):
        value = _value_in_line(slots, np.uint64(max(lines[i], 0)), rests[i], most)
        value = value if lines[i] >= 0 else np.uint64(0)
        values[i] = value
        waiting[left] = i
        left += value == np.uint64(0)
    missing = 0
    while left > 0:
        still = 0
        for n in range(left):
            i = waiting[n]
            if lines[i] >= 0:
                lines[i] += LINE
                prefetch(slots, lines[i])
        for n in range(left):
            i = waiting[n]
            line = np.uint64(lines[i])
            if lines[i] < 0 or slots[line - _ONE] == np.uint64(0):  # the last was not full
                lines[i] = -1
                missing += 1
                continue
            value = _value_in_line(slots, line, rests[i], most)
            values[i] = value
            waiting[still] = i
            still += value == np.uint64(0)
        left = still
    return missing


# -- values ---------------------------------------------------------------------------------------


def _unfolded() -> Int32Array:
    """Return the codes of bytes, which have the same order; 0 for a byte without a code."""
    found = np.zeros(256, np.int32)
    for remoteness in range(MOST_REMOTE + 1):
        found[_LOSS + remoteness] = codes.encode(-1, remoteness)
        found[_TIE - remoteness] = codes.encode(0, remoteness)
        found[_WIN - remoteness] = codes.encode(1, remoteness)
    return found


def _seen_from_below(*, same_mover: bool) -> Uint8Array:
    """Return the value of a move to a position with each byte, as a byte."""
    seen = np.zeros(256, np.uint8)
    for byte in np.flatnonzero(UNFOLDED).tolist():
        code = WIN_DRAW_LOSS.of_move(int(UNFOLDED[byte]), same_mover=same_mover)
        here = np.flatnonzero(code == UNFOLDED)
        if len(here):
            seen[byte] = here[0]
    return seen


#: The codes of values stored in a byte, and the values of moves to positions with such bytes: for
#: the other player, and for the same player.
UNFOLDED = _unfolded()
SEEN = np.stack([_seen_from_below(same_mover=same) for same in (False, True)])


@inlined
def _folded(code: int) -> Any:
    """Return the byte of a terminal position's code, or the least byte for UNKNOWN."""
    byte = np.uint8(_LOSS)
    byte = np.uint8(_TIE) if code == TIES else byte
    return np.uint8(_WIN) if code == LAST else byte


@kernel
def decide_slots(
    places: Int64Array,
    begin: int,
    done: int,
    ends: Int32Array,
    terminal: Int32Array,
    numbers: Int64Array,
    values: Uint8Array,
    seen: Uint8Array,
    turns: Uint8Array,
    slots: Uint64Array,
    stored: Int32Array,
) -> None:
    """Decide expanded positions from their children, which are all decided.

    Args:
        places: the slots of the expanded positions, from entry ``begin`` on.
        begin: the first entry of ``places``.
        done: the number of expanded positions.
        ends: the index after the last child of each.
        terminal: codes of those that are terminal, UNKNOWN for the others.
        numbers: the slots of the children.
        values: the values stored in these slots.
        seen: ``SEEN``.
        turns: the player to move by slot, or empty if the players strictly alternate.
        slots: receives the values.
        stored: receives the values instead, unless it is empty.
    """
    alternate = turns.size == 0
    edge = 0
    if stored.size > 0:
        for i in range(done):
            place = places[begin + i]
            best = np.int64(terminal[i])
            if best == UNKNOWN:
                best = np.int64(-LAST)
            while edge < ends[i]:
                same = (not alternate) and turns[numbers[edge]] == turns[place]
                best = max(best, outcome_of_child(np.int64(stored[numbers[edge]]), same, 0, 0))
                edge += 1
            stored[place] = best
        return
    for i in range(done):
        place = places[begin + i]
        worth = _folded(terminal[i])
        while edge < ends[i]:
            same = (not alternate) and turns[numbers[edge]] == turns[place]
            worth = max(worth, seen[np.intp(same), values[edge]])
            edge += 1
        slots[place] = (slots[place] & ~VALUE) | np.uint64(worth)
