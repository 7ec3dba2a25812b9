"""Kernels for explicit graphs on disk: rows of numbers as blocks of bytes, and back.

Numbers of a block are stored in *planes*: the lowest byte of each, then the next byte of each, and
so on. If few are large, the planes after the first are almost all zeros, and compress well.

Edges are coded in one of two ways. As *numbers* each has as many bits as the number of a vertex
needs, side by side, the first lowest. As *steps* each is written as its difference from the edge
before it (twice the difference, less one if it is negative), in planes. If near vertices have near
numbers, or each vertex has edges like those of the one before, steps are small, or repeat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int8Array, Int64Array, IntArray, Uint8Array
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import eight_bytes, put_eight_bytes

#: Bytes after packed numbers that may be overwritten, as eight are written in one go.
SLACK = 8

_BYTE = 8
_WORD = 64


@kernel
def pack_planes(numbers: IntArray, size: int, width: int, out: Uint8Array) -> None:
    """Write numbers in planes, as blocks of ``size``, the last one perhaps shorter.

    Args:
        numbers: the numbers, none below 0.
        size: numbers per block.
        width: planes per block.
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
    data: Uint8Array,
    ends: Int64Array,
    blocks: Int64Array,
    size: int,
    width: int,
    meant: Int8Array,
    limit: int,
    out: IntArray,
) -> Any:
    """Read numbers in planes.

    Args:
        data: the bytes of several blocks.
        ends: the end of each block in them.
        blocks: the number of each block.
        size: numbers per block, except the last of the array.
        width: planes per block.
        meant: the meaning of each number; empty if numbers stand for themselves.
        limit: the first invalid number.
        out: receives the numbers; all of the array.

    Returns:
        The index of an invalid block, or -1.
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
def pack_numbers(numbers: IntArray, bits: int, out: Uint8Array) -> None:
    """Write numbers side by side.

    Args:
        numbers: the numbers, which fit in ``bits``.
        bits: the bits of each, 1 to 32.
        out: receives the bytes, and is ``SLACK`` longer.
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
            # A shift by 64 is undefined; without bits left over, the next word is empty.
            word = number >> np.uint64(bits - have) if have else np.uint64(0)
    put_eight_bytes(out, at, word)


@kernel
def unpack_numbers(data: Uint8Array, skip: int, bits: int, limit: int, out: IntArray) -> Any:
    """Read numbers that are stored side by side; return whether each is less than ``limit``.

    Args:
        data: the bytes.
        skip: the numbers before the first one to read.
        bits: the bits of each, 1 to 32.
        limit: the first invalid number.
        out: receives the numbers; its size is their count.
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
def pack_steps(numbers: IntArray, size: int, width: int, out: Uint8Array) -> None:
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
    data: Uint8Array, ends: Int64Array, size: int, width: int, skip: int, limit: int, out: IntArray
) -> Any:
    """Read numbers that are written as steps.

    Args:
        data: the bytes of several blocks; each block starts from 0.
        ends: the end of each block in them.
        size: numbers per block, except perhaps the last.
        width: planes per block.
        skip: the numbers of the first block before the first one to read.
        limit: the first invalid number.
        out: receives the numbers; its size is their count.

    Returns:
        The index of an invalid block, or -1.
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
