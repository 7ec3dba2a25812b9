"""The best move of each position: the first of those that lead to what is worth most."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column.codes import LAST, one_ply_earlier
from zermelo._engine.core.jit import kernel


@kernel
def best_moves(
    ends: Any, alternate: Any, owners: Any, child_stored: Any, child_owners: Any, out: Any
) -> None:
    """Write which of each position's moves is best, by its number, or -1 where there are none.

    Args:
        ends: where each position's moves end among all of them.
        alternate: whether the players strictly alternate, so that owners are not looked at.
        owners: whose turn it is in each position.
        child_stored: the code of the position that each move leads to.
        child_owners: whose turn it is there.
        out: receives the numbers.
    """
    edge = 0
    for i in range(out.size):
        begin, best = edge, np.int64(-LAST - 1)
        out[i] = -1
        while edge < ends[i]:
            same = (not alternate) and owners[i] == child_owners[edge]
            seen = one_ply_earlier(np.int64(child_stored[edge]), same)
            if seen > best:
                best = seen
                out[i] = edge - begin
            edge += 1


@kernel
def best_gains(
    ends: Any,
    alternate: Any,
    owners: Any,
    child_stored: Any,
    child_owners: Any,
    gains: Any,
    out: Any,
) -> None:
    """Do the same in a score game, where each move gains some points."""
    edge = 0
    for i in range(out.size):
        begin, best = edge, np.int64(0)
        out[i] = -1
        while edge < ends[i]:
            margin = np.int64(child_stored[edge])
            if alternate or owners[i] != child_owners[edge]:
                margin = -margin
            if out[i] < 0 or gains[edge] + margin > best:
                best = gains[edge] + margin
                out[i] = edge - begin
            edge += 1
