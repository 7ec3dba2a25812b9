"""A solve with valid arguments: in this process or by workers, with or without a table on disk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from zermelo._cluster.connect import check_table_written, is_worker, worker_pool
from zermelo._engine.core.checkpoint import NO_CHECKPOINT
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.file.reader import Reader
from zermelo._store import resumable_table
from zermelo.progress import Listener, Reporter
from zermelo.resources import memory_bytes, thread_count
from zermelo.solution.solution import Solution

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo.solution.solved_base import Solved


@dataclass
class Resources:
    """The resources and the services of a solve.

    Attributes:
        ledger: the memory that arrays of this process may take.
        threads: threads to use in this process.
        report: receives phases and progress.
        cluster: the workers to solve with, or None.
        memory: bytes that each machine may use, as given by the caller, or None.
        threads_given: threads that each machine may use, as given by the caller, or None.
    """

    ledger: Ledger
    threads: int
    report: Reporter
    cluster: str | None = None
    memory: int | None = None
    threads_given: int | None = None

    @classmethod
    def of_arguments(
        cls,
        memory: int | str | None,
        threads: int | None,
        progress: Listener | None,
        cluster: str | None = None,
    ) -> Resources:
        """Return the resources that arguments of ``zermelo.solve`` give.

        Raises:
            ParameterError: an argument is invalid.
        """
        allowed = memory_bytes(memory)
        ledger = Ledger.for_budget(allowed)
        return cls(ledger, thread_count(threads), Reporter(progress), cluster, allowed, threads)


class SolveJob(ABC):
    """A game, a graph or a pursuit to solve, and the resources of the solve.

    Attributes:
        resources: the resources.
        compile_seconds: the seconds of the solve in which Numba compiled.
    """

    resources: Resources
    compile_seconds: float = 0.0

    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """Return the facts on which checkpoints depend, as JSON values.

        Raises:
            ParameterError: an argument cannot be written to a file.
        """

    @abstractmethod
    def solve(self, workers: WorkerPool | None, checkpoint: Checkpoint) -> tuple[Solved, str, str]:
        """Solve it; return the solved object, the method's name, and a sentence on how and why.

        Args:
            workers: the workers of a cluster, or None.
            checkpoint: saves finished work.

        Raises:
            BudgetError: it needs more memory than is allowed.
            ClusterError: workers cannot be used.
        """

    @abstractmethod
    def read(self, reader: Reader) -> Solved:
        """Return the solved game, graph or pursuit of a file that this job has written."""

    def solution(self) -> Solution:
        """Solve in memory, without workers; return the solution."""
        return self._solution(*self.solve(None, NO_CHECKPOINT))

    def solution_in_table(self, target: Path, *, overwrite: bool) -> Solution:
        """Solve into a table, or resume an unfinished solve; return a solution that reads it.

        Args:
            target: the path of the table.
            overwrite: whether an existing file may be replaced.

        Raises:
            BudgetError: it needs more memory than is allowed.
            ClusterError: workers cannot be used, or are lost.
            TableBusyError: another process is making the table.
            TableWriteError: it cannot be written. If the solution was found, the error has it.
        """
        if is_worker(self.resources.cluster):
            return self.solution_of_driver(target)
        resources = self.resources
        ledger, threads, report = resources.ledger, resources.threads, resources.report
        identity = {
            **self.identity(),
            "memory": resources.memory,
            "cluster": resources.cluster is not None,
            "zermelo": version("zermelo"),
        }
        with (
            resumable_table.begin(target, identity, resources.memory, ledger, report) as checkpoint,
            worker_pool(
                resources.cluster, resources.memory, resources.threads_given, report
            ) as workers,
        ):

            def solve() -> resumable_table.UnsavedTable:
                solved, method, choice = self.solve(workers, checkpoint)
                if workers is not None:
                    workers.release()
                solution = self._solution(solved, method, choice)
                return resumable_table.UnsavedTable(
                    solution, solved.table, solved.save, method, choice
                )

            resumable_table.complete(
                checkpoint,
                target,
                solve,
                overwrite=overwrite,
                threads=threads,
                report=report,
                ledger=ledger,
            )
        return self._open(target)

    def solution_of_driver(self, target: Path) -> Solution:
        """Return the solution in a table that the driver of an MPI job has written.

        Raises:
            ClusterError: there is no table.
        """
        check_table_written(target)
        return self._open(target)

    def _open(self, target: Path) -> Solution:
        """Return the solution that answers from a table."""
        reader = Reader(target)
        return self._solution(self.read(reader), reader.header["method"], reader.header["choice"])

    def _solution(self, solved: Solved, method: str, choice: str) -> Solution:
        report = self.resources.report
        return Solution(
            solved,
            method=method,
            choice=choice,
            phases=report.phases,
            compile_seconds=self.compile_seconds,
            peak_bytes=self.resources.ledger.peak,
            threads=self.resources.threads,
            resumed="; ".join(report.resumed),
        )
