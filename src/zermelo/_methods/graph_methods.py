"""Shared code of the methods over reachable positions: exploring, and deciding a graph.

A graph keeps its moves if they fit in memory. Otherwise the rules are run again in each pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.transpose import BUCKET_BYTES, transposed_bytes
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.core.ledger import readable
from zermelo._engine.expand.checkpoint import (
    EXPLORED,
    checkpoint_graph,
    checkpoint_values,
    restore_values,
    resumed_graph,
)
from zermelo._engine.expand.discovery import Graph, HandoverError, explore
from zermelo._engine.expand.expander import Buffers, run_expand
from zermelo._engine.expand.graph_builder import MovesTooLargeError
from zermelo._engine.expand.graph_memory import GraphMemory
from zermelo._engine.index.discovery_index import FoundIndex
from zermelo._engine.table import Table
from zermelo._methods.retrograde import driver as retrograde_engine
from zermelo._methods.task import Result, Task
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.kind import check_known

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from zermelo._methods.retrograde.recompute import Rerun
    from zermelo.values.kind import Kind


def graph_result(task: Task) -> Result:
    """Solve a game for win, draw or loss without using its levels."""
    budget = budget_of(task)
    return decide_positions(task, explore_graph(task, budget), budget)


def decide_positions(task: Task, graph: Graph, budget: GraphMemory) -> Result:
    """Decide the positions of a graph by the fastest algorithm that fits in memory.

    Raises:
        UnknownKindError: the kind of value has no remoteness.
    """
    check_known(task.compiled.kind, REMOTENESS_ALGEBRAS, "retrograde analysis")
    if not graph.whole:
        again = rerun_of(task, graph, budget)
        rounds = decide_graph(task, graph, lambda: run_again(task, again))
        if graph.forward:
            choice = "one backward sweep, as every move leads to a later position, "
        else:
            choice = f"{rounds} rounds over the positions not decided, "
        return Result(table_of(task, graph), choice + without_moves(task))
    moves = len(graph.edges)
    capacity = None if graph.forward else transposing_capacity(graph, budget)
    rounds = decide_graph(
        task,
        graph,
        lambda: retrograde_engine.solve(
            graph,
            task.threads,
            task.report,
            capacity,
            task.checkpoint,
            kind=task.compiled.kind,
        ),
    )
    if not graph.forward and capacity is None:
        choice = f"{rounds} rounds over the moves, because the transposed moves do not fit in "
        choice += allowed_words(task)
    else:
        choice = graph_description(layered=graph.layered)
        if capacity is not None and capacity < moves:
            choice += f"; moves were transposed in about {-(-moves // capacity)} parts, because "
            choice += f"all of them do not fit in {allowed_words(task)}"
    return Result(table_of(task, graph), choice)


def graph_description(*, layered: bool) -> str:
    """Return the description of a solve whose moves fit in memory.

    Args:
        layered: whether every move leads to a position of a later layer, whatever order moves are
            scanned in.
    """
    if layered:
        return "one backward sweep, as every move leads to a later position"
    return "retrograde analysis, because positions may repeat"


def decide_graph(task: Task, graph: Graph, decide: Callable[[], int]) -> int:
    """Decide a graph, unless the checkpoint has its values; return the number of rounds."""
    found = restore_values(task.checkpoint, graph)
    if found is not None:
        task.report.resume("all values were known")
        return found[0]
    rounds = decide()
    checkpoint_values(task.checkpoint, graph, rounds)
    return rounds


def run_again(task: Task, again: Rerun, horizon: int | None = None) -> int:
    """Decide a graph by running the rules again; return the number of rounds."""
    from zermelo._methods.retrograde import recompute

    favours = task.compiled.kind.favours
    return recompute.solve(again, task.report, horizon, task.checkpoint, favours)


def transposing_capacity(graph: Graph, budget: GraphMemory) -> int | None:
    """Return how many moves may be buffered in the transposition; None if even one does not fit."""
    positions, moves = graph.positions, len(graph.edges)
    held = budget.held_bytes(positions, graph.table.entries, moves) + transposed_bytes(
        positions, moves
    )
    after = (_ORDER_BYTES if budget.kind.descends else _SETS_BYTES) * positions
    if not budget.kind.needs_potential:
        after = _NUMBER_BYTES * positions + Spreading.needed_bytes(positions)
    return budget.capacity(moves, held, BUCKET_BYTES, held + after)


def rerun_of(task: Task, graph: Graph, budget: GraphMemory, more: int = 0) -> Rerun:
    """Return the object that runs the rules again; ``more`` is extra bytes that the caller needs.

    Raises:
        BudgetError: its arrays do not fit in memory.
    """
    from zermelo._methods.retrograde.recompute import Rerun

    graph.first, graph.edges, graph.gains = graph.first[:0].copy(), graph.edges[:0].copy(), _NONE
    again = Rerun(task.compiled, graph, budget, task.threads)
    needed = budget.held_bytes(graph.positions, graph.table.entries, None) + more
    budget.reserve(needed, graph.positions)
    return again


#: Bytes of a position: its number in retrograde analysis; its count of moves and its place in the
#: order while a score game is ordered; its sets while nimbers are found in cycles.
_NUMBER_BYTES, _ORDER_BYTES, _SETS_BYTES = 2, 8 + 4, 17
_NONE = np.empty(0, np.int64)


def allowed_words(task: Task) -> str:
    return readable(task.ledger.allowed)


def without_moves(task: Task) -> str:
    reason = f"because the moves do not fit in {allowed_words(task)}"
    return f"running the rules again each time, {reason}"


def budget_of(task: Task) -> GraphMemory:
    compiled = task.compiled
    return GraphMemory(task.ledger, compiled.words, compiled.kind, compiled.alternate)


def explore_graph(
    task: Task,
    budget: GraphMemory,
    *,
    may_drop: bool = True,
    abandon: Callable[[list[int]], bool] | None = None,
) -> Graph:
    compiled = task.compiled
    with task.report.phase("compile"):
        run_expand(compiled, np.empty(0, np.uint64), 0, 0, Buffers.for_rules(compiled, 1, 1))
    if task.checkpoint.has(EXPLORED):
        with task.report.phase("resume"):
            graph = resumed_graph(task.checkpoint, compiled)
        if graph is not None:
            task.report.resume(f"{graph.positions:,} positions were explored")
            budget.ledger.fits(
                budget.held_bytes(graph.positions, graph.table.entries, len(graph.edges))
            )
            return graph
    left: Exception | None = None
    graph = None
    with task.report.phase("explore"):
        starts = compiled.start_words()
        try:
            graph = explore(
                compiled,
                starts,
                budget,
                task.threads,
                task.report,
                may_drop=may_drop,
                abandon=abandon,
            )
        except (HandoverError, MovesTooLargeError) as error:
            left = error.with_traceback(None)  # the traceback would keep the arrays
    if graph is None:
        raise left or MovesTooLargeError
    checkpoint_graph(task.checkpoint, graph)
    return graph


def table_of(
    task: Task,
    graph: Graph,
    ranks: npt.NDArray[np.uint32] | None = None,
    kind: Kind | None = None,
) -> Table:
    """Return the table of a graph, with values of ``kind`` instead of the rules' kind if given."""
    layers = graph.layers if graph.layered else None
    index = FoundIndex(graph.keys, graph.table, graph.positions, ranks, layers)
    column = ArrayColumn(kind or task.compiled.kind, graph.values, graph.owners)
    return Table(index, column, np.arange(graph.starts), "places")
