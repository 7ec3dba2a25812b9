"""Positions in slots, eight to a cache line: scattered, deduplicated and placed for each level.

A position of up to 60 bits is mixed into as many bits, one to one. The first of them say its
partition; the others stand in the upper bits of its slot, so that slot and partition together give
the position back (Cleary, "Compact hash tables using bidirectional linear probing", IEEE
Transactions on Computers C-33(9), 1984). The lowest eight bits of the slot hold its value: to have
found a position is to have read its value, and both take one access to memory.

The slots of a partition are lines of eight. Its positions stand in ascending order, each in the
line its bits call home or, where that is full, in the next ones; so the same positions stand in the
same slots, whatever order they were found in. An empty slot is 0, and the last slot of each
partition is empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, one_ply_earlier
from zermelo._engine.core.bits import gather, scatter
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.sort.buckets import BLOCK, BLOCK_BITS, last_block
from zermelo._engine.sort.deduplicate import sort_few
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: Slots of a line, and their logarithm.
LINE, LINE_BITS = 8, 3
#: Bits of a slot that hold the value; 0 in them is an empty slot.
VALUE_BITS = 8
#: On average ``_FILLED`` of ``_SLOTS`` slots are filled before lines overflow.
_SLOTS, _FILLED = 40, 32

#: The greatest remoteness a byte tells.
MOST_REMOTE = 62
#: The least bytes of losses, and the greatest of ties and wins.
_LOSS, _TIE, _WIN = 1, 1 + 2 * (MOST_REMOTE + 1), 255

_MIX_A, _MIX_B = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9
_A, _B = np.uint64(_MIX_A), np.uint64(_MIX_B)
_UNDO_A = np.uint64(pow(_MIX_A, -1, 1 << 64))
_UNDO_B = np.uint64(pow(_MIX_B, -1, 1 << 64))
_ONE, _HALF, _64 = np.uint64(1), np.uint64(32), np.uint64(64)
VALUE = np.uint64((1 << VALUE_BITS) - 1)


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
    return scatter(unmix_bits(mixed, free), used)


@inlined
def unmix_bits(mixed: Any, free: Any) -> Any:
    """Return the bits of the key that ``mix`` made this of, moved together to the right."""
    half = (_64 - free + _ONE) >> _ONE
    word = (mixed * _UNDO_B) >> free
    word = ((word ^ (word >> half)) * _UNDO_A) << free >> free
    return word ^ (word >> half)


@inlined
def first_bits(word: Any, bits: Any) -> Any:
    """Return the first ``bits`` bits of a word, of which there may be none."""
    return np.int64((word >> _ONE) >> (np.uint64(63) - np.uint64(bits)))


@inlined
def home(rest: Any, lines: Any) -> Any:
    """Return the line, of ``lines``, in which a position with this rest is at home."""
    return np.int64(((rest >> _HALF) * np.uint64(lines)) >> _HALF)


def most_lines(positions: int, partitions: int) -> int:
    """Return how many lines this many positions of some partitions take at most."""
    return positions * _SLOTS // (_FILLED * LINE) + positions // LINE + 4 * partitions


def lines_for(positions: int) -> int:
    """Return how many lines this many positions of a partition are at home in."""
    return max(1, -(-positions * _SLOTS // (_FILLED * LINE)))


@kernel
def scatter_remainders(
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
    """Put what slots hold of the positions of one level into their partitions; see ``buckets``.

    Returns:
        The blocks used, how many positions are of the level, and whether all bits were under
        ``used``.
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
def count_of(used: Any) -> Any:
    """Return how many bits a mask has."""
    bits = 0
    word = used
    while word != np.uint64(0):
        word &= word - _ONE
        bits += 1
    return bits


