"""Margins of every reachable position of a score game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._methods.graph_methods import budget_of, explore_graph
from zermelo._methods.handover import graph_or_levels
from zermelo._methods.score.graph import solve_graph
from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.values.score_and_plies import SCORE_ALGEBRAS

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


class ScoreMethod(Method):
    """The method that finds margins under best play."""

    in_found_order = True

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: only score games do."""
        foreign = foreign_values(rules, SCORE_ALGEBRAS)
        return None if foreign is None else "which is not a score game"

    def run(self, task: Task) -> Result:
        """Find every margin.

        Games with wide levels, or whose moves do not fit in memory, are handed to ``levels``.

        Raises:
            RulesError: points can be made for ever, or a margin is too great.
            BudgetError: moves lead in cycles, and do not fit in memory.
        """
        if task.compiled.kind.timed or not task.compiled.rules.has_hook("level"):
            return solve_graph(task, explore_graph(task, budget_of(task)))
        return graph_or_levels(task, lambda graph: solve_graph(task, graph))
