"""Sentences on breaches of the contract in a class's declarations, found without running it."""

from __future__ import annotations

import reprlib
from inspect import CO_VARARGS, getattr_static, signature
from types import FunctionType
from typing import Any

from zermelo.game.contract import HOOKS, Game
from zermelo.values.outcomes import NOBODY, Outcome

#: The required hooks, with descriptions.
REQUIRED = {
    "start": "returns the first position",
    "moves": "yields the moves in a position",
    "play": "returns the position after a move",
}
#: Hooks that cannot be combined, each with the advice.
EXCLUSIVE = {
    ("outcome", "winner"): "keep one of them",
    ("canonical", "symmetries"): "keep one of them",
    ("kept", "gain"): "give points with score() where the game ends, or keep all positions",
}


def fault_of_form(kind: type[Game], hook: str) -> str | None:
    """Return why a class's attribute with the name of a hook is no method, or None if it is one.

    None itself is no fault: with it, a class removes a hook of its base class.
    """
    value = getattr(kind, hook, None)
    if value is None or callable(value) or hook == "endless":
        return None
    actual = "a property" if isinstance(value, property) else f"{reprlib.repr(value)}, not a method"
    advice = f"write it as a method, {hook}({', '.join(('self', *HOOKS[hook]))})"
    return f"{hook} is {actual}; {advice}" + (
        f", that {REQUIRED[hook]}" if hook in REQUIRED else ""
    )


def fault_of_signature(kind: type[Game], hook: str) -> str | None:
    """Return why a hook of a class cannot be called as in the contract, or None if it can."""
    raw = getattr_static(kind, hook)
    method = raw.__func__ if isinstance(raw, staticmethod | classmethod) else raw
    # The arguments of a callable of another kind are not known.
    if not isinstance(method, FunctionType) or takes_arguments_of(kind, hook, hook):
        return None
    call = f"{hook}({', '.join(_arguments(raw, hook))})"
    return f"{hook}{signature(method)} does not take what it is given; write {call}"


def takes_arguments_of(kind: type[Game], name: str, hook: str) -> bool:
    """Return whether a method of a class can be called like a hook of the contract."""
    raw = getattr_static(kind, name)
    method = raw.__func__ if isinstance(raw, staticmethod | classmethod) else raw
    if not isinstance(method, FunctionType):
        return False
    argument_count = len(_arguments(raw, hook))
    code, most_arguments = method.__code__, method.__code__.co_argcount
    fewest_arguments = most_arguments - len(method.__defaults__ or ())
    if code.co_flags & CO_VARARGS:
        most_arguments = argument_count
    needs_keyword = code.co_kwonlyargcount > len(method.__kwdefaults__ or ())
    return fewest_arguments <= argument_count <= most_arguments and not needs_keyword


def _arguments(raw: object, hook: str) -> tuple[str, ...]:
    """Return the arguments of a method for a hook, including ``self``."""
    return (() if isinstance(raw, staticmethod) else ("self",)) + HOOKS[hook]


def says_endless(game: Game) -> bool:
    """Return whether a game, or one of its base classes, gives the value of endless play."""
    kinds = type(game).__mro__
    return "endless" in vars(game) or any("endless" in vars(k) for k in kinds if k is not Game)


def fault_of_endless_in(game: Game, hooks: frozenset[str]) -> str | None:
    """Return a fault in a game's value of endless play, or None."""
    has_points = "gain" in hooks or "score" in hooks
    alternate = "turn" not in hooks
    if "endless" in hooks and "chance" in hooks:
        return (
            "endless() is a method, and there is chance(); give endless as a number, which is the "
            "same in all positions"
        )
    if "endless" in hooks:
        if has_points:
            return None
        return (
            "endless() is a method, and there is neither gain() nor score(); write endless = 0 or "
            "1 for the player for whom endless play is a win, or NOBODY"
        )
    if not has_points:
        return fault_of_endless(game.endless, alternate=alternate)
    if not says_endless(game):
        return None
    points = game.endless
    if not isinstance(points, int) or isinstance(points, bool | Outcome):
        return (
            f"endless is {points!r}; in a score game use the whole number of points that the first "
            "player makes by endless play, or write a method endless(position)"
        )
    if points == NOBODY:
        return (
            "endless is -1, which is NOBODY, too; in a score game leave endless out where endless "
            "play makes no points, or write a method endless(position) that returns the points"
        )
    if points and alternate:
        return (
            f"endless is {points!r}, but there is no turn(), so no player is always the first; "
            "write turn(), which returns 0 or 1, or a method endless(position)"
        )
    return None


def fault_of_endless(player: Any, *, alternate: bool) -> str | None:
    """Return why the ``endless`` of a game without points is not a player, or None if it is.

    Args:
        player: the value of ``endless``.
        alternate: whether it has no ``turn``.
    """
    is_player = isinstance(player, int) and not isinstance(player, bool | Outcome)
    if not is_player or player not in (0, 1, NOBODY):
        return (
            f"endless is {player!r}; use 0 or 1, the player for whom endless play is a win, or "
            "NOBODY, where it is a draw"
        )
    if player != NOBODY and alternate:
        return f"endless is {player!r}, but there is no turn(); write turn(), which returns 0 or 1"
    return None


def as_two_play(player: Any) -> str:
    """Return a clause on the number of players, for a player's number that is too large."""
    third = isinstance(player, int) and not isinstance(player, bool) and player > 1
    return ", as only games of two players are solved" if third else ""


def fault_of_players(game: Game) -> str | None:
    """Return why the ``players`` of a game are not two names, or None if they are."""
    players: Any = game.players
    names = list(players) if isinstance(players, tuple | list) else []
    are_names = all(isinstance(name, str) and name for name in names)
    if are_names and len(names) == len(set(names)) == 2:  # noqa: PLR2004  # two players
        return None
    prefix = "; only games of two players are solved, so" if len(names) > 2 else ";"  # noqa: PLR2004
    return (
        f"players is {players!r}{prefix} give the names of the two players, that of the first "
        "player first, such as ('X', 'O')"
    )
