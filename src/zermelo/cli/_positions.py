"""Positions as they are written on the command line."""

from __future__ import annotations

from typing import Any

from zermelo.cli._errors import Stop
from zermelo.errors import PositionError


def read_position(solution: Any, text: str | None) -> Any:
    """Return the position that a word stands for, or the start where there is no word.

    Raises:
        Stop: it is none; whether the solution has it is another question.
    """
    if text is None and not hasattr(solution, "start"):
        message = "there is no start; give a position"
        raise Stop(message)
    try:
        return solution.start if text is None else solution.parse(text)
    except PositionError as error:
        raise Stop(str(error)) from None
