"""Connections to the explorer, with limits on their number and their delays."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

#: The most connections at the same time; a browser has six.
MOST = 256
#: Seconds for all of a request's head to arrive, and for a browser to receive an answer.
REQUEST, TAKING = 10.0, 60.0


class Connection(H11Protocol):
    """One connection, which is closed if it keeps the server waiting.

    If there are too many, the one that has waited longest without a request is closed; so a client
    that opens many and sends nothing cannot block others.
    """

    _request_timer: asyncio.TimerHandle | None = None
    _sending_timer: asyncio.TimerHandle | None = None
    _idle_since = 0.0

    def connection_made(self, transport: Any) -> None:
        """Register a connection."""
        super().connection_made(transport)
        self._start_request_timer()
        if len(self.connections) > MOST:
            connections: list[Any] = [*self.connections]
            waiting = [
                connection for connection in connections if connection.waiting_since is not None
            ]
            oldest = min(waiting, key=lambda each: each.waiting_since, default=self)
            self.connections.discard(oldest)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection's timers."""
        self._stop_request_timer()
        self._stop_sending_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read part of a request; if the head is incomplete, wait for the rest."""
        super().data_received(data)
        if self._has_open_request:
            self._stop_request_timer()
        elif self._request_timer is None:
            self._start_request_timer()

    def on_response_complete(self) -> None:
        """Stop the timer after an answer if the next request has arrived already."""
        super().on_response_complete()
        if self._has_open_request:
            self._stop_request_timer()

    def pause_writing(self) -> None:
        """Start the time limit for the client to receive data."""
        super().pause_writing()
        self._sending_timer = self._sending_timer or self.loop.call_later(
            TAKING, self.transport.abort
        )

    def resume_writing(self) -> None:
        """Stop the time limit."""
        super().resume_writing()
        self._stop_sending_timer()

    @property
    def waiting_since(self) -> float | None:
        """The time since which the connection has no request, or None during a request."""
        return None if self._has_open_request else self._idle_since

    @property
    def _has_open_request(self) -> bool:
        """Whether the connection has a request that is not answered yet."""
        cycle: Any = self.cycle  # None before the first one
        return cycle is not None and not cycle.response_complete

    def _start_request_timer(self) -> None:
        self._idle_since = self.loop.time()
        self._request_timer = self.loop.call_later(REQUEST, self.transport.abort)

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _stop_sending_timer(self) -> None:
        if self._sending_timer is not None:
            self._sending_timer.cancel()
            self._sending_timer = None
