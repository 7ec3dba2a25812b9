"""The certificate of expectations: bounds that follow from the successors' bounds, and ranks.

``docs/explanation/chance.md`` proves that these conditions are enough. Each lower bound is at most,
and each upper bound at least, the value that follows from the successors. If a bound is better for
a player than endless play, the rank shows that this player comes to a better position, or to one of
a lesser rank, so that play does not stay at the bound for ever. Where moves make points, the stage
of a position stands before its rank: no move raises it, and every move with points lowers it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.certificate.kernels import (
    BACKWARD,
    NOTHING,
    POINTS_KEPT,
    UNFOUNDED,
    WRONG_VALUE,
)
from zermelo._engine.certificate.lookups import TableData
from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint8Array
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.expand.expander import Buffers
from zermelo.values.expectations import (
    CHANCE,
    CONTINUES,
    KEEPS,
    MOST_UNITS,
    OPPOSED,
    PASSED,
    RANK_BITS,
    UNKNOWN_EXPECTATION,
    WEIGHT,
    WIDTH_BITS,
    Expectations,
)


def check_expectations(
    kind: Expectations, expanded: Buffers, parents: TableData, children: TableData
) -> tuple[int, int, int]:
    """Check the bounds of expanded positions against those of their successors.

    Args:
        kind: the kind of the values.
        expanded: the result of expanding the positions.
        parents: the table's data about them.
        children: the table's data about their children.

    Returns:
        A fault, the index of the position that has it, and the right code, as far as codes can
        represent it.
    """
    units = 1 << -(kind.exponent or 0)
    fault, i, correct = _check_positions(
        expanded.ends,
        expanded.values,
        parents.values,
        parents.owners if len(expanded.owners) else expanded.owners,
        children.values,
        children.owners,
        expanded.gains,
        parents.potential,
        children.potential,
        parents.endless,
        units,
        kind.adds_points,
    )
    return int(fault), int(i), int(correct)


@inlined
def _code(lower: Any, upper: Any) -> Any:
    """Return the code of bounds, with the greatest distance that a code can represent."""
    return (lower << WIDTH_BITS) + min(upper - lower, (1 << WIDTH_BITS) - 1)


@kernel
def _check_positions(
    ends: Int32Array,
    terminal: Int64Array,
    stored: Int64Array,
    owners: Uint8Array,
    child_stored: Int64Array,
    child_owners: Uint8Array,
    labels: Int64Array,
    rank: Int64Array,
    child_rank: Int64Array,
    endless: Int64Array,
    units: int,
    adds_points: bool,
) -> tuple[Any, Any, Any]:
    edge = np.int64(0)
    for i in range(stored.size):
        low = stored[i] >> WIDTH_BITS
        high = low + (stored[i] & ((1 << WIDTH_BITS) - 1))
        begin, end = edge, np.int64(ends[i])
        edge = end
        if terminal[i] != UNKNOWN_EXPECTATION and terminal[i] != CHANCE:
            final = terminal[i] >> WIDTH_BITS
            if low > final or high < final:
                return WRONG_VALUE, i, terminal[i]
            continue
        if low < -MOST_UNITS or high > MOST_UNITS:
            return WRONG_VALUE, i, stored[i]
        by_chance = terminal[i] == CHANCE
        own = endless[i] * units if endless.size else np.int64(0)
        for_mover = low > own
        level = low if for_mover else -high
        lower, upper, total = np.int64(0), np.int64(0), np.int64(0)
        # Of the moves, or of those in a result of chance that is not kept: their bounds, and
        # whether some, or all, lead to a better position or nearer to one. Of the results: whether
        # some do.
        best_low, best_high, some, every = np.int64(0), np.int64(0), False, True
        some_result = False
        first = np.int64(begin)
        for e in range(begin, end):
            child_low = child_stored[e] >> WIDTH_BITS
            child_high = child_low + (child_stored[e] & ((1 << WIDTH_BITS) - 1))
            if owners.size > 0:
                same_mover = owners[i] == child_owners[e]
            elif by_chance:
                same_mover = labels[e] & PASSED == 0
            else:
                same_mover = not adds_points and labels[e] & KEEPS != 0
            if adds_points:
                stage, child_stage = rank[i] >> RANK_BITS, child_rank[e] >> RANK_BITS
                makes_points = not by_chance and labels[e] != 0
                if child_stage > stage:
                    return BACKWARD, i, np.int64(0)
                if makes_points and child_stage == stage:
                    return POINTS_KEPT, i, np.int64(0)
            if not same_mover:
                child_low, child_high = -child_high, -child_low
            if adds_points and not by_chance:
                child_low += labels[e] * units
                child_high += labels[e] * units
            if by_chance and labels[e] & CONTINUES == 0:
                first, some, every = np.int64(e), False, True
            if e == first:
                best_low, best_high = child_low, child_high
            elif by_chance and labels[first] & OPPOSED != 0:
                best_low, best_high = min(best_low, child_low), min(best_high, child_high)
            else:
                best_low, best_high = max(best_low, child_low), max(best_high, child_high)
            bound = child_low if for_mover else -child_high
            if bound > level or (bound == level and child_rank[e] < rank[i]):
                some = True
            else:
                every = False
            if by_chance and (e + 1 == end or labels[e + 1] & CONTINUES == 0):
                weight = labels[first] & WEIGHT
                lower += weight * best_low
                upper += weight * best_high
                total += weight
                chooses = for_mover == (labels[first] & OPPOSED == 0)
                some_result |= some if chooses else every
        if by_chance:
            lower, upper = lower // total, -((-upper) // total)
            is_founded = some_result
        else:
            lower, upper = best_low, best_high
            is_founded = some if for_mover else every
        if low > lower or high < upper:
            return WRONG_VALUE, i, _code(lower, upper)
        needs_rank = for_mover or high < own
        if needs_rank and not is_founded:
            return UNFOUNDED, i, stored[i]
    return NOTHING, 0, np.int64(0)
