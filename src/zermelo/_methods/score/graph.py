"""The margins of a score game by the graph of its moves, or by its positions alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.backward.transpose import transposed_bytes
from zermelo._engine.expand.graph_memory import SMALLER, describe_found
from zermelo._methods.graph_methods import (
    Order,
    budget_of,
    decide_graph,
    rerun_of,
    table_of,
    transposing_capacity,
    without_moves,
)
from zermelo._methods.score import driver
from zermelo._methods.task import Result, Task
from zermelo.errors import RulesError
from zermelo.values.kind import check_known
from zermelo.values.score_and_plies import MOST_MARGIN, SCORE_ALGEBRAS, TIMED_SCORES
from zermelo.values.scores import UNKNOWN_SCORE

if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.expand.graph_memory import GraphMemory

#: The stage that records that moves lead in cycles, so that values have plies.
_CYCLES = "cycles"

#: How margins with plies are found.
WITH_PLIES = "scores with plies, all thresholds in one pass, as moves may lead in cycles"


def solve_graph(task: Task, graph: Graph) -> Result:
    """Find every margin of a graph; see ``ScoreMethod.run``.

    Raises:
        UnknownKindError: the values are no margins.
    """
    check_known(task.compiled.kind, SCORE_ALGEBRAS, "the method of score games")
    budget = budget_of(task)
    known = None
    if not task.compiled.kind.timed and not task.checkpoint.has(_CYCLES):
        try:
            return _solve_margins(task, graph, budget)
        except driver.CycleError as error:
            task.checkpoint.put(_CYCLES)
            known = error.reversed_graph
    return _solve_with_plies(task, graph, budget, known)


def _solve_margins(task: Task, graph: Graph, budget: GraphMemory) -> Result:
    """Find every margin by the fastest algorithm that fits in memory.

    Raises:
        CycleError: the moves lead in a cycle.
    """
    capacity = transposing_capacity(graph, budget) if graph.whole and not graph.forward else 0
    if graph.whole and capacity is not None:

        def decide() -> tuple[int, Order]:
            return 1, driver.solve(graph, task.threads, capacity, task.report)

        ranks = decide_graph(task, graph, decide)[1]
        return Result(table_of(task, graph, ranks), solve_description(forward=ranks is None))
    again = rerun_of(task, graph, budget, 0 if graph.forward else 4 * graph.positions)
    # ``ranks`` is None if the numbers of the positions serve as ranks.
    rounds, ranks = decide_graph(task, graph, lambda: driver.solve_by_rules(again, task.report))
    passes = "one sweep" if ranks is None else f"{rounds} rounds"
    choice = f"scores in {passes}, {without_moves(task)}"
    return Result(table_of(task, graph, ranks), choice)


def solve_description(*, forward: bool) -> str:
    """Return how margins are found where moves have room, and whether all lead forward."""
    if forward:
        return "scores in one sweep, as every move leads to a later position"
    return "scores in an order in which successors come first"


def _solve_with_plies(task: Task, graph: Graph, budget: GraphMemory, backward: Any) -> Result:
    """Find every margin with its plies; ``backward`` is the reversed graph, or None."""

    def decide() -> tuple[int, Order]:
        return 1, _find_plies(task, graph, budget, backward)

    stage = decide_graph(task, graph, decide)[1]
    return Result(table_of(task, graph, stage, TIMED_SCORES), WITH_PLIES)


def _find_plies(
    task: Task, graph: Graph, budget: GraphMemory, backward: Any
) -> npt.NDArray[np.uint32]:
    """Find every margin with its plies in place; return the stages."""
    from zermelo._methods.score import cycles

    compiled, rules = task.compiled, task.compiled.rules
    # Without moves, or once they were dropped, cycles cannot be decided.
    whole = graph.whole and len(graph.first) > 0
    capacity = transposing_capacity(graph, budget) if whole else None
    if capacity is None:
        needed = task.ledger.allowed + 1
        work = f"{describe_found(graph.positions)}, whose moves lead in cycles,"
        raise task.ledger.refusal(needed, work, SMALLER)
    positions, moves, varies = graph.positions, len(graph.edges), rules.has_hook("endless")
    each = cycles.CYCLE_BYTES + cycles.ENDLESS_BYTES * varies
    needed = budget.held_bytes(positions, graph.table.entries, moves) + each * positions
    budget.reserve(needed + transposed_bytes(positions, moves), positions)
    _make_timed(compiled, graph)
    endless = compiled.endless(graph.keys, graph.positions, graph.owners)
    try:
        return cycles.solve(
            graph,
            endless,
            task.threads,
            capacity,
            task.report,
            varies=varies,
            reversed_graph=backward,
        )
    except cycles.PointsInCycleError as error:
        here = _position(compiled, graph, error.number)
        fault = rules.cycle_points_fault(here, rules.moves(here)[error.move])
        message = f"{rules.name}: {fault}"
        raise RulesError(message) from None
    except cycles.MarginError as error:
        message = (
            f"{rules.name}: the margin, or what endless play is worth, at "
            f"{_position(compiled, graph, error.number)!r} is beyond ±{MOST_MARGIN:,} points; "
            "give smaller points"
        )
        raise RulesError(message) from None


def _make_timed(compiled: CompiledRules, graph: Graph) -> None:
    """Give terminal positions codes with plies, if they have margins without plies.

    Raises:
        RulesError: a margin is too great.
    """
    if compiled.kind.timed:
        return
    # Other margins were found in the search for an order, and are discarded.
    ended = np.flatnonzero(graph.first[1:] == graph.first[:-1])
    margins = graph.values[ended]
    graph.values[:] = UNKNOWN_SCORE
    large = np.flatnonzero(np.abs(margins) > MOST_MARGIN)
    if len(large):
        position = _position(compiled, graph, int(ended[large[0]]))
        message = (
            f"{compiled.rules.name}.score({position!r}) is {int(margins[large[0]]):,}, and where "
            f"moves lead in cycles margins are within ±{MOST_MARGIN:,}; give smaller points"
        )
        raise RulesError(message)
    graph.values[ended] = TIMED_SCORES.of_rules(margins)


def _position(compiled: CompiledRules, graph: Graph, number: int) -> Any:
    at = number * graph.words
    return compiled.rules.layout.unpack(graph.keys[at : at + graph.words])
