"""Solving without stored moves: the rules are run again for each pass over the positions.

For games whose moves do not fit in memory. Memory contains the positions, the index that finds them
and their values. If every move leads forward, one pass is enough, from the last position to the
first. Otherwise there are rounds: a position decided in round r has remoteness r, which follows
from positions decided in earlier rounds. So neither the order of positions nor the number of
threads matters. The cost is the number of expansions times the greatest remoteness.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.folds import begin_ranks, expanded_fold, ready_fold
from zermelo._engine.backward.tie_preference import apply_endless_wins
from zermelo._engine.column.value_operations import operations_of
from zermelo._engine.core.checkpoint import NO_CHECKPOINT
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import map_ordered
from zermelo._engine.expand.expander import (
    CAPACITY,
    Expand,
    ExpandedPart,
    buffer_bytes,
    chunk_size,
)
from zermelo._methods.retrograde.driver import spread
from zermelo._methods.rule_rounds import Ids, RuleMoves, RuleRounds, RuleWorkspace
from zermelo._methods.score.driver import CircleError
from zermelo.values.outcomes import NOBODY
from zermelo.values.scores import UNKNOWN_SCORE

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo.progress import Reporter

#: Positions that one thread scans in one batch.
_BATCH = 1 << 16


class Rerun(RuleMoves):
    """Passes over the positions of a graph whose moves are not stored.

    Attributes:
        operations: the operations on values.
        rounds: the number of passes made.
    """

    def __init__(self, expand: Expand, graph: Graph, budget: GraphMemory, threads: int) -> None:
        """Create a workspace for each thread, and add their bytes to the budget."""
        self.operations = operations_of(expand.kind)
        self.graph = graph
        self.threads = threads
        self.rounds = 0
        self.positions, self.owners = graph.positions, graph.owners
        each = buffer_bytes(expand) + 8 * CAPACITY + 8 * expand.words + 8
        self.span = limits.current().batch(_BATCH)
        self.chunk = limits.current().batch(chunk_size(budget.ledger.allowed, each * threads))
        capacity = limits.current().batch(self.chunk * CAPACITY)
        self.workspaces = [RuleWorkspace(expand, self.chunk, capacity) for _ in range(threads)]
        budget.buffers = threads * self.chunk * each

    def children(self, workspace: RuleWorkspace, ids: Ids) -> Iterator[ExpandedPart]:
        """Expand positions; see ``RuleMoves``."""
        graph, words = self.graph, self.graph.words
        keys = workspace.keys[: len(ids) * words].reshape(-1, words)
        graph.keys.reshape(-1, words).take(ids, axis=0, out=keys, mode="clip")
        for part in workspace.parts(len(ids)):
            graph.table.find(part.buffers.children, part.moves, graph.keys, workspace.numbers)
            yield part

    def sweep(self, report: Reporter) -> None:
        """Decide a graph whose moves lead forward, from the last position to the first."""
        graph = self.graph
        self.rounds += 1
        shared = graph.layered and self.threads > 1
        bounds = graph.layers if shared else [0, graph.positions]
        chunk = self.chunk

        def work(workspace: RuleWorkspace, span: tuple[int, int]) -> None:
            self._decide_back(workspace, *span)

        with (
            report.phase("sweep", graph.positions),
            ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-sweep") as pool,
        ):
            for low, high in reversed(list(zip(bounds, bounds[1:], strict=False))):
                spans = [(max(low, end - chunk), end) for end in range(high, low, -chunk)]
                if not shared or len(spans) == 1:
                    for span in spans:
                        work(self.workspaces[0], span)
                        report.advance(graph.positions - span[0])
                    continue
                for span, _ in map_ordered(pool, self.workspaces, work, spans):
                    report.advance(graph.positions - span[0])

    def _decide_back(self, workspace: RuleWorkspace, begin: int, end: int) -> None:
        """Decide positions; if buffers are too small for all, the later ones first."""
        owners, values = self.owners, self.graph.values
        fold = expanded_fold(self.operations)
        while begin < end:
            part = next(self.children(workspace, np.arange(begin, end)))
            if begin + part.end == end:
                moves = part.ends, workspace.numbers, owners, part.gains
                fold(begin, part.end, *moves, values)
                return
            self._decide_back(workspace, begin + part.end, end)
            end = begin + part.end


def solve(
    rerun: Rerun,
    report: Reporter,
    horizon: int | None = None,
    checkpoint: Checkpoint = NO_CHECKPOINT,
    favours: int = NOBODY,
) -> int:
    """Decide win, draw or loss and remoteness of every position, in place.

    Args:
        rerun: the passes over the graph.
        report: receives the number of decided positions.
        horizon: the greatest remoteness to look for, or None for no limit.
        checkpoint: where to save the positions that each round decided.
        favours: the player for whom endless play is a win, or NOBODY.

    Returns:
        The number of passes over the positions.
    """
    graph = rerun.graph
    owners, values = graph.owners, graph.values
    if not graph.forward or horizon is not None:
        way = RuleRounds(rerun, rerun.threads, horizon)
        return spread(graph, way, report, checkpoint, "rounds", narrow=False, favours=favours)
    apply_endless_wins(values, owners, favours)

    rerun.sweep(report)
    return 1


def solve_scores(rerun: Rerun, report: Reporter) -> npt.NDArray[np.uint32] | None:
    """Find the margin of every position, in place.

    Args:
        rerun: the passes over the graph.
        report: receives the number of finished positions.

    Returns:
        Numbers that decrease along every move, or None if the numbers of the positions themselves
        increase along every move.

    Raises:
        CircleError: the moves lead in a cycle.
    """
    graph = rerun.graph
    owners, values, none = graph.owners, graph.values, UNKNOWN_SCORE
    if graph.forward:
        rerun.sweep(report)
        return None
    ranks: npt.NDArray[np.uint32] = zeros(graph.positions, np.uint32)
    left = int(begin_ranks(values, none, ranks))
    fold = ready_fold(rerun.operations)
    rank = 1
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
            rerun.rounds += 1
            if rank == before:
                raise CircleError(int(np.argmax(ranks)))
    return ranks
