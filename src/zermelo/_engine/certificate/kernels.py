"""What may be wrong with a position of a table, and the kernels that see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.lookups import LookedUp
from zermelo._engine.column.codes import (
    ENDLESS,
    ENDLESS_WIN,
    GLAD,
    LAST,
    TIES,
    UNKNOWN,
    UNTIMED,
    one_ply_earlier,
    one_ply_earlier_or_never,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.expander import Buffers, Expand
from zermelo.values.kind import Kind
from zermelo.values.scores import LARGEST_SCORE, UNKNOWN_SCORE

#: What is wrong with a position.
NOTHING, WRONG_VALUE, STRANGE_CHILD, WRONG_OWNER, BACKWARD = range(5)
#: What is wrong with a table: a place that no move leads to, or that holds no legal position, or no
#: position at all; a start or a legal position that it does not have; numbers that stand for no
#: value; a symmetry that is none, or that gives what is not a position; a position that is not
#: worth what the one that stands for it is; a value that nothing proves but itself; a move that
#: makes points, or changes what endless play is worth, and may be part of a circle; a position
#: that is not worth what its components are; a position that is not found where it is; one that is
#: not legal, though a position that counts as the same is there; a margin, or the points of a move,
#: too large to be added to others.
UNREACHED, NOT_LEGAL, MISSING_START, LACKING, STRANGE_VALUE = range(5, 10)
UNLIKE, UNPLAYABLE, UNEQUAL, UNFOUNDED, POINTS_KEPT, UNEVEN, MISPLACED, STOOD_FOR = range(11, 19)
TOO_LARGE = 19


@dataclass
class Finding:
    """What a certificate found.

    Attributes:
        positions: positions looked at.
        moves: moves followed.
        fault: NOTHING, or what is wrong.
        place: the position it is wrong with; for MISSING_START, which start it is.
        expected: for WRONG_VALUE and UNEQUAL, the code that follows from the successors.
        other: for LACKING and STOOD_FOR the position, for UNLIKE the image, for UNEQUAL the
            position that another stands for, as the rules write them; for UNPLAYABLE what the rules
            say of the image; for UNEVEN a sentence.
    """

    positions: int
    moves: int
    fault: int = NOTHING
    place: int = 0
    expected: int = 0
    other: Any = None

    def but(self, fault: int, place: int = 0, *, expected: int = 0, other: Any = None) -> Finding:
        """Return the same with a fault."""
        return Finding(self.positions, self.moves, fault, place, expected, other)


class _Tells(Protocol):
    """Rules of a game of which all legal positions are solved."""

    def legal(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.uint8]) -> None:
        """Write whether each of ``count`` packed positions is to be solved."""


def are_legal(expand: Expand, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.bool_]:
    """Return which of ``count`` packed positions the rules call legal, as they must say."""
    told = np.empty(count, np.uint8)
    cast("_Tells", expand).legal(packed, count, told)
    return told.astype(np.bool_)


def check_moves(
    kind: Kind,
    made: Buffers,
    here: LookedUp,
    children: LookedUp,
    reached: npt.NDArray[np.uint8],
) -> tuple[int, int]:
    """Check of positions that have been expanded what does not depend on their values.

    Args:
        kind: the kind of value that they have.
        made: what the rules make of them.
        here: what the table says of them.
        children: what it says of where their moves lead.
        reached: is marked where moves lead, unless it is empty.

    Returns:
        A fault, and which position has it.
    """
    proving = kind.needs_potential and kind.descends
    places = here.places, children.places
    turns = made.owners, here.owners
    rest: tuple[Any, ...] = (*turns, reached, here.potential, children.potential, proving)
    fault, i = _check_moves(made.ends, *places, *rest)
    return int(fault), int(i)


def check_values(
    kind: Kind, made: Buffers, here: LookedUp, children: LookedUp
) -> tuple[int, int, int]:
    """Check the values of positions that have been expanded, by those of their successors.

    Returns:
        A fault, which position has it, and the code that would be right.
    """
    whose = here.owners if len(made.owners) else made.owners
    fault, i, right = _FOLLOW[kind.name](
        made.ends,
        made.values,
        here.values,
        whose,
        children.values,
        children.owners,
        made.gains,
        kind.needs_potential,
        kind.favours,
    )
    return int(fault), int(i), int(right)


@kernel
def _check_moves(
    ends: Any,
    places: Any,
    child_places: Any,
    turns: Any,
    owners: Any,
    reached: Any,
    potential: Any,
    child_potential: Any,
    proving: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> tuple[Any, Any]:
    """Check what does not depend on values: turns, where moves lead, and that none leads back.

    A move reaches a position that is further on; or, as all moves lead to a lower potential where
    there is one, any.
    """
    alternate = turns.size == 0
    marking = reached.size > 0
    edge = 0
    for i in range(places.size):
        if not alternate and turns[i] != owners[i]:
            return WRONG_OWNER, i
        while edge < ends[i]:
            child = child_places[edge]
            if child < 0:
                return STRANGE_CHILD, i
            if proving and child_potential[edge] >= potential[i]:
                return BACKWARD, i
            if marking and (proving or child > places[i]):
                reached[child] = 1
            edge += 1
    return NOTHING, 0


@kernel
def _follow_code(
    ends: Any,
    terminal: Any,
    stored: Any,
    owners: Any,
    child_stored: Any,
    child_owners: Any,
    _: Any,
    untimed: bool,  # noqa: FBT001  # a kernel takes no keywords
    __: int,
) -> tuple[Any, Any, Any]:
    edge = 0
    for i in range(stored.size):
        if owners.size:
            best = np.int64(-LAST)
            while edge < ends[i]:
                same = owners[i] == child_owners[edge]
                best = max(best, one_ply_earlier(np.int64(child_stored[edge]), same))
                edge += 1
        else:
            # The least code decides a win or a loss. No move is asked which it leads to, as no
            # processor can guess that.
            least, draw = np.int64(LAST), np.int64(0)
            while edge < ends[i]:
                code = np.int64(child_stored[edge])
                least = min(least, code)
                draw = max(draw, code if code <= TIES else np.int64(0))
                edge += 1
            decided = least < -TIES or least > TIES
            best = one_ply_earlier(least if decided else draw, False)  # noqa: FBT003
        if terminal[i] != UNKNOWN:
            best = np.int64(terminal[i])
        if untimed and best > TIES:
            best = np.int64(LAST - UNTIMED)
        elif untimed and best < -TIES:
            best = np.int64(UNTIMED - LAST)
        if stored[i] != best:
            return WRONG_VALUE, i, best
    return NOTHING, 0, np.int64(0)


@kernel
def _follow_endless(
    ends: Any,
    terminal: Any,
    stored: Any,
    owners: Any,
    child_stored: Any,
    child_owners: Any,
    _: Any,
    __: bool,  # noqa: FBT001
    favours: int,
) -> tuple[Any, Any, Any]:
    """Check codes where endless play is a win for a player: the same, with nothing drawn by it."""
    edge = 0
    for i in range(stored.size):
        best = np.int64(-LAST)
        while edge < ends[i]:
            same = owners[i] == child_owners[edge]
            best = max(best, one_ply_earlier_or_never(np.int64(child_stored[edge]), same))
            edge += 1
        if terminal[i] == TIES:
            best = np.int64(-GLAD if owners[i] == favours else GLAD)
        elif terminal[i] != UNKNOWN:
            best = np.int64(terminal[i])
        # In a circle each position vouches for another: what endless play is worth there is asked
        # of the rules.
        if best == ENDLESS or abs(best) == ENDLESS_WIN:
            best = np.int64(ENDLESS_WIN if owners[i] == favours else -ENDLESS_WIN)
        if stored[i] != best:
            return WRONG_VALUE, i, best
    return NOTHING, 0, np.int64(0)


@kernel
def _follow_score(
    ends: Any,
    terminal: Any,
    stored: Any,
    owners: Any,
    child_stored: Any,
    child_owners: Any,
    gains: Any,
    _: Any,
    __: int,
) -> tuple[Any, Any, Any]:
    edge = 0
    for i in range(stored.size):
        best = terminal[i]
        if stored[i] > LARGEST_SCORE or stored[i] < -LARGEST_SCORE:
            return TOO_LARGE, i, stored[i]
        while edge < ends[i]:
            margin = child_stored[edge]
            if gains[edge] > LARGEST_SCORE or gains[edge] < -LARGEST_SCORE:
                return TOO_LARGE, i, stored[i]
            if owners.size == 0 or owners[i] != child_owners[edge]:
                margin = -margin
            if best == UNKNOWN_SCORE:
                best = gains[edge] + margin
            else:
                best = max(best, gains[edge] + margin)
            edge += 1
        if stored[i] != best:
            return WRONG_VALUE, i, best
    return NOTHING, 0, np.int64(0)


#: What sees whether values follow from those of the successors, by the kind of value. Nimbers have
#: a file of their own.
_FOLLOW: dict[str, Callable[..., Any]] = {
    "win-draw-loss": _follow_code,
    "outcome": _follow_code,
    "endless-0": _follow_endless,
    "endless-1": _follow_endless,
    "score": _follow_score,
}
