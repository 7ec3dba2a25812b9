"""Workers that are processes of one MPI job: the first process is the driver, the others work.

MPI cannot replace a process that has ended: it ends the others too, and the same command resumes.
"""

from __future__ import annotations

import atexit
import time
from typing import Any

from zermelo._cluster.transport import Transport
from zermelo._cluster.worker import Server
from zermelo.errors import ClusterError, MissingExtraError

#: Seconds between two polls for a message, at first and at most: MPI's own waiting takes a whole
#: core.
_LOOK = (0.0005, 0.002)


class MPITransport(Transport):
    """The worker processes of an MPI job, seen from the driver."""

    def __init__(self) -> None:
        """Connect to the other processes; this is the first one.

        Raises:
            ClusterError: there are no others.
        """
        self._comm = world()
        self.size = self._comm.Get_size() - 1
        self.said = "mpi"
        if self.size < 1:
            message = (
                "cluster='mpi' has one process, and so no worker; start more, as with "
                "mpirun -n 3, of which the first is the driver"
            )
            raise ClusterError(message)

    def send(self, worker: int, message: Any) -> None:
        """Send a message; see the base."""
        self._comm.send(message, dest=worker + 1)

    def receive(self, seconds: float) -> tuple[int, Any] | None:
        """Return the next message; see the base."""
        source = _waited(self._comm, seconds)
        return None if source is None else (source - 1, self._comm.recv(source=source))

    def replace(self, worker: int) -> bool:  # noqa: ARG002  # see the base
        """Return False: MPI cannot replace a process."""
        return False

    def share(self, value: Any) -> None:
        """Set the value that all other processes return; see the base."""
        _shared[:] = [value]

    def close(self) -> None:
        """End the part of all other processes; see the base."""
        _release()


#: Whether other processes wait for a driver.
_waiting = False
#: The value that the driver shares with all of them, if any.
_shared: list[Any] = []


def shared_value() -> Any:
    """Return the value that the driver has shared, or None."""
    return _shared.pop() if _shared else None


def expect_driver() -> None:
    """Record that all processes of the job start a solve, with the first one as the driver.

    If the solve fails before it has workers, the others are released when the driver exits.
    """
    global _waiting  # noqa: PLW0603  # one MPI job a process
    if world().Get_rank() == 0:
        _waiting = True
        atexit.unregister(_release)
        atexit.register(_release)


def _release() -> None:
    """End the part of all other processes, if they wait."""
    global _waiting  # noqa: PLW0603  # see above
    if _waiting:
        _waiting = False
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
    """Work until the driver ends; return whether this process is a worker at all."""
    comm = world()
    if comm.Get_rank() == 0:
        return False
    server = Server()
    while True:
        _waited(comm, None)
        message = comm.recv(source=0)
        if message[0] == "end":
            _shared[:] = message[1:]
            return True
        comm.send(server.answer(message), dest=0)


def _waited(comm: Any, seconds: float | None) -> int | None:
    """Wait for a message; return its sender, or None after ``seconds`` without one."""
    from mpi4py import MPI

    status = MPI.Status()
    end = None if seconds is None else time.monotonic() + seconds
    pause, longest = _LOOK
    while not comm.iprobe(status=status):
        if end is not None and time.monotonic() > end:
            return None
        time.sleep(pause)
        pause = min(2 * pause, longest)
    return int(status.Get_source())
