"""Solving without stored moves: the rules are run again for each pass over the positions.

For games whose moves do not fit in memory. Memory contains the positions, the index that finds them
and their values. If every move leads forward, one pass is enough, from the last position to the
first. Otherwise there are rounds: a position decided in round r has remoteness r, which follows
from positions decided in earlier rounds. So neither the order of positions nor the number of
threads matters. The cost is the number of expansions times the greatest remoteness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.folds import expanded_fold, ready_fold
from zermelo._engine.backward.rounds import Round, Rounds, decide_expanded
from zermelo._engine.backward.tie_preference import apply_endless_wins
from zermelo._engine.column.value_operations import operations_of
from zermelo._engine.core.checkpoint import NO_CHECKPOINT
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import map_ordered
from zermelo._engine.expand.expander import (
    CAPACITY,
    Buffers,
    Expand,
    buffer_bytes,
    chunk_size,
    run_expand,
)
from zermelo._methods.retrograde.driver import spread
from zermelo._methods.retrograde.kernels import begin_ranks, gather_undecided
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
#: The code of an undecided position.
_OPEN = -1


class _Workspace:
    """The buffers of one thread."""

    def __init__(self, expand: Expand, chunk: int) -> None:
        self.buffers = Buffers.for_rules(expand, chunk, limits.current().batch(chunk * CAPACITY))
        self.numbers = zeros(chunk * CAPACITY, np.int64)
        self.packed = zeros(chunk * expand.words, np.uint64)
        self.which = np.empty(chunk, np.int64)


class Rerun:
    """Passes over the positions of a graph whose moves are not stored.

    Attributes:
        operations: the operations on values.
        rounds: the number of passes made.
    """

    def __init__(self, expand: Expand, graph: Graph, budget: GraphMemory, threads: int) -> None:
        """Create a workspace for each thread, and add their bytes to the budget."""
        self.expand = expand
        self.operations = operations_of(expand.kind)
        self.graph = graph
        self.threads = threads
        self.rounds = 0
        each = buffer_bytes(expand) + 8 * CAPACITY + 8 * expand.words + 8
        self.chunk = limits.current().batch(chunk_size(budget.ledger.allowed, each * threads))
        self.workspaces = [_Workspace(expand, self.chunk) for _ in range(threads)]
        budget.buffers = threads * self.chunk * each

    def sweep(self, report: Reporter) -> None:
        """Decide a graph whose moves lead forward, from the last position to the first."""
        graph = self.graph
        self.rounds += 1
        shared = graph.layered and self.threads > 1
        bounds = graph.layers if shared else [0, graph.positions]
        chunk = self.chunk

        def work(workspace: _Workspace, span: tuple[int, int]) -> None:
            self._back(workspace, *span)

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

    def _back(self, workspace: _Workspace, begin: int, end: int) -> None:
        """Decide positions; if buffers are too small for all, the later ones first."""
        graph, buffers = self.graph, workspace.buffers
        fold = expanded_fold(self.operations)
        while begin < end:
            done = self._find_children(workspace, graph.keys, begin, end)
            if begin + done == end:
                children = buffers.ends, workspace.numbers, graph.owners, buffers.gains
                fold(begin, done, *children, graph.values)
                return
            self._back(workspace, begin + done, end)
            end = begin + done

    def _find_children(
        self, workspace: _Workspace, keys: npt.NDArray[np.uint64], begin: int, end: int
    ) -> int:
        """Expand positions and find the numbers of their children; return how many fitted."""
        graph = self.graph
        done, made = run_expand(self.expand, keys, begin, end, workspace.buffers)
        if len(workspace.numbers) < made:
            workspace.numbers = zeros(len(workspace.buffers.children) // graph.words, np.int64)
        graph.table.find(workspace.buffers.children, made, graph.keys, workspace.numbers)
        return done

    def expand_range(
        self, workspace: _Workspace, none: int, decide: Callable[..., int], begin: int, end: int
    ) -> int:
        """Expand the undecided positions of a range; return the sum of what ``decide`` returns."""
        graph = self.graph
        decided = 0
        while begin < end:
            arrays = (graph.keys, graph.words, graph.values, none)
            count, begin = gather_undecided(*arrays, begin, end, workspace.packed, workspace.which)
            at = 0
            while at < count:
                done = self._find_children(workspace, workspace.packed, at, count)
                decided += decide(workspace, workspace.which[at : at + done], done)
                at += done
        return decided

    def spans_back(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of positions for one workspace each, the last first."""
        for end in range(self.graph.positions, 0, -self.chunk):
            yield max(0, end - self.chunk), end

    def expand_undecided(
        self, pool: ThreadPoolExecutor, none: int, decide: Callable[..., int]
    ) -> int:
        """Expand all undecided positions; return the sum of what ``decide`` returns."""
        positions, batch = self.graph.positions, limits.current().batch(_BATCH)

        def work(workspace: _Workspace, begin: int) -> int:
            return self.expand_range(workspace, none, decide, begin, min(begin + batch, positions))

        starts = range(0, positions, batch)
        if self.threads == 1 or len(starts) == 1:
            return sum(work(self.workspaces[0], begin) for begin in starts)
        return sum(found for _, found in map_ordered(pool, self.workspaces, work, starts))


class RuleRounds(Rounds):
    """Rounds that run the rules again in place of stored moves."""

    def __init__(self, rerun: Rerun, horizon: int | None) -> None:
        """Create rounds over a graph, up to a horizon unless that is None."""
        super().__init__(rerun.threads, horizon)
        self.rerun = rerun

    def _decide(self, pool: ThreadPoolExecutor, here: Round) -> tuple[int, int]:
        """Decide one remoteness; see ``Rounds``. A remoteness without positions ends the rounds."""
        owners = self.rerun.graph.owners

        def decide(workspace: _Workspace, which: Any, done: int) -> int:
            arrays = (workspace.buffers.ends, workspace.numbers, owners, here.state)
            return int(decide_expanded(which, done, *arrays, *here.codes)[0])

        return self.rerun.expand_undecided(pool, _OPEN, decide), -1


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
        way = RuleRounds(rerun, horizon)
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
    left = begin_ranks(values, none, ranks)
    fold = ready_fold(rerun.operations)
    rank = 1
    with report.phase("rounds", graph.positions):
        # One thread scans from the last position to the first: most children have greater numbers,
        # so a few rounds decide everything. A rank is the order in which positions were decided.
        workspace = rerun.workspaces[0]
        while left:
            before = rank
            for begin, end in rerun.spans_back():

                def settle_some(
                    workspace: _Workspace, which: Any, done: int, rank: int = rank
                ) -> int:
                    buffers = workspace.buffers
                    arrays = (buffers.ends, workspace.numbers, owners, buffers.gains, values, ranks)
                    return int(fold(which, done, *arrays, rank)) - rank

                found = rerun.expand_range(workspace, none, settle_some, begin, end)
                rank += found
                left -= found
                report.advance(graph.positions - int(left))
            rerun.rounds += 1
            if rank == before:
                raise CircleError(int(np.argmax(ranks)))
    return ranks
