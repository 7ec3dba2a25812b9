"""Connecting to the workers that ``cluster=`` names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo._engine.file.destination import check_place
from zermelo.errors import ClusterError, ParameterError

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._cluster.transport import Transport
    from zermelo.progress import Reporter

_SIZED_NAME = re.compile(r"(local|ray)\[([1-9]\d{0,3})\]")
_RAY = re.compile(r"ray(://[\w.-]+:\d+)?")
_MPI = "mpi"


def check(cluster: object) -> None:
    """Check that ``cluster`` names workers.

    Raises:
        ParameterError: it does not.
        MissingExtraError: it names MPI, which is not installed.
    """
    is_known = isinstance(cluster, str) and (
        cluster == _MPI or _SIZED_NAME.fullmatch(cluster) or _RAY.fullmatch(cluster)
    )
    if not is_known:
        message = (
            f"cluster={cluster!r} is not known; use 'local[2]' for two processes of this machine, "
            "'ray' or 'ray://head:10001' for the nodes of a Ray cluster, 'mpi' where mpirun "
            "started this, or leave it out"
        )
        raise ParameterError(message)
    if cluster == _MPI:
        from zermelo._cluster import on_mpi

        on_mpi.expect_driver()


def check_places(table: Any, cluster: object, *, overwrite: bool) -> None:
    """Check ``table`` and ``cluster``; a cluster needs a table.

    Raises:
        ParameterError: the cluster is not known, or has no folder.
        TableExistsError: there is a file at ``table``, which may not be replaced.
        TableWriteError: ``table`` cannot be written.
    """
    if cluster is not None:
        check(cluster)
    if table is not None:
        check_place(table, overwrite=overwrite)
    elif cluster is not None:
        message = (
            f"cluster={cluster!r} needs table=, the path of a file in a folder that all workers "
            "share"
        )
        raise ParameterError(message)


@contextmanager
def worker_pool(
    cluster: str | None, memory: int | None, threads: int | None, report: Reporter
) -> Iterator[WorkerPool | None]:
    """Connect to ``cluster``, unless it is None, for the length of the block; see ``connect``."""
    if cluster is None:
        yield None
        return
    with connect(cluster, memory, threads) as workers:
        workers.report_to(report)
        yield workers


def connect(cluster: str, memory: int | None, threads: int | None) -> WorkerPool:
    """Start the workers that ``cluster`` names, and return their pool.

    Args:
        cluster: ``local[2]``, ``ray``, ``ray[2]``, ``ray://head:10001`` or ``mpi``.
        memory: bytes that each machine may use; None for most of its free memory.
        threads: threads that each machine may use; None for one per core.

    Raises:
        ClusterError: the workers cannot be reached.
        MissingExtraError: the package that reaches them is not installed.
        ParameterError: ``cluster`` names no workers.
    """
    from zermelo._cluster.pool import WorkerPool

    check(cluster)
    return WorkerPool(_transport(cluster), memory, threads)


def _transport(cluster: str) -> Transport:
    # Imported here, as each belongs to an optional package.
    if cluster == _MPI:
        from zermelo._cluster.on_mpi import MPITransport

        return MPITransport()
    sized_name = _SIZED_NAME.fullmatch(cluster)
    size = int(sized_name[2]) if sized_name else None
    if size is not None and cluster.startswith("local"):
        from zermelo._cluster.local import LocalTransport

        return LocalTransport(size)
    from zermelo._cluster.on_ray import RayTransport

    return RayTransport(cluster if "://" in cluster else None, size)


def is_worker(cluster: str | None) -> bool:
    """Serve the driver to its end if this process is an MPI worker; return whether it is one."""
    if cluster != _MPI:
        return False
    from zermelo._cluster import on_mpi

    return on_mpi.serve()


def check_table_written(table: Any) -> None:
    """Check that the driver has written its table, in a process that has served it.

    Raises:
        ClusterError: there is no table.
    """
    if not Path(table).exists():
        message = f"the driver ended without writing {str(table)!r}; see its output"
        raise ClusterError(message)


def result(cluster: str) -> Any:
    """Return the value that the driver has shared, in a process that has served it; or None."""
    if cluster != _MPI:
        return None
    from zermelo._cluster import on_mpi

    return on_mpi.shared_value()


def is_driver(cluster: str | None) -> bool:
    """Return whether this process is the one that answers the caller."""
    if cluster != _MPI:
        return True
    from zermelo._cluster import on_mpi

    return bool(on_mpi.world().Get_rank() == 0)
