"""Retrograde analysis over every reachable position: the method for any game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo import limits
from zermelo._engine.expand.checkpoint import EXPLORED
from zermelo._engine.expand.discovery import AbandonedError
from zermelo._engine.expand.growing import NoRoomError
from zermelo._methods.reachable import (
    allowed_words,
    budget_of,
    explored,
    graph_result,
    solved,
    transposing_capacity,
)
from zermelo._methods.task import Result, Task
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules

#: The stage that says why a game was handed over to levels.
HANDED = "handed"


class RetrogradeMethod:
    """Win, draw or loss and remoteness of every reachable position."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits every game that has no scores."""
        return "which is a score game" if rules.kind.gains else None

    def run(self, task: Task) -> Result:
        """Solve by a sweep where moves only lead forward, and by retrograde analysis elsewhere.

        Games with levels are left to them where these are wide, or moves have no room.
        """
        rules = task.compiled.rules
        if not rules.has("level") or rules.kind.favours != NOBODY:
            return graph_result(task)
        budget, handed = budget_of(task), task.checkpoint.note(HANDED)
        if handed is not None:
            return self._by_levels(task, handed[0])
        try:
            graph = explored(task, budget, may_drop=False, abandon=None if task.asked else _wide)
            if graph.forward or transposing_capacity(graph, budget) is not None:
                return solved(task, graph, budget)
            reason = f"{allowed_words(task)} do not hold the moves transposed as well"
            del graph
        except AbandonedError:
            reason = "levels are wide"
        except NoRoomError:
            reason = f"{allowed_words(task)} do not hold the moves"
        task.checkpoint.drop(EXPLORED)
        task.checkpoint.save(HANDED, [reason])
        return self._by_levels(task, reason)

    def _by_levels(self, task: Task, reason: str) -> Result:
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
