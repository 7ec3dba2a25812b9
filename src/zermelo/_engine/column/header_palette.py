"""The palette in the header of a table's file: the values that occur.

The header lists them, with two exceptions, where it has only the least and greatest: if margins,
or numbers of forms, are so close together that an offset from the least needs no more bytes than a
palette index; and if a list of expectations would be longer than a header may be.
The palette is then the whole range, and values that do not occur do no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, IntArray
from zermelo.values.expectations import ALGEBRA as EXPECTATION
from zermelo.values.kind import Kind

#: The longest range of margins or forms that replaces a list, and of expectations.
_SPAN, _LONG_SPAN = 1 << 16, 1 << 64
#: The most expectations that are listed.
_MOST_LISTED = 1 << 16
#: The least number of byte indices that are counted in pairs.
_PAIRED = 1 << 18


def palette_of(tally: Mapping[int, int], kind: Kind, *, turns: bool) -> Sequence[int]:
    """Return the values that occur, ascending; or a range that contains them.

    Args:
        tally: the number of times each value occurs.
        kind: the kind of the values.
        turns: whether the player to move is stored with each.
    """
    values = sorted(tally)
    if not values:
        return values
    whole = range(values[0], values[-1] + 1)
    span = (values[-1] - values[0] + 1) << turns  # ``len`` of a long range may overflow
    if (
        kind.has_close_codes
        and span <= _SPAN
        and narrowest_type(span) == narrowest_type(len(values) << turns)
    ):
        return whole
    return values


def palette_of_expectations(parts: Iterable[Int64Array], *, turns: bool) -> Sequence[int]:
    """Return the expectations that occur, ascending; or if they are many, a range of all.

    Args:
        parts: the expectations of all positions, in batches.
        turns: whether the player to move is stored with each.
    """
    values, is_long = np.empty(0, np.int64), False
    for part in parts:
        if is_long:
            values = np.array([min(values[0], part.min()), max(values[1], part.max())])
            continue
        values = np.union1d(values, part)
        if len(values) > _MOST_LISTED:
            is_long = (int(values[-1]) - int(values[0]) + 1) << turns <= _LONG_SPAN
            values = values[[0, -1]] if is_long else values
    listed: list[int] = values.tolist()
    return range(listed[0], listed[-1] + 1) if is_long else listed


def span_of(palette: Sequence[int]) -> int:
    """Return the number of values in a palette, also in a range that is too long for ``len``."""
    if isinstance(palette, range):
        return palette.stop - palette.start
    return len(palette)


def palette_header(palette: Sequence[int]) -> Any:
    """Return the header's form of a palette."""
    if isinstance(palette, range):
        return {"least": palette[0], "greatest": palette[-1]}
    return list(palette)


def parse_palette(header_value: Any, kind: Kind) -> Sequence[int]:
    """Return the palette from its form in a header.

    Raises:
        ValueError: the form is invalid.
    """
    if not isinstance(header_value, dict):
        if any(type(code) is not int for code in header_value):
            raise ValueError(header_value)
        return list(header_value)
    least, greatest = header_value["least"], header_value["greatest"]
    if not kind.has_close_codes or type(least) is not int or type(greatest) is not int:
        raise ValueError(header_value)
    if not 0 <= greatest - least < (_LONG_SPAN if kind.algebra == EXPECTATION else _SPAN):
        raise ValueError(header_value)
    return range(least, greatest + 1)


def index_counts(indices: IntArray, size: int) -> Int64Array:
    """Return the number of times each palette index occurs, of at least ``size`` indices."""
    if indices.dtype != np.uint8 or len(indices) < _PAIRED:
        return np.bincount(indices, minlength=size)
    # Pairs of bytes are counted in half the time.
    even = len(indices) & ~1
    pairs = np.bincount(indices[:even].view(np.uint16), minlength=1 << 16).reshape(256, 256)
    counts: Int64Array = pairs.sum(0) + pairs.sum(1)
    counts[indices[even:]] += 1
    last = max(size, 1 + int(np.flatnonzero(counts)[-1]))
    return counts[:last]


def narrowest_type(count: int) -> Any:
    """Return the narrowest type for ``count`` indices."""
    return next(
        t for t in (np.uint8, np.uint16, np.uint32, np.uint64) if count <= np.iinfo(t).max + 1
    )
