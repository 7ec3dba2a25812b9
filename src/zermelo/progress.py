"""Progress events of a solve, for the caller's function; this module prints nothing."""

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
    """The progress of one worker of a cluster.

    Attributes:
        number: the worker, from 0.
        host: the machine.
        units: the number of finished units of work.
        seconds: the time that these took.
        exchanged: bytes of levels that it has read or written.
        level: the level of its current unit, or None.
        busy: seconds since it got that unit, or None if it has none.
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
        """Bytes exchanged per second of work, or None at the very start."""
        return self.exchanged / self.seconds if self.seconds > 0 else None


@dataclass(frozen=True, slots=True)
class Event:
    """One report on the progress of a solve.

    Attributes:
        phase: the phase of the solve, such as ``"explore"`` or ``"retrograde"``.
        done: finished units of this phase (positions, sweeps by horizon, or bytes of a file).
        total: units of this phase, or None if that is not known yet.
        seconds: wall-clock seconds since the phase began, except those of Numba's compilation.
        finished: whether this is the last event of the phase.
        detail: a message: with the phase ``"resume"``, where the solve resumed; with ``"restart"``,
            that the checkpoints were of another solve and have been deleted; with ``"cluster"``,
            the work of each worker; with ``"note"``, a hint for the author of the game, such as why
            ``level`` is not used. During a search of ``prove``, its depth or its proof numbers; how
            full its table is; and the current line.
        compiling: whether the phase waits for the compilation of a kernel, which happens once:
            later processes find it on disk.
        workers: the progress of each worker of a cluster; empty without ``cluster=``.
        least: a lower bound of the units of this phase, if ``total`` is not known but a sample of
            random games gives one; otherwise None.
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
        """A lower bound of the remaining seconds of this phase, or None if it is not known."""
        if self.total is not None or not self.least or not self.rate or self.done > self.least:
            return None
        return (self.least - self.done) / self.rate


Listener = Callable[[Event], None]

#: The reporters whose phases are running.
_RUNNING: list[Reporter] = []


def tell_compiling(*, begins: bool) -> None:
    """Inform all reporters with a phase that Numba starts to compile, or has finished."""
    for reporter in tuple(_RUNNING):
        reporter.compiling(begins=begins)


class Reporter:
    """Times the phases of one solve and passes on events, at most ten a second in each phase.

    The clock of a phase stops during Numba's compilation, which does not help to estimate the rest.
    """

    interval = 0.1

    def __init__(self, listener: Listener | None = None) -> None:
        """Create a reporter for ``listener``, or for None.

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
            done: the finished units.
            total: the new total; by default it does not change.
            detail: returns a message; called only if an event is sent.
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
        """Report a lower bound of the units of this phase."""
        self._least = max(least, self._least or 0)
        self._send(self._seconds())

    @property
    def done(self) -> int:
        """The number of finished units of this phase."""
        return self._done

    def tick(self) -> None:
        """Report the time and the progress of workers, without a finished unit."""
        self.advance(self._done)

    def pass_over(self, passes: int) -> None:
        """Report passes over finished work, whose total is not known."""
        self._total = None
        self.advance(passes)

    def compiling(self, *, begins: bool) -> None:
        """Report that the phase starts or ends waiting for Numba."""
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
        """Return the running time of the phase, except that of Numba's compilation."""
        now = time.perf_counter() if self._compiling is None else self._compiling
        return now - self._began - self._compiled

    def resume(self, detail: str) -> None:
        """Report the finished work of an interrupted solve, which is not repeated."""
        self.resumed.append(detail)
        self.tell("resume", detail)

    def tell(self, phase: str, detail: str) -> None:
        """Send an event that is a message, not progress."""
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
