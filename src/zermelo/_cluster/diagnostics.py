"""Diagnostics of a cluster: whether its workers answer, and their speed on the shared folder."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo._cluster.connect import check, connect, is_worker
from zermelo.errors import TableWriteError
from zermelo.resources import memory_bytes

#: Bytes that a worker writes and reads, and the number of empty units that it does.
_FILE_BYTES, _EMPTY_UNITS = 1 << 24, 20


@dataclass(frozen=True)
class WorkerReport:
    """The resources and the speed of one worker of a cluster.

    Attributes:
        host: the machine.
        threads: the threads that the worker would use.
        memory: the bytes of memory that the worker would use.
        message: the seconds from sending an empty unit to its answer.
        write: bytes per second written to the shared folder, flushed to disk.
        read: bytes per second read from the shared folder. A system may read a new file from
            memory.
    """

    host: str
    threads: int
    memory: int
    message: float
    write: float
    read: float


@dataclass(frozen=True)
class ClusterReport:
    """The result of ``check_cluster``.

    Attributes:
        cluster: the name of the workers, as it was given.
        folder: the folder that all of them share.
        workers: the report of each worker.
    """

    cluster: str
    folder: str
    workers: tuple[WorkerReport, ...]


class SpeedMeasurement:
    """The job of a worker that is being measured."""

    def __init__(self, folder: str, allowed: int, threads: int) -> None:
        """Store the worker's resources."""
        self._folder = Path(folder)
        self._resources = allowed, threads

    def do_unit(self, unit: str, name: str) -> Any:
        """Write and read a file, or do nothing; see ``worker.Job``."""
        if unit == "nothing":
            return self._resources
        path, data = self._folder / f"{name}.part", os.urandom(1 << 20)
        try:
            start = time.perf_counter()
            with path.open("xb", buffering=0) as file:
                for _ in range(_FILE_BYTES // len(data)):
                    file.write(data)
                os.fsync(file.fileno())
            write_seconds = time.perf_counter() - start
            start = time.perf_counter()
            with path.open("rb", buffering=0) as file:
                while file.read(len(data)):
                    pass
            return write_seconds, time.perf_counter() - start
        finally:
            path.unlink(missing_ok=True)


def check_cluster(
    cluster: str,
    *,
    folder: str | os.PathLike[str] = ".",
    memory: int | str | None = None,
    threads: int | None = None,
) -> ClusterReport | None:
    """Start the workers of a cluster, and measure how quickly they answer, write and read.

    Args:
        cluster: the workers; see ``zermelo.solve``.
        folder: the folder for tables, which all workers have to share; a temporary folder is
            created in it.
        memory: the most memory to use on each machine, as for ``zermelo.solve``.
        threads: the most threads to use on each machine.

    Returns:
        The report; None in the worker processes of an MPI job.

    Raises:
        ClusterError: workers cannot be reached, do not see the folder, or have other versions.
        MissingExtraError: the package that reaches them is not installed.
        ParameterError: an argument is invalid.
        TableWriteError: nothing can be written to the folder.
    """
    check(cluster)
    memory_limit = memory_bytes(memory)
    try:
        directory = tempfile.TemporaryDirectory(prefix="zermelo-cluster-", dir=folder)
    except OSError as error:
        message = (
            f"nothing can be written to {os.fspath(folder)!r}: {error.strerror}; give another "
            "folder, which all workers share"
        )
        raise TableWriteError(message) from None
    with directory:
        if is_worker(cluster):
            return None
        with connect(cluster, memory_limit, threads) as workers:
            workers.begin(
                Path(directory.name), SpeedMeasurement, (str(Path(directory.name).absolute()),)
            )
            start = time.perf_counter()
            resources = workers.run_on_every_worker("nothing")
            for _ in range(_EMPTY_UNITS - 1):
                workers.run_on_every_worker("nothing")
            seconds = (time.perf_counter() - start) / _EMPTY_UNITS / workers.size
            speeds = workers.run_on_every_worker("measure")
            reports = [
                WorkerReport(
                    host,
                    worker_threads,
                    worker_memory,
                    seconds,
                    _FILE_BYTES / write_seconds,
                    _FILE_BYTES / read_seconds,
                )
                for host, (worker_memory, worker_threads), (write_seconds, read_seconds) in zip(
                    workers.hosts, resources, speeds, strict=True
                )
            ]
    return ClusterReport(cluster, os.fspath(folder), tuple(reports))
