"""Detection of misspelt hooks: unused names of a class that resemble those of hooks.

A hook is found by its name. With ``outcome`` written ``outcomes`` a game still has moves, but other
ends, and would be solved as another game.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from inspect import CO_OPTIMIZED, get_annotations
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from zermelo.game.contract import HOOKS, Game
from zermelo.rules.faults import REQUIRED, takes_arguments_of
from zermelo.symmetry import Symmetry

#: The names of hooks in other libraries.
_FOREIGN_NAMES = {
    "start": ("initial", "initial_state", "initial_position", "new_initial_state", "reset", "root"),
    "moves": ("actions", "legal_actions", "legal_moves", "get_moves", "generate_moves", "options"),
    "play": ("apply", "apply_move", "do_move", "make_move", "next_state", "push", "result", "step"),
    "outcome": (
        *("finished", "game_over", "is_draw", "is_finished", "is_game_over", "is_over"),
        *("is_terminal", "is_win", "result_of", "status", "terminal"),
    ),
    "winner": (
        "check_win",
        "check_winner",
        "get_winner",
        "has_won",
        "is_won",
        "who_wins",
        "who_won",
    ),
    "turn": ("current_player", "player", "player_to_move", "to_move", "to_play", "whose_turn"),
    "chance": ("chances", "chance_outcomes", "probabilities", "roll", "rolls"),
    "gain": ("reward", "payoff"),
    "score": ("utility", "returns", "final_score"),
    "symmetries": ("symmetry",),
    "pass_turn": ("null_move", "other_side", "swap_sides", "swap_turn", "switch_turn"),
    "show": ("display", "render", "draw", "to_string", "print_board"),
}
_HOOK_OF_FOREIGN_NAME = {other: hook for hook, others in _FOREIGN_NAMES.items() for other in others}
#: The similarity of two names if one may be a misspelling of the other, and surely is one.
_SIMILAR, _VERY_SIMILAR = 0.8, 0.85
_ATTRIBUTES = ("players", "no_moves", "endless", "plies_per_move", "folded_tables", "facts")
#: Hooks that change only the appearance.
_DISPLAY_HOOKS = frozenset({"show", "sketch", "svg", "name", "parse", "pass_turn"})
#: Hooks whose absence changes the values of positions.
_VALUE_HOOKS = frozenset({"outcome", "winner", "turn", "gain", "score", "chance"})
#: The package of our base classes, whose methods we call.
_GAME_PACKAGE = "zermelo.game."


#: Methods that ``dataclass`` generates, which read all fields.
_GENERATED = frozenset({"__init__", "__repr__", "__eq__", "__hash__", "__replace__"})


class Doubt(StrEnum):
    """The certainty of a misspelling."""

    CERTAIN = "certain"  #: it can mean nothing else: an error
    LIKELY = "likely"  #: it may be a helper, but without the hook values are wrong: a warning
    POSSIBLE = "possible"  #: only a hint


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A name that may be a misspelling of a hook or an attribute.

    Attributes:
        name: the name.
        meant: the hook or attribute; None if there is none, as for chance.
        doubt: the certainty.
        message: a sentence that ends with advice.
    """

    name: str
    meant: str | None
    doubt: Doubt
    message: str


_MISSPELLINGS_BY_CLASS: WeakKeyDictionary[type[Game], tuple[Misspelling, ...]] = WeakKeyDictionary()


def misspellings_of(kind: type[Game], hooks: frozenset[str]) -> tuple[Misspelling, ...]:
    """Return the unused names of a class that may be misspelt.

    Args:
        kind: the class.
        hooks: the hooks that it has.
    """
    misspellings = _MISSPELLINGS_BY_CLASS.get(kind)
    if misspellings is None:
        misspellings = _MISSPELLINGS_BY_CLASS[kind] = (
            *_misspelt_methods(kind, hooks),
            *_misspelt_attributes(kind),
        )
    return misspellings


def missing_hooks(kind: type[Game], hooks: frozenset[str]) -> dict[str, str]:
    """Return the required hooks that a class lacks, each with advice.

    Args:
        kind: the class.
        hooks: the hooks that it has.
    """
    advice_by_hook = {}
    for hook, purpose in REQUIRED.items():
        if hook in hooks or (hook == "start" and "starts" in hooks):
            continue
        method = next(
            (name for name in sorted(_unread_methods(kind)) if _nearest_hook(name) == hook), None
        )
        clause = f"rename {method}(), if that is it, or write" if method else "write"
        advice_by_hook[hook] = f"{clause} a method that {purpose}"
    return advice_by_hook


