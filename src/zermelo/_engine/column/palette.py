"""Kernels for tables on disk: values as places in a palette, and blocks that have been read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.bits import lowest, ones
from zermelo._engine.core.jit import inlined, kernel

_GOLDEN = 0x9E3779B97F4A7C15
_FACTOR = np.uint64(_GOLDEN)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
#: Values counted by a table of this many entries; more distinct ones are counted in another way.
_ENTRIES = 1 << 12
_AT_ONCE = 1 << 20
#: How often a table in which no value is in the way of another is looked for.
_TRIES = 8


@inlined
def _entry(value: Any, factor: Any, size: int) -> Any:
    return np.int64((np.uint64(value) * factor) >> np.uint64(40)) & (size - 1)


@kernel
def count_values(values: Any, keys: Any, counts: Any) -> bool:
    """Add to ``counts`` how often each value occurs; return whether there was room for all."""
    free = keys.size // 2
    for i in range(values.size):
        value = np.int64(values[i])
        at = _entry(value, _FACTOR, keys.size)
        while counts[at] != 0 and keys[at] != value:
            at = (at + 1) & (keys.size - 1)
        if counts[at] == 0:
            free -= 1
            if free < 0:
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
        Which part does not have this many, -1 for none.
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
