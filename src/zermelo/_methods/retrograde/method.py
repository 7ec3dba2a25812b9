"""Retrograde analysis over every reachable position: the method for any game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._methods.handing import graph_or_levels
from zermelo._methods.reachable import budget_of, graph_result, solved
from zermelo._methods.task import Result, Task
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


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
        return graph_or_levels(task, lambda graph: solved(task, graph, budget_of(task)))
