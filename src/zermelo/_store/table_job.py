"""Solving a graph or a pursuit into a table, in this process or by workers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol

from zermelo._cluster.connect import check_table_written, is_worker, worker_pool
from zermelo._engine.file.reader import Reader
from zermelo._store import resumable_table

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
    from zermelo.progress import Reporter


class TableJob(Protocol):
    """The interface of a job that solves a graph or a pursuit."""

    @property
    def ledger(self) -> Ledger:
        """The memory budget."""

    @property
    def threads(self) -> int:
        """Threads to use."""

    @property
    def report(self) -> Reporter:
        """The receiver of phases and progress."""

    def identity(self) -> dict[str, Any]:
        """Return the identity of the solve for its checkpoints, as JSON values."""

    def solve(self, workers: WorkerPool | None, checkpoint: Checkpoint) -> tuple[Any, str]:
        """Solve it; return a table and a sentence on how it was solved."""

    def read(self, reader: Reader) -> Any:
        """Return the table in a file."""

    def solution(self, solved: Any, choice: str) -> Any:
        """Return the solution for a table."""


@dataclass(frozen=True)
class Solvers:
    """The processes that solve: this one, or the workers of a cluster.

    Attributes:
        cluster: the workers, or None.
        memory: the memory budget of each machine, as given by the caller.
        threads: threads of each machine, as given by the caller.
    """

    cluster: str | None
    memory: int | None
    threads: int | None


def solve_into_table(job: TableJob, target: Path, who: Solvers, *, overwrite: bool) -> Any:
    """Solve into a table, or resume an unfinished solve; return the solution.

    Args:
        job: the job.
        target: the path of the table.
        who: the processes that solve.
        overwrite: whether an existing file may be replaced.

    Raises:
        ClusterError: workers cannot be used, or are lost.
        TableBusyError: another process is making the table.
        TableWriteError: it cannot be written.
    """
    if is_worker(who.cluster):  # this is a worker of an MPI job
        check_table_written(target)
        return _answering(job, target)
    said = {
        **job.identity(),
        "memory": who.memory,
        "cluster": who.cluster is not None,
        "zermelo": version("zermelo"),
    }
    with (
        resumable_table.begin(target, said, who.memory, job.ledger, job.report) as checkpoint,
        worker_pool(who.cluster, who.memory, who.threads, job.report) as workers,
    ):

        def solve() -> resumable_table.UnsavedTable:
            solved, choice = job.solve(workers, checkpoint)
            if workers is not None:
                workers.release()
            solution = job.solution(solved, choice)
            save = partial(solved.save, portable=False)
            return resumable_table.UnsavedTable(
                solution, solved.table, save, solution.method, choice
            )

        rest: dict[str, Any] = {"threads": job.threads, "report": job.report, "ledger": job.ledger}
        resumable_table.complete(checkpoint, target, solve, overwrite=overwrite, **rest)
    return _answering(job, target)


def _answering(job: TableJob, target: Path) -> Any:
    reader = Reader(target)
    return job.solution(job.read(reader), reader.header["choice"])
