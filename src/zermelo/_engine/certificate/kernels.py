"""The faults that a position of a table can have, and the kernels that detect them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np

from zermelo._engine.certificate.algebra import one_ply_earlier, one_ply_earlier_or_never
from zermelo._engine.certificate.lookups import TableData
from zermelo._engine.column.codes import (
    ENDLESS,
    ENDLESS_WIN,
    GLAD,
    LAST,
    TIES,
    UNKNOWN,
    UNTIMED,
)
from zermelo._engine.core.array_types import (
    BoolArray,
    Int32Array,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.expander import Buffers, Expand
from zermelo.values.kind import Kind, entry_of
from zermelo.values.scores import LARGEST_SCORE, UNKNOWN_SCORE

#: Faults of a position.
NOTHING, WRONG_VALUE, STRANGE_CHILD, WRONG_OWNER, BACKWARD = range(5)
#: Faults of a table. UNREACHED: no move leads to a place. NOT_LEGAL: a place has no legal position.
#: MISSING_START, LACKING: a start or a legal position is missing. STRANGE_VALUE: a number is no
#: code. UNLIKE, UNPLAYABLE: a symmetry does not preserve moves, or its image is not a position.
#: UNEQUAL: a position and its canonical one have different values. UNFOUNDED: a value is proved
#: only by itself. POINTS_KEPT: a move that makes points, or changes the value of endless play, may
#: be part of a cycle. UNEVEN: the components of a position have another sum, or two passes change
#: it. MISPLACED: a look-up does not find a position. STOOD_FOR: a position is not legal, though an
#: equivalent one is in the table. TOO_LARGE: a margin, or the points of a move, would overflow.
#: OTHER_GAME: the options of a partizan game make it another one.
UNREACHED, NOT_LEGAL, MISSING_START, LACKING, STRANGE_VALUE = range(5, 10)
UNLIKE, UNPLAYABLE, UNEQUAL, UNFOUNDED, POINTS_KEPT, UNEVEN, MISPLACED, STOOD_FOR = range(11, 19)
TOO_LARGE, OTHER_GAME = 19, 20


@dataclass
class Finding:
    """The result of a certificate.

    Attributes:
        positions: positions checked.
        moves: moves followed.
        fault: NOTHING, or a fault.
        place: the place with the fault; for MISSING_START, the index of the start.
        expected: for WRONG_VALUE and UNEQUAL, the code that follows from the successors.
        other: for LACKING and STOOD_FOR the position, for UNLIKE the image, for UNEQUAL the
            position that has the canonical one, as the rules write them; for UNPLAYABLE the error
            of the rules for the image; for UNEVEN a sentence; for OTHER_GAME the games, and the
            number of the one that the options make.
    """

    positions: int
    moves: int
    fault: int = NOTHING
    place: int = 0
    expected: int = 0
    other: Any = None

    def with_fault(
        self, fault: int, place: int = 0, *, expected: int = 0, other: object = None
    ) -> Finding:
        """Return a copy with a fault."""
        return Finding(self.positions, self.moves, fault, place, expected, other)


class _LegalExpand(Protocol):
    """Compiled rules of a game whose legal positions are solved."""

    def legal(self, packed: Uint64Array, count: int, out: Uint8Array) -> None:
        """Write whether each of ``count`` packed positions is legal."""


def are_legal(expand: Expand, packed: Uint64Array, count: int) -> BoolArray:
    """Return the mask of packed positions that are legal by the rules, shape (count,)."""
    flags = np.empty(count, np.uint8)
    cast("_LegalExpand", expand).legal(packed, count, flags)
    return flags.astype(np.bool_)


def check_moves(
    kind: Kind,
    expanded: Buffers,
    parents: TableData,
    children: TableData,
    reached: Uint8Array,
) -> tuple[int, int]:
    """Check the properties of expanded positions that do not depend on their values.

    Args:
        kind: the kind of their values.
        expanded: the result of expanding them.
        parents: the table's data about them.
        children: the table's data about their children.
        reached: receives marks at the places of children, unless it is empty.

    Returns:
        A fault, and the index of the position that has it.
    """
    checks_potential = kind.needs_potential and kind.descends
    places = parents.places, children.places
    turns = expanded.owners, parents.owners
    arrays: tuple[Any, ...] = (
        *turns,
        reached,
        parents.potential,
        children.potential,
        checks_potential,
    )
    fault, i = _check_moves(expanded.ends, *places, *arrays)
    return int(fault), int(i)


def check_values(
    kind: Kind, expanded: Buffers, parents: TableData, children: TableData
) -> tuple[int, int, int]:
    """Check the values of expanded positions against those of their successors.

    Returns:
        A fault, the index of the position that has it, and the right code.

    Raises:
        UnknownKindError: the kind has an algebra that is not known here.
    """
    parent_owners = parents.owners if len(expanded.owners) else expanded.owners
    fault, i, correct = entry_of(kind, _CHECKS_BY_ALGEBRA, "the certificate")(
        expanded.ends,
        expanded.values,
        parents.values,
        parent_owners,
        children.values,
        children.owners,
        expanded.gains,
        kind.needs_potential,
        kind.favours,
    )
    return int(fault), int(i), int(correct)


@kernel
def _check_moves(
    ends: Int32Array,
    places: Int64Array,
    child_places: Int64Array,
    turns: Uint8Array,
    owners: Uint8Array,
    reached: Uint8Array,
    potential: Int64Array,
    child_potential: Int64Array,
    checks_potential: bool,
) -> tuple[int, int]:
    """Check turns, the targets of moves, and that no move leads back.

    A move marks its target if the target has a greater place; or any target, if all moves must
    lower a potential.
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
            if checks_potential and child_potential[edge] >= potential[i]:
                return BACKWARD, i
            if marking and (checks_potential or child > places[i]):
                reached[child] = 1
            edge += 1
    return NOTHING, 0


