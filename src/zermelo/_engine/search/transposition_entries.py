"""The transposition table: for each searched position, bounds of its value and a good move.

An entry contains all words of a position, so that no two positions are confused, and a note: the
bounds, the move and the work they cost. The note is in the unused bits of the last word if they are
enough for it, else in a word of its own; see ``form_of``. Four entries make a bucket. Three of them
are replaced only by results that cost at least as much; the last by any result.

Threads share a table without locks: the words of an entry are mixed with the one that has its note,
so that an entry made of the halves of two belongs to no position (Hyatt & Mann, "A lockless
transposition-table implementation for parallel search", 2002).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel, spliced
from zermelo._engine.core.memory import prefetch

#: Entries in a bucket.
WAYS = 4
#: Bounds are between -MOST and MOST; where the note has few bits, between -1 and 1.
MOST = (1 << 19) - 1
#: The code for no move, or for a move with too great a number.
NO_MOVE = (1 << 12) - 1

#: Bits of a bound, of the work and of a move; the fewest that a move may have.
_WIDE, _NARROW, _WORK, _MOVES, _FEW = 20, 2, 6, 12, 4

_HALF = np.uint64(32)
_ONE = np.uint64(1)
_ODD = np.uint64(0xD6E8FEB86659FD93)


def form_of(words: int, spare: int, *, narrow: bool) -> tuple[int, int, int, int]:
    """Return the words of an entry, the shift of its note, and the bits of a bound and of a move.

    Args:
        words: words of a position.
        spare: bits at the top of its last word that are always 0.
        narrow: whether all values are between -1 and 1.
    """
    bits = _NARROW if narrow else _WIDE
    left = spare - (1 + 2 * bits + _WORK)
    if left >= _FEW:
        return words, 64 - spare, bits, min(left, _MOVES)
    return words + 1, 0, bits, _MOVES


@spliced
def bucket_of(keys: Any, at: int, words: int, form: Any) -> Any:
    """Return the begin of a position's bucket; ``form`` is that of ``form_of`` and the buckets."""
    place = ((hash_of(keys, at, words) >> _HALF) * np.uint64(form[4])) >> _HALF
    return np.int64(place) * (form[0] * WAYS)


@spliced
def prefetch_bucket(table: Any, bucket: int, form: Any) -> None:
    """Prefetch a bucket into the cache."""
    prefetch(table, bucket)
    if form[0] > 2:
        prefetch(table, bucket + 8)
        prefetch(table, bucket + WAYS * form[0] - 1)


@spliced
def mixer(noted: Any) -> Any:
    """Return the number with which the other words of an entry are mixed."""
    mixed = noted * _ODD
    return mixed ^ (mixed >> _HALF)


@spliced
def matches_position(
    noted: Any, table: Any, place: int, keys: Any, at: int, words: int, form: Any
) -> bool:
    """Whether an entry, whose last word is ``noted``, belongs to a position."""
    under = (_ONE << np.uint64(form[1])) - _ONE
    if (noted ^ keys[at + words - 1]) & under != 0:
        return False
    mixed = mixer(noted)
    for word in range(form[0] - 1):
        if table[place + word] ^ mixed != keys[at + word]:
            return False
    return True


@spliced
def entry_of(table: Any, bucket: int, keys: Any, at: int, words: int, form: Any) -> Any:
    """Return the note of a position; 0 if it has no entry."""
    for way in range(WAYS):
        place = bucket + way * form[0]
        noted = table[place + form[0] - 1]
        note = noted >> np.uint64(form[1])
        if note != 0 and matches_position(noted, table, place, keys, at, words, form):
            return note
    return np.uint64(0)


@spliced
def low_of(note: Any, form: Any) -> Any:
    bits = np.uint64(form[2])
    least = (_ONE << (bits - _ONE)) - _ONE
    return np.int64((note >> _ONE) & ((_ONE << bits) - _ONE)) - np.int64(least)


@spliced
def high_of(note: Any, form: Any) -> Any:
    return low_of(note >> np.uint64(form[2]), form)


