"""The bounded-turn dynamic programme over every reachable position, for comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._methods.graph_methods import (
    budget_of,
    decide_outcomes,
    explore_graph,
    table_of,
    without_moves,
)
from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.values.kind import check_known
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


class HorizonMethod(Method):
    """The method that decides values within a number of turns, for comparison."""

    follows = False

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: it has scores, or endless play is not a draw."""
        return foreign_values(rules, [WIN_DRAW_LOSS.algebra])

    def run(self, task: Task) -> Result:
        """Decide the positions that are decided within the horizon."""
        check_known(task.compiled.kind, [WIN_DRAW_LOSS.algebra], "the bounded-turn programme")
        budget = budget_of(task)
        graph = explore_graph(task, budget)
        bound = graph.positions if task.horizon is None else task.horizon
        rounds = decide_outcomes(task, graph, budget, bound)
        clause = "" if graph.whole else f", {without_moves(task)}"
        choice = f"the bounded-turn programme: {rounds} rounds of at most {2 * bound}{clause}"
        return Result(table_of(task, graph), choice)
