"""Kernels for tables on disk: values as places in a palette, and blocks that have been read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.bits import lowest, ones
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.sort.ordered import below, decode

_GOLDEN = 0x9E3779B97F4A7C15
_FACTOR = np.uint64(_GOLDEN)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
#: Values counted by a table of this many entries; more distinct ones are counted in another way.
_ENTRIES = 1 << 12
_AT_ONCE = 1 << 20
#: Positions of which the last is looked at to see whether one is among them.
_GROUP = 32
#: How often a table in which no value is in the way of another is looked for.
_TRIES = 8


@inlined
def _entry(value: Any, factor: Any, size: int) -> Any:
    return np.int64((np.uint64(value) * factor) >> np.uint64(40)) & (size - 1)


@kernel
def count_values(values: Any, keys: Any, counts: Any) -> bool:
    """Add to ``counts`` how often each value occurs; return whether there was room for all."""
    room = keys.size // 2
    for i in range(values.size):
        value = np.int64(values[i])
        at = _entry(value, _FACTOR, keys.size)
        while counts[at] != 0 and keys[at] != value:
            at = (at + 1) & (keys.size - 1)
        if counts[at] == 0:
            room -= 1
            if room < 0:
                return False
            keys[at] = value
        counts[at] += 1
    return True


@kernel
def _fill_places(palette: Any, factor: Any, keys: Any, places: Any) -> int:
    """Note where each value of a palette stands; return how often one was in another's way."""
    moved = 0
    for n in range(palette.size):
        at = _entry(palette[n], factor, keys.size)
        while places[at] >= 0:
            at = (at + 1) & (keys.size - 1)
            moved += 1
        keys[at] = palette[n]
        places[at] = n
    return moved


@kernel
def _choose(values: Any, owners: Any, factor: Any, keys: Any, places: Any, out: Any) -> Any:
    """Write the place of each value; return whether every value has one."""
    turns = owners.size > 0
    there: Any = True
    for i in range(values.size):
        value = np.int64(values[i])
        at = _entry(value, factor, keys.size)
        while places[at] >= 0 and keys[at] != value:
            at = (at + 1) & (keys.size - 1)
        place = np.int64(places[at])
        there &= place >= 0
        out[i] = 2 * place + owners[i] if turns else place
    return there


class Palette:
    """The values that occur, and where each stands among them."""

    def __init__(self, values: npt.NDArray[np.int64]) -> None:
        """Take the values, each once, in the order in which they are to stand."""
        self.values = values
        size = 4
        while size < 4 * len(values):
            size *= 2
        # Where none is in the way of another, there is nothing for the processor to guess.
        for power in range(1, _TRIES + 1):
            self._factor = np.uint64(pow(_GOLDEN, power, 1 << 64))
            self._keys = np.zeros(size, np.int64)
            self._places = np.full(size, -1, np.int64)
            if not _fill_places(values, self._factor, self._keys, self._places):
                break

    def choose(
        self, values: npt.NDArray[Any], owners: npt.NDArray[np.uint8], out: npt.NDArray[Any]
    ) -> bool:
        """Write the place of each value, or twice that and whose turn it is where that is given.

        Returns:
            Whether each value is in the palette.
        """
        return bool(_choose(values, owners, self._factor, self._keys, self._places, out))


def counted(values: npt.NDArray[Any]) -> dict[int, int]:
    """Return how often each value occurs."""
    total: dict[int, int] = {}
    for begin in range(0, len(values), _AT_ONCE):
        part = values[begin : begin + _AT_ONCE]
        keys, counts = np.zeros(_ENTRIES, np.int64), np.zeros(_ENTRIES, np.int64)
        if count_values(part, keys, counts):
            here = np.flatnonzero(counts)
            found, often = keys[here], counts[here]
        else:
            found, often = np.unique(part, return_counts=True)
        for value, count in zip(found.tolist(), often.tolist(), strict=True):
            total[value] = total.get(value, 0) + count
    return total


@kernel
def copy_below(data: Any, limit: int, out: Any) -> Any:
    """Copy places in a palette of ``limit``; return whether that is what they are."""
    most = np.int64(-1)
    for i in range(data.size):
        most = max(most, np.int64(data[i]))
        out[i] = data[i]
    return most < limit