@kernel
def _check_code(
    ends: Int32Array,
    terminal: Int32Array,
    stored: Int32Array,
    owners: Uint8Array,
    child_stored: Int32Array,
    child_owners: Uint8Array,
    _: Int64Array,
    untimed: bool,
    __: int,
) -> tuple[Any, Any, Any]:
    edge = 0
    for i in range(stored.size):
        if owners.size:
            best = np.int64(-LAST)
            while edge < ends[i]:
                same_mover = owners[i] == child_owners[edge]
                best = max(best, one_ply_earlier(np.int64(child_stored[edge]), same_mover))
                edge += 1
        else:
            # The least code decides a win or a loss. There is no branch for each move, as the
            # processor would mispredict it.
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
def _check_endless_wins(
    ends: Int32Array,
    terminal: Int32Array,
    stored: Int32Array,
    owners: Uint8Array,
    child_stored: Int32Array,
    child_owners: Uint8Array,
    _: Int64Array,
    __: bool,
    favours: int,
) -> tuple[Any, Any, Any]:
    """Check codes of a game where endless play is a win for ``favours``."""
    edge = 0
    for i in range(stored.size):
        best = np.int64(-LAST)
        while edge < ends[i]:
            same_mover = owners[i] == child_owners[edge]
            best = max(best, one_ply_earlier_or_never(np.int64(child_stored[edge]), same_mover))
            edge += 1
        if terminal[i] == TIES:
            best = np.int64(-GLAD if owners[i] == favours else GLAD)
        elif terminal[i] != UNKNOWN:
            best = np.int64(terminal[i])
        # In a cycle each position would prove another, so the rules define the value of endless
        # play.
        if best == ENDLESS or abs(best) == ENDLESS_WIN:
            best = np.int64(ENDLESS_WIN if owners[i] == favours else -ENDLESS_WIN)
        if stored[i] != best:
            return WRONG_VALUE, i, best
    return NOTHING, 0, np.int64(0)


@kernel
def _check_score(
    ends: Int32Array,
    terminal: Int64Array,
    stored: IntArray,
    owners: Uint8Array,
    child_stored: IntArray,
    child_owners: Uint8Array,
    gains: Int64Array,
    _: bool,
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


#: The kernels that check values against those of the successors, by the algebra of the kind of
#: value. Those for nimbers and for scores with plies are in modules of their own.
_CHECKS_BY_ALGEBRA: dict[str, Callable[..., Any]] = {
    "win-draw-loss": _check_code,
    "outcome": _check_code,
    "endless": _check_endless_wins,
    "score": _check_score,
}
