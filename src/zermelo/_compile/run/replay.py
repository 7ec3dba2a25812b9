"""Errors of compiled rules, reproduced by the rules in Python, which give the location."""

from __future__ import annotations

from typing import Any

from zermelo._compile.read.hooks import hook_location
from zermelo.errors import RulesError
from zermelo.game.contract import Game
from zermelo.rules.hooks import Rules


def replay_error(rules: Rules, position: Any) -> Exception | None:
    """Return the error that a rule raises at a position in Python, or None."""
    has_canonical = rules.has_hook("canonical")
    try:
        rules.owner(position)
        if rules.terminal(position) is None:
            for move in rules.listed_moves(position):
                child = _child(rules, position, move)
                rules.gain(position, move)
                if has_canonical:
                    rules.canonical(child)
        if rules.kind.gains:
            rules.final_score(position)
            rules.endless_worth(position)
        _call_hooks(rules, position)
        if has_canonical:
            rules.canonical(position)
    except RulesError as error:
        return error
    except Exception as error:  # noqa: BLE001  # whatever the author's rule raises
        return error_from_rule(rules, position, error)
    return None


def _child(rules: Rules, position: Any, move: Any) -> Any:
    """Return the position after a move.

    Raises:
        RulesError: ``play`` returned an invalid position; the message names the line of ``play``.
    """
    try:
        return rules.play(position, move)
    except RulesError as error:
        location = hook_location(rules.game, "play")
        message = f"{error}; it was played at {position!r} ({location.filename}:{location.line})"
        raise RulesError(message) from None


def _call_hooks(rules: Rules, position: Any) -> None:
    """Call the hooks about a single position."""
    if rules.has_hook("level"):
        rules.level(position)
    if rules.has_hook("legal"):
        rules.legal(position)
    if rules.has_hook("split"):
        rules.split(position)


def error_from_rule(rules: Rules, position: Any, error: Exception) -> RulesError:
    """Return an error that names the rule, its line, and the position at which it failed."""
    frame = error.__traceback__
    hook, location = None, ""
    while frame is not None:
        code = frame.tb_frame.f_code
        if frame.tb_frame.f_locals.get("self") is rules.game:
            hook = hook or code.co_name
        if hook is not None and frame.tb_frame.f_globals.get("__name__") != Game.__module__:
            location = f" ({code.co_filename}:{frame.tb_lineno})"
        frame = frame.tb_next
    message = (
        f"{rules.name}.{hook or 'a rule'}() raised {type(error).__name__}: {error} at "
        f"{position!r}{location}; rules must accept every position that can be reached"
    )
    return RulesError(message)
