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

from zermelo._engine.core.bits import gather, length, lowest, ones, scatter
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.memory import eight_bytes, put_eight_bytes

#: Bytes that 64 bits take at the most.
LONGEST = 10

_ZERO, _ONE = np.uint64(0), np.uint64(1)
#: In each of eight bytes the bit that says that there are more, and the others.
_ENDS = np.uint64(0x8080808080808080)
_SEVENS = np.uint64(0x7F7F7F7F7F7F7F7F)
#: Bytes of a word, and those of which it is told at once where numbers end.
_WHOLE, _AT_ONCE = 8, 64
#: Bytes behind the last number that let those before it be read some at a time.
SPARE = _WHOLE + _AT_ONCE
#: What is added to each byte of a number but the last.
_MORE = 128


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
def _ends(data: Any, at: Any) -> Any:
    """Return of the 64 bytes at ``at`` a bit for each that is the last of its number."""
    bits = _ZERO
    for word in range(_WHOLE):
        more = eight_bytes(data, at + _WHOLE * word)
        bits |= gather(~more, _ENDS) << np.uint64(_WHOLE * word)
    return bits


@inlined
def _one(data: Any, at: Any, end: Any) -> tuple[Any, Any]:
    """Read the number of one word at ``at``; return it and how many bytes it takes, 0 for none."""
    step = _ZERO
    for byte in range(min(LONGEST, end - at)):
        part = np.uint64(data[at + byte])
        step |= (part & np.uint64(127)) << np.uint64(7 * byte)
        if part < np.uint64(128):
            return step, byte + 1
    return step, 0


@inlined
def _some(data: Any, at: Any, end: Any) -> tuple[Any, Any]:
    """Look at the next bytes of a block, 64 where so many and what is read with them are there.

    Returns:
        A bit for each that is the last of its number, and how many were looked at.
    """
    if at + SPARE > data.size:
        return np.uint64(data[at] < _MORE), 1
    bits = _ends(data, at)
    left = end - at
    if left < _AT_ONCE:
        return bits & ((_ONE << np.uint64(left)) - _ONE), left
    return bits, np.int64(_AT_ONCE)


@inlined
def _step(data: Any, at: Any, last: Any, looked: Any) -> tuple[Any, Any]:
    """Return the number from ``at`` to ``last``, of those looked at, and whether it is one."""
    more = last - at
    if looked > 1 and more < _WHOLE:
        return gather(eight_bytes(data, at), _SEVENS >> np.uint64(56 - 8 * more)), True
    step, used = _one(data, at, last + 1)
    return step, used > 0


@light_kernel
def decode(data: Any, begin: int, end: int, count: int, words: int, out: Any) -> Any:
    """Read ``count`` positions from their differences; return whether there are just so many.

    Where numbers end is told for 64 bytes at once. So where one begins does not have to wait for
    the one before to be read, and several are read side by side.

    Args:
        data: the differences, and what may stand before and behind them.
        begin: where they begin.
        end: where they end.
        count: see above.
        words: words a position.
        out: receives the positions.
    """
    if words > 1:
        return _decode_several(data, begin, end, count, words, out)
    position = _ZERO
    at = here = begin
    done = _ZERO  # without a sign, so that no negative index has to be thought of
    while here < end:
        bits, looked = _some(data, here, end)
        found = ones(bits)
        if np.int64(done) + found > count:
            return False
        for _ in range(found):
            last = here + lowest(bits)
            bits &= bits - _ONE
            step, right = _step(data, at, last, looked)
            if not right:
                return False
            position += step
            out[done] = position
            done += _ONE
            at = last + 1
        here += looked
    return np.int64(done) == count and at == end


