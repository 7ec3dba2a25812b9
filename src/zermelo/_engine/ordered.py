"""Packed positions in ascending order: how far each is from the one before, in few bytes.

Positions that follow one another differ little, so the difference takes one or two bytes: seven
bits in each, the lowest first, and the eighth says that there are more. Of the bits of positions
those that never vary are left out, so that what varies stands close together: the others,
gathered, are a position's *number*. Where a number would not fit a word, none are left out, and a
position is one large number, its first word the most significant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.bits import gather, length, ones, scatter
from zermelo._engine.jit import inlined, kernel, light_kernel
from zermelo._engine.memory import eight_bytes, put_eight_bytes

#: Bytes that 64 bits take at the most.
LONGEST = 10

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_ALL = np.uint64((1 << 64) - 1)
#: In each of eight bytes the bit that says that there are more, and the others.
_ENDS = np.uint64(0x8080808080808080)
_SEVENS = np.uint64(0x7F7F7F7F7F7F7F7F)
#: Bytes of a word, and its bits.
_WHOLE, _WORD = 8, 64
#: Numbers that are read together: of two bytes each, they fill a word.
_TOGETHER = 4


def ascending(keys: npt.NDArray[np.uint64], words: int) -> npt.NDArray[np.int64]:
    """Return the numbers of packed positions in the order of their size."""
    if words == 1:
        return np.argsort(keys)
    rows = keys.reshape(-1, words)
    return np.lexsort(tuple(rows[:, word] for word in reversed(range(words))))


@inlined
def put(step: Any, out: Any, at: Any) -> Any:
    """Write a number of one word at ``at``; return where it ends.

    All bytes at once, if it is not very long; what is too much is written over by the next.
    """
    more = (max(length(step), 1) - 1) // 7
    if more < _WHOLE:
        flags = _ENDS & ((_ONE << np.uint64(8 * more)) - _ONE)
        put_eight_bytes(out, at, scatter(step, _SEVENS) | flags)
    else:
        for byte in range(more):
            out[at + byte] = np.uint8(step & np.uint64(127)) | np.uint8(128)
            step >>= np.uint64(7)
        out[at + more] = np.uint8(step)
    return at + more + 1


@kernel
def encode_tags(
    tags: Any, beside: int, varying: Any, size: int, chosen: Any, out: Any, ends: Any
) -> Any:
    """Write the differences of the numbers in tags, those of each block one after another.

    Args:
        tags: what sorts as positions do, ascending; see ``tags``.
        beside: how many bits of each stand behind the position.
        varying: which of the others a number has.
        size: positions in a block, the first of which is written as it is.
        chosen: receives what stands behind each position.
        out: receives the bytes, with room for ``LONGEST`` a position.
        ends: receives where each block ends.

    Returns:
        How many bytes there are.
    """
    low, shift = (_ONE << np.uint64(beside)) - _ONE, np.uint64(beside)
    steps = np.empty(size, np.uint64)
    at = 0
    for begin in range(0, tags.size, size):
        some = tags[begin : begin + size]
        behind = chosen[begin : begin + size]
        # One thing after another, which takes two thirds of the time that all at once does.
        for i in range(some.size):
            behind[i] = some[i] & low
        previous = _ZERO
        for i in range(some.size):
            number = gather(some[i] >> shift, varying)
            steps[i] = number - previous
            previous = number
        for i in range(some.size):
            at = put(steps[i], out, at)
        ends[begin // size] = at
    return at


@kernel
def encode_wide(keys: Any, words: int, size: int, out: Any, ends: Any) -> Any:
    """Write the differences of positions of several words, those of each block one after another.

    Args:
        keys: packed positions, ascending.
        words: words a position.
        size: positions in a block, the first of which is written as it is.
        out: receives the bytes, with room for ``LONGEST`` a word.
        ends: receives where each block ends.

    Returns:
        How many bytes there are.
    """
    at = 0
    count = keys.size // words
    for begin in range(0, count, size):
        for i in range(begin, min(begin + size, count)):
            borrow = _ZERO
            # The lowest word is first, so that what is borrowed is known.
            for word in range(words - 1, -1, -1):
                here = keys[i * words + word]
                before = keys[(i - 1) * words + word] if i > begin else _ZERO
                at = put(here - before - borrow, out, at)
                borrow = _ONE if here < before or (here == before and borrow) else _ZERO
        ends[begin // size] = at
    return at


@inlined
def _four(data: Any, at: Any, position: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Read up to four differences from the eight bytes at ``at``, those that end there.

    How many bytes each takes is told without a guess, and where to read on takes one count of bits.

    Returns:
        The positions behind ``position``, the last of them again for those that are missing; how
        many there are, and how many bytes they take.
    """
    word = eight_bytes(data, at)
    ends = ~word & _ENDS
    found = min(ones(ends), _TOGETHER)
    # Of each number all bits up to its end, less those of the numbers before it.
    whole = _ALL >> (np.uint64(64 - length(ends)) & np.uint64(63))
    to_first = (ends ^ (ends - _ONE)) & whole
    ends &= ends - _ONE
    to_second = (ends ^ (ends - _ONE)) & whole
    ends &= ends - _ONE
    to_third = (ends ^ (ends - _ONE)) & whole
    ends &= ends - _ONE
    to_fourth = (ends ^ (ends - _ONE)) & whole
    first = position + gather(word, _SEVENS & to_first)
    second = first + gather(word, _SEVENS & (to_second ^ to_first))
    third = second + gather(word, _SEVENS & (to_third ^ to_second))
    fourth = third + gather(word, _SEVENS & (to_fourth ^ to_third))
    return first, second, third, fourth, found, ones(to_fourth) >> 3


