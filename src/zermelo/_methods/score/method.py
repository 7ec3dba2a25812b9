"""Margins of every reachable position of a score game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._methods.graph_methods import budget_of, explored
from zermelo._methods.handover import graph_or_levels
from zermelo._methods.score.graph import scored
from zermelo._methods.task import Result, Task
from zermelo.values.score_and_plies import TIMED_SCORES

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


class ScoreMethod:
    """Margins under best play."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits score games."""
        return None if rules.kind.gains else "which is not a score game"

    def run(self, task: Task) -> Result:
        """Find every margin.

        Games with levels are left to them where these are wide, or moves have no room.

        Raises:
            RulesError: points can be made for ever, or a margin is too great.
            BudgetError: moves lead in circles, and there is too little memory for them.
        """
        if task.compiled.kind is TIMED_SCORES or not task.compiled.rules.has("level"):
            return scored(task, explored(task, budget_of(task)))
        return graph_or_levels(task, lambda graph: scored(task, graph))
