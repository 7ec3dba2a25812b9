"""The palette of values that occur in a table, in its file's header.

The header lists them, with one exception. If margins, or numbers of forms, are so close together
that an offset from the least needs no more bytes than a palette index, the header has only the
least and the greatest. The palette is then the whole range, and values that do not occur do no
harm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from zermelo.values.kind import Kind

#: The longest range of codes that replaces a list.
_SPAN = 1 << 16


def palette_of(tally: Mapping[int, int], kind: Kind, *, turns: bool) -> Sequence[int]:
    """Return the values that occur, ascending; or a range that contains them.

    Args:
        tally: the number of times each occurs.
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


def palette_header(palette: Sequence[int]) -> Any:
    """Return the header's form of a palette."""
    if isinstance(palette, range):
        return {"least": palette[0], "greatest": palette[-1]}
    return list(palette)


def parse_palette(header_value: Any, kind: Kind) -> Sequence[int]:
    """Return the palette from its form in a header.

    Raises:
        ValueError: it is invalid.
    """
    if not isinstance(header_value, dict):
        if any(type(code) is not int for code in header_value):
            raise ValueError(header_value)
        return list(header_value)
    least, greatest = header_value["least"], header_value["greatest"]
    if not kind.has_close_codes or type(least) is not int or type(greatest) is not int:
        raise ValueError(header_value)
    if not 0 <= greatest - least < _SPAN:
        raise ValueError(header_value)
    return range(least, greatest + 1)


def narrowest_type(count: int) -> Any:
    """Return the narrowest type for ``count`` indices."""
    return next(t for t in (np.uint8, np.uint16, np.uint32) if count <= np.iinfo(t).max + 1)
