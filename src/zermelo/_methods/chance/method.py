"""Expected results of every reachable position of a game with chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.expand.graph_memory import describe_found
from zermelo._methods.chance.arrays import (
    POSITION_BYTES,
    Arcs,
    codes_of,
    compiled_kernels,
    ordered_graph,
)
from zermelo._methods.chance.levels import solve_by_level
from zermelo._methods.chance.solver import CyclePointsError, find_bounds
from zermelo._methods.graph_methods import (
    Order,
    budget_of,
    decide_graph,
    explore_graph,
    table_of,
    without_moves,
)
from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.errors import PrecisionError, RulesError
from zermelo.values.expectations import ALGEBRA, Expectations

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.rules.hooks import Rules

#: The advice in addition to more memory.
_ADVICE = "make the game smaller, or write level(), so that it is solved level by level"


class ChanceMethod(Method):
    """The method that finds expected results between bounds."""

    in_found_order = True

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: only games with chance do."""
        foreign = foreign_values(rules, [ALGEBRA])
        return None if foreign is None else "which has no chance()"

    def run(self, task: Task) -> Result:
        """Find every expectation.

        Raises:
            RulesError: moves that make points lead in cycles.
            PrecisionError: the bounds cannot be found as precisely as was asked.
            BudgetError: the moves do not fit in memory.
        """
        budget = budget_of(task)
        graph = explore_graph(task, budget)
        kind, rules = task.compiled.kind, task.compiled.rules
        assert isinstance(kind, Expectations)  # noqa: S101  # ``unsuited`` tests the algebra
        held = budget.held_bytes(graph.positions, graph.table.entries, len(graph.edges))
        needed = held + POSITION_BYTES * graph.positions
        is_whole = graph.whole and task.ledger.fits(needed)
        if not is_whole and (kind.adds_points or not rules.has_hook("level")):
            found = describe_found(graph.positions)
            raise task.ledger.refusal(max(needed, task.ledger.allowed + 1), found, _ADVICE)

        def decide() -> tuple[int, Order]:
            try:
                found = _whole(task, graph) if is_whole else solve_by_level(task, graph, budget)
                exponent, ranks = found
            except CyclePointsError as error:
                word = error.number * graph.words
                position = rules.layout.unpack(graph.keys[word : word + graph.words])
                raise RulesError(cycle_fault(rules, position)) from None
            except PrecisionError as error:
                message = f"{rules.name}: {error}"
                raise PrecisionError(message) from None
            return -exponent, ranks

        exponent, ranks = decide_graph(task, graph, decide)
        table = table_of(task, graph, ranks, kind.with_unit(-exponent))
        choice = solve_description(forward=graph.forward)
        if not is_whole:
            choice = f"expectations from both sides, level by level, {without_moves(task)}"
        return Result(table, choice)


def _whole(task: Task, graph: Graph) -> tuple[int, Order]:
    """Find all expectations of a graph whose moves are in memory, in place; see ``solve_by_level``.

    Raises:
        CyclePointsError: a move in a cycle makes points; the error has the graph's number.
        PrecisionError: the bounds cannot be found as precisely as was asked.
    """
    kind: Any = task.compiled.kind
    with task.report.phase("components"):
        ordered, order = ordered_graph(
            Arcs(graph.first, graph.edges, graph.gains, graph.owners, graph.values),
            task.compiled.rules.worth_of_endless,
            kind,
            forward=graph.forward,
        )
    with task.report.phase("expectations", graph.positions):
        try:
            found = find_bounds(ordered, kind, task.precision, compiled_kernels(task.report))
        except CyclePointsError as error:
            raise CyclePointsError(int(order[error.number])) from None
    graph.values[order] = codes_of(found.bounds, found.kind)
    ranks = None
    if found.ranks is not None:
        ranks = np.empty(graph.positions, np.uint32)
        ranks[order] = found.ranks
    return found.kind.exponent or 0, ranks


def cycle_fault(rules: Rules, position: Any) -> str:
    """Return a sentence on a game with a move that makes points and can be part of a cycle."""
    return (
        f"{rules.name}: a move from {position!r} makes points and can be part of a cycle, so that "
        "points could be made for ever; put the points into the position, and give them with "
        "score() where the game ends"
    )


def solve_description(*, forward: bool) -> str:
    """Return how expectations are found."""
    if forward:
        return "expectations in one sweep, as every move leads to a later position"
    return "expectations from both sides, one strongly connected component after another"
