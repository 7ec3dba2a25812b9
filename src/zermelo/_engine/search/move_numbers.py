"""The numbers of moves that lead to given children."""

from __future__ import annotations

from typing import Any

from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.core.hashing import same_key
from zermelo._engine.core.jit import kernel


@kernel
def number_moves(
    children: Uint64Array,
    ends: Int64Array,
    gains: Int64Array,
    rows: Int64Array,
    targets: Uint64Array,
    numbers: Int64Array,
) -> Any:
    """Write the number of the move to a given child, for some positions.

    Of several such moves, one with the most points is chosen.

    Args:
        children: the packed children of all moves, position by position.
        ends: the cumulative number of moves up to and with each position.
        gains: the points of each move; empty if moves make none.
        rows: the indices of the positions.
        targets: for each of these, the packed child.
        numbers: receives the move's number at the index of each position.

    Returns:
        The index of a position without a move to its child; -1 if there is none.
    """
    if rows.size == 0:
        return -1
    words = targets.size // rows.size
    for i in range(rows.size):
        row = rows[i]
        first = ends[row - 1] if row > 0 else 0
        best = -1
        for child in range(first, ends[row]):
            if same_key(children, child * words, targets, i * words, words) and (
                best < 0 or (gains.size > 0 and gains[child] > gains[best])
            ):
                best = child
        if best < 0:
            return row
        numbers[row] = best - first
    return -1