@spliced
def work_of(note: Any, form: Any) -> Any:
    return np.int64(note >> np.uint64(1 + 2 * form[2])) & ((1 << _WORK) - 1)


@spliced
def move_of(note: Any, form: Any) -> Any:
    none = (1 << form[3]) - 1
    move = np.int64(note >> np.uint64(1 + 2 * form[2] + _WORK)) & none
    return NO_MOVE if move == none else move


@spliced
def store(
    table: Any,
    keys: Any,
    at: int,
    words: int,
    low: int,
    high: int,
    move: int,
    work: int,
    form: Any,
) -> int:
    """Store bounds of a position; return 1 if that uses an empty entry, else 0."""
    stride, shift, bits = form[0], np.uint64(form[1]), form[2]
    none = (1 << form[3]) - 1
    if move < 0 or move > none:
        move = none
    # No test uses the greatest bound, so that clipped bounds are as good.
    most = (1 << (bits - 1)) - 1
    low, high = min(max(low, -most), most), min(max(high, -most), most)
    note = np.uint64(
        1
        | (low + most) << 1
        | (high + most) << (1 + bits)
        | work << (1 + 2 * bits)
        | move << (1 + 2 * bits + _WORK)
    )
    bucket = bucket_of(keys, at, words, form)
    worst: Any = bucket
    least: Any = np.int64(1 << 30)
    filled = 0
    for way in range(WAYS):
        place = bucket + way * stride
        noted = table[place + stride - 1]
        before = noted >> shift
        if before == 0:
            worst, filled = place, 1
            break
        if matches_position(noted, table, place, keys, at, words, form):
            worst = place
            break
        cost = work_of(before, form)
        if way < WAYS - 1:
            if cost < least:
                worst, least = place, cost
        elif work < least:
            worst = place
    noted = (note << shift) | (keys[at + words - 1] & ((_ONE << shift) - _ONE))
    mixed = mixer(noted)
    for word in range(stride - 1):
        table[worst + word] = keys[at + word] ^ mixed
    table[worst + stride - 1] = noted
    return filled


@kernel
def look_up(table: Any, keys: Any, words: int, form: Any, found: Any) -> None:
    """Write the table's bounds and good moves of positions.

    Args:
        table: the transposition table.
        keys: the packed positions.
        words: words of a position.
        form: the form of the table; see ``bucket_of``.
        found: bounds and good move of each position, updated if there is an entry.
    """
    for i in range(found.shape[0]):
        bucket = bucket_of(keys, i * words, words, form)
        note = entry_of(table, bucket, keys, i * words, words, form)
        if note != 0:
            found[i, 0], found[i, 1] = low_of(note, form), high_of(note, form)
            found[i, 2] = move_of(note, form)


@kernel
def spread_entries(table: Any, words: int, form: Any, before: int) -> int:
    """Move entries to their buckets in an enlarged table; return their number.

    Args:
        table: the table; only the first buckets have entries.
        words: words of a position.
        form: the form of the table; see ``bucket_of``.
        before: the number of buckets before.
    """
    stride = form[0]
    held = np.zeros(stride * WAYS, np.uint64)
    key = np.zeros(words, np.uint64)
    under = (_ONE << np.uint64(form[1])) - _ONE
    filled = 0
    # Entries only move to later buckets, so processing buckets backwards overwrites none.
    for bucket in range(before - 1, -1, -1):
        begin = bucket * stride * WAYS
        for i in range(stride * WAYS):
            held[i] = table[begin + i]
            table[begin + i] = 0
        for way in range(WAYS):
            noted = held[way * stride + stride - 1]
            note = noted >> np.uint64(form[1])
            if note == 0:
                continue
            key[words - 1] = noted & under
            mixed = mixer(noted)
            for word in range(stride - 1):
                key[word] = held[way * stride + word] ^ mixed
            filled += store(
                table,
                key,
                0,
                words,
                low_of(note, form),
                high_of(note, form),
                move_of(note, form),
                work_of(note, form),
                form,
            )
    return filled
