"""The best move of each position of a game with chance, by the middle of its bounds."""

from __future__ import annotations

from zermelo._engine.core.array_types import Int32Array, Int64Array, Integer, Uint8Array
from zermelo._engine.core.jit import inlined, kernel
from zermelo.values.expectations import MOST_WIDTH, WIDTH_BITS


@inlined
def expectation_bounds(code: Integer, same_mover: bool, points: Integer) -> tuple[int, int]:
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
    keeps: Uint8Array,
    child_stored: Int64Array,
    gains: Int64Array,
    unit: int,
    out: Int64Array,
) -> None:
    """Write the index of each position's best move, or -1 if no player moves there.

    The first of the moves with the greatest middle of the bounds is the best one.

    Args:
        ends: the end of each position's moves among all moves.
        by_chance: 1 for each position of chance.
        keeps: 1 for each move that keeps the turn.
        child_stored: the code of the child of each move.
        gains: the points of each move.
        unit: the units of a point.
        out: receives the indices.
    """
    edge = 0
    for i in range(out.size):
        begin, most = edge, 0
        out[i] = -1
        edge = ends[i]
        if by_chance[i]:
            continue
        for e in range(begin, edge):
            lower, upper = expectation_bounds(child_stored[e], keeps[e] != 0, gains[e] * unit)
            if e == begin or lower + upper > most:
                most = lower + upper
                out[i] = e - begin
