"""The job of solving a pursuit with valid arguments, in this process or on a cluster."""

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
    """A pursuit to solve, with limits and services for the solve.

    Attributes:
        given: the definition of the pursuit.
        own: bytes of the definition that are not the caller's arrays.
        start: the position where it starts, or None.
        ledger: the memory that may be allocated.
        threads: threads to use.
        report: receives phases and progress.
    """

    given: PursuitDefinition
    own: int
    start: PursuitPosition | None
    ledger: Ledger
    threads: int
    report: Reporter

    def identity(self) -> dict[str, Any]:
        """Return the facts that identify the solve to its checkpoint."""
        given, told = self.given, Digest()
        for graph in given.graphs:
            told.add_arrays(*map(np.ascontiguousarray, graph))
        told.add_arrays(given.safe, given.forbidden)
        rest = given.together, given.waits, given.stays, given.endless, self.start
        return {"pursuit": told.hexdigest(), "rest": repr(rest)}

    def solve(
        self, workers: WorkerPool | None = None, checkpoint: Checkpoint = NO_CHECKPOINT
    ) -> tuple[SolvedPursuit, str]:
        """Solve the pursuit; return it, and a description of the solve.

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
        """Return the solved pursuit of a file that a solve has written."""
        return SolvedPursuit.read(reader)

    def solution(self, solved: SolvedPursuit, choice: str) -> Solution:
        """Return the solution that answers from a solved pursuit."""
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
    """Return a pursuit in the form that the engine solves; ``own`` is as in ``PursuitJob``."""
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
