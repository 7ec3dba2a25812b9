"""Progress events of a solve, passed to the caller's function. Nothing here prints."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """What one worker of a cluster has done so far, and what it does.

    Attributes:
        number: the worker, from 0.
        host: the machine.
        units: units of work that it has done.
        seconds: how long these took.
        exchanged: bytes that it has read of levels, and written.
        level: the level of the unit that it works on, or None.
        busy: seconds since it was given that unit, or None where it has nothing to do.
        late: whether that is so long that the unit is given to another worker, too.
    """

    number: int
    host: str
    units: int
    seconds: float
    exchanged: int
    level: int | None
    busy: float | None
    late: bool

    @property
    def rate(self) -> float | None:
        """Bytes that it exchanges per second of work, or None at the very start."""
        return self.exchanged / self.seconds if self.seconds > 0 else None


@dataclass(frozen=True, slots=True)
class Event:
    """One report on the progress of a solve.

    Attributes:
        phase: what the solve is doing, such as ``"explore"`` or ``"retrograde"``.
        done: units finished in this phase (positions, sweeps by horizon, or bytes of a file).
        total: units in this phase, or None if that is not known yet.
        seconds: wall seconds since the phase began, but for those that Numba took to compile.
        finished: whether this is the last event of the phase.
        detail: a message: with the phase ``"resume"``, where the solve resumed; with
            ``"restart"``, that the checkpoints were of another solve and have been deleted; with
            ``"cluster"``, what each worker has done; with ``"note"``, what the author of the game
            may want to know, such as why ``level`` is not used. While ``prove`` searches, how deep
            the search is, or its proof numbers; how full its table is; and the line that it looks
            at.
        compiling: whether the phase waits for a kernel to be compiled, which happens once: later
            processes find it on disk.
        workers: what each worker of a cluster does; empty without ``cluster=``.
        least: units that this phase has at least, where ``total`` is not known but a sample of
            random games gives a lower bound; else None.
    """

    phase: str
    done: int
    total: int | None
    seconds: float
    finished: bool = False
    detail: str = ""
    compiling: bool = False
    workers: tuple[WorkerProgress, ...] = ()
    least: int | None = None

    @property
    def rate(self) -> float | None:
        """Units per second so far, or None at the very start."""
        return self.done / self.seconds if self.seconds > 0 else None

    @property
    def left(self) -> float | None:
        """Estimated seconds until the end of this phase, or None if that is not known."""
        if self.total is None or not self.rate or self.done > self.total:
            return None
        return (self.total - self.done) / self.rate

    @property
    def least_left(self) -> float | None:
        """Seconds that this phase takes at least from now on, or None if that is not known."""
        if self.total is not None or not self.least or not self.rate or self.done > self.least:
            return None
        return (self.least - self.done) / self.rate


Listener = Callable[[Event], None]

#: The reporters whose phases are running.
_RUNNING: list[Reporter] = []


def tell_compiling(*, begins: bool) -> None:
    """Tell all that report on a phase that Numba begins to compile, or has finished."""
    for reporter in tuple(_RUNNING):
        reporter.compiling(begins=begins)


class Reporter:
    """Times the phases of one solve and passes on events, at most ten a second in each phase.

    While Numba compiles, the clock of a phase stands still: it says nothing about what is left.
    """

    interval = 0.1

    def __init__(self, listener: Listener | None = None) -> None:
        """Report to ``listener``, or to nobody.

        Raises:
            ParameterError: it cannot be called.
        """
        if not (listener is None or callable(listener)):
            message = f"progress={listener!r} cannot be called; give a function or None"
            raise ParameterError(message)
        self.listener = listener
        self.phases: list[tuple[str, float]] = []
        self._phase = ""
        self._began = 0.0
        self._next = 0.0
        self._done = 0
        self._total: int | None = None
        self._least: int | None = None
        self._thread = 0
        self._compiling: float | None = None
        self._compiled = 0.0
        self._raised: Exception | None = None
        self.workers: Callable[[], tuple[WorkerProgress, ...]] | None = None
        self.resumed: list[str] = []

    @contextmanager
    def phase(self, name: str, total: int | None = None) -> Iterator[Reporter]:
        """Time one phase; its first and last events are always passed on."""
        self._phase, self._total, self._least, self._done = name, total, None, 0
        self._thread, self._compiling, self._compiled = threading.get_ident(), None, 0.0
        self._began = time.perf_counter()
        _RUNNING.append(self)
        try:
            self._send(0.0)
            yield self
        finally:
            _RUNNING.remove(self)
        self.phases.append((name, time.perf_counter() - self._began))
        self._send(self._seconds(), finished=True)

    def advance(
        self, done: int, total: int | None = None, detail: Callable[[], str] | None = None
    ) -> None:
        """Report that ``done`` units of this phase are finished, of ``total`` if that is given.

        Args:
            done: units.
            total: how many there are in all; by default as many as before.
            detail: says more, and is asked only where somebody is told.
        """
        self._done = done
        if total is not None:
            self._total = total
        if self.listener is None:
            return
        seconds = self._seconds()
        if seconds >= self._next:
            self._send(seconds, detail="" if detail is None else detail())

    def expect(self, least: int) -> None:
        """Report how many units this phase has at least."""
        self._least = max(least, self._least or 0)
        self._send(self._seconds())

    @property
    def done(self) -> int:
        """How many units of this phase are finished."""
        return self._done

    def tick(self) -> None:
        """Report that time has passed, and what workers do, though no unit is finished."""
        self.advance(self._done)

    def pass_over(self, passes: int) -> None:
        """Report passes over what has been worked on, of which nobody knows how many it takes."""
        self._total = None
        self.advance(passes)

    def compiling(self, *, begins: bool) -> None:
        """Report that the phase waits for Numba, or has waited."""
        now = time.perf_counter()
        if begins:
            self._compiling = now
        elif self._compiling is not None:
            self._compiled += now - self._compiling
            self._compiling = None
        if threading.get_ident() != self._thread:
            return
        try:
            self._send(self._seconds(), compiling=begins)
        except Exception as error:  # noqa: BLE001  # Numba would say that it cannot compile
            self._raised = error

    def _seconds(self) -> float:
        """Return for how long the phase has been running, but for what Numba took."""
        now = time.perf_counter() if self._compiling is None else self._compiling
        return now - self._began - self._compiled

    def resume(self, detail: str) -> None:
        """Report what an interrupted solve had finished, which is not done again."""
        self.resumed.append(detail)
        self.tell("resume", detail)

    def tell(self, phase: str, detail: str) -> None:
        """Pass on an event that is a message, not progress."""
        if self.listener is not None:
            self.listener(Event(phase, 0, None, 0.0, finished=True, detail=detail))

    def _send(
        self, seconds: float, *, finished: bool = False, detail: str = "", compiling: bool = False
    ) -> None:
        self._next = seconds + self.interval
        if self._raised is not None:
            raise self._raised
        if self.listener is not None:
            workers = self.workers() if self.workers is not None else ()
            known = self._phase, self._done, self._total, seconds, finished, detail, compiling
            self.listener(Event(*known, workers, self._least))
