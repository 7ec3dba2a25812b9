"""Nimbers of every reachable position of an impartial game under normal play."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zermelo._engine.expand.graph_memory import describe_found
from zermelo._methods.components import Components, first_wrong_split
from zermelo._methods.graph_methods import (
    Order,
    budget_of,
    decide_graph,
    explore_graph,
    rerun_of,
    table_of,
    transposing_capacity,
    without_moves,
)
from zermelo._methods.nimber import driver
from zermelo._methods.task import Method, Result, Task
from zermelo.errors import RulesError
from zermelo.rules.impartiality import taken_for_impartial, unsuited_to_nimbers
from zermelo.values.nimbers import IN_SETS

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.table import Table
    from zermelo._methods.rule_rounds import Rerun
    from zermelo.rules.hooks import Rules


#: The advice in addition to more memory, as nimbers in cycles need all moves in memory.
_ADVICE = "ask who wins, without value='nimber', which takes less"


#: Bytes of a position in passes: its rank, its bits, and its place in the order, twice.
_PASS_BYTES = 4 + 2 + 8 + 4
#: Whole positions to compare with their components.
_SAMPLE_SIZE = 300


class NimberMethod(Method):
    """The method that finds nimbers."""

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: it needs normal play and one set of moves."""
        return unsuited_to_nimbers(rules)

    def run(self, task: Task) -> Result:
        """Find every nimber.

        Raises:
            RulesError: the value of a position is infinity with a nimber that no set can contain.
            BudgetError: the moves do not fit in memory, and lead in a cycle.
        """
        plain_task, split = task, task.compiled.rules.has_hook("split")
        parts: Any = Components(task.compiled)
        if split:
            task = replace(task, compiled=parts)
        budget = budget_of(task)
        graph = explore_graph(task, budget)
        capacity = (
            0 if graph.forward else transposing_capacity(graph, budget) if graph.whole else None
        )
        if graph.whole and capacity is not None:
            looping, ranks = decide_graph(
                task, graph, lambda: self._find_nimbers(task, graph, capacity)
            )
            choice = search_description(forward=ranks is None, looping=looping)
        else:
            again = rerun_of(task, graph, budget, _PASS_BYTES * graph.positions)
            passes, ranks = decide_graph(
                task, graph, lambda: self._find_by_rules(task, graph, again)
            )
            choice = f"nimbers in {passes} pass{'es' if passes > 1 else ''}, {without_moves(task)}"
        table = table_of(plain_task, graph, ranks)
        if split:
            choice = f"components alone, as split() gives them: {choice}"
            self._check_split(parts, table)
        return Result(table, choice + taken_for_impartial(plain_task.compiled.rules))

    def _find_nimbers(self, task: Task, graph: Graph, capacity: int) -> tuple[int, Order]:
        """Find the nimbers of a graph; see ``driver.solve``.

        Raises:
            RulesError: the value of a position is infinity with a nimber that no set can contain.
        """
        with task.report.phase("nimbers", graph.positions):
            try:
                return driver.solve(graph, task.threads, capacity)
            except driver.BeyondError as error:
                rules, word = task.compiled.rules, error.number * graph.words
                position = rules.layout.unpack(graph.keys[word : word + graph.words])
                message = (
                    f"{rules.name}: play from {position!r} need not end, and its moves lead to "
                    f"nimbers of {IN_SETS} and more; make the game smaller, as what such a "
                    f"position is worth is a set of nimbers below {IN_SETS}"
                )
                raise RulesError(message) from None

    def _find_by_rules(self, task: Task, graph: Graph, rerun: Rerun) -> tuple[int, Order]:
        """Find the nimbers of a graph whose moves are not stored; see ``driver.solve_by_rules``.

        Raises:
            BudgetError: moves lead in a cycle.
        """
        with task.report.phase("nimbers", graph.positions):
            try:
                return driver.solve_by_rules(rerun, task.report)
            except driver.StoredMovesError:
                needed = task.ledger.allowed + 1
                found = describe_found(graph.positions)
                raise task.ledger.refusal(needed, found, _ADVICE) from None

    def _check_split(self, components: Components, table: Table) -> None:
        """Check that a sample of positions has the nimbers of their components.

        Raises:
            RulesError: a position does not.
        """
        fault = first_wrong_split(components, table, _SAMPLE_SIZE)
        if fault is not None:
            raise RulesError(fault)


def search_description(*, forward: bool, looping: int) -> str:
    """Return how nimbers are found.

    Args:
        forward: whether every move leads to a later position.
        looping: the number of positions from which play need not end.
    """
    if forward:
        return "nimbers in one sweep, as every move leads to a later position"
    choice = "nimbers in an order in which successors come first"
    if looping:
        choice += f", but for the {looping:,} positions from which play need not end"
    return choice
