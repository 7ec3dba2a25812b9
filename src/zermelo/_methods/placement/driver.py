"""Solving a placement game: reachable patterns forward, values backward, two levels at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.table import Table
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.checkpoint import PlacementCheckpoint
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
        fields: the packed form of its positions.
        ledger: the memory that the solve may allocate.
        threads: threads to use at most.
        report: receives phases, and the number of finished patterns.
        scratch: the folder for what does not fit in memory, and for finished work if it has a
            checkpoint.
        remoteness: whether to find the ply by which a position is won, or only who wins.
        workers: processes that share the folder of ``scratch``, and solve large levels.

    Returns:
        The solved positions, and a description of where they were if they did not fit in memory.

    Raises:
        BudgetError: the solve needs more memory than is allowed, or more disk space than is free.
        ClusterError: workers cannot be used, or are lost.
    """
    checkpoint = PlacementCheckpoint(scratch, board.size, threads, ledger.allowed)
    store = checkpoint.store
    work: PlacementSolver = MemorySolver(board, ledger, threads, report, store, timed=remoteness)
    try:
        if workers is not None:
            from zermelo._methods.placement.cluster.driver import ClusterWork

            checkpoint.begin_on_disk()
            work = ClusterWork(work, scratch, store.paths, workers)
        for name, step in {"reach": _reach, "sweep": _sweep}.items():
            with report.phase(name, board.patterns):
                if not _fits(step, work, checkpoint):
                    # Imported here, so that solves in memory start without these kernels.
                    from zermelo._methods.placement.disk.solver import DiskSolver

                    if name == "reach":
                        checkpoint.begin_on_disk()
                    else:
                        checkpoint.move_to_disk()
                    work = DiskSolver(work, scratch)
                    step(work, checkpoint)
    finally:
        ledger.peak = max(ledger.peak, work.ledger.peak)
        work.pool.shutdown(wait=True, cancel_futures=True)
    return work.table(fields), work.description()


def _fits(
    step: Callable[[PlacementSolver, PlacementCheckpoint], None],
    work: PlacementSolver,
    checkpoint: PlacementCheckpoint,
) -> bool:
    """Run a step; return whether it fitted in memory."""
    try:
        step(work, checkpoint)
    except DoesNotFitError:
        return False
    return True


def _reach(work: PlacementSolver, checkpoint: PlacementCheckpoint) -> None:
    """Find the reachable patterns, from the empty board on."""
    work.begin_words()
    if checkpoint.on_disk and not work.on_disk:
        raise DoesNotFitError  # it did not fit when this solve was started
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
    work.begin_values()
    first = checkpoint.restore_values(work)
    done = work.patterns_of(range(first, work.size + 1))
    for n in reversed(range(first)):
        work.sweep(n)
        done += work.patterns_of([n])
        work.report.advance(done)
        checkpoint.save(work, work.size + 1, n, needed=work.shares(n - 1))
    work.end_values()
