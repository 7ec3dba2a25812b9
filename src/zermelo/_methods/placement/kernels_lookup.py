"""Kernels that look up positions of a placement game, and read positions and values at places."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.column.codes import UNKNOWN
from zermelo._engine.core.bits import gather, lowest, ones, scatter
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._methods.placement.tiers import OWN, SECTION, bits_of, blocks_of, is_odd, occupied

_0 = np.uint64(0)
_1 = np.uint64(1)
_LAST, _TIES, _UNTIMED = (np.int64(n) for n in (codes.LAST, codes.TIES, codes.UNTIMED))


@inlined
def _section_of(place: Any, places: Any, guess: int) -> int:
    """Return the section that contains a place, trying ``guess`` first."""
    if places[guess] <= place < places[guess + 1]:
        return guess
    low, high = 0, places.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if places[middle] <= place:
            low = middle
        else:
            high = middle
    return low


@inlined
def _level_of(section: int, level_section: Any) -> int:
    level = 0
    while level_section[level + 1] <= section:
        level += 1
    return level


@inlined
def locate(
    packed: Any,
    i: int,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
) -> tuple[Any, Any, Any, Any]:
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
    both = a | b
    taken = _0
    owned = _0
    tier = np.int64(0)
    counted = 0
    for stack in range(heights.size):
        for row in range(heights[stack]):
            cell = np.uint64(cells[stack, row])
            at = np.uint64(bit[cell])
            if both >> at & _1 == _0:
                break
            taken |= _1 << cell
            owned |= (a >> at & _1) << cell
            tier += radices[stack]
            counted += 1
    if counted != level:
        return nowhere
    if marks == OWN and ones(a) != (level + 1) // 2:
        return nowhere
    bits = bits_of(level, marks)
    pattern = gather(owned, taken) & ((_1 << np.uint64(bits)) - _1)
    blocks = blocks_of(bits)
    slot = np.int64(slots[tier])
    block = np.int64(pattern >> np.uint64(12))
    w = np.int64(pattern >> np.uint64(6) & np.uint64(63))
    number = np.int64(level_block[level] + slot * blocks + block)
    section = np.int64(level_section[level] + slot * max(1, blocks // SECTION) + block // SECTION)
    return number, section, w, pattern & np.uint64(63)


@inlined
def _place_of(
    packed: Any,
    i: int,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
    stored: Any,
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
    at_word = word[section] + first[number]
    total = place[section] + rank[number]
    before = ones(mask & ((_1 << np.uint64(w)) - _1))
    for j in range(before):
        total += ones(stored[at_word + j])
    last = stored[at_word + before]
    one = _1 << last_bit
    if last & one == _0:
        return nowhere
    return np.int64(total + ones(last & (one - _1))), section


@light_kernel
def find_block(
    packed: Any,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
    out: Any,
) -> Any:
    """Return the block of a packed position, -1 if it cannot be in any.

    ``out`` receives the word of the block, the bit of the word, and the place of the block's first
    position.
    """
    rank, place = directory[7:9]
    number, section, w, inside = locate(
        packed, 0, words, first_field, second_field, bit, shape, directory
    )
    if number >= 0:
        out[0], out[1], out[2] = w, np.int64(inside), place[section] + rank[number]
    return number


@light_kernel
def find(
    packed: Any,
    count: int,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
    stored: Any,
    out: Any,
) -> int:
    """Write the place of each packed position, -1 if absent; return how many are present."""
    here = 0
    for i in range(count):
        out[i], _ = _place_of(
            packed, i, words, first_field, second_field, bit, shape, directory, stored
        )
        here += out[i] >= 0
    return here


@kernel
def write(
    wanted: Any,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
    stored: Any,
    out: Any,
) -> None:
    """Write the packed position at each place."""
    heights, radices, cells, _, marks = shape
    tiers, _slots, level_tier, level_block, level_section, present, first, rank, place, word = (
        directory
    )
    section = 0
    for i in range(wanted.size):
        section = _section_of(wanted[i], place, section)
        level = _level_of(section, level_section)
        bits = bits_of(level, marks)
        blocks = blocks_of(bits)
        in_tier = max(1, blocks // SECTION)
        slot = (section - level_section[level]) // in_tier
        start = (section - level_section[level] - slot * in_tier) * SECTION
        base = level_block[level] + slot * blocks + start
        left = wanted[i] - place[section]
        low, high = 0, min(SECTION, blocks - start)
        while high - low > 1:
            middle = (low + high) // 2
            if rank[base + middle] <= left:
                low = middle
            else:
                high = middle
        left -= rank[base + low]
        mask = present[base + low]
        at_word = word[section] + first[base + low]
        while ones(stored[at_word]) <= left:
            left -= ones(stored[at_word])
            at_word += 1
            mask &= mask - _1
        inside = lowest(scatter(_1 << np.uint64(left), stored[at_word]))
        pattern = np.uint64((start + low) << 12 | lowest(mask) << 6 | inside)
        if bits < level and is_odd(pattern) != ((level + 1) // 2) & 1:
            pattern |= _1 << np.uint64(bits)
        tier = tiers[level_tier[level] + slot]
        taken, _ = occupied(tier, heights, radices, cells)
        owned = scatter(pattern, taken)
        a = _0
        b = _0
        while taken != _0:
            cell = lowest(taken)
            taken &= taken - _1
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
    wanted: Any,
    section: Any,
    level_section: Any,
    place: Any,
    value: Any,
    values: Any,
    begin: Any,
    whose: Any,
    ply: Any,
) -> Any:
    """Return the code at a place in a section."""
    level = _level_of(section, level_section)
    rank = wanted - place[section]
    planes = begin[level + 1] - begin[level]
    at = value[section] + (rank >> 6) * planes
    bit = np.uint64(rank & 63)
    code = _TIES - (level_section.size - 2 - level)
    for p in range(planes):
        if values[at + p] >> bit & _1:
            of = begin[level] + p
            code = _LAST - ply[of]
            if ply[of] != _UNTIMED:
                code += level
            if whose[of] == level % 2:
                code = -code
            break
    return code


@light_kernel
def read_codes(
    wanted: Any,
    level_section: Any,
    place: Any,
    value: Any,
    values: Any,
    begin: Any,
    whose: Any,
    ply: Any,
    out: Any,
) -> None:
    """Write the code at each place."""
    section = 0
    for i in range(wanted.size):
        section = _section_of(wanted[i], place, section)
        out[i] = _code(wanted[i], section, level_section, place, value, values, begin, whose, ply)


def concatenate(*parts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return small arrays as one, preceded by the first index of each and the end of the last."""
    sizes = [len(parts) + 1, *(part.size for part in parts)]
    return np.concatenate([np.cumsum(sizes), *(part.reshape(-1) for part in parts)], dtype=np.int64)


