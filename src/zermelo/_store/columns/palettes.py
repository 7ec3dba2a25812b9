"""The values that occur in a table, as its file says them, and how many there are of each outcome.

They are listed, but for margins that lie so close together that to count from the least takes no
more bytes for each position than a place in the list would: then the least and the greatest say it
all, and those between that do not occur do no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.table import Table
from zermelo.values.kind import Kind

#: Margins from the least to the greatest, at the most, that are not listed.
_SPAN = 1 << 16
_NAMES = ("draw", "win", "loss")


@dataclass(frozen=True)
class Worth:
    """What the positions of a table are worth.

    Attributes:
        palette: the values that occur, ascending; or a range that they are in. Where the table
            holds them as they are, they are what stands there, even if that means no value.
        counts: how many positions there are of each outcome.
    """

    palette: Sequence[int]
    counts: dict[str, int]

    @classmethod
    def of(cls, table: Table) -> Worth:
        """Count them."""
        kind = table.kind
        if not kind.gains:
            found = table.tally()
            return cls(sorted(found), _counts(_by_outcome(kind, found)))
        from zermelo._engine.column.scores import Extent, occurring

        turns = has_turns(table)
        column = table.column
        if not isinstance(column, ArrayColumn):
            found = table.tally()
            return cls(_margins(sorted(found), turns=turns), _counts(_by_outcome(kind, found)))
        extent = Extent.of(column.stored)
        drawn = len(table) - extent.won - extent.lost
        counts = _counts([(1, extent.won), (0, drawn), (-1, extent.lost)])
        whole = range(extent.least, extent.greatest + 1)
        if _is_close(whole, extent.several, turns=turns):
            return cls(whole, counts)
        return cls(_margins(occurring(column.stored)[0].tolist(), turns=turns), counts)


def _by_outcome(kind: Kind, found: dict[int, int]) -> Iterable[tuple[int, int]]:
    """Return outcomes and how many positions there are of each code, the best first."""
    best_first = sorted(found, reverse=True)
    signs = kind.outcomes(np.array(best_first, kind.dtype)).tolist()
    return [(sign, found[code]) for sign, code in zip(signs, best_first, strict=True)]


def _counts(pairs: Iterable[tuple[int, int]]) -> dict[str, int]:
    """Add up positions by outcome, leaving out what does not occur."""
    counts: dict[str, int] = {}
    for outcome, count in pairs:
        if count:
            name = _NAMES[outcome]
            counts[name] = counts.get(name, 0) + count
    return counts


def _margins(scores: list[int], *, turns: bool) -> Sequence[int]:
    """Return the palette of margins that occur, ascending."""
    whole = range(scores[0], scores[-1] + 1)
    return whole if _is_close(whole, len(scores), turns=turns) else scores


def _is_close(whole: range, several: int, *, turns: bool) -> bool:
    """Whether a place in a range takes no more bytes than one among this many margins."""
    span = len(whole) << turns
    return span <= _SPAN and bool(narrowest(span) == narrowest(several << turns))


def has_turns(table: Table) -> bool:
    """Whether it has to be said of a table's positions whose turn it is."""
    column = table.column
    if isinstance(column, ArrayColumn):
        return bool(column.owner.any())
    return column.turns and any(table.owners(places).any() for places in table.pages())


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