@inlined
def _one(data: Any, at: Any) -> tuple[Any, Any]:
    """Read the number of one word at ``at``; return it and how many bytes it takes, 0 for none."""
    step = _ZERO
    for byte in range(min(LONGEST, data.size - at)):
        part = np.uint64(data[at + byte])
        step |= (part & np.uint64(127)) << np.uint64(7 * byte)
        if part < np.uint64(128):
            return step, byte + 1
    return step, 0


@inlined
def _numbers(data: Any, count: Any, out: Any) -> Any:
    """Read ``count`` numbers from their differences; return whether there are just so many."""
    at: Any = 0
    position = _ZERO
    i: Any = 0
    while i < count:
        if i + _TOGETHER <= count and at + _WHOLE <= data.size:
            first, second, third, fourth, found, used = _four(data, at, position)
            if found > 0:
                out[i] = first
                out[i + 1] = second
                out[i + 2] = third
                out[i + 3] = position = fourth
                i += found
                at += used
                continue
        step, used = _one(data, at)  # a long one, as the first is, or one of the last
        if used == 0:
            return False
        position += step
        out[i] = position
        i += 1
        at += used
    return at == data.size


@inlined
def _wide(data: Any, count: Any, words: Any, out: Any) -> Any:
    """Read ``count`` positions of several words; return whether there are just so many."""
    at: Any = 0
    for i in range(count):
        carry = _ZERO
        for word in range(words - 1, -1, -1):
            step, used = _one(data, at)
            if used == 0:
                return False
            at += used
            before = out[(i - 1) * words + word] if i > 0 else _ZERO
            half = before + step
            whole = half + carry
            carry = _ONE if half < before or whole < half else _ZERO
            out[i * words + word] = whole
    return at == data.size


@inlined
def _bits(masks: Any) -> Any:
    """Return how many bits masks have in all."""
    bits = 0
    for word in range(masks.size):
        bits += ones(masks[word])
    return bits


@inlined
def _places(mask: Any) -> Any:
    """Return by how much the bits under a mask move those before it; 64 have none before them."""
    return np.uint64(ones(mask)) & np.uint64(63)


