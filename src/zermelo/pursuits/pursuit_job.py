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
        definition: the definition of the pursuit.
        copied_bytes: bytes of the definition that are not the caller's arrays.
        start: the position where it starts, or None.
        ledger: the memory that may be allocated.
        threads: threads to use.
        report: receives phases and progress.
    """

    definition: PursuitDefinition
    copied_bytes: int
    start: PursuitPosition | None
    ledger: Ledger
    threads: int
    report: Reporter

    def identity(self) -> dict[str, Any]:
        """Return the facts that identify the solve to its checkpoint."""
        definition, digest = self.definition, Digest()
        for graph in definition.graphs:
            digest.add_arrays(*map(np.ascontiguousarray, graph))
        digest.add_arrays(definition.safe, definition.forbidden)
        options = (
            definition.together,
            definition.waits,
            definition.stays,
            definition.endless,
            self.start,
        )
        return {"pursuit": digest.hexdigest(), "rest": repr(options)}

    def solve(
        self, workers: WorkerPool | None = None, checkpoint: Checkpoint = NO_CHECKPOINT
    ) -> tuple[SolvedPursuit, str]:
        """Solve the pursuit; return it, and a description of the solve.

        Raises:
            BudgetError: it needs more memory than is allowed.
            ClusterError: workers cannot be used.
        """
        definition, start, index = self.definition, self.start, self.definition.index
        services = self.ledger, self.threads, self.report, checkpoint
        board = _board(definition, self.copied_bytes)
        if workers is None:
            outcome = solve(board, *services)
        else:
            from zermelo._methods.pursuit.cluster.driver import solve as solve_on_cluster

            outcome = solve_on_cluster(board, workers, *services)
        choice = f"by rows of bits: {outcome.rounds} rounds"
        choice += f", {outcome.how}" if outcome.how else ""
        starts = [] if start is None else [index.place(start.turn, start.evader, start.pursuers)]
        column = PursuitColumn(index, outcome.marks, definition.kind)
        table = Table(index, column, np.array(starts, np.int64), "legal")
        return SolvedPursuit(definition, table, outcome.rounds), choice

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


def _board(definition: PursuitDefinition, copied_bytes: int) -> PursuitGraphs:
    """Return the graphs that the engine solves; the arguments are those of ``PursuitJob``."""
    barred, stays = definition.forbidden, definition.stays
    for_evader, for_pursuers = definition.waits
    evader_graph, *pursuer_graphs = definition.graphs
    evader = moves(*evader_graph, waits=for_evader, stays_if_stuck=stays)
    share_moves = for_evader == for_pursuers and not barred.any()
    moves_by_graph: dict[int, Any] = {id(evader_graph): evader} if share_moves else {}
    for graph in pursuer_graphs:
        if id(graph) not in moves_by_graph:
            moves_by_graph[id(graph)] = moves(
                *graph, barred, waits=for_pursuers, stays_if_stuck=stays
            )
    pursuers = tuple(moves_by_graph[id(graph)] for graph in pursuer_graphs)
    return PursuitGraphs(
        evader, pursuers, definition.safe, barred, definition.together, copied_bytes
    )
