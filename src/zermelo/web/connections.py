"""Connections to the explorer: how many there may be, and for how long one may keep it waiting."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Connections there may be at once; a browser has six.
MOST = 256
#: Seconds for all of a request's head to arrive, and for a browser to take what it was sent.
REQUEST, TAKING = 10.0, 60.0


class Connection(H11Protocol):
    """One connection, which is closed where it keeps the server waiting.

    Where there are too many, the one goes that has waited longest without a request; so whoever
    opens many and says nothing shuts nobody out.
    """

    _waits: asyncio.TimerHandle | None = None
    _takes: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: Any) -> None:
        """Take up a connection."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MOST:
            others: list[Any] = [*self.connections]
            waiting = [each for each in others if each.waiting_since is not None]
            oldest = min(waiting, key=lambda each: each.waiting_since, default=self)
            self.connections.discard(oldest)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._wait_no_more()
        self._taken()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read some of a request; where it is not all of the head, the rest is waited for."""
        super().data_received(data)
        if self._answering:
            self._wait_no_more()
        elif self._waits is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Have sent an answer, after which the next request may have come already."""
        super().on_response_complete()
        if self._answering:
            self._wait_no_more()

    def pause_writing(self) -> None:
        """Have more to send than the other side takes."""
        super().pause_writing()
        self._takes = self._takes or self.loop.call_later(TAKING, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on sending."""
        super().resume_writing()
        self._taken()

    @property
    def waiting_since(self) -> float | None:
        """When it began to wait for a request, or None where it has one."""
        return None if self._answering else self._since

    @property
    def _answering(self) -> bool:
        """Whether it has a request that is not answered yet."""
        cycle: Any = self.cycle  # None before the first one
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._since = self.loop.time()
        self._waits = self.loop.call_later(REQUEST, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None

    def _taken(self) -> None:
        if self._takes is not None:
            self._takes.cancel()
            self._takes = None
