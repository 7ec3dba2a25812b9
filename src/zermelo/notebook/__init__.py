"""Boards in notebooks: the explorer's board and history as a Jupyter widget, by anywidget."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from zermelo.errors import MissingExtraError, ParameterError

if TYPE_CHECKING:
    from zermelo.notebook.widget import BoardWidget

__all__ = ["board"]

#: The packages of the extra, each imported when it is first needed.
_NEEDED = ("anywidget", "pydantic")


def board(
    solution: Any,
    position: Any = None,
    *,
    skill: int | None = None,
    player: str | int | None = None,
    show_values: bool = True,
) -> BoardWidget:
    """Return a board to play and explore on, for a notebook: Jupyter, Colab, VS Code, marimo.

    It is the explorer's: moves are made by click, drag or key, marked with their values, and there
    is a history. ``board.match`` and ``board.position`` are its match and its position;
    ``board.play`` makes a move from Python.

    Args:
        solution: the solved game; it answers for as long as Python runs.
        position: the first position; by default the start.
        skill: the skill of an opponent who answers each move, from 0 (random moves) to 100 (never
            errs); None for no opponent, so that both sides are played by hand.
        player: the player that the opponent plays, by name or number; by default the second.
        show_values: whether moves are marked with their values; the board has a switch, too.

    Raises:
        MissingExtraError: anywidget is not installed: ``pip install 'zermelo[notebook]'``.
        PositionError: the solution does not contain the position.
        ParameterError: an argument makes no sense, or positions do not consist of numbers.
    """
    absent = [name for name in _NEEDED if find_spec(name) is None]
    if absent:
        message = f"a board needs {' and '.join(absent)}; run pip install 'zermelo[notebook]'"
        raise MissingExtraError(message)
    if not hasattr(solution, "probe_many"):
        message = f"expected a solution, not {solution!r}; give zermelo.solve(game)"
        raise ParameterError(message)
    from zermelo.notebook.widget import BoardWidget

    return BoardWidget(solution, position, skill=skill, player=player, show_values=show_values)
