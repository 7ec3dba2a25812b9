"""Games with levels: solved by their graph while that is quickest, and by levels elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo import limits
from zermelo._engine.expand.checkpoint import EXPLORED
from zermelo._engine.expand.discovery import AbandonedError
from zermelo._engine.expand.growing import NoRoomError
from zermelo._methods.reachable import allowed_words, budget_of, explored, transposing_capacity

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._engine.expand.discovery import Graph
    from zermelo._methods.task import Result, Task

#: The stage that says why a game was handed over to levels.
HANDED = "handed"


def graph_or_levels(task: Task, solve: Callable[[Graph], Result]) -> Result:
    """Solve a game with levels by its graph, unless levels are wide or moves have no room.

    Args:
        task: the game.
        solve: solves its graph.
    """
    budget, handed = budget_of(task), task.checkpoint.note(HANDED)
    if handed is not None:
        return _by_levels(task, handed[0])
    try:
        graph = explored(task, budget, may_drop=False, abandon=None if task.asked else _wide)
        if graph.forward or transposing_capacity(graph, budget) is not None:
            return solve(graph)
        reason = f"{allowed_words(task)} do not hold the moves transposed as well"
        del graph
    except AbandonedError:
        reason = "levels are wide"
    except NoRoomError:
        reason = f"{allowed_words(task)} do not hold the moves"
    task.checkpoint.drop(EXPLORED)
    task.checkpoint.save(HANDED, [reason])
    return _by_levels(task, reason)


def _by_levels(task: Task, reason: str) -> Result:
    """Hand the game over, and say why."""
    from zermelo._methods.levels.method import LevelsMethod  # small games start without levels

    return LevelsMethod().run(task, reason)


def _wide(layers: list[int]) -> bool:
    """Whether a game explored so far is large enough to be solved by levels."""
    found = layers[-1]
    least = limits.current()
    if found < least.levels or found < least.wide * len(layers):
        return False
    return found - layers[-2] > layers[-2] - layers[-3]  # growing
