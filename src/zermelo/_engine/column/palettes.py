"""The values that occur in a table, as its file says them.

They are listed, but for margins that lie so close together that to count from the least takes no
more bytes for each position than a place in the list would: then the least and the greatest say it
all, and those between that do not occur do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from zermelo.values.kind import Kind

#: Margins from the least to the greatest, at most, that are not listed.
_SPAN = 1 << 16


def palette_of(tally: Mapping[int, int], kind: Kind, *, turns: bool) -> Sequence[int]:
    """Return the values that occur, ascending; or a range that they are in.

    Args:
        tally: how often each occurs.
        kind: the kind of value that they are.
        turns: whether it is said beside them whose turn it is.
    """
    values = sorted(tally)
    if not values:
        return values
    whole = range(values[0], values[-1] + 1)
    span = len(whole) << turns
    if kind.gains and span <= _SPAN and narrowest(span) == narrowest(len(values) << turns):
        return whole
    return values


def told(palette: Sequence[int]) -> Any:
    """Return what a header says of a palette."""
    if isinstance(palette, range):
        return {"least": palette[0], "greatest": palette[-1]}
    return list(palette)


def read(said: Any, kind: Kind) -> Sequence[int]:
    """Return the palette that a header says.

    Raises:
        ValueError: it says none.
    """
    if not isinstance(said, dict):
        if any(type(code) is not int for code in said):
            raise ValueError(said)
        return list(said)
    least, greatest = said["least"], said["greatest"]
    if not kind.gains or type(least) is not int or type(greatest) is not int:
        raise ValueError(said)
    if not 0 <= greatest - least < _SPAN:
        raise ValueError(said)
    return range(least, greatest + 1)


def narrowest(count: int) -> Any:
    """Return the narrowest type that this many places fit."""
    return next(t for t in (np.uint8, np.uint16, np.uint32) if count <= np.iinfo(t).max + 1)
