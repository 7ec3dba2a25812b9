"""The interface for messages between a driver and its workers; each engine has a transport."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class Lost:
    """The message that stands for the end of a worker."""


#: The only instance.
LOST = Lost()


class Transport(ABC):
    """The workers of one engine, by number from 0.

    Attributes:
        size: the number of workers.
        engine_name: the name of the engine in a sentence.
    """

    size: int
    engine_name: str

    @abstractmethod
    def send(self, worker: int, message: object) -> None:
        """Send a message to a worker; ``receive`` reports a worker that has ended."""

    @abstractmethod
    def receive(self, seconds: float) -> tuple[int, Any] | None:
        """Return the next message with its worker, or None after ``seconds`` without one.

        The message is ``LOST`` if the worker has ended.
        """

    @abstractmethod
    def replace(self, worker: int) -> bool:
        """Replace a worker that has ended by a new one; return whether that is possible."""

    def share(self, value: object) -> None:  # noqa: B027  # only under MPI do others call
        """Share a value with the worker processes that made the caller's call, too."""

    @abstractmethod
    def close(self) -> None:
        """End all workers."""
