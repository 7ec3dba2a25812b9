"""Workers that are processes of this machine, each connected by a socket."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any

from zermelo._cluster.transport import LOST, Transport
from zermelo._cluster.worker import Server

#: Seconds that a worker has to exit by itself when its socket is closed.
_ENDING = 2.0


class LocalTransport(Transport):
    """Worker processes of this machine.

    Attributes:
        processes: the processes.
    """

    def __init__(self, size: int) -> None:
        """Start ``size`` processes."""
        self.size = size
        self.engine_name = f"local[{size}]"
        self.processes: list[subprocess.Popen[bytes]] = []
        self._links: list[Connection] = []
        for _ in range(size):
            process, link = _start_process()
            self.processes.append(process)
            self._links.append(link)

    def send(self, worker: int, message: object) -> None:
        """Send a message; see ``Transport``."""
        with suppress(OSError):
            self._links[worker].send(message)

    def receive(self, seconds: float) -> tuple[int, Any] | None:
        """Return the next message; see ``Transport``."""
        open_links = [link for link in self._links if not link.closed]
        for link in wait(open_links, seconds):
            worker = self._links.index(link)  # type: ignore[arg-type]  # one of them
            try:
                return worker, self._links[worker].recv()
            except (EOFError, OSError):
                self._links[worker].close()
                return worker, LOST
        return None

    def replace(self, worker: int) -> bool:
        """Start another process; see ``Transport``."""
        self._end(worker)
        self.processes[worker], self._links[worker] = _start_process()
        return True

    def close(self) -> None:
        """End all processes; see ``Transport``."""
        for link in self._links:
            link.close()
        for worker in range(self.size):
            self._end(worker)

    def _end(self, worker: int) -> None:
        """Wait until a process has exited; kill it if it does not."""
        process = self.processes[worker]
        try:
            process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _start_process() -> tuple[subprocess.Popen[bytes], Connection]:
    """Start a worker; return its process and this end of its socket."""
    driver_socket, worker_socket = socket.socketpair()
    file_number = worker_socket.fileno()
    # A new process, not a fork, as Numba's threads do not survive one; and not by multiprocessing,
    # which would run the caller's script once more.
    path = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(  # noqa: S603  # the same Python, with a module of Zermelo
        [sys.executable, "-P", "-m", "zermelo._cluster.local", str(file_number)],
        pass_fds=[file_number],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )
    worker_socket.close()
    return process, Connection(driver_socket.detach())


def main(number: int) -> None:
    """Run a worker at one end of a socket, until the other end is closed.

    Args:
        number: the socket.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver is interrupted, and ends its workers
    link = Connection(number)
    messages: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        try:
            while True:
                messages.put(link.recv())
        except (EOFError, OSError):
            os._exit(0)  # immediately, in the middle of a unit: no process waits for its result

    threading.Thread(target=listen, daemon=True).start()
    server = Server()
    while True:
        answer = server.answer(messages.get())
        try:
            link.send(answer)
        except OSError:
            os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
