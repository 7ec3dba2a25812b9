"""Margins of every reachable position of a score game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.expand.checkpoint import checkpoint_values, resumed_values
from zermelo._methods.reachable import (
    budget_of,
    explored,
    rerun_of,
    table_of,
    transposing_capacity,
    without_moves,
)
from zermelo._methods.score import driver
from zermelo._methods.task import Result, Task
from zermelo.errors import RulesError

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo.rules.hooks import Rules


class ScoreMethod:
    """Margins under best play."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits score games."""
        return None if rules.kind.gains else "which is not a score game"

    def run(self, task: Task) -> Result:
        """Find every margin.

        Raises:
            RulesError: the moves lead in a circle.
        """
        budget = budget_of(task)
        graph = explored(task, budget)
        try:
            return _scored(task, graph, budget)
        except driver.CircleError as error:
            rules = task.compiled.rules
            at = error.number * graph.words
            position = rules.layout.unpack(graph.keys[at : at + graph.words])
            message = (
                f"{rules.name}: the moves from {position!r} can lead in a circle, and a score "
                "game must end; count the moves in the position, or drop gain() and score()"
            )
            raise RulesError(message) from None


def _scored(task: Task, graph: Graph, budget: GraphMemory) -> Result:
    """Find every margin in the quickest way there is memory for."""
    positions, checkpoint = graph.positions, task.checkpoint
    capacity = transposing_capacity(graph, budget) if graph.whole and not graph.forward else 0
    known = resumed_values(checkpoint, graph)
    if known is not None:
        task.report.resume("all values were known")
    if graph.whole and capacity is not None:
        if known is not None:
            ranks = known[1]
        else:
            ranks = driver.solve(graph, task.threads, capacity, task.report)
            checkpoint_values(checkpoint, graph, 1, ranks)
        if ranks is None:
            choice = "scores in one sweep, as every move leads to a later position"
            return Result(table_of(task, graph), choice)
        choice = "scores in an order in which successors come first"
        return Result(table_of(task, graph, ranks), choice)
    from zermelo._methods.retrograde import rerun

    again = rerun_of(task, graph, budget, 0 if graph.forward else 4 * positions)
    # Another name, as ranks are None where the numbers of the positions serve for them.
    if known is not None:
        again.rounds, found = known
    else:
        found = rerun.solve_scores(again, task.report)
        checkpoint_values(checkpoint, graph, again.rounds, found)
    passes = "one sweep" if found is None else f"{again.rounds} rounds"
    choice = f"scores in {passes}, {without_moves(task)}"
    return Result(table_of(task, graph, found), choice)