@kernel
def gather_rests(
    partition: int,
    pool: Any,
    links: Any,
    following: Any,
    into: Any,
    at: int,
    inner: int,
    places: Any,
) -> Any:
    """Copy a partition behind the first ``at`` of ``into``, and count it by its first bits.

    ``places[b + 1]`` grows by how many begin with the ``inner`` bits b. Returns the new end.
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
    raw: Any, count: int, inner: int, places: Any, scattered: Any, out: Any
) -> Any:
    """Leave each of the remainders of a partition once, in ascending order.

    They are scattered over buckets, and each bucket, of about eight, is sorted by comparing all
    with
    all: there is nothing for the processor to guess in that.

    Args:
        raw: the partition, ``count`` remainders.
        count: see there.
        inner: logarithm of the number of buckets, at least 1.
        places: how many are in each bucket, one place further; is overwritten.
        scattered: room for ``count`` remainders.
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
def lines_taken(remainders: Any, count: int, lines: int) -> Any:
    """Return how many lines ``place_remainders`` takes."""
    at: Any = np.int64(0)
    for i in range(count):
        at = max(at, home(remainders[i], lines) << LINE_BITS) + 1
    return max(np.int64(lines), (at + LINE) >> LINE_BITS)


@kernel
def place_remainders(remainders: Any, count: int, lines: int, slots: Any, first: int) -> None:
    """Put ascending remainders in slots from line ``first``, all of them empty.

    Args:
        remainders: what is left of the positions of a partition.
        count: how many, all different.
        lines: in how many lines they are at home.
        slots: receives them.
        first: see above.
    """
    begin = first << LINE_BITS
    at = begin
    for i in range(count):
        at = max(at, begin + (home(remainders[i], lines) << LINE_BITS))
        slots[at] = remainders[i] | _ONE
        at += 1


# -- values ---------------------------------------------------------------------------------------


def _unfolded() -> npt.NDArray[np.int32]:
    """Return the codes of bytes, which are ordered as codes are; 0 where a byte has none."""
    found = np.zeros(256, np.int32)
    for remoteness in range(MOST_REMOTE + 1):
        found[_LOSS + remoteness] = codes.encode(-1, remoteness)
        found[_TIE - remoteness] = codes.encode(0, remoteness)
        found[_WIN - remoteness] = codes.encode(1, remoteness)
    return found


def _seen_from_below(*, same_mover: bool) -> npt.NDArray[np.uint8]:
    """Return what a move is worth, as a byte, to a position with such a byte."""
    seen = np.zeros(256, np.uint8)
    for byte in np.flatnonzero(UNFOLDED).tolist():
        code = WIN_DRAW_LOSS.of_move(int(UNFOLDED[byte]), same_mover=same_mover)
        here = np.flatnonzero(code == UNFOLDED)
        if len(here):
            seen[byte] = here[0]
    return seen


#: The codes of values kept in a byte, and what moves to positions with such values are worth: to
#: the other player, and to the same.
UNFOLDED = _unfolded()
SEEN = np.stack([_seen_from_below(same_mover=same) for same in (False, True)])


@inlined
def _folded(code: Any) -> Any:
    """Return the byte of a terminal position's code, or of the worst there is for UNKNOWN."""
    byte = np.uint8(_LOSS)
    byte = np.uint8(_TIE) if code == TIES else byte
    return np.uint8(_WIN) if code == LAST else byte


@kernel
def settle_slots(
    places: Any,
    begin: int,
    done: int,
    ends: Any,
    terminal: Any,
    numbers: Any,
    values: Any,
    seen: Any,
    turns: Any,
    slots: Any,
    stored: Any,
) -> None:
    """Decide expanded positions from their children, all decided.

    Args:
        places: the slots of the positions expanded, from entry ``begin``.
        begin: see there.
        done: how many were expanded.
        ends: how many children there are up to and with each.
        terminal: codes of those that are terminal, UNKNOWN for the others.
        numbers: the slots of the children.
        values: the values that stand there.
        seen: ``SEEN``.
        turns: whose turn it is by slot, or empty where the players strictly alternate.
        slots: receives the values.
        stored: receives them where it is not empty.
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
                best = max(best, one_ply_earlier(np.int64(stored[numbers[edge]]), same))
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
