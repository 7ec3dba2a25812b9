"""The best move of each position of a game with chance, by the middle of its bounds."""

from __future__ import annotations

from typing import Any

from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint8Array
from zermelo._engine.core.jit import inlined, kernel
from zermelo.values.expectations import MOST_WIDTH, WIDTH_BITS


@inlined
def expectation_bounds(code: Any, same_mover: Any, points: Any) -> tuple[Any, Any]:
    """Return the bounds of a move, in units, from the code of the child.

    Args:
        code: the code of the child.
        same_mover: whether the value of the child is for the player who makes the move.
        points: the points of the move, in units.
    """
    lower = code >> WIDTH_BITS
    upper = lower + (code & MOST_WIDTH)
    if same_mover:
        return lower + points, upper + points
    return points - upper, points - lower


@kernel
def best_expected_moves(
    ends: Int32Array,
    by_chance: Uint8Array,
    owners: Uint8Array,
    child_stored: Int64Array,
    child_owners: Uint8Array,
    gains: Int64Array,
    unit: int,
    out: Int64Array,
) -> None:
    """Write the index of each position's best move, or -1 if no player moves there.

    The first of the moves with the greatest middle of the bounds is the best one.

    Args:
        ends: the end of each position's moves among all moves.
        by_chance: 1 for each position of chance.
        owners: the player to move in each position; empty if every move passes the turn.
        child_stored: the code of the child of each move.
        child_owners: the player to move in each child.
        gains: the points of each move.
        unit: the units of a point.
        out: receives the indices.
    """
    alternate = owners.size == 0
    edge = 0
    for i in range(out.size):
        begin, most = edge, 0
        out[i] = -1
        edge = ends[i]
        if by_chance[i]:
            continue
        for e in range(begin, edge):
            same_mover = (not alternate) and owners[i] == child_owners[e]
            lower, upper = expectation_bounds(child_stored[e], same_mover, gains[e] * unit)
            if e == begin or lower + upper > most:
                most = lower + upper
                out[i] = e - begin
