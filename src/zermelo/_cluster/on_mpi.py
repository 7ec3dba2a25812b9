"""The transport for the processes of one MPI job: the first is the driver, the others are workers.

MPI cannot replace a process that has ended. MPI then ends the other processes too, and the same
command resumes the solve.
"""

from __future__ import annotations

import atexit
import time
from typing import Any

from zermelo._cluster.transport import Transport
from zermelo._cluster.worker import Server
from zermelo.errors import ClusterError, MissingExtraError

#: Seconds between two polls for a message: the first interval and the longest. MPI's own waiting
#: would occupy a core.
_POLL_SECONDS = (0.0005, 0.002)


class MPITransport(Transport):
    """The worker processes of an MPI job, seen from the driver."""

    def __init__(self) -> None:
        """Connect the driver, which is the first process, to the other processes.

        Raises:
            ClusterError: the job has only one process.
        """
        self._comm = world()
        self.size = self._comm.Get_size() - 1
        self.engine_name = "mpi"
        if self.size < 1:
            message = (
                "cluster='mpi' has one process, and so no worker; start more, as with "
                "mpirun -n 3, of which the first is the driver"
            )
            raise ClusterError(message)

    def send(self, worker: int, message: object) -> None:
        """Send a message; see ``Transport``."""
        self._comm.send(message, dest=worker + 1)

    def receive(self, seconds: float) -> tuple[int, Any] | None:
        """Return the next message; see ``Transport``."""
        sender = _next_sender(self._comm, seconds)
        return None if sender is None else (sender - 1, self._comm.recv(source=sender))

    def replace(self, worker: int) -> bool:  # noqa: ARG002  # see Transport
        """Return False: MPI cannot replace a process."""
        return False

    def share(self, value: object) -> None:
        """Store the value that all workers return; see ``Transport``."""
        _shared[:] = [value]

    def close(self) -> None:
        """End the workers; see ``Transport``."""
        _release()


#: Whether worker processes wait for a driver.
_workers_wait = False
#: The value that the driver shares with all workers, if any.
_shared: list[Any] = []


def shared_value() -> Any:
    """Return the value that the driver has shared, or None."""
    return _shared.pop() if _shared else None


def expect_driver() -> None:
    """Record that all processes of the job start a solve, with the first one as the driver.

    If the solve fails before it has workers, the others are released when the driver exits.
    """
    global _workers_wait  # noqa: PLW0603  # one MPI job a process
    if world().Get_rank() == 0:
        _workers_wait = True
        atexit.unregister(_release)
        atexit.register(_release)


def _release() -> None:
    """End the worker processes if they wait for a driver."""
    global _workers_wait  # noqa: PLW0603  # see above
    if _workers_wait:
        _workers_wait = False
        comm = world()
        for rank in range(1, comm.Get_size()):
            comm.send(("end", *_shared), dest=rank)
        _shared.clear()


def world() -> Any:
    """Return the communicator of the processes of the job.

    Raises:
        MissingExtraError: mpi4py, or an MPI library for it, is not installed.
    """
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError):
        message = "cluster='mpi' needs mpi4py and an MPI; install them: pip install 'zermelo[mpi]'"
        raise MissingExtraError(message) from None
    return MPI.COMM_WORLD


def serve() -> bool:
    """Do units until the driver ends; return whether this process is a worker."""
    comm = world()
    if comm.Get_rank() == 0:
        return False
    server = Server()
    while True:
        _next_sender(comm, None)
        message = comm.recv(source=0)
        if message[0] == "end":
            _shared[:] = message[1:]
            return True
        comm.send(server.answer(message), dest=0)


def _next_sender(comm: Any, seconds: float | None) -> int | None:
    """Wait for a message; return its sender, or None after ``seconds`` without one."""
    from mpi4py import MPI

    status = MPI.Status()
    deadline = None if seconds is None else time.monotonic() + seconds
    pause, longest = _POLL_SECONDS
    while not comm.iprobe(status=status):
        if deadline is not None and time.monotonic() > deadline:
            return None
        time.sleep(pause)
        pause = min(2 * pause, longest)
    return int(status.Get_source())
