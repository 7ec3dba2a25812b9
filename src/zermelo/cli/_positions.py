"""Positions as they are written on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.cli._errors import Stop
from zermelo.errors import PositionError

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution


def read_position(solution: Solution, text: str | None) -> Any:
    """Return the position that a word stands for, or the start where there is no word.

    Raises:
        Stop: it is none; whether the solution has it is another question.
    """
    try:
        return solution.start if text is None else solution.parse(text)
    except PositionError as error:
        raise Stop(str(error)) from None
