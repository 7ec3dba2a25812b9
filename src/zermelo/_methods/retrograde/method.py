"""Retrograde analysis over every reachable position: the method that suits any game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.expand.discovery import HandoverError
from zermelo._methods.graph_methods import budget_of, decide_positions, graph_result
from zermelo._methods.handover import graph_or_levels, has_wide_levels, solve_by_levels
from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.kind import check_known
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.rules.hooks import Rules


class RetrogradeMethod(Method):
    """The method that finds win, draw or loss and remoteness of every reachable position."""

    clusters = True
    in_found_order = True

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: only score games do not."""
        return foreign_values(rules, REMOTENESS_ALGEBRAS)

    def run(self, task: Task) -> Result:
        """Solve by one sweep if moves only lead forward, otherwise by retrograde analysis.

        Games with wide levels, or whose moves do not fit in memory, are handed to ``levels``.
        """
        rules = task.compiled.rules
        check_known(task.compiled.kind, REMOTENESS_ALGEBRAS, "retrograde analysis")
        levels = rules.has_hook("level") and rules.kind.algebra == WIN_DRAW_LOSS.algebra
        if task.workers is not None:
            # Imported only for a cluster, so that other solves start without its kernels.
            from zermelo._methods.retrograde.cluster import driver

            try:
                return driver.solve(task, has_wide_levels if levels and not task.asked else None)
            except HandoverError:
                return solve_by_levels(task, "levels are wide")
        if not levels:
            return graph_result(task)

        def solve(graph: Graph) -> Result:
            return decide_positions(task, graph, budget_of(task))

        return graph_or_levels(task, solve, packs=True)
