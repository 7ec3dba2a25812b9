"""What can be said of a class before it is played: what it declares, and what it lacks."""

from __future__ import annotations

from difflib import get_close_matches
from enum import Enum
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from zermelo.conformance.report import Findings, ProblemKind
from zermelo.game.contract import HOOKS, Game, parameter_names
from zermelo.rules.faults import fault_of_endless_in, fault_of_players, fault_of_signature
from zermelo.rules.hooks import hooks_of

_REQUIRED = {
    "start": "returns the first position",
    "moves": "yields the moves in a position",
    "play": "returns the position after a move",
}

#: What hooks are called elsewhere.
_ELSEWHERE = {
    "start": ("initial", "initial_state", "initial_position", "new_initial_state", "reset", "root"),
    "moves": ("actions", "legal_actions", "legal_moves", "get_moves", "generate_moves", "options"),
    "play": ("apply", "apply_move", "do_move", "make_move", "next_state", "push", "result", "step"),
    "outcome": ("game_over", "is_over", "is_terminal", "result_of", "status", "terminal"),
    "winner": ("is_won", "who_wins", "who_won", "has_won"),
    "turn": ("current_player", "player", "player_to_move", "to_move", "to_play", "whose_turn"),
    "gain": ("reward", "payoff"),
    "score": ("utility", "returns", "final_score"),
    "pass_turn": ("null_move", "other_side", "swap_sides", "swap_turn", "switch_turn"),
    "show": ("display", "render", "draw", "to_string", "print_board"),
}
_ALSO = {other: hook for hook, others in _ELSEWHERE.items() for other in others}
_CLOSE = 0.8
_ATTRIBUTES = ("players", "no_moves", "endless")


def check_declared(game: Game, findings: Findings) -> bool:
    """Look at a class and its parameters; return whether the game can be played at all."""
    kind = type(game)
    hooks = hooks_of(kind)
    _check_dataclass(game, findings)
    _check_parameters(game, findings)
    _check_players(game, findings)
    _check_endless(game, hooks, findings)
    unused = _uncalled(kind)
    _check_required(kind, hooks, unused, findings)
    _check_clashes(hooks, findings)
    _check_signatures(kind, hooks, findings)
    playable = not findings.has(
        ProblemKind.MISSING,
        ProblemKind.CLASH,
        ProblemKind.SIGNATURE,
        ProblemKind.DATACLASS,
        ProblemKind.PLAYERS,
        ProblemKind.CONTRACT,
    )
    _check_spelling(kind, hooks, unused, findings)
    if not _has_docstring(kind):
        message = "the class has no docstring; describe the game in it"
        findings.hint(ProblemKind.DOCSTRING, message)
    if "show" not in hooks:
        message = "there is no show(); write one that returns a position as text people can read"
        findings.hint(ProblemKind.NO_SHOW, message)
    return playable


def _check_dataclass(game: Game, findings: Findings) -> None:
    kind = type(game)
    settings = getattr(kind, "__dataclass_params__", None)
    if settings is not None and not settings.frozen:
        message = "the class is a mutable dataclass; write @dataclass(frozen=True)"
        findings.error(ProblemKind.FROZEN, message)
    by_hand = any("__init__" in vars(k) for k in kind.__mro__ if k not in (Game, object))
    if settings is None and by_hand:
        message = (
            "__init__() is written by hand, and Zermelo cannot see what it sets; declare "
            "parameters as fields under @dataclass(frozen=True)"
        )
        findings.error(ProblemKind.DATACLASS, message)


def _check_parameters(game: Game, findings: Findings) -> None:
    for name in parameter_names(game):
        value = getattr(game, name)
        if not _is_plain(value):
            message = (
                f"parameter {name!r} is {value!r}, a {type(value).__name__}; use whole numbers, "
                "strings, tuples or arrays, which nobody can change"
            )
            findings.error(ProblemKind.PARAMETER, message, subject=name)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(item) for item in value)
    plain = int | str | float | bytes | Enum | np.ndarray
    return value is None or isinstance(value, plain)


def _check_players(game: Game, findings: Findings) -> None:
    fault = fault_of_players(game)
    if fault is not None:
        findings.error(ProblemKind.PLAYERS, fault)


def _check_endless(game: Game, hooks: frozenset[str], findings: Findings) -> None:
    fault = fault_of_endless_in(game, hooks)
    if fault is not None:
        findings.error(ProblemKind.CONTRACT, fault)


