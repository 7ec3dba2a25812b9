"""Kernels of dense spaces: moves in buckets, their transposition, rounds and tiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column.codes import LAST, TIES, UNKNOWN
from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    IntArray,
    Integer,
    Uint8Array,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.bits import lowest
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import exchange, prefetch
from zermelo._engine.index.directory import number_in

#: Moves in a chunk of a bucket; see ``move_buckets``.
CHUNK_MOVES = 1 << 12
#: Notes of terminal positions; the note of another position is its number of moves.
WON, TIED, LOST = -1, -2, -3
#: Notes of known targets, to which the player to move is added.
_KNOWN_WIN, _KNOWN_LOSS = 2, 4
_AHEAD = 24
_ONE, _ZERO, _WITHIN = np.uint64(1), np.uint64(0), np.uint64(31)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


@kernel
def record_notes(ends: IntArray, values: IntArray, notes: Int32Array) -> Any:
    """Write a note for each expanded position; return the most moves of a position."""
    previous_end: Any = np.int64(0)
    most: Any = np.int64(0)
    for i in range(notes.size):
        end = np.int64(ends[i])
        value = np.int64(values[i])
        note = end - previous_end
        if value != UNKNOWN:
            note = WON if value == LAST else (TIED if value == TIES else LOST)
        most = max(most, note)
        notes[i] = note
        previous_end = end
    return most


@kernel
def store_moves(
    ends: IntArray,
    slots: Int64Array,
    first_source: int,
    width: int,
    words: Uint32Array,
    links: Int32Array,
    chunks: Int64Array,
    bucket_ends: Int64Array,
    marks: Int32Array,
    counts: Int64Array,
) -> None:
    """Store moves in buckets; see ``move_buckets``.

    Args:
        ends: the cumulative number of moves of each source.
        slots: the slots that moves lead to.
        first_source: the index of the first source.
        width: the logarithm of the slots in a bucket.
        words: receives moves and marks, in chunks.
        links: receives the chunk before each in its bucket.
        chunks: the number of chunks, in an array.
        bucket_ends: by bucket: the index after its last number.
        marks: by bucket: its last mark.
        counts: by bucket: the moves in full chunks, less the number of marks.
    """
    within = (1 << width) - 1
    per_mark = (1 << (32 - width)) - 1
    edge = 0
    for i in range(ends.size):
        mark = (first_source + i) // per_mark
        upper = (first_source + i - mark * per_mark) << width
        while edge < ends[i]:
            slot = np.int64(slots[edge])
            bucket = slot >> width
            at = bucket_ends[bucket]
            if marks[bucket] != mark:
                if at & (CHUNK_MOVES - 1) == 0:
                    at = _begin_chunk(bucket, at, links, chunks, counts)
                words[at] = np.uint32(per_mark << width | mark)
                at += 1
                marks[bucket] = mark
                counts[bucket] -= 1
            if at & (CHUNK_MOVES - 1) == 0:
                at = _begin_chunk(bucket, at, links, chunks, counts)
            words[at] = np.uint32(upper | (slot & within))
            bucket_ends[bucket] = at + 1
            edge += 1


@inlined
def _begin_chunk(
    bucket: Integer, at: Integer, links: Int32Array, chunks: Int64Array, counts: Int64Array
) -> Any:
    """Start a chunk after the one that ends at ``at``; return the index of its first number."""
    chunk = chunks[0]
    chunks[0] = chunk + 1
    links[chunk] = at // CHUNK_MOVES - 1
    if at > 0:
        counts[bucket] += CHUNK_MOVES
    return chunk * CHUNK_MOVES


@kernel
def count_targets(
    words: Uint32Array, chunks: Int64Array, end: int, width: int, counts: Uint32Array
) -> None:
    """Add to ``counts`` the number of moves to each slot of a bucket; see ``place_sources``."""
    within = np.uint32((1 << width) - 1)
    mark = (1 << (32 - width)) - 1
    for n in range(chunks.size):
        begin = chunks[n] * CHUNK_MOVES
        last = end if n == chunks.size - 1 else begin + CHUNK_MOVES
        for at in range(begin, last):
            word = words[at]
            if word >> np.uint32(width) != mark:
                counts[word & within] += np.uint32(1)


@kernel
def number_targets(
    directory: Uint64Array,
    bucket: int,
    width: int,
    begin: int,
    counts: Uint32Array,
    first_parents: Uint32Array,
) -> None:
    """Write the index of the first parent of each position of a bucket.

    Args:
        directory: the bits of the slots that hold a position.
        bucket: the bucket.
        width: the logarithm of its slots.
        begin: the index of its first parent.
        counts: by slot: the number of moves to it; receives those to the slots before.
        first_parents: receives the indices, by number.
    """
    offset = np.int64(0)
    entries = (1 << width) // 32
    first = bucket * entries
    for entry in range(first, min(first + entries, directory.size)):
        bits = directory[entry] & _LOW
        number = np.int64(directory[entry] >> _HALF)
        while bits != _ZERO:
            local = (entry - first) * 32 + lowest(bits)
            first_parents[number] = begin + offset
            size = counts[local]
            counts[local] = offset
            offset += size
            number += 1
            bits &= bits - _ONE


@kernel
def place_sources(
    words: Uint32Array,
    chunks: Int64Array,
    end: int,
    width: int,
    numbers: Uint32Array,
    offsets: Uint32Array,
    parents: Uint32Array,
) -> None:
    """Write the sources of the moves of a bucket in the order of slots.

    Args:
        words: moves and marks, in chunks; see ``move_buckets``.
        chunks: the chunks of the bucket, in order.
        end: the index after the last number of the last chunk.
        width: the logarithm of the slots in the bucket.
        numbers: the number of each source.
        offsets: by slot: the index of its next source.
        parents: receives the numbers of the sources.
    """
    within = np.uint32((1 << width) - 1)
    mark = (1 << (32 - width)) - 1
    base = np.int64(0)
    for n in range(chunks.size):
        begin = chunks[n] * CHUNK_MOVES
        last = end if n == chunks.size - 1 else begin + CHUNK_MOVES
        for at in range(begin, last):
            word = words[at]
            source = np.int64(word >> np.uint32(width))
            place = word & within
            if source == mark:
                base = np.int64(place) * mark
                continue
            offset = offsets[place]
            offsets[place] = offset + np.uint32(1)
            parents[offset] = numbers[base + source]


@kernel
def keep_canonical(
    slots: Int64Array, keys: Uint64Array, images: Uint64Array, count: int, words: int
) -> int:
    """Move canonical positions, equal to their images, to the front; return their number."""
    kept = 0
    for i in range(count):
        is_canonical = True
        for word in range(words):
            is_canonical &= keys[i * words + word] == images[i * words + word]
            keys[kept * words + word] = keys[i * words + word]
        slots[kept] = slots[i]
        kept += is_canonical
    return kept


@kernel
def keep_answered(slots: Int64Array, answers: IntArray, count: int) -> int:
    """Move the slots with a positive answer to the front; return their number."""
    kept = 0
    for i in range(count):
        slots[kept] = slots[i]
        kept += answers[i] != 0
    return kept


@kernel
def not_found(directory: Uint64Array, slots: Int64Array, count: int) -> int:
    """Return the index of the first slot without a position, or -1."""
    for i in range(count):
        prefetch(directory, slots[min(i + _AHEAD, count - 1)] >> 5)
        if (directory[slots[i] >> 5] >> (np.uint64(slots[i]) & _WITHIN)) & _ONE == _ZERO:
            return i
    return -1


@kernel
def sift_moves(
    words: Uint32Array,
    links: Int32Array,
    begin: int,
    end: int,
    width: int,
    bucket_ends: Int64Array,
    counts: Int64Array,
    numbers: Any,
    directory: Uint64Array,
    owners: Uint8Array,
    state: IntArray,
    codes: tuple[int, int],
    shared: bool,  # a kernel takes no keywords
    released: Int32Array,
) -> tuple[Any, Any, Any]:
    """Decide positions of a level by the moves of some buckets, and keep the moves that are left.

    A move is left unless its source is decided, or its target was before this level.

    Args:
        words: moves and marks, in chunks; see ``move_buckets``.
        links: the chunk before each in its bucket.
        begin: the first bucket.
        end: the bucket after the last.
        width: the logarithm of the slots in a bucket.
        bucket_ends: by bucket: the index after its last number.
        counts: by bucket: the moves in full chunks, less the number of marks.
        numbers: the number of each source.
        directory: the bits of the slots that hold a position, and their numbers.
        owners: the player to move, or empty if the players strictly alternate.
        state: the status numbers.
        codes: the code of a terminal tie, and of a win of this level.
        shared: whether other threads write status numbers too.
        released: receives the chunks without moves.

    Returns:
        The number of positions decided, of moves left, and of chunks without moves.
    """
    ties, win = codes
    within = np.int64((1 << width) - 1)
    mark = np.int64((1 << (32 - width)) - 1)
    decided = np.int64(0)
    total = np.int64(0)
    released_count = np.int64(0)
    targets = np.empty(1 << width, np.uint8)
    for bucket in range(begin, end):
        size = 0
        chunk = (bucket_ends[bucket] - 1) // CHUNK_MOVES
        while chunk >= 0:
            size += 1
            chunk = np.int64(links[chunk])
        if size == 0:
            continue
        chunks = np.empty(size, np.int64)
        chunk = (bucket_ends[bucket] - 1) // CHUNK_MOVES
        for n in range(size - 1, -1, -1):
            chunks[n] = chunk
            chunk = np.int64(links[chunk])
        _note_targets(directory, bucket, width, owners, state, win, targets)
        base = np.int64(0)
        kept_chunk = 0
        kept = np.int64(0)
        at = chunks[0] * CHUNK_MOVES
        at_end = at + CHUNK_MOVES
        for n in range(size):
            low = chunks[n] * CHUNK_MOVES
            high = bucket_ends[bucket] if n == size - 1 else low + CHUNK_MOVES
            for place in range(low, high):
                word = np.int64(words[place])
                source = word >> width
                is_left = np.int64(1)
                if source == mark:
                    base = (word & within) * mark
                    kept -= 1
                else:
                    source = np.int64(numbers[base + source])
                    left = np.int64(state[source])
                    is_open = (left < 0) & (left > -ties)
                    target = np.int64(targets[word & within])
                    is_left = np.int64(is_open & (target < _KNOWN_WIN))
                    if is_open & (target >= _KNOWN_WIN):
                        wins = target >= _KNOWN_LOSS
                        if owners.size:
                            wins ^= np.int64(owners[source]) == target & 1
                        decided += _count_down(state, source, left, ties, win, wins, shared)
                if at == at_end:
                    kept_chunk += 1
                    at = chunks[kept_chunk] * CHUNK_MOVES
                    at_end = at + CHUNK_MOVES
                words[at] = word
                at += is_left
                kept += is_left
        if at == at_end - CHUNK_MOVES and kept_chunk > 0:  # nothing is left in this chunk
            kept_chunk -= 1
            at = at_end = chunks[kept_chunk] * CHUNK_MOVES + CHUNK_MOVES
        kept_size = kept_chunk + 1
        if kept == 0:
            kept_size = 0
            at = np.int64(0)
        for n in range(kept_size, size):
            released[released_count] = chunks[n]
            released_count += 1
        bucket_ends[bucket] = at
        counts[bucket] = kept - (at - (at_end - CHUNK_MOVES)) if kept else 0
        total += kept
    return decided, total, released_count


@inlined
def _note_targets(
    directory: Uint64Array,
    bucket: Integer,
    width: int,
    owners: Uint8Array,
    state: IntArray,
    win: Integer,
    targets: Uint8Array,
) -> None:
    """Write for each position of a bucket whose turn it is, and whether it is known.

    Known is what was decided before a level; ``win`` is the code of its wins.
    """
    entries = (1 << width) // 32
    first = bucket * entries
    for entry in range(first, min(first + entries, directory.size)):
        bits = directory[entry] & _LOW
        number = np.int64(directory[entry] >> _HALF)
        while bits != _ZERO:
            code = np.int64(state[number])
            note = np.int64(owners[number]) if owners.size else np.int64(0)
            if code > win:
                note += _KNOWN_WIN
            elif code < -win:
                note += _KNOWN_LOSS
            targets[(entry - first) * 32 + lowest(bits)] = note
            number += 1
            bits &= bits - _ONE


@inlined
def _count_down(
    state: IntArray,
    source: Integer,
    left: Integer,
    ties: Integer,
    win: Integer,
    wins: Any,
    shared: bool,
) -> np.int64:
    """Enter a move to a known position; return 1 if it decides its source, else 0."""
    if not shared:
        state[source] = win if wins else (-win if left == -1 else left + 1)
        return np.int64(wins | (left == -1))
    while -ties < left < 0:
        new = win if wins else (-win if left == -1 else left + 1)
        before = np.int64(exchange(state, source, left, new))
        if before == left:
            return np.int64(wins | (left == -1))
        left = before
    return np.int64(0)


@kernel
def write_status(
    directory: Uint64Array,
    sources: IntArray,
    notes: Int32Array,
    turns: Uint8Array,
    known: int,
    numbers: Uint32Array,
    state: IntArray,
    owners: Uint8Array,
    last: int,
    ties: int,
) -> tuple[int, int]:
    """Write the number and the status of each source; return the number decided, and of ties."""
    decided = 0
    tied = 0
    for k in range(known):
        prefetch(directory, np.int64(sources[min(k + _AHEAD, known - 1)]) >> 5)
        slot = np.int64(sources[k])
        number = number_in(directory[slot >> 5], slot)
        numbers[k] = number
        if owners.size > 0:
            owners[number] = turns[k]
        note = notes[k]
        if note >= 0:
            state[number] = -note
        elif note == TIED:
            state[number] = ties
            tied += 1
        else:
            state[number] = last if note == WON else -last
            decided += 1
    return decided, tied


@kernel
def first_lower(numbers: IntArray, count: int, levels: IntArray, level: int) -> int:
    """Return the index of the first position on a lower level, or -1."""
    for e in range(count):
        if levels[numbers[e]] < level:
            return e
    return -1


@kernel
def keep_undecided(
    ids: IntArray, ends: IntArray, numbers: IntArray, state: IntArray
) -> tuple[Any, Any]:
    """Move undecided positions and their moves to the front; return the numbers of both."""
    kept = 0
    moves = 0
    begin = np.int64(0)
    for i in range(ids.size):
        end = np.int64(ends[i])
        if state[ids[i]] == 0:
            for e in range(begin, end):
                numbers[moves] = numbers[e]
                moves += 1
            ids[kept] = ids[i]
            ends[kept] = moves
            kept += 1
        begin = end
    return kept, moves


@kernel
def remotest_of(state: IntArray, last: int, ties: int) -> np.int64:
    """Return the greatest remoteness of the codes of a solved space."""
    most = np.int64(0)
    for i in range(state.size):
        code = np.int64(state[i])
        if abs(code) > ties:
            most = max(most, last - abs(code))
        elif code > 0:
            most = max(most, ties - code)
    return most


@kernel
def local_edges(
    numbers: IntArray,
    count: int,
    levels: IntArray,
    level: int,
    places: IntArray,
    state: IntArray,
    owners: Uint8Array,
    positions: int,
    length: int,
    last: int,
    ties: int,
) -> int:
    """Replace positions by their index within a level, or by a vertex with the same value.

    Returns:
        -1, or the index of a position on a lower level.
    """
    for e in range(count):
        number = numbers[e]
        if levels[number] == level:
            numbers[e] = places[number]
            continue
        if levels[number] < level:
            return e
        code = np.int64(state[number])
        if code == 0:
            numbers[e] = positions
            continue
        if abs(code) <= ties:
            chain: Any = 2
            remoteness: Any = ties - code
        else:
            remoteness = last - abs(code)
            chain = (remoteness & 1) ^ np.int64(code > 0)
        if owners.size > 0:
            chain = 2 * chain + ((np.int64(owners[number]) + remoteness) & 1)
        numbers[e] = positions + 1 + chain * length + remoteness
    return -1
