"""The check of ``pass_turn``: the same position with the other player to move."""

from __future__ import annotations

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import WalkLimits


def check_pass_turn(hooks: CheckedHooks, visits: list[VisitedPosition], limits: WalkLimits) -> None:
    """Check that ``pass_turn`` passes the turn, and that two calls restore the position.

    Raises:
        ContractError: it does not, or the rules fail at the position that it returns.
    """
    if not hooks.rules.has_hook("pass_turn"):
        return
    for visit in visits:
        if limits.is_late:
            return
        _check_visit(hooks, visit)


def _check_visit(hooks: CheckedHooks, visit: VisitedPosition) -> None:
    position = visit.position
    call = call_text("pass_turn", position)
    image = hooks.shape.read(hooks.call("pass_turn", position), ("pass_turn", position), position)
    try:
        image_visit = hooks.visit(image)
        restored = hooks.shape.read(hooks.call("pass_turn", image), ("pass_turn", image), image)
    except ContractError as fault:
        message = (
            f"{call} gives {image!r}, at which the rules fail: {fault.statement}; return a "
            "position that they accept"
        )
        raise ContractError(ProblemKind.PASSING, message, position) from None
    if restored != position:
        message = (
            f"{call} gives {image!r}, and pass_turn({image!r}) {restored!r}; it must "
            f"lead back to {position!r}"
        )
        raise ContractError(ProblemKind.PASSING, message, position)
    if hooks.rules.has_hook("turn") and image_visit.owner == visit.owner:
        message = (
            f"{call} gives {image!r}, where it is still the turn of player {visit.owner}; change "
            "whose turn it is, and nothing else"
        )
        raise ContractError(ProblemKind.PASSING, message, position)
