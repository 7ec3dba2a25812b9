"""The numbers of moves that lead to given positions."""

from __future__ import annotations

from typing import Any

from zermelo._engine.core.hashing import same_key
from zermelo._engine.core.jit import kernel


@kernel
def name_moves(children: Any, ends: Any, gains: Any, rows: Any, to: Any, numbers: Any) -> Any:
    """Write the number of the move that leads where it is to lead, for some positions.

    Of several moves that lead there, it is one that makes most points.

    Args:
        children: the packed position that each move leads to, one position's after another's.
        ends: for each position, how many moves there are up to and with it.
        gains: the points that each move makes; empty where no moves make any.
        rows: the positions in question.
        to: for each of them, the packed position that its move is to lead to.
        numbers: changed where a position is in question.

    Returns:
        A position in which no move leads there; -1 if there is none.
    """
    if rows.size == 0:
        return -1
    words = to.size // rows.size
    for i in range(rows.size):
        row = rows[i]
        first = ends[row - 1] if row > 0 else 0
        best = -1
        for child in range(first, ends[row]):
            if same_key(children, child * words, to, i * words, words) and (
                best < 0 or (gains.size > 0 and gains[child] > gains[best])
            ):
                best = child
        if best < 0:
            return row
        numbers[row] = best - first
    return -1
