"""Kernels of dense spaces: stored moves, their transposition, rounds and tiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column.codes import LAST, TIES, UNKNOWN
from zermelo._engine.core.bits import lowest
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.index.directory import number_in

#: The logarithm of the slots in a bucket of transposed moves; see ``transpose``.
BUCKET = 15
#: Notes of terminal positions; the note of another position is its number of moves.
WON, TIED, LOST = -1, -2, -3
_AHEAD = 24
_SIZE = 1 << BUCKET
_ONE, _ZERO, _WITHIN = np.uint64(1), np.uint64(0), np.uint64(31)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


@kernel
def record_moves(
    ends: Any,
    values: Any,
    done: int,
    slots: Any,
    count: int,
    notes: Any,
    offset: int,
    edges: Any,
    moves: int,
    counts: Any,
) -> Any:
    """Store expanded moves and a note for each position; return the most moves of a position."""
    previous_end: Any = np.int64(0)
    most: Any = np.int64(0)
    for i in range(done):
        end = np.int64(ends[i])
        value = np.int64(values[i])
        note = end - previous_end
        if value != UNKNOWN:
            note = WON if value == LAST else (TIED if value == TIES else LOST)
        most = max(most, note)
        notes[offset + i] = note
        previous_end = end
    last = counts.size - 1
    for e in range(count):
        slot = slots[e]
        edges[moves + e] = slot
        counts[min(slot >> BUCKET, last)] += 1
    return most


@kernel
def keep_canonical(slots: Any, keys: Any, images: Any, count: int, words: int) -> int:
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
def keep_answered(slots: Any, answers: Any, count: int) -> int:
    """Move the slots with a positive answer to the front; return their number."""
    kept = 0
    for i in range(count):
        slots[kept] = slots[i]
        kept += answers[i] != 0
    return kept


@kernel
def not_found(directory: Any, slots: Any, count: int) -> int:
    """Return the index of the first slot without a position, or -1."""
    for i in range(count):
        prefetch(directory, slots[min(i + _AHEAD, count - 1)] >> 5)
        if (directory[slots[i] >> 5] >> (np.uint64(slots[i]) & _WITHIN)) & _ONE == _ZERO:
            return i
    return -1


@kernel
def to_numbers(directory: Any, edges: Any, count: int, out: Any) -> None:
    """Write the numbers of the positions in slots; ``out`` may be ``edges`` itself."""
    for e in range(count):
        prefetch(directory, np.int64(edges[min(e + _AHEAD, count - 1)]) >> 5)
        slot = np.int64(edges[e])
        out[e] = number_in(directory[slot >> 5], slot)


@kernel
def count_buckets(edges: Any, count: int, counts: Any) -> None:
    """Add the number of moves into each bucket to ``counts``."""
    for e in range(count):
        counts[np.int64(edges[e]) >> BUCKET] += 1


@kernel
def keep_left(numbers: Any, known: int, state: Any, ties: int, notes: Any) -> None:
    """Write the number of moves that each position has left as its note."""
    for k in range(known):
        number = np.int64(state[numbers[k]])
        notes[k] = -number if -ties < number < 0 else 0


@kernel
def scatter_edges(
    numbers: Any,
    notes: Any,
    known: int,
    edges: Any,
    begin: int,
    low: int,
    next_index: Any,
    sources: Any,
    places: Any,
) -> int:
    """Scatter moves into buckets from ``low`` on; compact and count the other moves.

    A branch for each move would be mispredicted. So a move into another bucket is written too, to a
    dummy index after the end of the buckets: ``next_index`` of the lower buckets. Each thread has
    its dummy index in a separate cache line, because threads that write to one line wait for each
    other.

    Returns:
        The number of other moves, which begin at ``begin``.
    """
    edge: Any = np.int64(begin)
    left: Any = np.int64(begin)
    for k in range(known):
        number = numbers[k]
        previous_left = left
        for _ in range(notes[k]):
            slot = np.int64(edges[edge])
            edge += 1
            bucket = slot >> BUCKET
            index = next_index[bucket]
            sources[index] = number
            places[index] = slot & (_SIZE - 1)
            is_taken = np.int64(bucket >= low)
            next_index[bucket] = index + is_taken
            edges[left] = slot
            left += 1 - is_taken
        if notes[k] > 0:
            notes[k] = left - previous_left
    left_count: int = left - begin
    return left_count


@kernel
def move_edges(edges: Any, begin: int, count: int, target: int) -> None:
    """Move edges towards the front."""
    for e in range(count):
        edges[target + e] = edges[begin + e]


@kernel
def spread_edges(
    directory: Any,
    starts: Any,
    low: int,
    begin: int,
    end: int,
    sources: Any,
    places: Any,
    parent_ends: Any,
    parents: Any,
) -> None:
    """Sort the moves of buckets ``begin`` to ``end``; the arrays begin with bucket ``low``."""
    count: Any = np.empty(_SIZE, np.uint32)
    base = starts[low]
    for b in range(begin, end):
        count[:] = 0
        for i in range(starts[b] - base, starts[b + 1] - base):
            count[places[i]] += 1
        offset = np.int64(0)
        first = b * (_SIZE // 32)
        for entry in range(first, min(first + _SIZE // 32, directory.size)):
            bits = directory[entry] & _LOW
            number = np.int64(directory[entry] >> _HALF)
            while bits != _ZERO:
                local = (entry - first) * 32 + lowest(bits)
                parent_ends[number] = starts[b] + offset
                size = count[local]
                count[local] = offset
                offset += size
                number += 1
                bits &= bits - _ONE
        for i in range(starts[b] - base, starts[b + 1] - base):
            place = places[i]
            parents[starts[b] + count[place]] = sources[i]
            count[place] += 1


@kernel
def write_status(
    directory: Any,
    sources: Any,
    notes: Any,
    turns: Any,
    known: int,
    numbers: Any,
    state: Any,
    owners: Any,
    last: int,
    ties: int,
) -> tuple[Any, Any]:
    """Write the number and the status of each source; return the number decided, and of ties."""
    decided: Any = 0
    tied: Any = 0
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
def first_lower(numbers: Any, count: int, levels: Any, level: int) -> int:
    """Return the index of the first position on a lower level, or -1."""
    for e in range(count):
        if levels[numbers[e]] < level:
            return e
    return -1


@kernel
def keep_undecided(ids: Any, ends: Any, numbers: Any, state: Any) -> tuple[Any, Any]:
    """Move undecided positions and their moves to the front; return the numbers of both."""
    kept = 0
    moves = 0
    begin: Any = np.int64(0)
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
def remotest_of(state: Any, last: int, ties: int) -> Any:
    """Return the greatest remoteness of the codes of a solved space."""
    most: Any = np.int64(0)
    for i in range(state.size):
        code = np.int64(state[i])
        if abs(code) > ties:
            most = max(most, last - abs(code))
        elif code > 0:
            most = max(most, ties - code)
    return most


@kernel
def local_edges(
    numbers: Any,
    count: int,
    levels: Any,
    level: int,
    places: Any,
    state: Any,
    owners: Any,
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
