"""What a worker does: it is told who it works for, and does one unit after another."""

from __future__ import annotations

import importlib
import platform
import socket
import time
import traceback
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from zermelo import limits
from zermelo._engine.core.ledger import Ledger
from zermelo.errors import BudgetError, RulesError, ZermeloError
from zermelo.resources import thread_count


class Job(Protocol):
    """What a method has its workers do."""

    def do(self, unit: Any, name: str) -> Any:
        """Do a unit, and return what the driver is to know of it.

        Args:
            unit: what to do, as the driver's side of the method says it.
            name: a name that no other attempt at any unit has, for files.
        """


def facts() -> dict[str, Any]:
    """Return what a driver compares: the versions that values could depend on, and the host."""
    return {"host": socket.gethostname(), "versions": _versions()}


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("zermelo", "numba", "numpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from its sources
            found[name] = ""
    return found


class Server:
    """One worker: answers the driver's messages one by one."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self._job: Job | None = None
        self._done = 0

    def answer(self, message: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the answer to a message.

        Args:
            message: ``("hello", probe)``, ``("begin", make, arguments, memory, threads, workers,
                processes, limits)``, ``("unit", number, unit, name)`` or ``("rest",)``.

        Returns:
            The kind of answer, and what belongs to it.
        """
        try:
            return getattr(self, f"_{message[0]}")(*message[1:])  # type: ignore[no-any-return]  # all return a tuple
        except BudgetError as error:
            return "failed", message[1], "budget", str(error), error.needed, error.allowed
        except RulesError as error:
            return "failed", message[1], "rules", error
        except ZermeloError as error:
            return "failed", message[1], "refused", str(error)
        except OSError as error:
            said = f"{error.strerror or error}" + (f": {error.filename!r}" * bool(error.filename))
            return "failed", message[1], "system", said
        except Exception:  # noqa: BLE001  # told to the driver, who raises
            return "failed", message[1], "fault", traceback.format_exc()

    def _hello(self, probe: str) -> tuple[Any, ...]:
        """Say who one is, and what the probe file holds that lies in the shared folder."""
        try:
            with open(probe, "rb") as file:  # noqa: PTH123  # a path as the driver spells it
                found = file.read().decode()
        except OSError:
            found = ""
        return "hello", facts(), found

    def _begin(
        self,
        make: str,
        arguments: tuple[Any, ...],
        memory: int | None,
        threads: int | None,
        workers: int,
        processes: int,
        limit: limits.Limits,
    ) -> tuple[Any, ...]:
        """Take a job; the host's threads are for its workers, its memory for all processes."""
        limits.adopt(limit)
        module, _, name = make.partition(":")
        allowed = Ledger.of(memory).allowed // processes
        several = max(1, thread_count(threads) // workers)
        self._job = getattr(importlib.import_module(module), name)(*arguments, allowed, several)
        return ("ready",)

    def _rest(self) -> tuple[Any, ...]:
        """Let the job go, and the memory that it takes."""
        self._job = None
        return ("resting",)

    def _unit(self, number: int, unit: Any, name: str) -> tuple[Any, ...]:
        assert self._job is not None  # noqa: S101  # the driver has sent "begin"
        began = time.perf_counter()
        result = self._job.do(unit, name)
        return "done", number, result, time.perf_counter() - began