@light_kernel
def _decode_several(data: Any, begin: int, end: int, count: int, words: int, out: Any) -> Any:
    """Do that for positions of several words."""
    carry = _ZERO
    at = here = begin
    row, word = 0, words - 1
    while here < end:
        bits, looked = _some(data, here, end)
        for _ in range(ones(bits)):
            last = here + lowest(bits)
            bits &= bits - _ONE
            step, right = _step(data, at, last, looked)
            if not right or row == count:
                return False
            before = out[(row - 1) * words + word] if row > 0 else _ZERO
            half = before + step
            whole = half + carry
            carry = _ONE if half < before or whole < half else _ZERO
            out[row * words + word] = whole
            word -= 1
            if word < 0:
                row, word, carry = row + 1, words - 1, _ZERO
            at = last + 1
        here += looked
    return row == count and word == words - 1 and at == end


@light_kernel
def seek(data: Any, begin: int, end: int, count: int, wanted: Any) -> Any:
    """Look for a position of one word among those of a block, as far as it would be.

    Args:
        data: the differences of the block, and what may stand before and behind them.
        begin: where they begin.
        end: where they end.
        count: how many positions it has.
        wanted: the position, in an array.

    Returns:
        Which of them it is, -1 where it is none, -2 where the block cannot be read.
    """
    word = wanted[0]
    position = _ZERO
    at = here = begin
    done = 0
    while here < end:
        bits, looked = _some(data, here, end)
        found = ones(bits)
        if done + found > count:
            return -2
        for k in range(found):
            last = here + lowest(bits)
            bits &= bits - _ONE
            step, right = _step(data, at, last, looked)
            if not right:
                return -2
            position += step
            if position >= word:
                return done + k if position == word else -1
            at = last + 1
        done += found
        here += looked
    return -1 if done == count and at == end else -2


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


@inlined
def _places(mask: Any) -> Any:
    """Return by how much the bits under a mask move those before it; 64 have none before them."""
    return np.uint64(ones(mask)) & np.uint64(63)


@inlined
def _number(packed: Any, i: Any, bits: Any) -> tuple[Any, Any]:
    """Return the number of packed position ``i``, and whether it can be one of the table's."""
    under, by, masks, rest = bits
    number = _ZERO
    fits = True
    for word in range(masks.size):
        here = packed[i * masks.size + word]
        here ^= (here & under[word]) << by[word]
        fits &= here & ~masks[word] == rest[word]
        number = number << _places(masks[word]) | gather(here, masks[word])
    return number, fits


@light_kernel
def to_numbers(packed: Any, bits: Any, out: Any, fits: Any) -> Any:
    """Write the numbers of packed positions.

    Args:
        packed: the positions.
        bits: four arrays, of a number for each word of a position: how it is folded (see
            ``tags.Folds``, which has two), which of its bits numbers are then made of, and what
            the others are in all positions of the table.
        out: receives the numbers.
        fits: receives whether that is what they are.

    Returns:
        Whether that is what they are in all.
    """
    every = True
    for i in range(out.size):
        out[i], fits[i] = _number(packed, i, bits)
        every &= fits[i]
    return every


@light_kernel
def from_numbers(numbers: Any, bits: Any, out: Any) -> Any:
    """Write the packed positions of numbers; see ``to_numbers``.

    Returns:
        Whether no number has more bits than there are.
    """
    under, by, masks, rest = bits
    words = masks.size
    most = 0
    for word in range(words):
        most += ones(masks[word])
    longest = 0
    for i in range(numbers.size):
        number = numbers[i]
        longest = max(longest, length(number))
        for word in range(words - 1, -1, -1):
            here = scatter(number, masks[word]) | rest[word]
            out[i * words + word] = here ^ (here & under[word]) << by[word]
            number >>= _places(masks[word])
    return longest <= most


@light_kernel
def block_before(packed: Any, bits: Any, first: Any, known: int, number: Any) -> Any:
    """Return the last of ``known`` ascending numbers that is not greater than a position's, or -1.

    It is also -1 where the position cannot be one of the table's. ``number`` receives its number.
    """
    number[0], fits = _number(packed, 0, bits)
    at = last_not_greater(number[0], first, 0, known)
    return at if fits and first[at] <= number[0] else -1


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
