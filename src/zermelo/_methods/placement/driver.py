"""Solving a placement game: reachable patterns forward, values backward, two levels at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.table import Table
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.disk.checkpoint import PlacementCheckpoint
from zermelo._methods.placement.index import Fields
from zermelo._methods.placement.solver import DoesNotFitError, MemorySolver, PlacementSolver

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.scratch import Scratch
    from zermelo.progress import Reporter


def run(
    board: PlacementBoard,
    fields: Fields,
    ledger: Ledger,
    threads: int,
    report: Reporter,
    scratch: Scratch,
    *,
    remoteness: bool = True,
    workers: WorkerPool | None = None,
) -> tuple[Table, str]:
    """Solve a placement game.

    Args:
        board: the game.
        fields: how its positions are packed.
        ledger: the memory that the solve may take.
        threads: threads to use at most.
        report: is told of phases, and how many patterns are done.
        scratch: where what does not fit goes, and what is finished if it has a checkpoint.
        remoteness: whether to find by which ply a position is won, or only that it is.
        workers: processes that share the folder of ``scratch``, and work on large levels.

    Returns:
        The solved positions, and what to say where they did not fit.

    Raises:
        BudgetError: it needs more memory than is allowed, or more disk than there is.
        ClusterError: workers cannot be used, or are lost.
    """
    checkpoint = PlacementCheckpoint(scratch, board.size, threads)
    work: PlacementSolver = MemorySolver(board, ledger, threads, report, timed=remoteness)
    try:
        if workers is not None:
            from zermelo._methods.placement.cluster.driver import ClusterWork

            checkpoint.begin_on_disk()
            work = ClusterWork(work, scratch, checkpoint, workers)
        for name, step in {"reach": _reach, "sweep": _sweep}.items():
            with report.phase(name, board.patterns):
                if not _fits(step, work, checkpoint):
                    # Not imported until something does not fit: other solves start without these
                    # kernels.
                    from zermelo._methods.placement.disk.solver import DiskSolver

                    if name == "reach":
                        checkpoint.begin_on_disk()
                    columns = checkpoint.columns
                    work = DiskSolver(work, scratch, columns["words"], columns["values"])
                    step(work, checkpoint)
    finally:
        ledger.peak = max(ledger.peak, work.ledger.peak)
        work.pool.shutdown(wait=True, cancel_futures=True)
    return work.table(fields), work.how()


def _fits(
    step: Callable[[PlacementSolver, PlacementCheckpoint], None],
    work: PlacementSolver,
    checkpoint: PlacementCheckpoint,
) -> bool:
    """Take a step; return whether there was room for it."""
    try:
        step(work, checkpoint)
    except DoesNotFitError:
        return False
    return True


def _reach(work: PlacementSolver, checkpoint: PlacementCheckpoint) -> None:
    """Find what the start can reach, from the empty board on."""
    work.begin_words()
    if checkpoint.on_disk and not work.on_disk:
        raise DoesNotFitError  # as it did not when this solve was begun
    first = checkpoint.restore_levels(work)
    done = work.patterns_of(range(first))
    for n in range(first, work.size + 1):
        work.reach(n)
        done += work.patterns_of([n])
        work.report.advance(done)
        checkpoint.save(work, n + 1, work.size + 1, needed=work.shares(n + 1))
    work.end_words()
    work.number()


def _sweep(work: PlacementSolver, checkpoint: PlacementCheckpoint) -> None:
    """Find the values of each level from those of the next, from the full board on."""
    work.begin_values(checkpoint.decided)
    first = checkpoint.restore_values(work)
    done = work.patterns_of(range(first, work.size + 1))
    for n in reversed(range(first)):
        work.sweep(n)
        done += work.patterns_of([n])
        work.report.advance(done)
        checkpoint.save(work, work.size + 1, n, needed=work.shares(n - 1))
    work.end_values()
