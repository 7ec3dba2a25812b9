"""Solving without the moves: the rules are run again for each pass over the positions.

For games whose moves there is no memory for. What is held is the positions, the index to find
them by and their values. Where every move leads forward one pass is enough, from the last position
to the first. Elsewhere rounds: what is decided in round r has remoteness r, and follows from what
the rounds before have decided, so that neither the order in which positions are taken nor the
threads that share them matter. It costs expansions times the greatest remoteness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, UNKNOWN_SCORE
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import in_order
from zermelo._engine.expand.expander import (
    ROOM,
    Buffers,
    Expand,
    buffer_bytes,
    chunk_within,
    run_expand,
)
from zermelo._methods.retrograde.rerun_kernels import (
    begin_rounds,
    finish,
    round_of,
    settle_scores,
    sweep,
    sweep_scores,
    undecided,
)
from zermelo._methods.score.driver import CircleError

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Keeper
    from zermelo._engine.core.ledger import Budget
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter

#: Positions looked through by one thread at a time.
_BATCH = 1 << 16


#: The stage that says what is decided so far.
ROUNDS = "rounds"


class _Bench:
    """What one thread works with."""

    def __init__(self, expand: Expand, chunk: int) -> None:
        self.buffers = Buffers.for_rules(expand, chunk, chunk * ROOM)
        self.numbers = zeros(chunk * ROOM, np.int64)
        self.packed = zeros(chunk * expand.words, np.uint64)
        self.which = np.empty(chunk, np.int64)


class Rerun:
    """Goes over the positions of a graph whose moves were not kept.

    Attributes:
        rounds: passes made so far.
    """

    def __init__(self, expand: Expand, graph: Graph, budget: Budget, threads: int) -> None:
        """Make benches for threads, and have the budget know."""
        self.expand = expand
        self.graph = graph
        self.threads = threads
        self.rounds = 0
        each = buffer_bytes(expand) + 8 * ROOM + 8 * expand.words + 8
        self.chunk = chunk_within(budget.allowed, each * threads)
        self.benches = [_Bench(expand, self.chunk) for _ in range(threads)]
        budget.buffers = threads * self.chunk * each

    def sweep(self, settle: Callable[[_Bench, int, int], None], report: Reporter) -> None:
        """Decide a forward graph; ``settle`` decides positions just expanded."""
        graph = self.graph
        shared = graph.layered and self.threads > 1
        bounds = graph.layers if shared else [0, graph.positions]
        chunk = self.chunk

        def work(bench: _Bench, span: tuple[int, int]) -> None:
            self._back(bench, *span, settle)

        self.rounds += 1
        with (
            report.phase("sweep", graph.positions),
            ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-sweep") as pool,
        ):
            for low, high in reversed(list(zip(bounds, bounds[1:], strict=False))):
                spans = [(max(low, end - chunk), end) for end in range(high, low, -chunk)]
                if not shared or len(spans) == 1:
                    for span in spans:
                        work(self.benches[0], span)
                        report.advance(graph.positions - span[0])
                    continue
                for span, _ in in_order(pool, self.benches, work, spans):
                    report.advance(graph.positions - span[0])

    def _back(
        self, bench: _Bench, begin: int, end: int, settle: Callable[[_Bench, int, int], None]
    ) -> None:
        """Decide positions, the later ones first where buffers do not have room for all."""
        while begin < end:
            done = self._look(bench, self.graph.keys, begin, end)
            if begin + done == end:
                settle(bench, begin, done)
                return
            self._back(bench, begin + done, end, settle)
            end = begin + done

    def _look(self, bench: _Bench, keys: npt.NDArray[np.uint64], begin: int, end: int) -> int:
        """Expand positions and find where their moves lead; return how many there was room for."""
        graph = self.graph
        done, made = run_expand(self.expand, keys, begin, end, bench.buffers)
        if len(bench.numbers) < made:
            bench.numbers = zeros(len(bench.buffers.children) // graph.words, np.int64)
        graph.table.find(bench.buffers.children, made, graph.keys, bench.numbers)
        return done

    def part(
        self, bench: _Bench, none: int, settle: Callable[..., int], begin: int, end: int
    ) -> int:
        """Expand what is not decided of a range; return what ``settle`` returns in all."""
        graph = self.graph
        decided = 0
        while begin < end:
            arrays = (graph.keys, graph.words, graph.values, none)
            count, begin = undecided(*arrays, begin, end, bench.packed, bench.which)
            at = 0
            while at < count:
                done = self._look(bench, bench.packed, at, count)
                decided += settle(bench, bench.which[at : at + done], done)
                at += done
        return decided

    def spans_back(self) -> Iterator[tuple[int, int]]:
        """Cut the positions into ranges for one bench each, the last first."""
        for end in range(self.graph.positions, 0, -self.chunk):
            yield max(0, end - self.chunk), end

    def round(self, pool: ThreadPoolExecutor, none: int, settle: Callable[..., int]) -> int:
        """Go over all positions not decided; return what ``settle`` returns in all."""
        positions = self.graph.positions
        self.rounds += 1

        def work(bench: _Bench, begin: int) -> int:
            return self.part(bench, none, settle, begin, min(begin + _BATCH, positions))

        starts = range(0, positions, _BATCH)
        if self.threads == 1 or len(starts) == 1:
            return sum(work(self.benches[0], begin) for begin in starts)
        return sum(found for _, found in in_order(pool, self.benches, work, starts))


def solve(
    rerun: Rerun, report: Reporter, horizon: int | None = None, stages: Keeper | None = None
) -> None:
    """Decide win, draw or loss and remoteness of every position, in place.

    Args:
        rerun: the graph.
        report: is told how many positions are decided.
        horizon: the greatest remoteness to look for, or None for all there are.
        stages: where to keep what is decided by some round, if that is wanted.
    """
    graph = rerun.graph
    owners, values = graph.owners, graph.values
    if graph.forward and horizon is None:

        def settle(bench: _Bench, begin: int, done: int) -> None:
            sweep(begin, done, bench.buffers.ends, bench.numbers, owners, values)

        rerun.sweep(settle, report)
        return
    decided, tied, _ = begin_rounds(values, UNKNOWN, LAST, TIES, np.empty(0, np.uint32))
    with (
        report.phase("rounds", graph.positions),
        ThreadPoolExecutor(rerun.threads, thread_name_prefix="zermelo-rounds") as pool,
    ):
        done = 0
        ties, at = _kept(rerun, stages) or (False, (0, int(decided)))
        if rerun.rounds:
            report.resume(f"{rerun.rounds:,} rounds were done")
        for tie in (False, True)[ties:]:
            if tie and not ties:
                at = (0, int(tied))
            for level, count in _levels(rerun, pool, *at, horizon, tie=tie):
                done += count
                report.advance(done)
                if stages is not None and stages.worth(values.nbytes):
                    numbers = np.array([tie, level, count, rerun.rounds])
                    stages.put(ROUNDS, values=values, at=numbers)
        finish(values)


def _kept(rerun: Rerun, stages: Keeper | None) -> tuple[bool, tuple[int, int]] | None:
    """Go on from what was kept, if anything was; return where that is."""
    if stages is None or not stages.has(ROUNDS):
        return None
    kept = stages.read(ROUNDS)
    if len(kept["values"]) != rerun.graph.positions:
        return None
    rerun.graph.values[:] = kept["values"]
    tie, level, count, rerun.rounds = kept["at"].tolist()
    return bool(tie), (level, count)


def _levels(
    rerun: Rerun,
    pool: ThreadPoolExecutor,
    level: int,
    count: int,
    horizon: int | None,
    *,
    tie: bool,
) -> Iterator[tuple[int, int]]:
    """Decide level after level of wins and losses, or of ties; yields each and how many it has."""
    graph = rerun.graph
    win = (TIES if tie else LAST) - level
    while count:
        yield level, count
        level += 1
        if horizon is not None and level > horizon:
            return
        win -= 1

        def settle(bench: _Bench, which: Any, done: int, win: int = win) -> int:
            ends = bench.buffers.ends
            owners, values = graph.owners, graph.values
            return int(round_of(which, done, ends, bench.numbers, owners, values, win, tie))

        count = rerun.round(pool, UNKNOWN, settle)


def solve_scores(rerun: Rerun, report: Reporter) -> npt.NDArray[np.uint32] | None:
    """Find the margin of every position, in place.

    Args:
        rerun: the graph.
        report: is told how many positions are done.

    Returns:
        Numbers that shrink along every move, or None where those of the positions themselves
        grow.

    Raises:
        CircleError: the moves lead in a circle.
    """
    graph = rerun.graph
    owners, values, none = graph.owners, graph.values, UNKNOWN_SCORE
    if graph.forward:

        def settle(bench: _Bench, begin: int, done: int) -> None:
            buffers = bench.buffers
            sweep_scores(
                begin, done, buffers.ends, bench.numbers, owners, buffers.gains, values, none
            )

        rerun.sweep(settle, report)
        return None
    ranks: npt.NDArray[np.uint32] = zeros(graph.positions, np.uint32)
    _, _, left = begin_rounds(values, none, 0, 0, ranks)
    rank = 1
    with report.phase("rounds", graph.positions):
        # By one thread, from the last position to the first: most children have greater numbers,
        # so that a few rounds decide everything. A rank is when a position was decided.
        bench = rerun.benches[0]
        while left:
            before = rank
            for begin, end in rerun.spans_back():

                def settle_some(bench: _Bench, which: Any, done: int, rank: int = rank) -> int:
                    buffers = bench.buffers
                    arrays = (buffers.ends, bench.numbers, owners, buffers.gains, values, ranks)
                    return int(settle_scores(which, done, *arrays, rank)) - rank

                found = rerun.part(bench, none, settle_some, begin, end)
                rank += found
                left -= found
                report.advance(graph.positions - int(left))
            rerun.rounds += 1
            if rank == before:
                raise CircleError(int(np.argmax(ranks)))
    return ranks