@light_kernel
def code_of(
    packed: Any,
    marks: int,
    small: Any,
    slots: Any,
    present: Any,
    first: Any,
    rank: Any,
    place: Any,
    word: Any,
    stored: Any,
    value: Any,
    values: Any,
) -> Any:
    """Return the code of one packed position, or ``UNKNOWN`` if it is absent.

    Each array argument takes time, so ``concatenate`` makes the small arrays one: heights, radices
    and cells of the board, the two fields and the bits in them, the first index of each level in
    arrays by block and by section, and the meaning of the planes.
    """
    at = small  # the first index of each of them
    heights, radices = small[at[0] : at[1]], small[at[1] : at[2]]
    cells = small[at[2] : at[3]].reshape((heights.size, -1))
    fields = small[at[3] : at[4]], small[at[4] : at[5]], small[at[5] : at[6]]
    level_block, level_section = small[at[6] : at[7]], small[at[7] : at[8]]
    said = small[at[8] : at[9]], small[at[9] : at[10]], small[at[10] : at[11]]
    shape = heights, radices, cells, small, marks  # lines and lists of tiers are not used
    levels = small, slots, small, level_block, level_section
    directory = (*levels, present, first, rank, place, word)
    where, section = _place_of(packed, 0, packed.size, *fields, shape, directory, stored)
    if where < 0:
        return UNKNOWN
    return _code(where, section, level_section, place, value, values, *said)


@light_kernel
def count(begin: int, end: int, value: Any, values: Any, planes: int, out: Any) -> None:
    """Add to ``out`` the number of positions of these sections in each plane."""
    for at in range(value[begin], value[end], planes):
        for p in range(planes):
            out[p] += ones(values[at + p])