@light_kernel
def decode(data: Any, count: int, masks: Any, rest: Any, out: Any) -> Any:
    """Read ``count`` positions from their differences.

    Args:
        data: the differences.
        count: see above.
        masks: of each word of a position the bits that numbers are made of.
        rest: what the others are in all positions.
        out: receives the positions.

    Returns:
        Whether there are just so many, and no number has more bits than there are.
    """
    words, bits = masks.size, _bits(masks)
    if bits > _WORD:
        return _wide(data, count, words, out)
    if not _numbers(data, count, out) or (count > 0 and length(out[count - 1]) > bits):
        return False
    if words == 1:
        mask, like = masks[0], rest[0]
        for i in range(count):
            out[i] = scatter(out[i], mask) | like
        return True
    for i in range(count - 1, -1, -1):  # from the last on, as they take more room there
        number = out[i]
        for word in range(words - 1, -1, -1):
            out[i * words + word] = scatter(number, masks[word]) | rest[word]
            number >>= _places(masks[word])
    return True


@kernel
def decode_blocks(
    data: Any, ends: Any, blocks: Any, size: int, masks: Any, rest: Any, out: Any
) -> int:
    """Read several blocks of ``size`` positions, the last one shorter, from their differences.

    Args:
        data: the differences of all blocks.
        ends: where those of each end.
        blocks: the number of each.
        size: see above.
        masks: see ``decode``, as for the next.
        rest: see there.
        out: receives each position where it belongs.

    Returns:
        Which block has another number of positions, -1 for none.
    """
    begin = 0
    words = masks.size
    for n in range(blocks.size):
        first = blocks[n] * size
        count = min(size, out.size // words - first)
        here = out[first * words : (first + count) * words]
        if not decode(data[begin : ends[n]], count, masks, rest, here):
            return n
        begin = ends[n]
    return -1


@light_kernel
def seek(data: Any, count: int, wanted: Any, under: Any, by: Any, masks: Any, rest: Any) -> Any:
    """Look for a position among those of a block, which have numbers, as far as it would be.

    Args:
        data: the differences of the block.
        count: how many positions it has.
        wanted: the words of the position.
        under: how it is folded, as positions in the block are; see ``tags.Folds``.
        by: see there.
        masks: see ``decode``, as for the next.
        rest: see there.

    Returns:
        Which of them it is, -1 where it is none, -2 where the block cannot be read.
    """
    number = _ZERO
    for n in range(masks.size):
        word = wanted[n] ^ (wanted[n] & under[n]) << by[n]
        if word & ~masks[n] != rest[n]:
            return -1
        number = number << _places(masks[n]) | gather(word, masks[n])
    position = _ZERO
    at: Any = 0
    i: Any = 0
    while i < count:
        if i + _TOGETHER <= count and at + _WHOLE <= data.size:
            first, second, third, fourth, found, used = _four(data, at, position)
            if found > 0:
                if fourth >= number:
                    less = np.int64(first < number) + np.int64(second < number)
                    less += np.int64(third < number)
                    return i + less if number in (first, second, third, fourth) else -1
                position = fourth
                i += found
                at += used
                continue
        step, used = _one(data, at)
        if used == 0:
            return -2
        position += step
        if position >= number:
            return i if position == number else -1
        i += 1
        at += used
    return -1


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


@light_kernel
def last_before(wanted: Any, under: Any, by: Any, keys: Any) -> Any:
    """Do as ``at_or_before`` for one position of one word, which is folded first; see ``seek``."""
    word = wanted[0] ^ (wanted[0] & under[0]) << by[0]
    at = last_not_greater(word, keys, 0, keys.size)
    return at - np.int64(keys[at] > word)


@light_kernel
def find_one(wanted: Any, under: Any, by: Any, keys: Any, begin: int, count: int) -> Any:
    """Return where among ``count`` from ``begin`` on such a position stands, or -1."""
    word = wanted[0] ^ (wanted[0] & under[0]) << by[0]
    at = last_not_greater(word, keys, begin, count)
    return at if keys[at] == word else -1


@light_kernel
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
