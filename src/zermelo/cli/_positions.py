"""Positions as they are written on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from zermelo.cli._errors import Stop
from zermelo.errors import ZermeloError
from zermelo.game.parameters import plain

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution


def read_position(solution: Any, text: str | None) -> Any:
    """Return the position that a word stands for, or the start where there is no word.

    Raises:
        Stop: it is none; whether the solution has it is another question.
    """
    if hasattr(solution, "game"):
        return solution.start if text is None else _of_game(solution, text)
    if text is None:
        message = "there is no start; say which position"
        raise Stop(message)
    return solution.parse(text)


def _of_game(solution: Solution, text: str) -> Any:
    """Return what a word stands for: by the game's ``parse``, or as JSON without it."""
    parse = getattr(solution.game, "parse", None)
    try:
        position = json.loads(text) if parse is None else parse(text)
    except ZermeloError:
        raise
    except ValueError as error:
        such = json.dumps(plain(solution.start))
        why = f"; write it as JSON, such as '{such}'" if parse is None else f": {error}"
        message = f"{text!r} is not a position{why}"
        raise Stop(message) from None
    like: Any = solution.start
    names = list(getattr(like, "_fields", ()))
    if isinstance(position, dict) and list(position) == names:
        position = list(position.values())
    if isinstance(like, tuple) and isinstance(position, list) and len(position) == len(like):
        fields: Any = type(like)
        return fields(*(tuple(each) if isinstance(each, list) else each for each in position))
    return tuple(position) if isinstance(position, list) else position
