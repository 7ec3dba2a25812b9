"""Solving a pursuit that is sound so far, by this process or by the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.checkpoint import NO_CHECKPOINT
from zermelo._engine.file.format import Digest
from zermelo._engine.table import Table
from zermelo._methods.pursuit.driver import solve
from zermelo._methods.pursuit.graphs import PursuitGraphs, moves
from zermelo._methods.pursuit.index import PursuitColumn
from zermelo.pursuits.solved_pursuit import SolvedPursuit
from zermelo.solution.solution import Solution

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.reader import Reader
    from zermelo.progress import Reporter
    from zermelo.pursuits.definition import PursuitDefinition, PursuitPosition


@dataclass(frozen=True)
class PursuitJob:
    """A pursuit to solve, and how.

    Attributes:
        given: the pursuit.
        own: bytes that what was given takes besides what the caller has.
        start: the position where it begins, or None.
        ledger: what may be taken.
        threads: threads to use.
        report: is told of phases and progress.
    """

    given: PursuitDefinition
    own: int
    start: PursuitPosition | None
    ledger: Ledger
    threads: int
    report: Reporter

    def identity(self) -> dict[str, Any]:
        """Return what stages of the solve go by."""
        given, told = self.given, Digest()
        for graph in given.graphs:
            told.add_arrays(*map(np.ascontiguousarray, graph))
        told.add_arrays(given.safe, given.forbidden)
        rest = given.together, given.waits, given.stays, given.endless, self.start
        return {"pursuit": told.told(), "rest": repr(rest)}

    def solved(
        self, workers: WorkerPool | None = None, checkpoint: Checkpoint = NO_CHECKPOINT
    ) -> tuple[SolvedPursuit, str]:
        """Solve it; return what answers for it, and a sentence on how that was found.

        Raises:
            BudgetError: it needs more memory than is allowed.
            ClusterError: workers cannot be used.
        """
        given, start, index = self.given, self.start, self.given.index
        how = self.ledger, self.threads, self.report, checkpoint
        board = _board(given, self.own)
        if workers is None:
            found = solve(board, *how)
        else:
            from zermelo._methods.pursuit.cluster.driver import solve as solve_on_cluster

            found = solve_on_cluster(board, workers, *how)
        choice = f"by rows of bits: {found.rounds} rounds"
        choice += f", {found.how}" if found.how else ""
        starts = [] if start is None else [index.place(start.turn, start.evader, start.pursuers)]
        column = PursuitColumn(index, found.marks, given.kind)
        table = Table(index, column, np.array(starts, np.int64), "legal")
        return SolvedPursuit(given, table, found.rounds), choice

    def read(self, reader: Reader) -> SolvedPursuit:
        """Return what a file holds that it was solved into."""
        return SolvedPursuit.read(reader)

    def solution(self, solved: SolvedPursuit, choice: str) -> Solution:
        """Return the solution that answers from what was solved, or from a file of it."""
        return Solution(
            solved,
            method="pursuit",
            choice=choice,
            phases=self.report.phases,
            peak_bytes=self.ledger.peak,
            threads=self.threads,
            resumed="; ".join(self.report.resumed),
        )


def _board(given: PursuitDefinition, own: int) -> PursuitGraphs:
    """Return a pursuit as the engine solves it; ``own`` is as in ``PursuitJob``."""
    barred, stays = given.forbidden, given.stays
    for_evader, for_pursuers = given.waits
    first, *rest = given.graphs
    evader = moves(*first, waits=for_evader, stays_if_stuck=stays)
    alike = for_evader == for_pursuers and not barred.any()
    made: dict[int, Any] = {id(first): evader} if alike else {}
    for graph in rest:
        if id(graph) not in made:
            made[id(graph)] = moves(*graph, barred, waits=for_pursuers, stays_if_stuck=stays)
    pursuers = tuple(made[id(graph)] for graph in rest)
    return PursuitGraphs(evader, pursuers, given.safe, barred, given.together, own)
