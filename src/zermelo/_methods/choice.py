"""The choice of a method for a game."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from zermelo.errors import BudgetError, ParameterError
from zermelo.methods import METHODS, PLAIN
from zermelo.rules.value_check import check_suited, check_value
from zermelo.values.nimbers import NIMBERS
from zermelo.values.partizan import PARTIZAN

if TYPE_CHECKING:
    from zermelo._methods.task import Method
    from zermelo.rules.hooks import Rules

#: The most estimated positions of a solve; and the positions that are solved in a second.
_HOPELESS, _A_SECOND = 100_000_000_000, 5_000_000


@cache
def method_of(name: str) -> Method:
    """Return a method; its module is imported at its first use."""
    module = import_module(f"zermelo._methods.{name}.method")
    method: Method = getattr(module, f"{name.title()}Method")()
    return method


def chosen_method(
    rules: Rules, method: str | None, value: str | None, horizon: int | None, *, clustered: bool
) -> str:
    """Return the name of the method to use: the requested one, or the first that suits.

    Args:
        rules: the game.
        method: the requested method, or None.
        value: the requested kind of value, or None.
        horizon: the requested horizon, or None.
        clustered: whether workers are to solve the game.

    Raises:
        BudgetError: the solve would take far too long, by an estimate.
        ParameterError: an argument is not known, or does not suit the game.
    """
    check_value(value)
    if method is not None and method not in METHODS:
        message = f"method={method!r} is not known; use one of {', '.join(METHODS)}"
        raise ParameterError(message)
    _check_horizon(method, horizon)
    requested = method
    for name in (NIMBERS.name, PARTIZAN.name):  # a method and its kind of value
        if name in (method, value):
            if {method, value} - {None, name}:
                message = f"value={value!r} does not go with method={method!r}; leave method out"
                raise ParameterError(message)
            requested = value = name
    check_suited(rules, value)
    chosen = requested or first_suited(rules)
    why = method_of(chosen).unsuited(rules)
    if why is not None:
        suited = first_suited(rules)
        message = f"method={chosen!r} does not suit {rules.name}, {why}; use method={suited!r}"
        raise ParameterError(message)
    if clustered:
        _check_clusters(chosen, rules)
    if method is None:
        _check_size(rules, chosen)
    return chosen


def first_suited(rules: Rules) -> str:
    """Return the name of the first method that suits a game, among those chosen by default."""
    return next(name for name in _compiled_methods() if _suits(name, rules))


def _compiled_methods() -> list[str]:
    return [name for name in METHODS if name != PLAIN]


def _suits(name: str, rules: Rules) -> bool:
    """Return whether a method may be chosen by default for a game."""
    method = method_of(name)
    return method.unsuited(rules) is None and not method.is_passed_over(rules)


def _check_size(rules: Rules, chosen: str) -> None:
    """Check that a solve would not take far too long, if that can be estimated.

    Raises:
        BudgetError: it is a placement game with too many positions, by an estimate.
    """
    from zermelo.game.placement import PlacementGame

    if method_of(chosen).declared or not isinstance(rules.game, PlacementGame):
        return
    from zermelo._engine.core.ledger import readable
    from zermelo._methods.placement.estimate import estimated_positions

    count = estimated_positions(rules.game)
    if count is None or count <= _HOPELESS:
        return
    days = max(1, round(count / _A_SECOND / 86_400))
    message = (
        f"{rules.description} has about {count:.0e} positions, estimated from a sample; solving it "
        f"would take about {days:,} day{'s' * (days != 1)} and {readable(count)} at least; choose "
        "a smaller board, prove one position with zermelo.prove, or name a method to try anyway"
    )
    raise BudgetError(message, count, _HOPELESS)


def _check_clusters(chosen: str, rules: Rules) -> None:
    """Raise ParameterError if a method does not run on a cluster."""
    able = [name for name in _compiled_methods() if method_of(name).clusters]
    if chosen not in able:
        suited = [f"give method={name!r}" for name in able if _suits(name, rules)]
        message = (
            f"method={chosen!r}, which suits {rules.name}, does not run on a cluster; "
            f"{', '.join(able[:-1])} and {able[-1]} do; "
            f"{' or '.join([*suited, 'leave cluster out'])}"
        )
        raise ParameterError(message)


def _check_horizon(method: str | None, horizon: int | None) -> None:
    """Raise ParameterError for a horizon that makes no sense."""
    if horizon is not None and method != "horizon":
        message = f"horizon={horizon!r} needs method='horizon'"
        raise ParameterError(message)
    whole = isinstance(horizon, int) and not isinstance(horizon, bool)
    if horizon is not None and not (whole and horizon >= 0):
        message = f"horizon must be a whole number of at least 0, not {horizon!r}"
        raise ParameterError(message)
