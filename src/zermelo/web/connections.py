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

    _waits: asyncio.TimerHandle | None = None
    _takes: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: Any) -> None:
        """Register a connection."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MOST:
            others: list[Any] = [*self.connections]
            waiting = [each for each in others if each.waiting_since is not None]
            oldest = min(waiting, key=lambda each: each.waiting_since, default=self)
            self.connections.discard(oldest)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection's timers."""
        self._stop_waiting()
        self._taken()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read part of a request; if the head is incomplete, wait for the rest."""
        super().data_received(data)
        if self._has_open_request:
            self._stop_waiting()
        elif self._waits is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Finish an answer; the next request may have arrived already."""
        super().on_response_complete()
        if self._has_open_request:
            self._stop_waiting()

    def pause_writing(self) -> None:
        """Start the time limit for the client to receive data."""
        super().pause_writing()
        self._takes = self._takes or self.loop.call_later(TAKING, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the time limit."""
        super().resume_writing()
        self._taken()

    @property
    def waiting_since(self) -> float | None:
        """The time when it began to wait for a request, or None during a request."""
        return None if self._has_open_request else self._since

    @property
    def _has_open_request(self) -> bool:
        """Whether it has a request that is not answered yet."""
        cycle: Any = self.cycle  # None before the first one
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._since = self.loop.time()
        self._waits = self.loop.call_later(REQUEST, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None

    def _taken(self) -> None:
        if self._takes is not None:
            self._takes.cancel()
            self._takes = None
