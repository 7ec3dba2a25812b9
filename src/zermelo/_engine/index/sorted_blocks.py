"""Sorted positions in blocks: how far each is from the one before, in planes of bytes.

Positions that follow one another differ little. A block holds the *steps* of its positions, each in
as many bytes as the largest of them needs: first the lowest byte of all, then the next byte of all,
and so on, so that bytes stand together that are alike and Zstandard shortens them. The step of the
first position is 0; which position that is, an array of its own says. A position of several words
is one large number, its first word the most significant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.bits import length
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.sort.sorted_keys import below

#: Bytes of a word, which a step of one word takes at most.
WORD = 8

_ZERO, _ONE, _BYTE = np.uint64(0), np.uint64(1), np.uint64(8)
#: Positions of which the last is looked at to see whether one is among them.
_GROUP = 32


@kernel
def encode(keys: Any, words: int, size: int, out: Any, ends: Any) -> None:
    """Write the steps of positions, those of each block one after another.

    Args:
        keys: positions, ascending.
        words: words a position.
        size: positions in a block.
        out: receives the bytes, with room for ``WORD`` a word.
        ends: receives where each block ends.
    """
    steps = np.empty(size * words, np.uint64)
    at = 0
    count = keys.size // words
    for begin in range(0, count, size):
        some = min(size, count - begin)
        width = _steps_of(keys[begin * words : (begin + some) * words], words, steps)
        for plane in range(width):
            word = words - 1 - plane // WORD
            shift = _BYTE * np.uint64(plane % WORD)
            for i in range(some):
                out[at + i] = np.uint8(steps[i * words + word] >> shift)
            at += some
        ends[begin // size] = at


@inlined
def _steps_of(keys: Any, words: int, steps: Any) -> Any:
    """Write how far each position is from the one before; return the bytes that a step takes."""
    steps[:words] = _ZERO
    if words == 1:
        every = _ONE
        for i in range(1, keys.size):
            steps[i] = keys[i] - keys[i - 1]
            every |= steps[i]
        return (length(every) + 7) // WORD
    width = 1
    for i in range(words, keys.size, words):
        borrow = _ZERO
        for word in range(words - 1, -1, -1):  # the lowest first, so that what is borrowed is known
            here, before = keys[i + word], keys[i + word - words]
            step = here - before - borrow
            borrow = _ONE if here < before or (here == before and borrow) else _ZERO
            steps[i + word] = step
            if step:
                width = max(width, WORD * (words - 1 - word) + (length(step) + 7) // WORD)
    return width


@inlined
def _width(size: Any, count: Any, words: Any) -> Any:
    """Return the bytes that each of ``count`` steps takes in a block of this size, 0 for none."""
    width = size // count
    return width if width * count == size and width <= WORD * words else 0


@light_kernel
def decode(data: Any, begin: int, end: int, first: Any, words: int, out: Any) -> Any:
    """Read the positions of a block; return whether there are as many as ``out`` has room for.

    Args:
        data: the steps, and what may stand before and behind them.
        begin: where they begin.
        end: where they end.
        first: the first position.
        words: words a position.
        out: receives the positions.
    """
    count = out.size // words
    width = _width(end - begin, count, words)
    if width == 0:
        return False
    out[:] = _ZERO
    for plane in range(width):
        word = words - 1 - plane // WORD
        shift = _BYTE * np.uint64(plane % WORD)
        here = data[begin + plane * count : begin + (plane + 1) * count]
        if words == 1:  # as in the other branch, but several by one instruction
            for i in range(count):
                out[i] |= np.uint64(here[i]) << shift
        else:
            for i in range(count):
                out[i * words + word] |= np.uint64(here[i]) << shift
    if words == 1:
        position = first[0]
        for i in range(count):
            position += out[i]
            out[i] = position
        return True
    for i in range(count):
        carry = _ZERO
        for word in range(words - 1, -1, -1):
            before = first[word] if i == 0 else out[(i - 1) * words + word]
            half = before + out[i * words + word]
            whole = half + carry
            carry = _ONE if half < before or whole < half else _ZERO
            out[i * words + word] = whole
    return True


@light_kernel
def seek(data: Any, begin: int, end: int, count: int, first: Any, block: int, wanted: Any) -> Any:
    """Look for a position of one word among those of a block, as far as it would be.

    Args:
        data: the steps of the block, and what may stand before and behind them.
        begin: where they begin.
        end: where they end.
        count: how many positions it has.
        first: the first position of every block.
        block: which block it is.
        wanted: the position, in an array.

    Returns:
        Which of them it is, -1 where it is none, -2 where the block cannot be read.
    """
    width = _width(end - begin, count, 1)
    if width == 0:
        return -2
    word, position = wanted[0], first[block]
    for group in range(0, count, _GROUP):
        size, whole = min(_GROUP, count - group), _ZERO
        for plane in range(width):  # all steps of the group together, several by one instruction
            at = begin + plane * count + group
            part = _ZERO
            for step in data[at : at + size]:
                part += np.uint64(step)
            whole += part << (_BYTE * np.uint64(plane))
        if position + whole < word:
            position += whole
            continue
        for i in range(group, group + size):
            for plane in range(width):
                step = np.uint64(data[begin + plane * count + i])
                position += step << (_BYTE * np.uint64(plane))
            if position >= word:
                return i if position == word else -1
    return -1


@kernel
def copy_parts(data: Any, blocks: Any, bounds: Any, out: Any) -> None:
    """Copy several blocks of bytes, which follow one another, to where they belong.

    Args:
        data: the blocks.
        blocks: the number of each.
        bounds: where each block of the array begins in it, and where the last ends.
        out: the array.
    """
    at = np.uint64(0)
    for n in range(blocks.size):
        begin, end = np.uint64(bounds[blocks[n]]), np.uint64(bounds[blocks[n] + 1])
        for k in range(end - begin):
            out[begin + k] = data[at + k]
        at += end - begin


@inlined
def _less(word: Any, keys: Any, begin: Any, end: Any) -> Any:
    """Return how many words from ``begin`` to ``end`` are less than one.

    All are compared, several by one instruction, which takes less than to guess where to look.
    """
    count: Any = 0
    for i in range(begin, end):
        count += np.int64(keys[i] < word)
    return count


@kernel
def find_within(
    wanted: Any,
    words: int,
    data: Any,
    bounds: Any,
    firsts: Any,
    known: int,
    blocks: Any,
    size: int,
    out: Any,
) -> Any:
    """Find packed positions, of which the block is known, among those of the block.

    A block is read once for those of its positions that follow one another.

    Args:
        wanted: the positions.
        words: words a position.
        data: the steps of all positions, of which those of the blocks are there.
        bounds: where each block begins in them, and where the last ends.
        firsts: the first position of each block.
        known: how many positions there are.
        blocks: the block that would hold each wanted one, -1 for none.
        size: positions a block.
        out: receives the number of each, -1 for one that is not there.

    Returns:
        How many were found; or, where a block cannot be read, -1 less its number.
    """
    buffer = np.empty(size * words, np.uint64)
    lasts = np.empty((size + _GROUP - 1) // _GROUP, np.uint64)
    found = begin = 0
    while begin < blocks.size:
        block = blocks[begin]
        end = begin + 1
        while end < blocks.size and blocks[end] == block:
            end += 1
        if block < 0:
            out[begin:end] = -1
            begin = end
            continue
        count = min(size, known - block * size)
        keys, first = buffer[: count * words], firsts[block * words : (block + 1) * words]
        if not decode(data, bounds[block], bounds[block + 1], first, words, keys):
            return -1 - block
        if words == 1:
            for group in range(0, count, _GROUP):
                lasts[group // _GROUP] = keys[min(group + _GROUP, count) - 1]
            for i in range(begin, end):
                word = wanted[i]
                group = _GROUP * _less(word, lasts, 0, (count + _GROUP - 1) // _GROUP)
                at = group + _less(word, keys, group, min(group + _GROUP, count))
                same = at < count and keys[at] == word
                out[i] = block * size + at if same else -1
                found += same
        else:
            for i in range(begin, end):
                at = _among(wanted, i, words, keys, count)
                out[i] = block * size + at if at >= 0 else -1
                found += at >= 0
        begin = end
    return found


@inlined
def _among(wanted: Any, i: Any, words: Any, keys: Any, count: Any) -> Any:
    """Return which of some ascending positions of several words one is, or -1."""
    low, high = 0, count - 1
    while low < high:  # the last that is not greater
        middle = (low + high + 1) // 2
        if below(wanted, i, keys, middle, words):
            high = middle - 1
        else:
            low = middle
    for word in range(words):
        if wanted[i * words + word] != keys[low * words + word]:
            return -1
    return low


@kernel
def read_within(
    places: Any,
    words: int,
    data: Any,
    bounds: Any,
    firsts: Any,
    known: int,
    size: int,
    out: Any,
) -> Any:
    """Read the packed positions of some numbers; see ``find_within``.

    Args:
        places: the numbers.
        words: words a position.
        data: the steps of all positions, of which those of the blocks are there.
        bounds: where each block begins in them, and where the last ends.
        firsts: the first position of each block.
        known: how many positions there are.
        size: positions a block.
        out: receives the positions.

    Returns:
        The block that cannot be read, -1 for none.
    """
    buffer = np.empty(size * words, np.uint64)
    here = np.int64(-1)
    for i in range(places.size):
        block = places[i] // size
        if block != here:
            count = min(size, known - block * size)
            keys, first = buffer[: count * words], firsts[block * words : (block + 1) * words]
            if not decode(data, bounds[block], bounds[block + 1], first, words, keys):
                return block
            here = block
        at = places[i] - block * size
        for word in range(words):
            out[i * words + word] = buffer[at * words + word]
    return -1
