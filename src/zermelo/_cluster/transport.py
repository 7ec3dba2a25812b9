"""How a driver and its workers exchange messages; there is one transport for each engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class Lost:
    """Stands where a message would: the worker has ended."""


#: The one of its kind.
LOST = Lost()


class Transport(ABC):
    """The workers of one engine, by number from 0.

    Attributes:
        size: how many there are.
        said: what to call the engine in a sentence.
    """

    size: int
    said: str

    @abstractmethod
    def send(self, worker: int, message: Any) -> None:
        """Send a message to a worker; that it has ended is told by ``receive``."""

    @abstractmethod
    def receive(self, seconds: float) -> tuple[int, Any] | None:
        """Return the next message and whose it is, or None where there is none for so long.

        The message is ``LOST`` where the worker has ended.
        """

    @abstractmethod
    def replace(self, worker: int) -> bool:
        """Start a new worker in place of one that has ended; return whether that can be done."""

    def share(self, value: Any) -> None:  # noqa: B027  # only under MPI do others call
        """Have the processes that make the caller's call as workers return a value, too."""

    @abstractmethod
    def close(self) -> None:
        """End all workers."""
