"""Win, draw or loss and the remoteness of every position of a graph.

If every move leads to a position with a greater number, one sweep from the last position to the
first decides each from its successors. Otherwise retrograde analysis runs from the terminal
positions backward along the transposed moves, in order of remoteness, with a counter of moves that
do not lose yet (Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Then
ties spread backward along the remaining draws. If not even the transposed moves fit in memory,
rounds over the forward moves find the same values, one remoteness at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.backward.folds import fold_forward
from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.rounds import MoveRounds
from zermelo._engine.backward.status import PropagationMethod, StatusArray, TerminalCodes
from zermelo._engine.backward.tie_preference import apply_endless_wins, tie_preference
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, WIDE
from zermelo._engine.column.value_operations import operations_of
from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Checkpoint
from zermelo.values.outcomes import NOBODY
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter
    from zermelo.values.kind import Kind

#: The codes of this solve, in terms of the constants above; dead ends are terminal already.
CODES = TerminalCodes(UNKNOWN, LAST, TIES, -LAST, 0)


def solve(
    graph: Graph,
    threads: int,
    report: Reporter,
    capacity: int | None = None,
    checkpoint: Checkpoint = NO_CHECKPOINT,
    horizon: int | None = None,
    kind: Kind = WIN_DRAW_LOSS,
) -> int:
    """Decide every position of ``graph``, in place in its ``values``.

    Args:
        graph: the graph, with terminal positions decided and UNKNOWN elsewhere; dead ends are
            terminal.
        threads: threads to use at most.
        report: receives the number of decided positions.
        capacity: how many moves may be buffered while they are transposed, if moves may lead back;
            None to not transpose them.
        checkpoint: where to save finished work.
        horizon: the greatest remoteness to look for, in rounds; None for no limit.
        kind: the kind of the values.

    Returns:
        The number of times all moves were scanned, if they were not transposed.
    """
    favours = kind.favours
    if graph.forward and horizon is None:
        apply_endless_wins(graph.values, graph.owners, favours)
        with report.phase("sweep", graph.positions):
            for done in fold_forward(graph, operations_of(kind), threads):
                report.advance(done)
        return 1
    if capacity is None or horizon is not None:
        rounds = MoveRounds(graph.first, graph.edges, graph.owners, threads, horizon)
        return spread(graph, rounds, report, checkpoint, "rounds", narrow=False, favours=favours)
    with report.phase("reverse"):
        into, parents = reverse(graph.first, graph.edges, threads, capacity)
    way = Spreading(into, parents, graph.owners, threads)
    return spread(graph, way, report, checkpoint, "retrograde", narrow=True, favours=favours)


def spread(
    graph: Graph,
    way: PropagationMethod,
    report: Reporter,
    checkpoint: Checkpoint,
    phase: str,
    *,
    narrow: bool,
    favours: int = NOBODY,
) -> int:
    """Decide every position of ``graph`` in rounds; return the number of rounds.

    Args:
        graph: the graph, with terminal positions decided; its ``values`` are overwritten.
        way: decides the positions of one remoteness from those of the last.
        report: receives the number of decided positions.
        checkpoint: where to save decided positions.
        phase: the name of the phase in reports.
        narrow: whether there is memory for a separate narrow status array.
        favours: the player for whom endless play is a win, or NOBODY.
    """
    with report.phase(phase, graph.positions):
        given = (graph.first, graph.values, CODES, lambda: graph.values)
        numbers = StatusArray.of_terminals(*given, narrow=narrow, ties=tie_preference(favours))
        numbers.decide(way, report, checkpoint)
        numbers.write(graph.values, WIDE)
        apply_endless_wins(graph.values, graph.owners, favours)
    return way.rounds