def _check_required(
    kind: type[Game], hooks: frozenset[str], unused: set[str], findings: Findings
) -> None:
    for hook, does in _REQUIRED.items():
        if hook in hooks or (hook == "start" and "starts" in hooks):
            continue
        there = vars(kind).get(hook)
        if there is not None:
            what = "property" if isinstance(there, property) else type(there).__name__
            message = f"{hook} is a {what}; write it as a method that {does}"
        else:
            near = _nearest(hook, unused)
            instead = f"rename {near}(), if that is it, or write" if near else "write"
            message = f"there is no {hook}(); {instead} a method that {does}"
        findings.error(ProblemKind.MISSING, message, subject=hook)
    for hook in HOOKS.keys() - _REQUIRED.keys() - hooks:
        if isinstance(getattr(kind, hook, None), property):
            message = f"{hook} is a property, which Zermelo does not read; write it as a method"
            findings.error(ProblemKind.SIGNATURE, message, subject=hook)


def _nearest(hook: str, unused: set[str]) -> str | None:
    return next((name for name in sorted(unused) if _meant(name) == hook), None)


def _check_clashes(hooks: frozenset[str], findings: Findings) -> None:
    if {"outcome", "winner"} <= hooks:
        message = "there are both outcome() and winner(); keep one of them"
        findings.error(ProblemKind.CLASH, message)
    elif {"canonical", "symmetries"} <= hooks:
        message = "there are both canonical() and symmetries(); keep one of them"
        findings.error(ProblemKind.CLASH, message)
    elif "winner" in hooks and "turn" not in hooks:
        message = "winner() needs turn(); write turn(), which returns 0 or 1, or use outcome()"
        findings.error(ProblemKind.CLASH, message)


def _check_signatures(kind: type[Game], hooks: frozenset[str], findings: Findings) -> None:
    for hook in sorted(hooks):
        fault = fault_of_signature(kind, hook)
        if fault is not None:
            findings.error(ProblemKind.SIGNATURE, fault, subject=hook)


def _uncalled(kind: type[Game]) -> set[str]:
    """Return the methods that are not hooks and that no method of the class calls."""
    own = {
        name: value
        for base in kind.__mro__
        if base not in (Game, object)
        for name, value in vars(base).items()
    }
    codes = [value.__code__ for value in own.values() if isinstance(value, FunctionType)]
    used = {name for code in codes for name in _names(code)}
    return {
        name
        for name, value in own.items()
        if isinstance(value, FunctionType | staticmethod | classmethod)
        and name not in HOOKS
        and not hasattr(Game, name)
        and not name.startswith("_")
        and name not in used
    }


def _names(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _meant(name: str) -> str | None:
    """Return the hook that a method may be meant for."""
    if name in _ALSO:
        return _ALSO[name]
    close = get_close_matches(name, HOOKS, 1, _CLOSE)
    return close[0] if close else None


def _check_spelling(
    kind: type[Game], hooks: frozenset[str], unused: set[str], findings: Findings
) -> None:
    for name in sorted(unused):
        hook = _meant(name)
        if (
            hook is None
            or hook in hooks
            or (hook in _REQUIRED and findings.has(ProblemKind.MISSING))
        ):
            continue
        if {hook, *hooks} >= {"outcome", "winner"}:
            continue
        message = (
            f"nothing calls {name}(); if you mean {hook}(), rename it; otherwise call it _{name}()"
        )
        findings.hint(ProblemKind.MISSPELT, message, subject=name)
    fields = getattr(kind, "__dataclass_fields__", {})
    for name in vars(kind):
        close = get_close_matches(name, _ATTRIBUTES, 1, _CLOSE)
        if not close or name in _ATTRIBUTES or name in fields or callable(vars(kind)[name]):
            continue
        message = f"nothing reads the attribute {name}; if you mean {close[0]}, rename it"
        findings.hint(ProblemKind.MISSPELT, message, subject=name)


def _has_docstring(kind: type[Game]) -> bool:
    games = [base for base in kind.__mro__ if issubclass(base, Game) and base is not Game]
    # A dataclass without a docstring is given one by dataclass: its name and parameters.
    return any(
        (base.__doc__ or "").strip() and not str(base.__doc__).startswith(f"{base.__name__}(")
        for base in games
    )
