"""The slots of a game's positions, as its ``space`` numbers them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.index.rank_tables import RankedPart
from zermelo._methods.dense.canonical_ranges import canonical_spans, ordered_parts
from zermelo.errors import RulesError
from zermelo.game.spaces import Descriptor, Disjoint, part_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._engine.index.rank_tables import Number
    from zermelo._engine.index.ranks import Ranking
    from zermelo._methods.dense.workspace import OutsideSpaceError
    from zermelo.game.spaces import Part
    from zermelo.rules.actions import Element
    from zermelo.rules.hooks import Rules


def ranking_of(rules: Rules, elements: Sequence[Element] = ()) -> Ranking:
    """Return the slots of a game's positions, canonical under ``elements``."""
    from zermelo._engine.index.rank_tables import Number
    from zermelo._engine.index.ranks import Ranking

    numbers = [Number(s.word, s.shift, s.bits, s.low) for s in rules.layout.slots]
    given = ordered_parts(rules)
    parts = [_part(part, [numbers[n] for n in part[1]]) for part in given]
    return Ranking(rules.layout.words, parts, canonical_spans(rules, given, elements))


def _part(part: Part, numbers: list[Number]) -> RankedPart:
    """Return a part of a space in the engine's form."""
    from zermelo._engine.index import rank_tables as ranks

    values, size = part[0], part_size(part)
    given = tuple(numbers)
    if not isinstance(values, Descriptor):
        return ranks.RankedPart(ranks.RANGE, given, size, low=min(values[0], values[-1]))
    if not isinstance(values, Disjoint):
        cells = tuple(range(values.cells))  # type: ignore[attr-defined]  # Squares are the others
        return ranks.RankedPart(ranks.DIFFERENT, given, size, cells=cells)
    if values.free:
        return ranks.RankedPart(ranks.FREE_SETS, given, size, cells=values.places)
    sizes = tuple(values.allowed(len(numbers)))
    return ranks.RankedPart(ranks.SIZED_SETS, given, size, cells=values.places, sizes=sizes)


def outside_error(rules: Rules, ranking: Ranking, error: OutsideSpaceError) -> RulesError:
    """Return the error for an author whose rules have a move that leads out of the space."""
    before, after = rules.layout.unpack(error.packed), rules.layout.unpack(error.child)
    what = "is outside space(); widen it"
    if ranking.rank(error.child, 1, np.empty(1, np.int64)):
        what = "legal() refuses; moves from legal positions must lead to legal ones"
    return RulesError(f"{rules.name}: a move from {before!r} leads to {after!r}, which {what}")
