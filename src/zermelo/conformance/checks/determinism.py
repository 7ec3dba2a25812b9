"""The check of determinism: all hooks are called again, in another order, and compared."""

from __future__ import annotations

from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition, call_hook
from zermelo.conformance.report import ContractError, Findings, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import Walk, WalkLimits
from zermelo.game.contract import Game, parameter_names

_REMEDY = "let rules depend on the position and the parameters alone"


def check_steady(
    hooks: CheckedHooks,
    walk: Walk,
    places: list[VisitedPosition],
    limits: WalkLimits,
    findings: Findings,
) -> None:
    """Check that the rules give equal answers again, also in an equal game created anew."""
    same = "when asked again"
    others = [(hooks, same)]
    again = _remake(hooks.game)
    if again is not None:
        twin = CheckedHooks(hooks.rules, hooks.shape, hooks.watch, again)
        others.append((twin, "in another game with the same parameters"))
    for other, when in others:
        start = call_hook(hooks.watch, other.game, "start")
        if start != walk.starts[0]:
            message = f"start() returned {walk.starts[0]!r}, and {start!r} {when}; {_REMEDY}"
            findings.error(ProblemKind.CHANGES, message, walk.starts[0])
            return
        for place in reversed(places):
            if limits.is_late:
                return
            difference = _difference(place, other)
            if difference is not None:
                message = f"{difference} {when}; {_REMEDY}"
                findings.error(ProblemKind.CHANGES, message, place.position)
                return


def _remake(game: Game) -> Game | None:
    values = {name: getattr(game, name) for name in parameter_names(game)}
    try:
        return type(game)(**values)
    except Exception:  # noqa: BLE001  # its own __init__ takes something else
        return None


def _difference(place: VisitedPosition, hooks: CheckedHooks) -> str | None:
    position = place.position
    try:
        now = hooks.place(position)
    except ContractError as fault:
        what = fault.what
        return f"the rules had an answer at {position!r} and then none: {what},"
    if now.owner != place.owner:
        return f"{call_text('turn', position)} gave {place.owner}, and {now.owner}"
    if now.ending != place.ending:
        hook = "outcome" if hooks.rules.has_hook("outcome") else "winner"
        first, second = _outcome_word(place.ending), _outcome_word(now.ending)
        return f"{call_text(hook, position)} gave {first}, and {second}"
    if now.moves != place.moves:
        return f"{call_text('moves', position)} gave {place.moves}, and {now.moves}"
    for n, move in enumerate(place.moves):
        said: list[tuple[str, Any, Any]] = [
            ("play", place.children[n], now.children[n]),
            ("gain", place.gains[n], now.gains[n]),
        ]
        for hook, then, after in said:
            if then != after:
                return f"{call_text(hook, position, move)} gave {then!r}, and {after!r}"
    if now.score != place.score:
        return f"{call_text('score', position)} gave {place.score}, and {now.score}"
    return None


def _outcome_word(ending: Any) -> str:
    return "None" if ending is None else str(ending.name)
