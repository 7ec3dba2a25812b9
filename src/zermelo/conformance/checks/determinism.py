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
    visits: list[VisitedPosition],
    limits: WalkLimits,
    findings: Findings,
) -> None:
    """Check that the rules give equal answers again, also in an equal game created anew."""
    repeat_phrase = "when asked again"
    repetitions = [(hooks, repeat_phrase)]
    equal_game = _remake(hooks.game)
    if equal_game is not None:
        equal_hooks = CheckedHooks(hooks.rules, hooks.shape, hooks.timer, equal_game)
        repetitions.append((equal_hooks, "in another game with the same parameters"))
    for repeated_hooks, phrase in repetitions:
        start = call_hook(hooks.timer, repeated_hooks.game, "start")
        if start != walk.starts[0]:
            message = f"start() returned {walk.starts[0]!r}, and {start!r} {phrase}; {_REMEDY}"
            findings.error(ProblemKind.CHANGES, message, walk.starts[0])
            return
        for visit in reversed(visits):
            if limits.is_late:
                return
            difference = _difference(visit, repeated_hooks)
            if difference is not None:
                message = f"{difference} {phrase}; {_REMEDY}"
                findings.error(ProblemKind.CHANGES, message, visit.position)
                return


def _remake(game: Game) -> Game | None:
    values = {name: getattr(game, name) for name in parameter_names(game)}
    try:
        return type(game)(**values)
    except Exception:  # noqa: BLE001  # its own __init__ takes something else
        return None


def _difference(visit: VisitedPosition, hooks: CheckedHooks) -> str | None:
    position = visit.position
    try:
        repeated = hooks.visit(position)
    except ContractError as fault:
        statement = fault.statement
        return f"the rules had an answer at {position!r} and then none: {statement},"
    if repeated.owner != visit.owner:
        return f"{call_text('turn', position)} gave {visit.owner}, and {repeated.owner}"
    if repeated.ending != visit.ending:
        hook = "outcome" if hooks.rules.has_hook("outcome") else "winner"
        first, second = _outcome_word(visit.ending), _outcome_word(repeated.ending)
        return f"{call_text(hook, position)} gave {first}, and {second}"
    if visit.by_chance or repeated.by_chance:
        return _difference_of_results(visit, repeated)
    if repeated.moves != visit.moves:
        return f"{call_text('moves', position)} gave {visit.moves}, and {repeated.moves}"
    for n, move in enumerate(visit.moves):
        answers: list[tuple[str, Any, Any]] = [
            ("play", visit.children[n], repeated.children[n]),
            ("gain", visit.gains[n], repeated.gains[n]),
        ]
        for hook, old_answer, new_answer in answers:
            if old_answer != new_answer:
                return f"{call_text(hook, position, move)} gave {old_answer!r}, and {new_answer!r}"
    if repeated.score != visit.score:
        return f"{call_text('score', position)} gave {visit.score}, and {repeated.score}"
    return None


def _difference_of_results(visit: VisitedPosition, repeated: VisitedPosition) -> str | None:
    """Return how the results of chance differ, or None."""
    first, second = (
        list(zip(each.gains, each.children, strict=True)) if each.by_chance else []
        for each in (visit, repeated)
    )
    if first == second:
        return None
    return f"{call_text('chance', visit.position)} gave {first}, and {second}"


def _outcome_word(ending: Any) -> str:
    return "None" if ending is None else str(ending.name)
