"""The job of solving a pursuit with valid arguments, in this process or on a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.file.format import Digest
from zermelo._engine.table import Table
from zermelo._methods.pursuit.driver import solve
from zermelo._methods.pursuit.graphs import PursuitGraphs, moves
from zermelo._methods.pursuit.index import PursuitColumn
from zermelo.pursuits.solved_pursuit import SolvedPursuit
from zermelo.solution.solve_job import Resources, SolveJob

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.file.reader import Reader
    from zermelo.pursuits.definition import PursuitDefinition, PursuitPosition


@dataclass
class PursuitJob(SolveJob):
    """A pursuit to solve.

    Attributes:
        definition: the definition of the pursuit.
        copied_bytes: bytes of the definition that are not the caller's arrays.
        start: the position where it starts, or None.
        resources: see ``SolveJob``.
    """

    definition: PursuitDefinition
    copied_bytes: int
    start: PursuitPosition | None
    resources: Resources

    def identity(self) -> dict[str, Any]:
        """Return the facts on which checkpoints depend; see ``SolveJob``."""
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
        self, workers: WorkerPool | None, checkpoint: Checkpoint
    ) -> tuple[SolvedPursuit, str, str]:
        """Solve the pursuit; see ``SolveJob``."""
        definition, start, index = self.definition, self.start, self.definition.index
        resources = self.resources
        ledger, threads, report = resources.ledger, resources.threads, resources.report
        board = _board(definition, self.copied_bytes)
        if workers is None:
            outcome = solve(board, ledger, threads, report, checkpoint)
        else:
            from zermelo._methods.pursuit.cluster.driver import solve as solve_on_cluster

            outcome = solve_on_cluster(board, workers, ledger, threads, report, checkpoint)
        choice = f"by rows of bits: {outcome.rounds} rounds"
        choice += f", {outcome.storage}" if outcome.storage else ""
        starts = [] if start is None else [index.place(start.turn, start.evader, start.pursuers)]
        column = PursuitColumn(index, outcome.marks, definition.kind)
        table = Table(index, column, np.array(starts, np.int64), "legal")
        return SolvedPursuit(definition, table, outcome.rounds), "pursuit", choice

    def read(self, reader: Reader) -> SolvedPursuit:
        """Return the solved pursuit of a file that a solve has written."""
        return SolvedPursuit.read(reader)


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
