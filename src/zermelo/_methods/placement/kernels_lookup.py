"""Kernels that look up positions of a placement game, and read positions and values at places."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.column.codes import UNKNOWN
from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    IntArray,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.bits import gather, lowest, ones, scatter
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._methods.placement.tiers import OWN, SECTION, bits_of, blocks_of, is_odd, occupied

#: The arrays of ``Directory.searched``.
DirectoryArrays: TypeAlias = tuple[
    *tuple[Int64Array, Int32Array, Int64Array, Int64Array, Int64Array],
    *tuple[Uint64Array, Uint32Array, Uint32Array, Int64Array, Int64Array],
]

_0 = np.uint64(0)
_1 = np.uint64(1)
_LAST, _TIES, _UNTIMED = (np.int64(n) for n in (codes.LAST, codes.TIES, codes.UNTIMED))


@inlined
def _section_of(place: int, places: Int64Array, last_section: int) -> int:
    """Return the section that contains a place, trying ``last_section`` first."""
    if places[last_section] <= place < places[last_section + 1]:
        return last_section
    low, high = 0, places.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if places[middle] <= place:
            low = middle
        else:
            high = middle
    return low


@inlined
def _level_of(section: int, level_section: Int64Array) -> int:
    level = 0
    while level_section[level + 1] <= section:
        level += 1
    return level


@inlined
def locate(
    packed: Uint64Array,
    i: int,
    words: int,
    first_field: Int64Array,
    second_field: Int64Array,
    bit: Int64Array,
    shape: tuple[Int64Array, Int64Array, Int64Array, IntArray, int],
    directory: Any,
) -> tuple[np.int64, np.int64, np.int64, np.uint64]:
    """Return the block of a packed position, -1 if it has none, its section, word and bit."""
    heights, radices, cells, _, marks = shape
    slots, level_block, level_section = directory[1], directory[3], directory[4]
    a = packed[i * words + first_field[0]] >> np.uint64(first_field[1])
    a &= (_1 << np.uint64(first_field[2])) - _1
    b = packed[i * words + second_field[0]] >> np.uint64(second_field[1])
    b &= (_1 << np.uint64(second_field[2])) - _1
    nowhere = np.int64(-1), np.int64(0), np.int64(0), _0
    if a & b != _0:
        return nowhere
    level = ones(a | b)
    if marks == OWN and level & 1:
        a, b = b, a
    filled = a | b
    occupied_cells = _0
    owned = _0
    tier = np.int64(0)
    filled_count = 0
    for stack in range(heights.size):
        for row in range(heights[stack]):
            cell = np.uint64(cells[stack, row])
            cell_bit = np.uint64(bit[cell])
            if filled >> cell_bit & _1 == _0:
                break
            occupied_cells |= _1 << cell
            owned |= (a >> cell_bit & _1) << cell
            tier += radices[stack]
            filled_count += 1
    if filled_count != level:
        return nowhere
    if marks == OWN and ones(a) != (level + 1) // 2:
        return nowhere
    bits = bits_of(level, marks)
    pattern = gather(owned, occupied_cells) & ((_1 << np.uint64(bits)) - _1)
    blocks = blocks_of(bits)
    slot = np.int64(slots[tier])
    block = np.int64(pattern >> np.uint64(12))
    w = np.int64(pattern >> np.uint64(6) & np.uint64(63))
    number = np.int64(level_block[level] + slot * blocks + block)
    section = np.int64(level_section[level] + slot * max(1, blocks // SECTION) + block // SECTION)
    return number, section, w, pattern & np.uint64(63)


@inlined
def _place_of(
    packed: Uint64Array,
    i: int,
    words: int,
    first_field: Int64Array,
    second_field: Int64Array,
    bit: Int64Array,
    shape: tuple[Int64Array, Int64Array, Int64Array, IntArray, int],
    directory: DirectoryArrays,
    stored: Uint64Array,
) -> tuple[Any, Any]:
    """Return the place of a packed position, -1 if it is absent, and its section."""
    present, first, rank, place, word = directory[5:]
    number, section, w, last_bit = locate(
        packed, i, words, first_field, second_field, bit, shape, directory
    )
    nowhere = np.int64(-1), np.int64(0)
    if number < 0:
        return nowhere
    mask = present[number]
    if mask >> np.uint64(w) & _1 == _0:
        return nowhere
    first_word = word[section] + first[number]
    total = place[section] + rank[number]
    words_before = ones(mask & ((_1 << np.uint64(w)) - _1))
    for j in range(words_before):
        total += ones(stored[first_word + j])
    last = stored[first_word + words_before]
    last_mask = _1 << last_bit
    if last & last_mask == _0:
        return nowhere
    return np.int64(total + ones(last & (last_mask - _1))), section


@light_kernel
def find_block(
    packed: Uint64Array,
    words: int,
    first_field: Int64Array,
    second_field: Int64Array,
    bit: Int64Array,
    shape: tuple[Int64Array, Int64Array, Int64Array, Uint64Array, int],
    directory: Any,
    out: Int64Array,
) -> Any:
    """Return the block of a packed position, -1 if it cannot be in any.

    ``out`` receives the word of the block, the bit of the word, and the place of the block's first
    position.
    """
    rank, place = directory[7:9]
    number, section, w, word_bit = locate(
        packed, 0, words, first_field, second_field, bit, shape, directory
    )
    if number >= 0:
        out[0], out[1], out[2] = w, np.int64(word_bit), place[section] + rank[number]
    return number


@light_kernel
def find(
    packed: Uint64Array,
    count: int,
    words: int,
    first_field: Int64Array,
    second_field: Int64Array,
    bit: Int64Array,
    shape: tuple[Int64Array, Int64Array, Int64Array, Uint64Array, int],
    directory: DirectoryArrays,
    stored: Uint64Array,
    out: Int64Array,
) -> int:
    """Write the place of each packed position, -1 if absent; return the number present."""
    present_count = 0
    for i in range(count):
        out[i], _ = _place_of(
            packed, i, words, first_field, second_field, bit, shape, directory, stored
        )
        present_count += out[i] >= 0
    return present_count


@kernel
def write(
    places: Int64Array,
    words: int,
    first_field: Int64Array,
    second_field: Int64Array,
    bit: Int64Array,
    shape: tuple[Int64Array, Int64Array, Int64Array, Uint64Array, int],
    directory: DirectoryArrays,
    stored: Uint64Array,
    out: Uint64Array,
) -> None:
    """Write the packed position at each place."""
    heights, radices, cells, _, marks = shape
    tiers, _slots, level_tier, level_block, level_section, present, first, rank, place, word = (
        directory
    )
    section = 0
    for i in range(places.size):
        section = _section_of(places[i], place, section)
        level = _level_of(section, level_section)
        bits = bits_of(level, marks)
        blocks = blocks_of(bits)
        in_tier = max(1, blocks // SECTION)
        slot = (section - level_section[level]) // in_tier
        start = (section - level_section[level] - slot * in_tier) * SECTION
        base = level_block[level] + slot * blocks + start
        remaining = places[i] - place[section]
        low, high = 0, min(SECTION, blocks - start)
        while high - low > 1:
            middle = (low + high) // 2
            if rank[base + middle] <= remaining:
                low = middle
            else:
                high = middle
        remaining -= rank[base + low]
        mask = present[base + low]
        word_index = word[section] + first[base + low]
        while ones(stored[word_index]) <= remaining:
            remaining -= ones(stored[word_index])
            word_index += 1
            mask &= mask - _1
        word_bit = lowest(scatter(_1 << np.uint64(remaining), stored[word_index]))
        pattern = np.uint64((start + low) << 12 | lowest(mask) << 6 | word_bit)
        if bits < level and is_odd(pattern) != ((level + 1) // 2) & 1:
            pattern |= _1 << np.uint64(bits)
        tier = tiers[level_tier[level] + slot]
        occupied_cells, _ = occupied(tier, heights, radices, cells)
        owned = scatter(pattern, occupied_cells)
        a = _0
        b = _0
        while occupied_cells != _0:
            cell = lowest(occupied_cells)
            occupied_cells &= occupied_cells - _1
            if owned >> np.uint64(cell) & _1:
                a |= _1 << np.uint64(bit[cell])
            else:
                b |= _1 << np.uint64(bit[cell])
        if marks == OWN and level & 1:
            a, b = b, a
        for w in range(words):
            out[i * words + w] = _0
        out[i * words + first_field[0]] |= a << np.uint64(first_field[1])
        out[i * words + second_field[0]] |= b << np.uint64(second_field[1])


@inlined
def _code(
    target: int,
    section: int,
    level_section: Int64Array,
    place: Int64Array,
    value: Int64Array,
    values: Uint64Array,
    begin: Int64Array,
    winner_of: Int64Array,
    ply: Int64Array,
) -> Any:
    """Return the code at a place in a section."""
    level = _level_of(section, level_section)
    rank = target - place[section]
    planes = begin[level + 1] - begin[level]
    base = value[section] + (rank >> 6) * planes
    bit = np.uint64(rank & 63)
    code = _TIES - (level_section.size - 2 - level)
    for p in range(planes):
        if values[base + p] >> bit & _1:
            plane = begin[level] + p
            code = _LAST - ply[plane]
            if ply[plane] != _UNTIMED:
                code += level
            if winner_of[plane] == level % 2:
                code = -code
            break
    return code


@light_kernel
def read_codes(
    targets: Int64Array,
    level_section: Int64Array,
    place: Int64Array,
    value: Int64Array,
    values: Uint64Array,
    begin: Int64Array,
    winner_of: Int64Array,
    ply: Int64Array,
    out: Int32Array,
) -> None:
    """Write the code at each place."""
    section = 0
    for i in range(targets.size):
        section = _section_of(targets[i], place, section)
        out[i] = _code(
            targets[i], section, level_section, place, value, values, begin, winner_of, ply
        )


def concatenate(*parts: npt.NDArray[Any]) -> Int64Array:
    """Return small arrays as one, preceded by the first index of each and the end of the last."""
    sizes = [len(parts) + 1, *(part.size for part in parts)]
    return np.concatenate([np.cumsum(sizes), *(part.reshape(-1) for part in parts)], dtype=np.int64)


@light_kernel
def code_of(
    packed: Uint64Array,
    marks: int,
    small: Int64Array,
    slots: Int32Array,
    present: Uint64Array,
    first: Uint32Array,
    rank: Uint32Array,
    place: Int64Array,
    word: Int64Array,
    stored: Uint64Array,
    value: Int64Array,
    values: Uint64Array,
) -> Any:
    """Return the code of one packed position, or ``UNKNOWN`` if it is absent.

    Each array argument takes time, so ``concatenate`` makes the small arrays one: heights, radices
    and cells of the board, the two fields and the bits in them, the first index of each level in
    arrays by block and by section, and the meaning of the planes.
    """
    begins = small  # the first index of each of them
    heights, radices = small[begins[0] : begins[1]], small[begins[1] : begins[2]]
    cells = small[begins[2] : begins[3]].reshape((heights.size, -1))
    fields = (
        small[begins[3] : begins[4]],
        small[begins[4] : begins[5]],
        small[begins[5] : begins[6]],
    )
    level_block, level_section = small[begins[6] : begins[7]], small[begins[7] : begins[8]]
    plane_arrays = (
        small[begins[8] : begins[9]],
        small[begins[9] : begins[10]],
        small[begins[10] : begins[11]],
    )
    shape = heights, radices, cells, small, marks  # lines and lists of tiers are not used
    levels = small, slots, small, level_block, level_section
    directory = (*levels, present, first, rank, place, word)
    target, section = _place_of(packed, 0, packed.size, *fields, shape, directory, stored)
    if target < 0:
        return UNKNOWN
    return _code(target, section, level_section, place, value, values, *plane_arrays)


@light_kernel
def count(
    begin: int, end: int, value: Int64Array, values: Uint64Array, planes: int, out: Int64Array
) -> None:
    """Add to ``out`` the number of positions of these sections in each plane."""
    for base in range(value[begin], value[end], planes):
        for p in range(planes):
            out[p] += ones(values[base + p])
