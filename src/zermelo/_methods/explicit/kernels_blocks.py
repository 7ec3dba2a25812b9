"""Kernels for explicit graphs on disk: rows of numbers as blocks of bytes, and back.

Numbers of a block stand in *planes*: the lowest byte of each, then the next byte of each, and so
on. Where few are great, the planes behind the first are almost all zeros, and shrink to nothing.

Edges are coded in one of two ways. As *numbers* each has as many bits as the number of a vertex
needs, side by side, the first lowest. As *steps* each is written as its distance from the edge
before it (twice as much, less one where it goes down), in planes: where vertices that lie near each
other have numbers that do, or where each has edges like those of the one before, steps are small,
or come again and again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import eight_bytes, put_eight_bytes

#: Bytes behind packed numbers that are written over, as eight are written at once.
SLACK = 8

_BYTE = 8
_WORD = 64


@kernel
def pack_planes(numbers: Any, size: int, width: int, out: Any) -> None:
    """Write numbers as blocks of ``size``, the last one perhaps shorter, in planes.

    Args:
        numbers: the numbers, none below 0.
        size: see above.
        width: how many planes a block has.
        out: receives the bytes.
    """
    for begin in range(0, numbers.size, size):
        count = min(size, numbers.size - begin)
        at = begin * width
        for i in range(count):
            number = np.uint64(numbers[begin + i])
            for plane in range(width):
                out[at + i + plane * count] = np.uint8(number)
                number >>= np.uint64(_BYTE)


@kernel
def unpack_planes(
    data: Any, ends: Any, blocks: Any, size: int, width: int, meant: Any, limit: int, out: Any
) -> Any:
    """Read numbers in planes.

    Args:
        data: the bytes of several blocks.
        ends: where each ends in them.
        blocks: the number of each.
        size: numbers in each but the last of the array.
        width: how many planes a block has.
        meant: what each number stands for; empty where it stands for itself.
        limit: what no number may reach.
        out: all of the array.

    Returns:
        Which block is no such block, -1 for none.
    """
    begin = np.int64(0)
    for n in range(blocks.size):
        first = blocks[n] * size
        count = min(np.int64(size), out.size - first)
        if ends[n] - begin != count * width:
            return n
        for i in range(count):
            number = np.uint64(0)
            for plane in range(width):
                byte = np.uint64(data[begin + plane * count + i])
                number |= byte << np.uint64(_BYTE * plane)
            if number >= np.uint64(limit):
                return n
            if meant.size:
                out[first + i] = meant[np.int64(number)]
            else:
                out[first + i] = number
        begin = ends[n]
    return np.int64(-1)


@kernel
def pack_numbers(numbers: Any, bits: int, out: Any) -> None:
    """Write numbers side by side.

    Args:
        numbers: the numbers, none of which takes more bits.
        bits: the bits of each, 1 to 32.
        out: receives the bytes, and has ``SLACK`` more.
    """
    word = np.uint64(0)
    have = 0
    at = 0
    for i in range(numbers.size):
        number = np.uint64(numbers[i])
        word |= number << np.uint64(have)
        have += bits
        if have >= _WORD:
            put_eight_bytes(out, at, word)
            at += 8
            have -= _WORD
            # Shifts by 64 have no meaning, and there is nothing left where none is left over.
            word = number >> np.uint64(bits - have) if have else np.uint64(0)
    put_eight_bytes(out, at, word)


@kernel
def unpack_numbers(data: Any, skip: int, bits: int, limit: int, out: Any) -> Any:
    """Read numbers that stand side by side; return whether each is less than ``limit``.

    Args:
        data: the bytes.
        skip: how many numbers come before the first that is asked for.
        bits: the bits of each, 1 to 32.
        limit: see above.
        out: receives as many as it has room for, which must be there.
    """
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    most = np.uint64(0)
    last = data.size - 8
    for i in range(out.size):
        bit = (skip + i) * bits
        at = bit // _BYTE
        if at <= last:
            word = eight_bytes(data, at)
        else:
            word = np.uint64(0)
            for k in range(data.size - at):
                word |= np.uint64(data[at + k]) << np.uint64(_BYTE * k)
        number = (word >> np.uint64(bit % _BYTE)) & mask
        most = max(most, number)
        out[i] = number
    return out.size == 0 or most < np.uint64(limit)


@kernel
def pack_steps(numbers: Any, size: int, width: int, out: Any) -> None:
    """Write numbers as steps, in blocks of ``size``; see ``pack_planes``."""
    for begin in range(0, numbers.size, size):
        count = min(size, numbers.size - begin)
        at = begin * width
        before = np.int64(0)
        for i in range(count):
            step = np.int64(numbers[begin + i]) - before
            before += step
            number = np.uint64((step << 1) ^ (step >> 63))
            for plane in range(width):
                out[at + i + plane * count] = np.uint8(number)
                number >>= np.uint64(_BYTE)


@kernel
def unpack_steps(
    data: Any, ends: Any, size: int, width: int, skip: int, limit: int, out: Any
) -> Any:
    """Read numbers that are written as steps.

    Args:
        data: the bytes of several blocks, each of which begins again.
        ends: where each ends in them.
        size: numbers in each but perhaps the last.
        width: how many planes a block has.
        skip: how many numbers of the first come before the first that is asked for.
        limit: what no number may reach.
        out: receives as many as it has room for.

    Returns:
        Which block is none of such numbers, -1 for none.
    """
    begin = np.int64(0)
    at = np.int64(-skip)
    for n in range(ends.size):
        count = (ends[n] - begin) // width
        if count * width != ends[n] - begin or (count != size and n != ends.size - 1):
            return n
        number = np.int64(0)
        for i in range(count):
            step = np.uint64(0)
            for plane in range(width):
                byte = np.uint64(data[begin + plane * count + i])
                step |= byte << np.uint64(_BYTE * plane)
            number += np.int64(step >> np.uint64(1)) ^ -np.int64(step & np.uint64(1))
            if number < 0 or number >= limit:
                return n
            if 0 <= at < out.size:
                out[at] = number
            at += 1
        begin = ends[n]
    return np.int64(-1) if at >= out.size else np.int64(ends.size - 1)
