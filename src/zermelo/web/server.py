"""The server of the explorer: its sockets, the browser, and a solve in the background."""

from __future__ import annotations

import socket
import threading
import time
import webbrowser
from typing import TYPE_CHECKING

import uvicorn

from zermelo.errors import ParameterError
from zermelo.web.connections import Connection
from zermelo.web.guard import PRIVATE, AccessRules, is_loopback

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from zermelo.web.session import ExplorerSession, Solver

#: The default port, if it is free.
PORT = 8765
#: Seconds for the page to learn that the solve has failed, before the server stops.
_LAST_WORDS = 1.5


class Site:
    """A server of a game, or of the gallery; its port is in use from its creation.

    Attributes:
        url: the address of the page.
    """

    def __init__(
        self,
        served: ExplorerSession | ASGIApp,
        host: str,
        port: int | None,
        door: AccessRules = PRIVATE,
    ) -> None:
        """Open a port.

        Args:
            served: a game, or an application that has a guard.
            host: a name or number of this machine; ``127.0.0.1`` can be reached from it only.
            port: the port, or None for the usual one, or another if that is in use.
            door: the further hosts, paths and methods that are accepted.

        Raises:
            ParameterError: the port is in use, or the host is not of this machine.
        """
        self.room: ExplorerSession | None = None
        if not callable(served):
            from zermelo.web.application import make_app

            self.room, served = served, make_app(served, host, door)
        self._socket = _open_socket(host, port)
        host_name = "localhost" if is_loopback(host) else host
        if host in ("0.0.0.0", "::", ""):  # noqa: S104  # only looked at
            host_name = socket.gethostname()
        host_name = f"[{host_name}]" if ":" in host_name else host_name
        self.url = f"http://{host_name}:{self._socket.getsockname()[1]}{door.root_path}/"
        config = uvicorn.Config(
            served,
            log_config=None,  # the logging of this process is not changed
            log_level="warning",
            access_log=False,
            server_header=False,
            http=Connection,
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)

    def open_browser(self) -> None:
        """Open the page in the user's browser, while the server starts."""
        # A browser may start slowly, and on some systems the call does not return.
        threading.Thread(target=webbrowser.open, args=(self.url,), daemon=True).start()

    def serve(self, solver: Solver | None = None) -> None:
        """Serve until it is stopped, or the solve has failed.

        Args:
            solver: solves the game while it is served; None if the room has a solution.

        Raises:
            Exception: what the solver raised.
        """
        if solver is not None:
            assert self.room is not None  # noqa: S101  # a gallery is given no solver
            self.room.solve(solver, self._leave)
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.close()
        if self.room is not None and self.room.failure is not None:
            raise self.room.failure

    def close(self) -> None:
        """Close the port."""
        self._socket.close()

    def _leave(self) -> None:
        time.sleep(_LAST_WORDS)
        self._server.should_exit = True


def _open_socket(host: str, port: int | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    fault: OSError | None = None
    for number in (PORT, 0) if port is None else (port,):
        # asyncio sets TCP_NODELAY only if a socket names its protocol.
        place = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            place.bind((host, number))
            place.listen()
        except OSError as error:
            place.close()
            fault = error
            continue
        return place
    why = fault.strerror if fault is not None else ""
    message = f"cannot serve at {host} port {port or PORT}: {why}; give another"
    raise ParameterError(message)
