"""Packed positions in ascending order: how far each is from the one before, in few bytes.

Positions that follow one another differ little, so the difference takes one or two bytes: seven
bits in each, the lowest first, and the eighth says that there are more. A position of several words
is one large number, its first word the most significant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.bits import gather, length, lowest, scatter
from zermelo._engine.jit import inlined, kernel
from zermelo._engine.memory import eight_bytes, put_eight_bytes

#: Bytes that 64 bits take at the most.
LONGEST = 10

_ALL = np.uint64((1 << 64) - 1)
#: In each of eight bytes the bit that says that there are more, and the others.
_ENDS = np.uint64(0x8080808080808080)
_SEVENS = np.uint64(0x7F7F7F7F7F7F7F7F)
#: Bytes of a word.
_WHOLE = 8


def ascending(keys: npt.NDArray[np.uint64], words: int) -> npt.NDArray[np.int64]:
    """Return the numbers of packed positions in the order of their size."""
    if words == 1:
        return np.argsort(keys)
    rows = keys.reshape(-1, words)
    return np.lexsort(tuple(rows[:, word] for word in reversed(range(words))))


@kernel
def encode(keys: Any, begin: int, end: int, words: int, out: Any) -> Any:
    """Write the differences of positions ``begin`` to ``end``, the first one's from nothing.

    Args:
        keys: packed positions, ascending.
        begin: the first.
        end: past the last.
        words: words a position.
        out: receives the bytes, with room for ``LONGEST`` a word.

    Returns:
        How many bytes there are.
    """
    at = 0
    if words == 1:
        # The bytes of a number at once; what is too much is written over by the next.
        previous = np.uint64(0)
        for i in range(begin, end):
            step = keys[i] - previous
            previous = keys[i]
            more = (max(length(step), 1) - 1) // 7
            if more < _WHOLE:
                flags = _ENDS & ((np.uint64(1) << np.uint64(8 * more)) - np.uint64(1))
                put_eight_bytes(out, at, scatter(step, _SEVENS) | flags)
            else:
                for byte in range(more):
                    out[at + byte] = np.uint8(step & np.uint64(127)) | np.uint8(128)
                    step >>= np.uint64(7)
                out[at + more] = np.uint8(step)
            at += more + 1
        return at
    for i in range(begin, end):
        borrow = np.uint64(0)
        # The lowest word is first, so that what is borrowed is known; in the file it is likewise.
        for word in range(words - 1, -1, -1):
            here = keys[i * words + word]
            before = keys[(i - 1) * words + word] if i > begin else np.uint64(0)
            step = here - before - borrow
            borrow = np.uint64(1) if here < before or (here == before and borrow) else np.uint64(0)
            while step >= np.uint64(128):
                out[at] = np.uint8(step & np.uint64(127)) | np.uint8(128)
                step >>= np.uint64(7)
                at += 1
            out[at] = np.uint8(step)
            at += 1
    return at


@kernel
def encode_blocks(
    keys: Any, begin: int, end: int, words: int, size: int, out: Any, ends: Any
) -> Any:
    """Write the differences of blocks of ``size`` positions one after another.

    ``ends`` receives where each block ends in ``out``.

    Returns:
        How many bytes there are.
    """
    at = 0
    for first in range(begin, end, size):
        at += encode(keys, first, min(first + size, end), words, out[at:])
        ends[(first - begin) // size] = at
    return at


@kernel
def decode(data: Any, count: int, words: int, out: Any) -> Any:
    """Read ``count`` positions from their differences; return whether there are just so many."""
    at: Any = 0
    begun = 0
    if words == 1:
        # Eight bytes at a time: how many of them are of one number is told without a guess.
        position = np.uint64(0)
        while begun < count and at + 8 <= data.size:
            word = eight_bytes(data, at)
            ends = ~word & _ENDS
            if ends == np.uint64(0):
                break
            used = np.uint64(lowest(ends)) + np.uint64(1)
            position += gather(word & (_ALL >> (np.uint64(64) - used)), _SEVENS)
            out[begun] = position
            at += np.int64(used >> np.uint64(3))
            begun += 1
    for i in range(begun, count):
        carry = np.uint64(0)
        for word in range(words - 1, -1, -1):
            step = np.uint64(0)
            shift = np.uint64(0)
            while True:
                if at >= data.size or shift > np.uint64(63):
                    return False
                byte = np.uint64(data[at])
                at += 1
                step |= (byte & np.uint64(127)) << shift
                shift += np.uint64(7)
                if byte < np.uint64(128):
                    break
            before = out[(i - 1) * words + word] if i > 0 else np.uint64(0)
            half = before + step
            whole = half + carry
            carry = np.uint64(1) if half < before or whole < half else np.uint64(0)
            out[i * words + word] = whole
    return at == data.size


@kernel
def decode_blocks(data: Any, ends: Any, blocks: Any, size: int, words: int, out: Any) -> int:
    """Read several blocks of ``size`` positions, the last one shorter, from their differences.

    Args:
        data: the differences of all blocks.
        ends: where those of each end.
        blocks: the number of each.
        size: see above.
        words: words a position.
        out: receives each position where it belongs.

    Returns:
        Which block has another number of positions, -1 for none.
    """
    begin = 0
    for n in range(blocks.size):
        first = blocks[n] * size
        count = min(size, out.size // words - first)
        here = out[first * words : (first + count) * words]
        if not decode(data[begin : ends[n]], count, words, here):
            return n
        begin = ends[n]
    return -1


@kernel
def seek(data: Any, count: int, wanted: Any) -> Any:
    """Look for a position of one word among those of a block, as far as it would be.

    Args:
        data: the differences of the block.
        count: how many positions it has.
        wanted: the position, in an array.

    Returns:
        Which of them it is, -1 where it is none, -2 where the block cannot be read.
    """
    word = wanted[0]
    position = np.uint64(0)
    at: Any = 0
    i: Any = 0
    while i < count and (i == 0 or position < word):
        some = eight_bytes(data, at) if at + 8 <= data.size else _ALL
        ends = ~some & _ENDS
        if ends != np.uint64(0):
            used = np.uint64(lowest(ends)) + np.uint64(1)
            step = gather(some & (_ALL >> (np.uint64(64) - used)), _SEVENS)
            at += np.int64(used >> np.uint64(3))
        else:
            step = np.uint64(0)
            shift = np.uint64(0)
            byte = np.uint64(128)
            while byte >= np.uint64(128):
                if at >= data.size or shift > np.uint64(63):
                    return -2
                byte = np.uint64(data[at])
                at += 1
                step |= (byte & np.uint64(127)) << shift
                shift += np.uint64(7)
        position += step
        i += 1
    return i - 1 if position == word and i > 0 else -1


@inlined
def below(a: Any, i: int, b: Any, j: int, words: int) -> Any:
    """Whether position ``i`` of ``a`` is less than position ``j`` of ``b``."""
    for word in range(words):
        x, y = a[i * words + word], b[j * words + word]
        if x != y:
            return x < y
    return False


@inlined
def last_not_greater(word: Any, keys: Any, begin: Any, count: Any) -> Any:
    """Return the last of ``count`` ascending words, from ``begin`` on, that is not greater.

    It is ``begin`` where all are. No step depends on a guess, so that searches overlap.
    """
    base = np.uint64(begin)
    left = np.uint64(count)
    while left > np.uint64(1):
        half = left >> np.uint64(1)
        base = base + half if keys[base + half] <= word else base
        left -= half
    return np.int64(base)


@kernel
def at_or_before(wanted: Any, count: int, words: int, keys: Any, known: int, out: Any) -> None:
    """Find for each wanted position the last of ``known`` that is not greater, or -1."""
    if words == 1 and known > 0:
        for i in range(count):
            at = last_not_greater(wanted[i], keys, 0, known)
            out[i] = at - np.int64(keys[at] > wanted[i])
        return
    for i in range(count):
        low, high = 0, known
        while low < high:
            middle = (low + high) // 2
            if below(wanted, i, keys, middle, words):
                high = middle
            else:
                low = middle + 1
        out[i] = low - 1
