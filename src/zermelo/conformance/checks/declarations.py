"""Checks of a class without playing: its declarations, and required parts that are missing."""

from __future__ import annotations

from enum import Enum

import numpy as np

from zermelo.conformance.report import Findings, ProblemKind
from zermelo.game.contract import HOOKS, Game, parameter_names
from zermelo.rules.faults import (
    REQUIRED,
    fault_of_endless_in,
    fault_of_form,
    fault_of_players,
    fault_of_signature,
)
from zermelo.rules.hooks import hooks_of
from zermelo.rules.misspellings import Doubt, missing_hooks, misspellings_of


def check_declared(game: Game, findings: Findings) -> bool:
    """Check a class and its parameters; return whether the game can be played at all."""
    kind = type(game)
    hooks = hooks_of(kind)
    _check_dataclass(game, findings)
    _check_parameters(game, findings)
    _check_players(game, findings)
    _check_endless(game, hooks, findings)
    _check_required(kind, hooks, findings)
    _check_clashes(hooks, findings)
    _check_signatures(kind, hooks, findings)
    _check_spelling(kind, hooks, findings)
    is_playable = not findings.has_error(
        ProblemKind.MISSING,
        ProblemKind.CLASH,
        ProblemKind.SIGNATURE,
        ProblemKind.DATACLASS,
        ProblemKind.PLAYERS,
        ProblemKind.CONTRACT,
        ProblemKind.MISSPELT,
    )
    if not _has_docstring(kind):
        message = "the class has no docstring; describe the game in it"
        findings.hint(ProblemKind.DOCSTRING, message)
    if "show" not in hooks:
        message = "there is no show(); write one that returns a position as text people can read"
        findings.hint(ProblemKind.NO_SHOW, message)
    return is_playable


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


def _is_plain(value: object) -> bool:
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


def _check_required(kind: type[Game], hooks: frozenset[str], findings: Findings) -> None:
    formless = set()
    for hook in HOOKS:
        fault = fault_of_form(kind, hook)
        if fault is not None:
            formless.add(hook)
            findings.error(ProblemKind.SIGNATURE, fault, subject=hook)
    for hook, fault in missing_hooks(kind, hooks).items():
        if hook not in formless:
            message = f"there is no {hook}(); {fault}"
            findings.error(ProblemKind.MISSING, message, subject=hook)


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


def _check_spelling(kind: type[Game], hooks: frozenset[str], findings: Findings) -> None:
    for misspelling in misspellings_of(kind, hooks):
        if misspelling.meant in REQUIRED and findings.has(ProblemKind.MISSING):
            continue
        report = findings.error if misspelling.doubt is Doubt.CERTAIN else findings.hint
        report(ProblemKind.MISSPELT, misspelling.message, subject=misspelling.name)


def _has_docstring(kind: type[Game]) -> bool:
    games = [base for base in kind.__mro__ if issubclass(base, Game) and base is not Game]
    # ``dataclass`` gives a class without a docstring one: its name and parameters.
    return any(
        (base.__doc__ or "").strip() and not str(base.__doc__).startswith(f"{base.__name__}(")
        for base in games
    )
