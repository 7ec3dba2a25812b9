"""The checks of ``show``, ``svg``, ``name`` and ``parse``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.report import ContractError, Findings, ProblemKind
from zermelo.conformance.shape import call_text


def check_text(hooks: CheckedHooks, visits: list[VisitedPosition], findings: Findings) -> None:
    """Check that positions and moves can be shown, and that shown positions can be read again.

    Positions are shown as they are unpacked from a table, which contains only their numbers.
    """
    layout = hooks.rules.layout
    visits = [
        replace(visited, position=layout.unpack(layout.pack(visited.position)))
        for visited in visits
    ]
    for check in (_check_show, _check_svg, _check_names, _check_parse):
        try:
            for visit in visits:
                check(hooks, visit)
        except ContractError as fault:
            findings.add(fault)


def _check_show(hooks: CheckedHooks, visit: VisitedPosition) -> None:
    if hooks.rules.has_hook("show"):
        _text(hooks, ProblemKind.SHOW, "show", visit.position)


def _check_svg(hooks: CheckedHooks, visit: VisitedPosition) -> None:
    if not hooks.rules.has_hook("svg"):
        return
    text = _text(hooks, ProblemKind.SHOW, "svg", visit.position)
    if "<svg" not in text:
        message = (
            f"{call_text('svg', visit.position)} returned {text[:40]!r}; return an <svg> element"
        )
        raise ContractError(ProblemKind.SHOW, message, visit.position, subject="svg")


def _check_names(hooks: CheckedHooks, visit: VisitedPosition) -> None:
    if not hooks.rules.has_hook("name") or visit.by_chance:
        return
    moves_by_name: dict[str, Any] = {}
    for move in visit.moves:
        text = _text(hooks, ProblemKind.NAME, "name", move)
        first_move = moves_by_name.setdefault(text, move)
        if first_move != move:
            message = (
                f"at {visit.position!r} the moves {first_move!r} and {move!r} are both called "
                f"{text!r}; give moves of one position different names"
            )
            raise ContractError(ProblemKind.NAME, message, visit.position)


def _check_parse(hooks: CheckedHooks, visit: VisitedPosition) -> None:
    if not (hooks.rules.has_hook("parse") and hooks.rules.has_hook("show")):
        return
    text = _text(hooks, ProblemKind.SHOW, "show", visit.position)
    call = call_text("parse", text)
    try:
        position = hooks.call("parse", text)
    except ContractError as fault:
        if fault.problem.kind != ProblemKind.RAISES:
            raise
        message = (
            f"parse() refuses what show() writes of {visit.position!r}: "
            f"{fault.statement}; let it read that too"
        )
        raise ContractError(ProblemKind.PARSE, message, visit.position) from None
    if position != visit.position:
        message = (
            f"{call} gives {position!r}, but show() wrote that of {visit.position!r}; let show() "
            "tell all of a position, and parse() read it back"
        )
        raise ContractError(ProblemKind.PARSE, message, visit.position)


def _text(hooks: CheckedHooks, kind: ProblemKind, hook: str, argument: object) -> str:
    text = hooks.call(hook, argument)
    if not isinstance(text, str):
        message = f"{call_text(hook, argument)} returned {text!r}; return a string"
        raise ContractError(kind, message, argument, subject=hook)
    return text
