"""Expected results of every reachable position of a game with chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.graph_memory import SMALLER, describe_found
from zermelo._engine.infinite.components import components
from zermelo._methods.chance.kernels import (
    BY_CHANCE,
    OVER,
    PLAYED,
    decide_acyclic,
    decide_components,
    number_ranks,
    number_stages,
    renumber,
)
from zermelo._methods.chance.solver import (
    ChanceBounds,
    ChanceGraph,
    CyclePointsError,
    Kernels,
    find_bounds,
)
from zermelo._methods.graph_methods import (
    Order,
    budget_of,
    decide_graph,
    explore_graph,
    table_of,
)
from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.errors import PrecisionError, RulesError
from zermelo.values.expectations import ALGEBRA, CHANCE, UNKNOWN_EXPECTATION, Expectations

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.rules.hooks import Rules

#: Bytes of a position: two bounds and two raised ones, the final result, the component, its place
#: in the order, the rank, and the search for components.
_POSITION_BYTES = 2 * 8 + 2 * 8 + 8 + 8 + 4 + 4 + 4 * 8


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
        held = budget.held_bytes(graph.positions, graph.table.entries, len(graph.edges))
        needed = held + _POSITION_BYTES * graph.positions
        if not graph.whole or not task.ledger.fits(needed):
            found = describe_found(graph.positions)
            raise task.ledger.refusal(max(needed, task.ledger.allowed + 1), found, SMALLER)
        kind = task.compiled.kind
        assert isinstance(kind, Expectations)  # noqa: S101  # ``unsuited`` tests the algebra

        def decide() -> tuple[int, Order]:
            bounds, order = self._bounds(task, graph, kind)
            pairs = bounds.bounds.reshape(-1, 2)
            codes = (pairs[:, 0] << bounds.kind.shift) - pairs.sum(axis=1)
            graph.values[order] = codes
            ranks = None
            if bounds.ranks is not None:
                ranks = np.empty(graph.positions, np.uint32)
                ranks[order] = bounds.ranks
            return -(bounds.kind.exponent or 0), ranks

        exponent, ranks = decide_graph(task, graph, decide)
        table = table_of(task, graph, ranks, kind.with_unit(-exponent))
        return Result(table, solve_description(forward=graph.forward))

    def _bounds(
        self, task: Task, graph: Graph, kind: Expectations
    ) -> tuple[ChanceBounds, npt.NDArray[np.uint32]]:
        """Return the bounds of all positions in another order, and the positions in this order."""
        rules = task.compiled.rules
        with task.report.phase("components"):
            chance_graph, order = _chance_graph(graph, rules.worth_of_endless, kind)
        with task.report.phase("expectations", graph.positions):
            kernels = Kernels(
                decide_acyclic,
                decide_components,
                number_ranks,
                number_stages,
                _array,
                np.left_shift,
                _paired,
                np.add,
                _extremes,
                task.report.advance,
            )
            try:
                bounds = find_bounds(chance_graph, kind, task.precision, kernels)
            except CyclePointsError as error:
                number = int(order[error.number])
                word = number * graph.words
                position = rules.layout.unpack(graph.keys[word : word + graph.words])
                raise RulesError(cycle_fault(rules, position)) from None
            except PrecisionError as error:
                message = f"{rules.name}: {error}"
                raise PrecisionError(message) from None
        return bounds, order


def cycle_fault(rules: Rules, position: Any) -> str:
    """Return a sentence on a game with a move that makes points and can be part of a cycle."""
    return (
        f"{rules.name}: a move from {position!r} makes points and can be part of a circle, so that "
        "points could be made for ever; put the points into the position, and give them with "
        "score() where the game ends"
    )


def solve_description(*, forward: bool) -> str:
    """Return how expectations are found."""
    if forward:
        return "expectations in one sweep, as every move leads to a later position"
    return "expectations from both sides, one strongly connected component after another"


def _chance_graph(
    graph: Graph, worth: int, kind: Expectations
) -> tuple[ChanceGraph, npt.NDArray[np.uint32]]:
    """Return the graph in the form of the solver, and the positions in the order of its numbers."""
    positions = graph.positions
    kinds = np.full(positions, PLAYED, np.uint8)
    is_over = graph.first[1:] == graph.first[:-1]
    kinds[is_over] = OVER
    kinds[graph.values == CHANCE] = BY_CHANCE
    finals = np.where(is_over & (graph.values != UNKNOWN_EXPECTATION), graph.values, 0)
    # In each component the last position comes first, as its moves were found last.
    order = np.arange(positions - 1, -1, -1, dtype=np.uint32)
    starts = None
    if not graph.forward or kind.adds_points:
        component, count = components(graph.first, graph.edges)
        order = order[np.argsort(component[order], kind="stable")]
        starts = np.concatenate([[0], np.cumsum(np.bincount(component, minlength=count))])
    places = np.empty(positions, np.uint32)
    places[order] = np.arange(positions, dtype=np.uint32)
    first = np.concatenate([[0], np.cumsum(np.diff(graph.first)[order])])
    moves = (graph.first, graph.edges, graph.gains, graph.owners, kinds)
    label_type = np.int64 if kind.adds_points else np.uint32
    labels = np.empty(len(graph.gains), label_type)
    numbered = (first, np.empty_like(graph.edges), labels, np.empty_like(kinds))
    renumber(order, places, moves, kind.adds_points, numbered)
    owners = graph.owners[order] if worth and len(graph.owners) else graph.owners[:0]
    return ChanceGraph(numbered, starts, finals[order], owners, worth, kind.adds_points), order


def _array(value: int, count: int) -> npt.NDArray[np.int64]:
    """Return an array of equal integers."""
    array: npt.NDArray[np.int64] = zeros(count, np.int64)
    if value:
        array[:] = value
    return array


def _paired(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return an array of each integer and its negative in turn."""
    return np.stack([numbers, -numbers], axis=1).reshape(-1)


def _extremes(pairs: npt.NDArray[np.int64]) -> tuple[int, int]:
    """Return the greatest absolute number, and the greatest sum of a pair, negated."""
    if not len(pairs):
        return 0, 0
    most = max(int(pairs.max()), -int(pairs.min()))
    return most, -int(pairs[: len(pairs) & ~1].reshape(-1, 2).sum(axis=1).min(initial=0))
