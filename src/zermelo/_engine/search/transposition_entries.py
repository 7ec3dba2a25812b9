"""The transposition table: for each searched position, bounds of its value and a good move.

An entry contains all words of a position, so that no two positions are confused, and a note: the
bounds, the move and the work they cost. The note is in the unused bits of the last word if they are
enough for it, else in a word of its own; see ``form_of``. Four entries make a bucket. Three of them
are replaced only by results that cost at least as much; the last by any result.

Threads share a table without locks: each word of an entry is stored as its exclusive or with a hash
of the word that has the note. So an entry that is half of one and half of another belongs to no
position (Hyatt & Mann, "A lockless transposition-table implementation for parallel search", 2002).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel, light_spliced
from zermelo._engine.core.memory import prefetch

#: Entries in a bucket.
BUCKET_ENTRIES = 4
#: Bounds are between -MOST and MOST; where the note has few bits, between -1 and 1.
MOST = (1 << 19) - 1
#: The code for no move, or for a move with too great a number.
NO_MOVE = (1 << 12) - 1

#: Bits of a bound, of the work and of a move; the fewest that a move may have.
_WIDE_BITS, NARROW_BITS, _WORK_BITS, _MOVE_BITS, _LEAST_MOVE_BITS = 20, 2, 6, 12, 4

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
    bits = NARROW_BITS if narrow else _WIDE_BITS
    left_bits = spare - (1 + 2 * bits + _WORK_BITS)
    if left_bits >= _LEAST_MOVE_BITS:
        return words, 64 - spare, bits, min(left_bits, _MOVE_BITS)
    return words + 1, 0, bits, _MOVE_BITS


@light_spliced
def bucket_of(
    keys: Uint64Array, offset: int, words: int, form: tuple[int, int, int, int, int]
) -> Any:
    """Return the begin of a position's bucket; ``form`` is that of ``form_of`` and the buckets."""
    place = ((hash_of(keys, offset, words) >> _HALF) * np.uint64(form[4])) >> _HALF
    return np.int64(place) * (form[0] * BUCKET_ENTRIES)


@light_spliced
def prefetch_bucket(table: Uint64Array, bucket: int, form: tuple[int, int, int, int, int]) -> None:
    """Prefetch a bucket into the cache."""
    prefetch(table, bucket)
    if form[0] > 2:
        prefetch(table, bucket + 8)
        prefetch(table, bucket + BUCKET_ENTRIES * form[0] - 1)


@light_spliced
def mixer(last_word: np.uint64) -> np.uint64:
    """Return the number by which the other words of an entry are changed (exclusive or)."""
    product = last_word * _ODD
    return product ^ (product >> _HALF)


@light_spliced
def matches_position(
    last_word: np.uint64,
    table: Uint64Array,
    place: int,
    keys: Uint64Array,
    offset: int,
    words: int,
    form: tuple[int, int, int, int, int],
) -> bool:
    """Whether an entry, whose last word is ``last_word``, belongs to a position."""
    position_bits = (_ONE << np.uint64(form[1])) - _ONE
    if (last_word ^ keys[offset + words - 1]) & position_bits != 0:
        return False
    mix = mixer(last_word)
    for word in range(form[0] - 1):
        if table[place + word] ^ mix != keys[offset + word]:
            return False
    return True


@light_spliced
def entry_of(
    table: Uint64Array,
    bucket: int,
    keys: Uint64Array,
    offset: int,
    words: int,
    form: tuple[int, int, int, int, int],
) -> Any:
    """Return the note of a position; 0 if it has no entry."""
    for slot in range(BUCKET_ENTRIES):
        place = bucket + slot * form[0]
        last_word = table[place + form[0] - 1]
        note = last_word >> np.uint64(form[1])
        if note != 0 and matches_position(last_word, table, place, keys, offset, words, form):
            return note
    return np.uint64(0)


@light_spliced
def low_of(note: np.uint64, form: tuple[int, int, int, int, int]) -> Any:
    bits = np.uint64(form[2])
    least = (_ONE << (bits - _ONE)) - _ONE
    return np.int64((note >> _ONE) & ((_ONE << bits) - _ONE)) - np.int64(least)


@light_spliced
def high_of(note: np.uint64, form: tuple[int, int, int, int, int]) -> Any:
    return low_of(note >> np.uint64(form[2]), form)


