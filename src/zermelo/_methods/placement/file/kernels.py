"""Kernels for files of placement games: numbers of few bits side by side, and positions' blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import (
    Int16Array,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.bits import scatter
from zermelo._engine.core.jit import kernel
from zermelo._methods.placement.kernels_lookup import locate

_0 = np.uint64(0)
_1 = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def blocks_of(
    packed: Uint64Array,
    count: int,
    words: int,
    first_field: Int64Array,
    second_field: Int64Array,
    bit: Int64Array,
    shape: tuple[Int64Array, Int64Array, Int64Array, Uint64Array, int],
    directory: Any,
    out: Int64Array,
) -> None:
    """Write the block of each packed position, -1 if it cannot be in any."""
    for i in range(count):
        location = locate(packed, i, words, first_field, second_field, bit, shape, directory)
        out[i] = location[0]


@kernel
def pack(
    begin: int,
    end: int,
    section: int,
    place: Int64Array,
    value: Int64Array,
    values: Uint64Array,
    numbers: Int64Array,
    tie: int,
    width: int,
    out: Uint8Array,
) -> bool:
    """Write values in planes as numbers of few bits, side by side, the first lowest.

    Args:
        begin: the first place.
        end: the place after the last of the same level.
        section: the section of the first place.
        place: by section: its first place.
        value: by section: the index of its first value.
        values: for each 64 positions of a section, one word per plane.
        numbers: the number for a position whose first plane this is, -1 if there is none.
        tie: the number for a position in no plane, or -1.
        width: the bits of a number: 1, 2, 4 or 8.
        out: receives the bytes.

    Returns:
        Whether there is a number for each value.
    """
    planes = numbers.size
    bits = np.empty(8, np.uint64)
    per_word = 64 // width
    lowest_bits = _ALL // ((_1 << np.uint64(width)) - _1)
    lacking = _0
    byte = 0
    position = begin
    while position < end:
        for bit in range(width):
            bits[bit] = _0
        filled = 0
        while filled < 64 and position < end:
            while place[section + 1] <= position:
                section += 1
            rank = position - place[section]
            shift = np.uint64(rank & 63)
            base = value[section] + (rank >> 6) * planes
            count = min(
                64 - (rank & 63), 64 - filled, place[section + 1] - position, end - position
            )
            remaining = _ALL >> np.uint64(64 - count)
            for p in range(planes + 1):
                number = numbers[p] if p < planes else tie
                plane_bits = values[base + p] >> shift & remaining if p < planes else remaining
                remaining &= ~plane_bits
                if number < 0:
                    lacking |= plane_bits
                for bit in range(width):
                    if number >> bit & 1:
                        bits[bit] |= plane_bits << np.uint64(filled)
            filled += count
            position += count
        for k in range(0, filled, per_word):
            word = _0
            for bit in range(width):
                word |= scatter(bits[bit] >> np.uint64(k), lowest_bits << np.uint64(bit))
            for _ in range(min(8, (filled - k) * width + 7 >> 3)):
                out[byte] = word & np.uint64(255)
                word >>= np.uint64(8)
                byte += 1
    return bool(lacking == _0)


@kernel
def unpack(data: Uint8Array, width: int, meanings: IntArray, out: Uint8Array) -> bool:
    """Read numbers that are stored side by side, the first lowest.

    Args:
        data: the bytes.
        width: the bits of a number: 1, 2, 4 or 8.
        meanings: the meaning of each number.
        out: receives the meanings.

    Returns:
        Whether the number of bytes is right, and each number is valid.
    """
    per_byte = 8 // width
    if data.size != (out.size + per_byte - 1) // per_byte:
        return False
    mask = (1 << width) - 1
    for i in range(data.size):
        byte = np.int64(data[i])
        unpacked = out[i * per_byte : (i + 1) * per_byte]
        for k in range(unpacked.size):
            number = byte >> (k * width) & mask
            if number >= meanings.size:
                return False
            unpacked[k] = meanings[number]
    return True


@kernel
def unpack_blocks(
    data: Uint8Array,
    ends: Int64Array,
    blocks: Int64Array,
    bounds: Int64Array,
    levels: Int64Array,
    widths: Int64Array,
    meanings: Int16Array,
    out: Uint8Array,
) -> int:
    """Read the numbers of several blocks.

    Args:
        data: the bytes of all blocks.
        ends: the end of each block's bytes.
        blocks: the number of each block.
        bounds: the first place of each block of the table, and the number of places.
        levels: the level of each block of the table.
        widths: by level: the bits of a number.
        meanings: by level: the meaning of each number, -1 for an invalid one.
        out: receives the meanings, by place.

    Returns:
        The index of an invalid block, or -1.
    """
    begin = 0
    for n in range(blocks.size):
        block = blocks[n]
        level = levels[block]
        meaning_count = 0
        while meaning_count < meanings.shape[1] and meanings[level, meaning_count] >= 0:
            meaning_count += 1
        block_out = out[bounds[block] : bounds[block + 1]]
        if not unpack(
            data[begin : ends[n]], widths[level], meanings[level, :meaning_count], block_out
        ):
            return n
        begin = ends[n]
    return -1
