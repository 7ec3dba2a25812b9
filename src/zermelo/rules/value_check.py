"""Checks of the requested kind of value, and whether a game has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.errors import ParameterError
from zermelo.methods import VALUES
from zermelo.rules.impartiality import unsuited_to_nimbers, unsuited_to_partizan
from zermelo.values.nimbers import NIMBERS
from zermelo.values.partizan import PARTIZAN
from zermelo.values.score_and_plies import TIMED_SCORES
from zermelo.values.win_draw_loss import OUTCOME_ALONE

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


def check_value(value: str | None) -> None:
    """Raise ParameterError for an unknown kind of value."""
    if value is not None and value not in VALUES:
        message = f"value={value!r} is not known; use one of {', '.join(VALUES)}, or leave it out"
        raise ParameterError(message)


def check_suited(rules: Rules, value: str | None) -> None:
    """Check that a game has the requested kind of value.

    Args:
        rules: the game.
        value: one of ``VALUES``, or None.

    Raises:
        ParameterError: it does not.
    """
    if value is not None and rules.has_chance:
        message = f"value={value!r} does not suit {rules.name}, {rules.kind.clause}; leave it out"
        raise ParameterError(message)
    if value == (OUTCOME_ALONE if rules.kind.gains else TIMED_SCORES).name:
        clause = "which is a score game" if rules.kind.gains else "which is not a score game"
        message = f"value={value!r} does not suit {rules.name}, {clause}; leave it out"
        raise ParameterError(message)
    if value == PARTIZAN.name:
        _check_partizan(rules)
    if value != NIMBERS.name:
        return
    if rules.misere:
        message = (
            "nimbers are of normal play, and misere=True is not; zermelo.genus gives the "
            "misère values of a position, and zermelo.heaps the misère quotient of a heap game"
        )
        raise ParameterError(message)
    reason = unsuited_to_nimbers(rules)
    if reason is not None:
        message = (
            f"value='nimber' is for impartial games under normal play, and not for {rules.name}, "
            f"{reason}; leave value out"
        )
        raise ParameterError(message)


def _check_partizan(rules: Rules) -> None:
    """Check that positions of a game are worth partizan games.

    Raises:
        ParameterError: they are not.
    """
    if rules.misere:
        message = (
            "values of partizan games are of normal play, and misere=True is not; leave it out"
        )
        raise ParameterError(message)
    reason = unsuited_to_partizan(rules)
    if reason is not None:
        message = (
            f"value='partizan' is for games under normal play, and not for {rules.name}, {reason}; "
            "leave value out"
        )
        raise ParameterError(message)