@light_spliced
def work_of(note: np.uint64, form: tuple[int, int, int, int, int]) -> Any:
    return np.int64(note >> np.uint64(1 + 2 * form[2])) & ((1 << _WORK_BITS) - 1)


@light_spliced
def move_of(note: np.uint64, form: tuple[int, int, int, int, int]) -> Any:
    no_move = (1 << form[3]) - 1
    move = np.int64(note >> np.uint64(1 + 2 * form[2] + _WORK_BITS)) & no_move
    return NO_MOVE if move == no_move else move


@light_spliced
def store(
    table: Uint64Array,
    keys: Uint64Array,
    offset: int,
    words: int,
    low: int,
    high: int,
    move: int,
    work: int,
    form: tuple[int, int, int, int, int],
) -> int:
    """Store bounds of a position; return 1 if that uses an empty entry, else 0."""
    stride, shift, bits = form[0], np.uint64(form[1]), form[2]
    no_move = (1 << form[3]) - 1
    if move < 0 or move > no_move:
        move = no_move
    # No test uses the greatest bound, so that clipped bounds are as good.
    most = (1 << (bits - 1)) - 1
    low, high = min(max(low, -most), most), min(max(high, -most), most)
    note = np.uint64(
        1
        | (low + most) << 1
        | (high + most) << (1 + bits)
        | work << (1 + 2 * bits)
        | move << (1 + 2 * bits + _WORK_BITS)
    )
    bucket = bucket_of(keys, offset, words, form)
    worst: Any = bucket
    least_cost: Any = np.int64(1 << 30)
    filled = 0
    for slot in range(BUCKET_ENTRIES):
        place = bucket + slot * stride
        last_word = table[place + stride - 1]
        old_note = last_word >> shift
        if old_note == 0:
            worst, filled = place, 1
            break
        if matches_position(last_word, table, place, keys, offset, words, form):
            worst = place
            break
        cost = work_of(old_note, form)
        if slot < BUCKET_ENTRIES - 1:
            if cost < least_cost:
                worst, least_cost = place, cost
        elif work < least_cost:
            worst = place
    last_word = (note << shift) | (keys[offset + words - 1] & ((_ONE << shift) - _ONE))
    mix = mixer(last_word)
    for word in range(stride - 1):
        table[worst + word] = keys[offset + word] ^ mix
    table[worst + stride - 1] = last_word
    return filled


@kernel
def look_up(
    table: Uint64Array,
    keys: Uint64Array,
    words: int,
    form: tuple[int, int, int, int, int],
    facts: Int64Array,
) -> None:
    """Write the table's bounds and good moves of positions.

    Args:
        table: the transposition table.
        keys: the packed positions.
        words: words of a position.
        form: the form of the table; see ``bucket_of``.
        facts: bounds and good move of each position, updated if there is an entry.
    """
    for i in range(facts.shape[0]):
        bucket = bucket_of(keys, i * words, words, form)
        note = entry_of(table, bucket, keys, i * words, words, form)
        if note != 0:
            facts[i, 0], facts[i, 1] = low_of(note, form), high_of(note, form)
            facts[i, 2] = move_of(note, form)


@kernel
def spread_entries(
    table: Uint64Array, words: int, form: tuple[int, int, int, int, int], old_buckets: int
) -> int:
    """Move entries to their buckets in an enlarged table; return their number.

    Args:
        table: the table; only the first buckets have entries.
        words: words of a position.
        form: the form of the table; see ``bucket_of``.
        old_buckets: the number of buckets before.
    """
    stride = form[0]
    old_entries = np.zeros(stride * BUCKET_ENTRIES, np.uint64)
    key = np.zeros(words, np.uint64)
    position_bits = (_ONE << np.uint64(form[1])) - _ONE
    filled = 0
    # Entries only move to later buckets, so processing buckets backwards overwrites none.
    for bucket in range(old_buckets - 1, -1, -1):
        begin = bucket * stride * BUCKET_ENTRIES
        for i in range(stride * BUCKET_ENTRIES):
            old_entries[i] = table[begin + i]
            table[begin + i] = 0
        for slot in range(BUCKET_ENTRIES):
            last_word = old_entries[slot * stride + stride - 1]
            note = last_word >> np.uint64(form[1])
            if note == 0:
                continue
            key[words - 1] = last_word & position_bits
            mix = mixer(last_word)
            for word in range(stride - 1):
                key[word] = old_entries[slot * stride + word] ^ mix
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
