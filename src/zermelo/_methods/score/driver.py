"""Score games without cycles: the margin for the player to move under best play."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.folds import fold_forward, rank_decided, ready_fold
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.value_operations import MARGINS
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import run_in_threads
from zermelo._methods.score.kernels import begin_ranks, rank_part, rank_small
from zermelo.values.scores import UNKNOWN_SCORE

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo._methods.rule_rounds import Rerun
    from zermelo.progress import Reporter

#: A rank with fewer positions is not shared among threads.
_WORTH_SHARING = 1 << 13


def _ranked(
    graph: Graph,
    reversed_graph: tuple[npt.NDArray[Any], npt.NDArray[np.uint32]],
    threads: int,
    report: Reporter,
) -> npt.NDArray[np.uint32]:
    """Find every margin rank by rank: positions without moves first, then their predecessors.

    Returns:
        The ranks.
    """
    positions = graph.positions
    arrays = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    order = zeros(positions, np.uint32)
    ranks = zeros(positions, np.uint32)
    left = zeros(positions, np.uint32)
    tail = np.array([begin_ranks(graph.first, left, order)])
    rest = (arrays, reversed_graph, left, ranks, tail)
    head = rank = 0
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-order") as pool:
        while head < tail[0]:
            end = int(tail[0])
            if threads == 1 or end - head < limits.current().shared(_WORTH_SHARING):
                most = positions if threads == 1 else limits.current().shared(_WORTH_SHARING)
                head, rank = rank_small(head, most, order, rank, *rest)
            else:
                size = -(-(end - head) // (4 * threads))
                spans = [(begin, min(begin + size, end)) for begin in range(head, end, size)]
                run_in_threads(
                    pool, threads, [(rank_part, *span, order, rank, *rest) for span in spans]
                )
                head, rank = end, rank + 1
            report.advance(head)
    if head < positions:
        raise CycleError(int(np.argmax(left > 0)), reversed_graph)
    return ranks


def solve(
    graph: Graph, threads: int, capacity: int, report: Reporter
) -> npt.NDArray[np.uint32] | None:
    """Find every margin without plies, in place in the graph's ``values``.

    Args:
        graph: terminal positions with their final margins, UNKNOWN elsewhere.
        threads: threads to use at most.
        capacity: how many moves may be buffered while they are transposed, if some lead back.
        report: receives the number of decided positions.

    Returns:
        For each position a number that decreases along every move, for the certificate; or None if
        the position's own number, counted from the last down, does.

    Raises:
        CycleError: the moves lead in a cycle.
    """
    if graph.forward:
        with report.phase("sweep", graph.positions):
            for done in fold_forward(graph, MARGINS, threads):
                report.advance(done)
        return None
    with report.phase("reverse"):
        into, parents = reverse(graph.first, graph.edges, threads, capacity)
    with report.phase("order", graph.positions):
        return _ranked(graph, (into, parents), threads, report)


def solve_by_rules(rerun: Rerun, report: Reporter) -> tuple[int, npt.NDArray[np.uint32] | None]:
    """Find every margin, in place, by running the rules again in passes over the positions.

    Args:
        rerun: the rules, and the graph of positions without moves.
        report: receives the number of finished positions.

    Returns:
        The number of passes; and numbers that decrease along every move, or None if the numbers of
        the positions themselves increase along every move.

    Raises:
        CycleError: the moves lead in a cycle.
    """
    graph = rerun.graph
    owners, values, none = graph.owners, graph.values, UNKNOWN_SCORE
    if graph.forward:
        rerun.sweep(report)
        return 1, None
    ranks: npt.NDArray[np.uint32] = zeros(graph.positions, np.uint32)
    left = int(rank_decided(values, none, ranks))
    fold = ready_fold(rerun.operations)
    rank, rounds = 1, 0
    with report.phase("rounds", graph.positions):
        # One thread scans from the last position to the first: most children have greater numbers,
        # so a few rounds decide everything. A rank is the order in which positions were decided.
        workspace = rerun.workspaces[0]
        while left:
            before = rank
            for end in range(graph.positions, 0, -rerun.chunk):
                span = max(0, end - rerun.chunk), end
                for ids, part in rerun.undecided_parts(workspace, values, span, undecided=none):
                    moves = part.ends, workspace.numbers, owners, part.gains
                    rank = int(fold(ids, len(ids), *moves, values, ranks, rank))
                report.advance(graph.positions - left + rank - before)
            left -= rank - before
            rounds += 1
            if rank == before:
                raise CycleError(int(np.argmax(ranks)))
    return rounds, ranks


class CycleError(Exception):
    """The moves of a score game lead in a cycle.

    Attributes:
        number: a position from which a cycle can be reached.
        reversed_graph: the index of the first parent of each position, and the parents, if they
            were computed.
    """

    def __init__(
        self,
        number: int,
        reversed_graph: tuple[npt.NDArray[Any], npt.NDArray[np.uint32]] | None = None,
    ) -> None:
        """Store the position and the reversed graph."""
        super().__init__(number)
        self.number = number
        self.reversed_graph = reversed_graph