def _misspelt_methods(kind: type[Game], hooks: frozenset[str]) -> Iterator[Misspelling]:
    for name, owner in sorted(_unread_methods(kind).items()):
        hook = _nearest_hook(name)
        close = _in_snake_case(name) not in _HOOK_OF_FOREIGN_NAME
        is_used = hook in vars(owner) if close else hook in hooks
        if hook is None or is_used or {hook, *hooks} >= {"outcome", "winner"}:
            continue
        fits = takes_arguments_of(kind, name, hook)
        doubt = Doubt.POSSIBLE
        if (
            fits
            and hook not in _DISPLAY_HOOKS
            and get_close_matches(name.lower(), [hook], 1, _VERY_SIMILAR)
        ):
            doubt = Doubt.CERTAIN
        elif fits and hook in _VALUE_HOOKS:
            doubt = Doubt.LIKELY
        message = (
            f"nothing calls {name}(); if you mean {hook}(), rename it; otherwise call it _{name}()"
        )
        yield Misspelling(name, hook, doubt, message)


def _misspelt_attributes(kind: type[Game]) -> Iterator[Misspelling]:
    fields = getattr(kind, "__dataclass_fields__", {})
    names_read = _read_names(kind)
    for base in _author_classes(kind):
        names = dict.fromkeys([*vars(base), *get_annotations(base)])
        for name in names:
            value = vars(base).get(name)
            if name in (*_ATTRIBUTES, *HOOKS) or name in names_read or name.startswith("_"):
                continue
            if callable(value) or isinstance(value, property | staticmethod | classmethod):
                continue
            intended = _nearest_attribute(name, value)
            if intended is None or (intended in vars(base) and intended in _ATTRIBUTES):
                continue
            is_parameter = name in fields
            noun = "parameter" if is_parameter else "attribute"
            advice = (
                "rename it" if intended in _ATTRIBUTES else "write it as a method that returns this"
            )
            call = f"{intended}(self)" if intended in HOOKS and intended != "endless" else intended
            message = (
                f"nothing reads the {noun} {name}; if you mean {call}, {advice}; otherwise call it "
                f"{'something else' if is_parameter else f'_{name}'}"
            )
            yield Misspelling(
                name, intended, Doubt.LIKELY if is_parameter else Doubt.CERTAIN, message
            )


def _nearest_attribute(name: str, value: object) -> str | None:
    """Return the attribute or hook that a class's attribute may misspell."""
    item = value[0] if isinstance(value, tuple | list) and value else value
    if isinstance(item, Symmetry):
        return "symmetries"
    close = get_close_matches(name, _ATTRIBUTES, 1, _SIMILAR)
    return close[0] if close else None


def _nearest_hook(name: str) -> str | None:
    """Return the hook that a method may misspell, in snake case or camel case."""
    name = _in_snake_case(name)
    if name in _HOOK_OF_FOREIGN_NAME:
        return _HOOK_OF_FOREIGN_NAME[name]
    close = get_close_matches(name, HOOKS, 1, _SIMILAR)
    return close[0] if close else None


def _in_snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _author_classes(kind: type[Game]) -> list[type]:
    """Return a class and its bases, except those of Zermelo."""
    return [
        base
        for base in kind.__mro__
        if base is not object and not getattr(base, "__module__", "").startswith(_GAME_PACKAGE)
    ]


def _unread_methods(kind: type[Game]) -> dict[str, type]:
    """Return the methods that are neither hooks nor called, each with its class."""
    names_read = _read_names(kind)
    return {
        name: base
        for base in reversed(_author_classes(kind))
        for name, value in vars(base).items()
        if isinstance(value, FunctionType | staticmethod | classmethod)
        and name not in HOOKS
        and not hasattr(Game, name)
        and not name.startswith("_")
        and name not in names_read
    }


def _read_names(kind: type[Game]) -> set[str]:
    """Return the names that methods of a class, or functions and classes of its file, read."""
    bases: list[Any] = [base for base in kind.__mro__ if base not in (Game, object)]
    spaces = [vars(base) for base in bases]
    module = getattr(sys.modules.get(kind.__module__), "__dict__", {})
    module_items = [
        item for item in module.values() if getattr(item, "__module__", "") == kind.__module__
    ]
    spaces += [vars(item) for item in module_items if isinstance(item, type)]
    spaces.append({str(n): item for n, item in enumerate(module_items)})
    return {
        read
        for space in spaces
        for name, value in space.items()
        if name not in _GENERATED and (code := _code(value)) is not None
        for read in _names(code)
    }


def _code(value: object) -> CodeType | None:
    """Return the code of a method, with or without decorators, or None without code."""
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "func", value)  # of a cached property
    value = getattr(value, "__wrapped__", value)
    code = getattr(getattr(value, "__func__", value), "__code__", None)
    return code if isinstance(code, CodeType) else None


def _names(code: CodeType) -> set[str]:
    # The body of a class stores the names of its methods, but does not read them.
    inner = [
        constant
        for constant in code.co_consts
        if isinstance(constant, CodeType) and constant.co_flags & CO_OPTIMIZED
    ]
    return set(code.co_names).union(*map(_names, inner))
