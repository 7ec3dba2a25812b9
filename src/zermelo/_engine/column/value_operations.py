"""The algebra of each kind of value in kernels: the values of moves, and the best move.

Kernels that take the best of the moves are made for each algebra by a function of its operations,
and keep them as constants: Numba does not cache a kernel with a function as an argument. The
certificate has its own copy of all this, in ``certificate/algebra.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zermelo._engine.column.codes import ENDLESS_WIN, GLAD, LAST, TIES
from zermelo._engine.column.codes import UNKNOWN as UNKNOWN_OUTCOME
from zermelo._engine.column.score_and_plies import BITS, QUARTER, UNIT, code_of, plies_of
from zermelo._engine.core.array_types import Integer
from zermelo._engine.core.jit import inlined
from zermelo.values.endless import ENDLESS_ALGEBRA
from zermelo.values.kind import Kind, entry_of
from zermelo.values.score_and_plies import TIMED_SCORES
from zermelo.values.scores import SCORES, UNKNOWN_SCORE
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS


@dataclass(frozen=True, eq=False)
class ValueOperations:
    """The operations on the codes of a kind of value.

    ``Kind`` says which codes terminal positions have, and in how many bytes a code is stored.

    Attributes:
        undecided: the code of a position that is not decided yet.
        least: a number to begin with, below the value of every move.
        scored: whether moves make points; without points the arguments ``gain`` are ignored.
        of_child: the value of a move for its mover, from the code of the child, whether the same
            player is to move there, the points of the move, and the value of endless play to the
            mover.
        better: the better of two values: the greater one in all algebras so far.
        is_best: whether a move is a best one, from the code of the position, the code of the child,
            whether the same player is to move there, and the points of the move.
        preference: a number that is greater for a better move, from the arguments of ``is_best``.
        bar: a number that the preference of the move to choose exceeds.
    """

    undecided: int
    least: int
    scored: bool
    of_child: Callable[[Any, Any, Any, Any], Any]
    better: Callable[[Any, Any], Any]
    is_best: Callable[[Any, Any, Any, Any], Any]
    preference: Callable[[Any, Any, Any, Any], Any]
    bar: int


def operations_of(kind: Kind) -> ValueOperations:
    """Return the operations on the codes of a kind of value that has a best move.

    Raises:
        UnknownKindError: the kind has an algebra that is not defined here.
    """
    return entry_of(kind, _OPERATIONS, "the choice of best moves")


# -- win, draw and loss ---------------------------------------------------------------------------


@inlined
def outcome_of_child(code: Integer, same_mover: bool, _: int, __: int) -> Any:
    """Return the value of a move: the outcome of the child, one ply earlier."""
    if code > TIES or code < -TIES:
        if not same_mover:
            code = -code
        return code - 1 if code > 0 else code + 1
    if code > GLAD:
        return code - 1
    # A tie that one player prefers. All codes come nearer to 0, so that no cycle proves them.
    if not same_mover:
        code = -code
    return code - 1 if code > 0 else code + (code < 0)


@inlined
def untimed_outcome_of_child(code: Integer, same_mover: bool, gain: int, endless: int) -> Any:
    """Return the value of a move where a win or a loss may have no remoteness, and keeps none."""
    if abs(code) == ENDLESS_WIN:
        return code if same_mover else -code
    return outcome_of_child(code, same_mover, gain, endless)


@inlined
def is_best_outcome(value: int, code: int, same_mover: bool, _: int) -> bool:
    """Return whether a move preserves the outcome and the remoteness."""
    return bool(untimed_outcome_of_child(np.int64(code), same_mover, 0, 0) == value)


@inlined
def outcome_preference(_: int, code: int, same_mover: bool, gain: int) -> Any:
    """Return the value of a move, which is compared with those of the others.

    A value may be wrong beyond a horizon, so that no move need have the value of the position.
    """
    return outcome_of_child(np.int64(code), same_mover, gain, 0)


# -- margins --------------------------------------------------------------------------------------


@inlined
def margin_of_child(margin: Integer, same_mover: bool, gain: Integer, _: Integer) -> int:
    """Return the value of a move: its points plus the margin of the child."""
    return gain + (margin if same_mover else -margin)


@inlined
def is_best_margin(value: int, margin: int, same_mover: bool, gain: int) -> bool:
    """Return whether a move preserves the margin."""
    return bool(margin_of_child(margin, same_mover, gain, 0) == value)


@inlined
def margin_preference(_: int, margin: int, same_mover: bool, gain: int) -> int:
    """Return the value of a move."""
    return margin_of_child(np.int64(margin), same_mover, gain, 0)


# -- margins with plies ---------------------------------------------------------------------------


@inlined
def timed_margin_of_child(code: int, same_mover: bool, gain: Integer, endless: Integer) -> Any:
    """Return the value of a move: its points plus the margin of the child, one ply later."""
    margin = margin_of_child(code >> BITS, same_mover, gain, endless)
    if code & (UNIT - 1) == QUARTER and margin == endless:
        return (margin << BITS) + QUARTER
    return code_of(margin, plies_of(code) + 1, endless)


@inlined
def is_best_timed_margin(value: Integer, code: Integer, same_mover: bool, gain: Integer) -> bool:
    """Return whether a move preserves the margin and its plies, for any value of endless play."""
    if margin_of_child(code >> BITS, same_mover, gain, 0) != value >> BITS:
        return False
    low = value & (UNIT - 1)
    endless = code & (UNIT - 1) == QUARTER
    if low == QUARTER:
        return bool(endless)
    if endless and QUARTER < low <= 2 * QUARTER:
        return False
    return bool(plies_of(code) + 1 == plies_of(value))


@inlined
def timed_margin_preference(
    value: Integer, code: Integer, same_mover: bool, gain: Integer
) -> np.int64:
    """Return 1 for a best move, and 0 for the others.

    The order of the others depends on the value of endless play, which is not known here.
    """
    return np.int64(is_best_timed_margin(value, code, same_mover, gain))


#: The operations of win, draw and loss with remoteness.
OUTCOMES = ValueOperations(
    undecided=UNKNOWN_OUTCOME,
    least=-LAST,
    scored=False,
    of_child=outcome_of_child,
    better=max,
    is_best=is_best_outcome,
    preference=outcome_preference,
    bar=-LAST - 1,
)
#: The operations of margins.
MARGINS = ValueOperations(
    undecided=UNKNOWN_SCORE,
    least=UNKNOWN_SCORE,
    scored=True,
    of_child=margin_of_child,
    better=max,
    is_best=is_best_margin,
    preference=margin_preference,
    bar=UNKNOWN_SCORE,
)
#: The operations of margins with plies.
TIMED_MARGINS = ValueOperations(
    undecided=UNKNOWN_SCORE,
    least=UNKNOWN_SCORE,
    scored=True,
    of_child=timed_margin_of_child,
    better=max,
    is_best=is_best_timed_margin,
    preference=timed_margin_preference,
    bar=0,
)
#: The operations of win, draw and loss where some have no remoteness.
UNTIMED_OUTCOMES = replace(OUTCOMES, of_child=untimed_outcome_of_child)
_OPERATIONS = {
    WIN_DRAW_LOSS.algebra: OUTCOMES,
    OUTCOME_ALONE.algebra: UNTIMED_OUTCOMES,
    ENDLESS_ALGEBRA: UNTIMED_OUTCOMES,
    SCORES.algebra: MARGINS,
    TIMED_SCORES.algebra: TIMED_MARGINS,
}
