"""Games that their graph solves best while it is small, and another method elsewhere.

Games with levels are handed over to levels where these are wide. Games with a wide space are
handed over to dense spaces where more than a few of its positions are reached.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo import limits
from zermelo._engine.expand.checkpoint import EXPLORED
from zermelo._engine.expand.discovery import HandoverError
from zermelo._engine.expand.graph_builder import MovesTooLargeError
from zermelo._methods.graph_methods import (
    allowed_words,
    budget_of,
    explored,
    solved,
    transposing_capacity,
)
from zermelo.errors import BudgetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._engine.expand.discovery import Graph
    from zermelo._methods.task import Result, Task

#: The stage that says why a game was handed over to levels.
HANDED = "handed"
#: The stage that says that too many positions are reached to solve their graph.
MANY = "many"
#: The slots of a space that take about as many bytes as one position of a graph.
_SLOTS_A_POSITION = 512


def graph_or_levels(task: Task, solve: Callable[[Graph], Result]) -> Result:
    """Solve a game with levels by its graph, unless levels are wide or moves have no room.

    Args:
        task: the game.
        solve: solves its graph.
    """
    budget, handed = budget_of(task), task.checkpoint.note(HANDED)
    if handed is not None:
        return solve_by_levels(task, handed[0])
    try:
        graph = explored(task, budget, may_drop=False, abandon=None if task.asked else wide)
        if graph.forward or transposing_capacity(graph, budget) is not None:
            return solve(graph)
        reason = f"{allowed_words(task)} do not hold the moves transposed as well"
        del graph
    except HandoverError:
        reason = "levels are wide"
    except MovesTooLargeError:
        reason = f"{allowed_words(task)} do not hold the moves"
    task.checkpoint.drop(EXPLORED)
    task.checkpoint.save(HANDED, [reason])
    return solve_by_levels(task, reason)


def solve_by_levels(task: Task, reason: str) -> Result:
    """Hand the game over, and say why."""
    from zermelo._methods.levels.method import LevelsMethod  # small games start without levels

    return LevelsMethod().run(task, reason)


def wide(layers: list[int]) -> bool:
    """Whether a game explored so far is large enough to be solved by levels."""
    found = layers[-1]
    least = limits.current()
    if found < least.levels or found < least.wide * len(layers):
        return False
    return found - layers[-2] > layers[-2] - layers[-3]  # growing


def solve_if_few_reached(task: Task, slots: int) -> Result | None:
    """Solve a game by its graph if it reaches few of the positions that its space allows.

    Exploring stops when the graph would take more memory than the slots of the space do, so what
    is lost by then is small beside what is left to do.

    Args:
        task: the game.
        slots: how many positions its space allows.

    Returns:
        What was found, or None if more than a few positions are reached.
    """
    if task.checkpoint.note(MANY) is not None:
        return None
    result = _of_few(task, slots // _SLOTS_A_POSITION)
    if result is None:
        task.checkpoint.drop(EXPLORED)
        task.checkpoint.save(MANY, [slots])
        return None
    choice = f"{result.choice}; few of the {slots:,} positions that space() allows are reached"
    return replace(result, choice=choice, method="retrograde")


def _of_few(task: Task, few: int) -> Result | None:
    """Solve a game by its graph, on a cluster if there is one; None where it is larger."""

    def many(layers: list[int]) -> bool:
        return layers[-1] > few

    if task.workers is not None:
        from zermelo._methods.retrograde.cluster import driver  # others start without its kernels

        with suppress(HandoverError, BudgetError):
            return driver.solve(task, many)
        return None
    budget, graph = budget_of(task), None
    with suppress(HandoverError, MovesTooLargeError, BudgetError):
        graph = explored(task, budget, may_drop=False, abandon=many)
    if graph is None or not (graph.forward or transposing_capacity(graph, budget) is not None):
        return None
    return solved(task, graph, budget)