@kernel
def copy_blocks(data: Any, ends: Any, blocks: Any, size: int, limit: int, out: Any) -> int:
    """Copy places in a palette of ``limit``, of several blocks of ``size``, the last one shorter.

    Args:
        data: the places of all blocks.
        ends: where each ends in it.
        blocks: the number of each.
        size: see above.
        limit: see above.
        out: receives each where it belongs.

    Returns:
        Which block is no such part, -1 for none.
    """
    begin = 0
    for n in range(blocks.size):
        first = blocks[n] * size
        count = min(size, out.size - first)
        if ends[n] - begin != count:
            return n
        if not copy_below(data[begin : ends[n]], limit, out[first : first + count]):
            return n
        begin = ends[n]
    return -1


@kernel
def number_part(held: Any, before: int, out: Any) -> int:
    """Make entries of a directory of the bits of its slots; return how many positions there are."""
    count = before
    for entry in range(held.size):
        bits = np.uint64(held[entry])
        out[entry] = bits | (np.uint64(count & 0xFFFFFFFF) << _HALF)
        count += ones(bits)
    return count - before


@kernel
def number_parts(held: Any, ends: Any, blocks: Any, size: int, before: Any, out: Any) -> int:
    """Do that for several parts of ``size`` entries, the last one shorter.

    Args:
        held: the bits of all parts.
        ends: where each ends in it.
        blocks: the number of each.
        size: see above.
        before: how many positions stand before each part, and how many there are.
        out: receives the entries where they belong.

    Returns:
        Which part does not have so many, -1 for none.
    """
    begin = 0
    for n in range(blocks.size):
        block = blocks[n]
        first = block * size
        count = min(size, out.size - first)
        if ends[n] - begin != count:
            return n
        here = number_part(held[begin : ends[n]], before[block], out[first : first + count])
        if here != before[block + 1] - before[block]:
            return n
        begin = ends[n]
    return -1


@kernel
def slots_within(directory: Any, numbers: Any, parts: Any, size: int, out: Any) -> None:
    """Write the slots of numbered positions, of which the part of the directory is known.

    Args:
        directory: its entries, of which those of the parts are there.
        numbers: the numbers of positions.
        parts: in which part of the directory each is.
        size: entries a part.
        out: receives the slots.
    """
    for i in range(numbers.size):
        number = np.int64(numbers[i])
        low = parts[i] * size
        high = min(low + size, directory.size) - 1
        while low < high:  # the last entry before which no more than ``number`` stand
            middle = (low + high + 1) // 2
            if np.int64(directory[middle] >> _HALF) <= number:
                low = middle
            else:
                high = middle - 1
        held = directory[low] & _LOW
        for _ in range(number - np.int64(directory[low] >> _HALF)):
            held &= held - _ONE
        out[i] = low * 32 + lowest(held)


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
        data: the differences of all positions, of which those of the blocks are there.
        bounds: where each block begins in them, and where the last ends.
        known: how many positions there are.
        blocks: the block that would hold each wanted one, -1 for none.
        size: positions a block.
        out: receives the number of each, -1 for one that is not there.

    Returns:
        How many were found; or, where a block cannot be read, -1 less its number.
    """
    keys = np.empty(size * words, np.uint64)
    lasts = np.empty((size + _GROUP - 1) // _GROUP, np.uint64)
    found = begin = 0
    while begin < blocks.size:
        block = blocks[begin]
        end = begin + 1
        while end < blocks.size and blocks[end] == block:
            end += 1
        count = min(size, known - block * size)
        if block < 0:
            out[begin:end] = -1
        elif not decode(data, bounds[block], bounds[block + 1], count, words, keys):
            return -1 - block
        elif words == 1:
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
    places: Any, words: int, data: Any, bounds: Any, known: int, size: int, out: Any
) -> Any:
    """Read the packed positions of some numbers; see ``find_within``.

    Args:
        places: the numbers.
        words: words a position.
        data: the differences of all positions, of which those of the blocks are there.
        bounds: where each block begins in them, and where the last ends.
        known: how many positions there are.
        size: positions a block.
        out: receives the positions.

    Returns:
        The block that cannot be read, -1 for none.
    """
    keys = np.empty(size * words, np.uint64)
    here = np.int64(-1)
    for i in range(places.size):
        block = places[i] // size
        if block != here:
            count = min(size, known - block * size)
            if not decode(data, bounds[block], bounds[block + 1], count, words, keys):
                return block
            here = block
        at = places[i] - block * size
        for word in range(words):
            out[i * words + word] = keys[at * words + word]
    return -1
