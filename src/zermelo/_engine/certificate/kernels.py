"""What may be wrong with a position of a table, and the kernels that see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import (
    LAST,
    TIES,
    UNKNOWN,
    UNKNOWN_SCORE,
    UNTIMED,
    one_ply_earlier,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.expander import Expand

#: What is wrong with a position.
NOTHING, WRONG_VALUE, STRANGE_CHILD, WRONG_OWNER, BACKWARD, UNREACHED, MISSING_START = range(7)


@dataclass
class Finding:
    """What a certificate found.

    Attributes:
        positions: positions looked at.
        moves: moves followed.
        fault: NOTHING, or what is wrong.
        place: the position it is wrong with; for MISSING_START, which start it is.
        expected: for WRONG_VALUE, the code or score that follows from the successors.
    """

    positions: int
    moves: int
    fault: int = NOTHING
    place: int = 0
    expected: int = 0


class _Tells(Protocol):
    """Rules of a game of which all legal positions are solved."""

    def legal(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.uint8]) -> None:
        """Write whether each of ``count`` packed positions is to be solved."""


def are_legal(expand: Expand, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.bool_]:
    """Return which of ``count`` packed positions the rules call legal, as they must say."""
    told = np.empty(count, np.uint8)
    cast("_Tells", expand).legal(packed, count, told)
    return told.astype(np.bool_)


@kernel
def check(
    ends: Any,
    terminal: Any,
    turns: Any,
    places: Any,
    stored: Any,
    owners: Any,
    child_places: Any,
    child_stored: Any,
    child_owners: Any,
    reached: Any,
) -> tuple[Any, Any, Any]:
    """Check expanded positions; return a fault, which position has it and the value expected."""
    alternate = turns.size == 0
    marking = reached.size > 0
    edge = 0
    for i in range(places.size):
        if not alternate and turns[i] != owners[i]:
            return WRONG_OWNER, i, np.int64(turns[i])
        best = np.int64(terminal[i])
        if best == UNKNOWN:
            best = np.int64(-LAST)
        forward = True
        while edge < ends[i]:
            child = child_places[edge]
            if child < 0:
                return STRANGE_CHILD, i, edge
            if child <= places[i]:
                forward = False
            elif marking:
                reached[child] = 1
            same = (not alternate) and owners[i] == child_owners[edge]
            best = max(best, one_ply_earlier(np.int64(child_stored[edge]), same))
            edge += 1
        if stored[i] == LAST - UNTIMED or stored[i] == UNTIMED - LAST:
            if not forward:
                return BACKWARD, i, edge
            won = stored[i] > 0
            if (best <= TIES) if won else (best >= -TIES):
                return WRONG_VALUE, i, best
        elif stored[i] != best:
            return WRONG_VALUE, i, best
    return NOTHING, 0, 0


@kernel
def check_scores(
    ends: Any,
    terminal: Any,
    turns: Any,
    places: Any,
    stored: Any,
    owners: Any,
    child_places: Any,
    child_stored: Any,
    child_owners: Any,
    reached: Any,
    gains: Any,
    ranks: Any,
    child_ranks: Any,
) -> tuple[Any, Any, Any]:
    """Do the same for a score game, which must also have no circles.

    As every move leads to a lower rank, whatever a move enters is reached, wherever it stands.
    """
    alternate = turns.size == 0
    marking = reached.size > 0
    edge = 0
    for i in range(places.size):
        if not alternate and turns[i] != owners[i]:
            return WRONG_OWNER, i, np.int64(turns[i])
        best = terminal[i]
        while edge < ends[i]:
            child = child_places[edge]
            if child < 0:
                return STRANGE_CHILD, i, edge
            if marking:
                reached[child] = 1
            if child_ranks[edge] >= ranks[i]:
                return BACKWARD, i, edge
            margin = child_stored[edge]
            if alternate or owners[i] != child_owners[edge]:
                margin = -margin
            if best == UNKNOWN_SCORE:
                best = gains[edge] + margin
            else:
                best = max(best, gains[edge] + margin)
            edge += 1
        if stored[i] != best:
            return WRONG_VALUE, i, best
    return NOTHING, 0, 0
