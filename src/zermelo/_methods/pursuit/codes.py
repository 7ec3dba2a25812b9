"""Marks, the codes of a pursuit: how they are counted, and their palette entries in a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import LAST
from zermelo._engine.core.array_types import Int16Array, Int32Array, Int64Array, Uint8Array
from zermelo._engine.core.jit import kernel

#: Counters per mark: incrementing a counter twice in a row has to wait for the first time.
_LANES = 4


def convert_code(number: int) -> int:
    """Return the code of a mark, or the mark of a code: the mapping is its own inverse."""
    return LAST + 1 - number if number > 0 else -LAST - 1 - number if number else 0


def convert_codes(numbers: npt.NDArray[Any]) -> Int32Array:
    """Return the codes of marks, or the marks of codes."""
    wide = numbers.astype(np.int64)
    mirrored: Int64Array = np.sign(wide) * (LAST + 1) - wide
    return mirrored.astype(np.int32)


def tally(marks: npt.NDArray[Any]) -> tuple[Int64Array, int]:
    """Count marks.

    Args:
        marks: the marks, in one row.

    Returns:
        The count of each, that of mark m at ``middle + m``, and ``middle``.
    """
    most = int(np.iinfo(marks.dtype).max)
    low, high = (int(marks.min()), int(marks.max())) if marks.size else (0, 0)
    middle = min(most, max(-low, high))
    counts = np.zeros((_LANES, 2 * middle + 1), np.int64)
    _tally(marks, middle, counts)
    return counts.sum(0), middle


@kernel
def _tally(marks: Int16Array, middle: int, counts: Int64Array) -> None:
    whole = marks.size - marks.size % _LANES
    for i in range(0, whole, _LANES):
        for lane in range(_LANES):
            counts[lane, middle + marks[i + lane]] += 1
    for i in range(whole, marks.size):
        counts[0, middle + marks[i]] += 1


@kernel
def place_rows(
    marks: Int16Array,
    size: int,
    nodes: Int64Array,
    begin: int,
    end: int,
    places: Uint8Array,
    out: Uint8Array,
) -> None:
    """Write the palette entries of some positions with the evader to move.

    Args:
        marks: the marks by the evader's node and the pursuer's, in one row.
        size: the number of nodes.
        nodes: the nodes that the pursuer may enter; positions ascend by the evader's node, then by
            these.
        begin: the first position.
        end: the position after the last.
        places: the palette entry of each mark, from the least to the greatest, 0 in the middle.
        out: receives the palette entries.
    """
    middle, width = places.size // 2, nodes.size
    evader, first = begin // width, begin % width
    offset = 0
    while offset < end - begin:
        count = min(width - first, end - begin - offset)
        row = evader * size
        for k in range(count):
            out[offset + k] = places[middle + marks[row + nodes[first + k]]]
        offset += count
        evader += 1
        first = 0


@kernel
def place_columns(
    marks: Int16Array,
    size: int,
    nodes: Int64Array,
    begin: int,
    end: int,
    places: Uint8Array,
    out: Uint8Array,
) -> None:
    """Write palette entries with the pursuer to move, from marks by its node, then the evader's."""
    middle, width = places.size // 2, nodes.size
    top, foot = begin // width, -(-end // width)
    for k in range(width):
        first = top if top * width + k >= begin else top + 1
        last = foot if (foot - 1) * width + k < end else foot - 1
        row = nodes[k] * size
        offset = first * width + k - begin
        for evader in range(first, last):
            out[offset] = places[middle + marks[row + evader]]
            offset += width
