"""The message loop of a worker: it receives a job, and does one unit after another."""

from __future__ import annotations

import functools
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
    """The job that a method gives its workers."""

    def do_unit(self, unit: Any, name: str) -> Any:
        """Do a unit, and return its result for the driver.

        Args:
            unit: the unit, as the driver's side of the method describes it.
            name: a name for files that no other attempt at any unit has.
        """


def facts() -> dict[str, Any]:
    """Return the facts that a driver compares: versions that affect values, and the host."""
    return {"host": socket.gethostname(), "versions": _versions()}


def _versions() -> dict[str, str]:
    packages = ("zermelo", "numba", "numpy")
    return {"python": platform.python_version()} | {name: _version(name) for name in packages}


@functools.cache
def _version(package: str) -> str:
    """Return the version of an installed package, which takes a file to find out."""
    try:
        return version(package)
    except PackageNotFoundError:  # running from a source tree
        return ""


class Server:
    """One worker, which answers the driver's messages one by one."""

    def __init__(self) -> None:
        """Create a worker without a job."""
        self._job: Job | None = None

    def answer(self, message: tuple[object, ...]) -> tuple[Any, ...]:
        """Return the answer to a message.

        Args:
            message: ``("hello", probe)``, ``("begin", make, arguments, memory, threads, workers,
                processes, limits)``, ``("unit", number, unit, name)`` or ``("release",)``.

        Returns:
            The kind of answer, and its contents.
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
            reason = f"{error.strerror or error}" + (f": {error.filename!r}" * bool(error.filename))
            return "failed", message[1], "system", reason
        except Exception:  # noqa: BLE001  # sent to the driver, which raises
            return "failed", message[1], "fault", traceback.format_exc()

    def _hello(self, probe: str) -> tuple[Any, ...]:
        """Return the facts of this worker, and what it reads from the shared probe file."""
        try:
            with open(probe, "rb") as file:  # noqa: PTH123  # a path as the driver spells it
                token = file.read().decode()
        except OSError:
            token = ""
        return "hello", facts(), token

    def _begin(
        self,
        make: str,
        arguments: tuple[object, ...],
        memory: int | None,
        threads: int | None,
        workers: int,
        processes: int,
        limit: limits.Limits,
    ) -> tuple[Any, ...]:
        """Create the job; a host divides threads among workers, memory among processes."""
        limits.adopt(limit)
        module, _, name = make.partition(":")
        allowed = Ledger.for_budget(memory).allowed // processes
        several = max(1, thread_count(threads) // workers)
        self._job = getattr(importlib.import_module(module), name)(*arguments, allowed, several)
        return ("ready",)

    def _release(self) -> tuple[Any, ...]:
        """Release the job and its memory."""
        self._job = None
        return ("resting",)

    def _unit(self, number: int, unit: Any, name: str) -> tuple[Any, ...]:
        assert self._job is not None  # noqa: S101  # the driver has sent "begin"
        start = time.perf_counter()
        result = self._job.do_unit(unit, name)
        return "done", number, result, time.perf_counter() - start
