"""Methods that explore the graph first, and hand the game to another method if it grows large.

A game with levels goes to ``levels`` if its levels are wide. A game with a large space goes to
``dense`` if more than a small part of the space is reached.
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
    decide_positions,
    explore_graph,
    transposing_capacity,
)
from zermelo.errors import BudgetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zermelo._engine.expand.discovery import Graph
    from zermelo._methods.task import Result, Task

#: The stage that records why a game was handed to ``levels``.
HANDED = "handed"
#: The stage that records that too many positions are reached to solve their graph.
MANY = "many"
#: The slots of a space that take about as many bytes as one position of a graph.
_SLOTS_A_POSITION = 512


def graph_or_levels(task: Task, solve: Callable[[Graph], Result], *, packs: bool = False) -> Result:
    """Solve a game with levels by its graph; hand it over if levels are wide or moves do not fit.

    Args:
        task: the game.
        solve: solves the explored graph.
        packs: whether ``solve`` accepts packed moves.
    """
    budget, handed = budget_of(task), task.checkpoint.note(HANDED)
    if handed is not None:
        return solve_by_levels(task, handed[0])
    try:
        graph = explore_graph(
            task,
            budget,
            may_drop=False,
            packs=packs,
            abandon=None if task.asked else has_wide_levels,
        )
        if graph.forward or transposing_capacity(graph, budget) is not None:
            return solve(graph)
        reason = f"the transposed moves do not fit in {allowed_words(task)}"
        del graph
    except HandoverError:
        reason = "levels are wide"
    except MovesTooLargeError:
        reason = f"the moves do not fit in {allowed_words(task)}"
    task.checkpoint.drop(EXPLORED)
    task.checkpoint.save(HANDED, [reason])
    return solve_by_levels(task, reason)


def solve_by_levels(task: Task, reason: str) -> Result:
    """Solve the game by levels; ``reason`` goes into the description of the choice."""
    from zermelo._methods.levels.method import LevelsMethod  # small games start without levels

    return LevelsMethod().run(task, reason)


def has_wide_levels(layers: Sequence[int]) -> bool:
    """Return whether the levels explored so far are large enough to solve the game by levels."""
    found = layers[-1]
    least = limits.current()
    if found < least.levels or found < least.wide * len(layers):
        return False
    return found - layers[-2] > layers[-2] - layers[-3]  # growing


def solve_if_few_reached(task: Task, slots: int) -> Result | None:
    """Solve a game by its graph if it reaches few of the positions of its space.

    Exploring stops once the graph would take more memory than the slots of the space, so the work
    lost by then is small compared with the work that remains.

    Args:
        task: the game.
        slots: the number of positions in its space.

    Returns:
        The solved game, or None if more than a small part of the space is reached.
    """
    if task.checkpoint.note(MANY) is not None:
        return None
    result = _solve_if_few(task, slots // _SLOTS_A_POSITION)
    if result is None:
        task.checkpoint.drop(EXPLORED)
        task.checkpoint.save(MANY, [slots])
        return None
    choice = f"{result.choice}; few of the {slots:,} positions that space() allows are reached"
    return replace(result, choice=choice, method="retrograde")


def _solve_if_few(task: Task, few: int) -> Result | None:
    """Solve a game by its graph, on a cluster if the task has one; None if the graph is larger."""

    def many(layers: Sequence[int]) -> bool:
        return layers[-1] > few

    if task.workers is not None:
        from zermelo._methods.retrograde.cluster import driver  # others start without its kernels

        with suppress(HandoverError, BudgetError):
            return driver.solve(task, many)
        return None
    budget, graph = budget_of(task), None
    with suppress(HandoverError, MovesTooLargeError, BudgetError):
        graph = explore_graph(task, budget, may_drop=False, packs=True, abandon=many)
    if graph is None or not (graph.forward or transposing_capacity(graph, budget) is not None):
        return None
    return decide_positions(task, graph, budget)
