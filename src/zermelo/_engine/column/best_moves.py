"""The best move of each position: the first of those that lead to the best value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import LAST, one_ply_earlier
from zermelo._engine.column.nimbers import move_at
from zermelo._engine.column.score_and_plies import preserves_value
from zermelo._engine.core.jit import kernel
from zermelo.values.kind import Kind, entry_of
from zermelo.values.nimbers import IN_SETS


def best_moves(
    kind: Kind,
    ends: npt.NDArray[Any],
    stored: npt.NDArray[Any],
    owners: npt.NDArray[np.uint8],
    child_stored: npt.NDArray[Any],
    child_owners: npt.NDArray[np.uint8],
    gains: npt.NDArray[np.int64],
    far: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:
    """Write the index of each position's best move, or -1 if it has no moves.

    Args:
        kind: the kind of the values.
        ends: the end of each position's moves among all moves.
        stored: the code of each position.
        owners: the player to move in each position; empty if the players strictly alternate.
        child_stored: the code of the child of each move.
        child_owners: the player to move in each child.
        gains: the points of each move, if the kind has points.
        far: for nimbers, a number for each child that decreases along winning moves.
        out: receives the indices.

    Raises:
        UnknownKindError: the kind has an algebra that is not known here.
    """
    choose = entry_of(kind, _CHOOSE, "the choice of best moves")
    choose(ends, stored, owners, child_stored, child_owners, gains, far, out)


@kernel
def _best_outcome(
    ends: Any,
    _: Any,
    owners: Any,
    child_stored: Any,
    child_owners: Any,
    __: Any,
    ___: Any,
    out: Any,
) -> None:
    alternate = owners.size == 0
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
def _best_score(
    ends: Any,
    _: Any,
    owners: Any,
    child_stored: Any,
    child_owners: Any,
    gains: Any,
    __: Any,
    out: Any,
) -> None:
    alternate = owners.size == 0
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


@kernel
def _best_timed(
    ends: Any,
    stored: Any,
    owners: Any,
    child_stored: Any,
    child_owners: Any,
    gains: Any,
    _: Any,
    out: Any,
) -> None:
    edge = 0
    for i in range(out.size):
        begin = edge
        out[i] = -1
        while edge < ends[i]:
            same = owners.size > 0 and owners[i] == child_owners[edge]
            if out[i] < 0 and preserves_value(stored[i], child_stored[edge], same, gains[edge]):
                out[i] = edge - begin
            edge += 1


@kernel
def _best_nimber(
    ends: Any, _: Any, __: Any, child_stored: Any, ___: Any, gains: Any, far: Any, out: Any
) -> None:
    """Choose a move to 0, else to a draw; of several moves to 0 the one nearest to the end."""
    at = np.int64(0)
    nothing = far[:0]
    for i in range(out.size):
        best, nearest = np.int64(-2), np.int64(0)
        out[i] = -1
        move = np.int64(0)
        while at < ends[i]:
            begin = at
            at, endless, which, nimber, _, _, _ = move_at(
                child_stored, nothing, gains, begin, np.int64(0)
            )
            good = np.int64(nimber == 0) - np.int64(nimber != 0)
            if endless > 1:
                good = np.int64(0)
            elif endless == 1:
                bits = -1 - np.int64(child_stored[which])
                won = nimber < IN_SETS and (bits >> min(nimber, IN_SETS)) & 1 != 0
                good = -np.int64(won)
            reach = np.int64(far[begin])
            for e in range(begin, at):
                reach = max(reach, np.int64(far[e]))
            if good > best or (good == 1 and best == 1 and reach < nearest):
                best, nearest = good, reach
                out[i] = move
            move += 1


#: The kernels that choose, by the algebra of the kind of value.
_CHOOSE: dict[str, Callable[..., None]] = {
    "win-draw-loss": _best_outcome,
    "outcome": _best_outcome,
    "endless": _best_outcome,
    "score": _best_score,
    "score-and-plies": _best_timed,
    "nimber": _best_nimber,
}
