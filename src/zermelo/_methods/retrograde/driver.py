"""Win, draw or loss and the remoteness of every position of a graph.

Where every move leads to a greater number, one sweep from the last position to the first decides
each from its successors. Otherwise retrograde analysis: from the terminal positions back along
the reversed moves, in order of remoteness, with a counter of moves that do not lose yet (Thompson,
"Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Then ties spread back along
the draws that are left. Where not even the reversed moves have room, rounds over the moves as
they are find the same, level by level.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.rounds import MoveRounds
from zermelo._engine.backward.status import PropagationMethod, StatusArray, TerminalCodes
from zermelo._engine.backward.tie_preference import apply_endless_wins, tie_preference
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, WIDE
from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Checkpoint
from zermelo._engine.core.threads import backward
from zermelo._methods.retrograde.kernels import sweep_graph
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter

#: Positions handled between looks at the clock and the keyboard.
_BATCH = 1 << 18
#: In the terms of the codes above; dead ends are terminal already.
CODES = TerminalCodes(UNKNOWN, LAST, TIES, -LAST, 0)


def solve(
    graph: Graph,
    threads: int,
    report: Reporter,
    capacity: int | None = None,
    checkpoint: Checkpoint = NO_CHECKPOINT,
    horizon: int | None = None,
    favours: int = NOBODY,
) -> int:
    """Decide every position of ``graph``, in place in its ``values``.

    Args:
        graph: terminal positions decided, UNKNOWN elsewhere; dead ends count as terminal.
        threads: threads to use at most.
        report: is told how many positions are decided.
        capacity: where moves may lead back, how many of them may wait while they are transposed, or
            None where they are not to be.
        checkpoint: where to keep what is finished.
        horizon: the greatest remoteness to look for, in rounds; None for all there are.
        favours: the player for whom endless play is a win, or NOBODY.

    Returns:
        How many times all moves were scanned, where they were not transposed.
    """
    if graph.forward and horizon is None:
        apply_endless_wins(graph.values, graph.owners, favours)
        with report.phase("sweep", graph.positions):
            for done in sweep(graph, threads):
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
    """Decide every position of ``graph`` one way or another; return how many rounds that took.

    Args:
        graph: see ``solve``.
        way: how one level is decided from another.
        report: is told how many positions are decided.
        checkpoint: where to keep what is decided.
        phase: what to call it.
        narrow: whether there is memory for numbers of their own.
        favours: the player for whom endless play is a win, or NOBODY.
    """
    with report.phase(phase, graph.positions):
        given = (graph.first, graph.values, CODES, lambda: graph.values)
        numbers = StatusArray(*given, narrow=narrow, ties=tie_preference(favours))
        if begun := numbers.resumed(checkpoint):
            report.resume("some values were known")
        for done in numbers.spread(way, checkpoint, begun=begun):
            report.advance(done)
        numbers.write(graph.values, WIDE)
        apply_endless_wins(graph.values, graph.owners, favours)
    return way.rounds


def sweep(graph: Graph, threads: int) -> Iterator[int]:
    """Decide a graph whose moves all lead forward; yields how many positions are done."""
    arrays = (graph.first, graph.edges, graph.owners, graph.values)
    threads = threads if graph.layered else 1
    layers = graph.layers if threads > 1 else [0, graph.positions]
    for begin in backward(
        layers, threads, _BATCH, lambda low, high: sweep_graph(*arrays, low, high)
    ):
        yield graph.positions - begin
