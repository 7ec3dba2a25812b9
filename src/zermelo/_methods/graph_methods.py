"""Shared code of the methods over reachable positions: exploring, and deciding a graph.

A graph keeps its moves if they fit in memory. Otherwise the rules are run again in each pass.

If every move leads to a position with a greater number, one sweep from the last position to the
first decides each from its successors. Otherwise retrograde analysis runs from the terminal
positions backward, in order of remoteness: at first in rounds over the moves, as long as these
remove many moves, and then along the moves that are left, transposed, with a counter of moves that
do not lose yet (Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Then
ties spread backward along the remaining draws. If not even the transposed moves fit in memory,
rounds over the forward moves find the same values, one remoteness at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from zermelo import limits
from zermelo._engine.backward.folds import fold_forward
from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.rounds import MoveRounds
from zermelo._engine.backward.status import PropagationMethod, StatusArray, TerminalCodes
from zermelo._engine.backward.stored_rounds import (
    MoveRows,
    PackedRows,
    decide_first_levels,
    is_worthwhile,
    joined_moves,
    row_spans,
    write_first,
)
from zermelo._engine.backward.tie_preference import apply_endless_wins, tie_preference
from zermelo._engine.backward.transpose import (
    BUCKET_BYTES,
    consuming_bytes,
    reverse,
    transposed_bytes,
)
from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, WIDE
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.column.value_operations import operations_of
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
from zermelo._methods.task import Result, Task
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.kind import check_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from zermelo._engine.core.array_types import Int64Array, Uint32Array
    from zermelo._methods.rule_rounds import Rerun
    from zermelo.values.kind import Kind


#: The codes of terminal positions; dead ends are terminal already.
CODES = TerminalCodes(UNKNOWN, LAST, TIES, -LAST, 0)
#: A number for each position that the certificate needs, or None.
Order: TypeAlias = "npt.NDArray[np.uint32] | None"


def graph_result(task: Task) -> Result:
    """Solve a game for win, draw or loss without using its levels."""
    budget = budget_of(task)
    return decide_positions(task, explore_graph(task, budget, packs=True), budget)


def decide_positions(task: Task, graph: Graph, budget: GraphMemory) -> Result:
    """Decide the positions of a graph by the fastest algorithm that fits in memory.

    Raises:
        UnknownKindError: the kind of value has no remoteness.
    """
    check_known(task.compiled.kind, REMOTENESS_ALGEBRAS, "retrograde analysis")
    rounds = decide_outcomes(task, graph, budget)
    whole = graph.whole
    choice = graph_description(layered=graph.layered)
    if not whole and graph.forward:
        choice = (
            f"one backward sweep, as every move leads to a later position, {without_moves(task)}"
        )
    elif not whole:
        choice = f"{rounds} rounds over the positions not decided, {without_moves(task)}"
    elif not graph.forward and rounds > 0:
        choice = f"{rounds} rounds over the moves, because the transposed moves do not fit in "
        choice += allowed_words(task)
    elif rounds < -1:
        choice += f"; moves were transposed in about {-rounds} parts, because "
        choice += f"all of them do not fit in {allowed_words(task)}"
    return Result(table_of(task, graph), choice)


def decide_outcomes(
    task: Task, graph: Graph, budget: GraphMemory, horizon: int | None = None
) -> int:
    """Decide a graph in place, along its moves or by running the rules again.

    Args:
        task: the game.
        graph: the graph, whose moves may be released.
        budget: the memory of the graph.
        horizon: the greatest remoteness to look for, or None.

    Returns:
        The number of rounds; or, if moves were transposed, minus the number of parts in which that
        was done.
    """
    kind, report = task.compiled.kind, task.report

    def sweep() -> tuple[int, None]:
        rerun = None if graph.whole else rerun_of(task, graph, budget)
        apply_endless_wins(graph.values, graph.owners, kind.favours)
        if rerun is not None:
            rerun.sweep(report)
            return 1, None
        with report.phase("sweep", graph.positions):
            for done in fold_forward(graph, operations_of(kind), task.threads):
                report.advance(done)
        return 1, None

    def spread() -> tuple[int, None]:
        # In rounds up to a horizon nothing is counted, so moves that are not needed stay.
        narrow = graph.whole and horizon is None and _has_narrow_status(graph, budget)
        if graph.packed is not None and not narrow:
            graph.packed, graph.whole = None, False  # not packed, they take more memory still
        rerun = None if graph.whole else rerun_of(task, graph, budget)
        status = _status_of(graph, kind, narrow=narrow)
        method: PropagationMethod
        parts = 0
        if rerun is not None:
            method = rerun.rounds(horizon)
        elif narrow:
            method, parts = _stored_moves_method(task, graph, status, budget)
            if not graph.whole:
                method = rerun_of(task, graph, budget).rounds(horizon)
                status = _status_of(graph, kind, narrow=False)
        else:
            method = MoveRounds(graph.first, graph.edges, graph.owners, task.threads, horizon)
        with report.phase("retrograde" if parts else "rounds", graph.positions):
            status.decide(method, report, task.checkpoint)
            status.write(graph.values, WIDE)
            apply_endless_wins(graph.values, graph.owners, kind.favours)
        return -parts or method.rounds, None

    return decide_graph(task, graph, sweep if graph.forward and horizon is None else spread)[0]


def _has_narrow_status(graph: Graph, budget: GraphMemory) -> bool:
    """Return whether a narrow status array fits in memory beside the moves and the values."""
    return budget.ledger.fits(held_bytes_of(graph, budget) + _NUMBER_BYTES * graph.positions)


def held_bytes_of(graph: Graph, budget: GraphMemory) -> int:
    """Return the bytes of a graph with its moves."""
    moves, packed = len(graph.edges), None if graph.packed is None else graph.packed.bytes
    return budget.held_bytes(graph.positions, graph.table.entries, moves, packed)


def _status_of(graph: Graph, kind: Kind, *, narrow: bool) -> StatusArray:
    """Return the status array of a graph before the first level."""
    first: Int64Array | Uint32Array = graph.first
    codes = CODES
    if graph.packed is not None:
        first = graph.packed.degrees[: graph.positions]
        codes = CODES._replace(no_moves=UNKNOWN)  # such a position is won in one move
    given = (first, graph.values, codes, lambda: graph.values)
    status = StatusArray.of_terminals(*given, narrow=narrow, ties=tie_preference(kind.favours))
    if graph.packed is not None:
        status.decide_wins_in_one()
    return status


def _unpack_or_drop(
    task: Task, graph: Graph, budget: GraphMemory, write: Callable[[Int64Array], None]
) -> None:
    """Unpack the moves that are left if memory holds them, else drop all moves.

    Args:
        task: the game.
        graph: the graph; does nothing if its moves are not packed.
        budget: the memory of the graph.
        write: writes the index of each position's first move that is left, and one entry more.
    """
    if graph.packed is None:
        return
    packed, graph.packed = graph.packed, None
    needed = budget.held_bytes(graph.positions, graph.table.entries, packed.moves)
    with task.report.phase("unpack"):
        if budget.ledger.fits(needed + packed.held_bytes):
            graph.first = np.zeros(graph.positions + 1, np.int64)
            write(graph.first)
            graph.edges = packed.unpack(graph.first, task.threads)
        else:
            graph.whole = False


def _stored_moves_method(
    task: Task, graph: Graph, status: StatusArray, budget: GraphMemory
) -> tuple[PropagationMethod, int]:
    """Decide the first levels of a graph; return the method for the moves that are left.

    Args:
        task: the game.
        graph: the graph, whose moves are changed, and released if they are transposed.
        status: the status array before the first level.
        budget: the memory of the graph.

    Returns:
        The propagation method, and the number of parts in which moves were transposed, 0 if they
        were not.
    """
    first, packed, pays = graph.first, graph.packed, True
    if packed is not None:
        blocks = [PackedRows(packed, block) for block in packed.blocks]
        pays = status.won > 0 or is_worthwhile(blocks, status, graph.owners)
        if pays:  # until the moves left take less memory than packed ones took before
            few = max(0, packed.bytes - 8 * graph.positions) // 4
            pays = _decide_first_levels(task, graph, status, blocks, few)
        given = status.state, status.scale.ties
        _unpack_or_drop(task, graph, budget, lambda first: write_first(*given, first))
    if pays and graph.whole:
        first = graph.first
        parts = [
            MoveRows(_NONE, a, b, graph.edges, int(first[a]), int(first[b] - first[a]))
            for a, b in row_spans(graph.positions)
        ]
        if packed is not None or is_worthwhile(parts, status, graph.owners):
            _decide_first_levels(task, graph, status, parts)
            graph.edges = joined_moves(parts)
            write_first(status.state, status.scale.ties, first)
    if not graph.whole:
        return MoveRounds(first, graph.edges, graph.owners, task.threads), 0
    first, moves = graph.first, len(graph.edges)
    capacity = _consuming_capacity(graph, budget, task.threads)
    if capacity is None:
        return MoveRounds(first, graph.edges, graph.owners, task.threads), 0
    with task.report.phase("reverse"):
        into, parents = reverse(first, graph.edges, task.threads, capacity, consumes=True)
    graph.first, graph.edges = first[:0].copy(), graph.edges[:0].copy()
    spreading = Spreading(into, parents, graph.owners, task.threads)
    return spreading, max(1, -(-moves // max(capacity, 1)))


def _decide_first_levels(
    task: Task,
    graph: Graph,
    status: StatusArray,
    parts: Sequence[MoveRows | PackedRows],
    few: int = 0,
) -> bool:
    """Decide levels in rounds over all moves; return whether another round pays."""
    with task.report.phase("rounds", graph.positions):
        return decide_first_levels(parts, status, graph.owners, task.threads, task.report, few)


def _consuming_capacity(graph: Graph, budget: GraphMemory, threads: int) -> int | None:
    """Return the number of moves that may be buffered while a transposition frees what it reads.

    None if even one does not fit. Moves are freed only if all are transposed at once.
    """
    positions, moves = graph.positions, len(graph.edges)
    held = budget.held_bytes(positions, graph.table.entries, 0) + _NUMBER_BYTES * positions
    during = held + consuming_bytes(positions, graph.edges, threads)
    after = held + transposed_bytes(positions, moves) + Spreading.needed_bytes(positions)
    if limits.current().transposed == 1 and budget.ledger.fits(max(during, after)):
        return moves
    return transposing_capacity(graph, budget)


def graph_description(*, layered: bool) -> str:
    """Return the description of a solve whose moves fit in memory.

    Args:
        layered: whether every move leads to a position of a later layer, whatever order moves are
            scanned in.
    """
    if layered:
        return "one backward sweep, as every move leads to a later position"
    return "retrograde analysis, because positions may repeat"


def decide_graph(
    task: Task, graph: Graph, decide: Callable[[], tuple[int, Order]]
) -> tuple[int, Order]:
    """Decide a graph in place, unless the checkpoint has its values.

    Args:
        task: the game.
        graph: the graph.
        decide: decides the graph; returns the number of rounds, or another number, and a number for
            each position that the certificate needs, or None.

    Returns:
        The result of ``decide``, now or in an earlier process.
    """
    found = restore_values(task.checkpoint, graph)
    if found is not None:
        task.report.resume("all values were known")
        return found
    rounds, order = decide()
    checkpoint_values(task.checkpoint, graph, rounds, order)
    return rounds, order


def transposing_capacity(graph: Graph, budget: GraphMemory) -> int | None:
    """Return how many moves may be buffered in the transposition; None if even one does not fit."""
    positions, moves = graph.positions, graph.moves
    held = budget.held_bytes(positions, graph.table.entries, moves) + transposed_bytes(
        positions, moves
    )
    after = (_ORDER_BYTES if budget.kind.descends else _SETS_BYTES) * positions
    if not budget.kind.needs_potential:
        held += _NUMBER_BYTES * positions
        after = Spreading.needed_bytes(positions)
    return budget.capacity(moves, held, BUCKET_BYTES, held + after)


def rerun_of(task: Task, graph: Graph, budget: GraphMemory, more: int = 0) -> Rerun:
    """Return the object that runs the rules again; ``more`` is extra bytes that the caller needs.

    Raises:
        BudgetError: its arrays do not fit in memory.
    """
    from zermelo._methods.rule_rounds import Rerun

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
    packs: bool = False,
    abandon: Callable[[Sequence[int]], bool] | None = None,
) -> Graph:
    compiled = task.compiled
    with task.report.phase("compile"):
        run_expand(compiled, np.empty(0, np.uint64), 0, 0, Buffers.for_rules(compiled, 1, 1))
    if task.checkpoint.has(EXPLORED):
        with task.report.phase("resume"):
            graph = resumed_graph(task.checkpoint, compiled)
        if graph is not None:
            task.report.resume(f"{graph.positions:,} positions were explored")
            budget.ledger.fits(held_bytes_of(graph, budget))
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
                packs=packs,
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
