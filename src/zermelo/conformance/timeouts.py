"""Timeouts for hooks: a call that does not return is interrupted from another thread.

The second thread checks from time to time whether the running call has used up its time. If so, it
raises an exception in the thread of the call. That works in any thread, does not use the process's
signals, and costs hooks that do return almost nothing.

Time is the computing time of the thread, not wall-clock time: on a busy machine a thread may wait
for long, and correct hooks would be rejected for that.
"""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Callable
from typing import Any, Self

#: Seconds between two checks.
TICK = 0.05
#: Seconds after which a call is interrupted that does not compute, but waits.
LONGEST = 60.0
#: The share of its time after which a call that swallowed the exception gets another.
_REPEAT_SHARE = 0.1
#: Steps of the interpreter within which the exception arrives.
_INTERPRETER_STEPS = 1000


class OverdueError(Exception):
    """A call did not return within its time.

    Attributes:
        seconds: the time limit of the call.
    """

    def __init__(self, seconds: float) -> None:
        """Store the time limit."""
        super().__init__(f"it has not returned after {seconds:g} seconds")
        self.seconds = seconds


class _StopError(BaseException):
    """The exception raised inside the call; an author's ``except Exception`` does not catch it."""


class ThreadClock:
    """The computing time of the thread that created it, readable in any thread.

    If the system has no such clock, it gives the computing time of the process.
    """

    def __init__(self) -> None:
        """Create the clock of the calling thread."""
        of_thread = getattr(time, "pthread_getcpuclockid", None)
        self._clock = None if of_thread is None else of_thread(threading.get_ident())

    def __call__(self) -> float:
        """Return the seconds; infinity for a thread that has ended."""
        if self._clock is None:
            return time.process_time()
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return math.inf


class CallTimer:
    """The time that a call has used, measured by periodic checks.

    It may be slightly too small: the time before the first check does not count, nor the time in
    which the checking thread does not run, as on a busy machine.
    """

    def __init__(self, clock: ThreadClock, patience: float, longest: float) -> None:
        """Start measuring.

        Args:
            clock: the clock of the call's thread.
            patience: the most seconds of computing.
            longest: the most seconds if it computes less.
        """
        self.clock = clock
        self.patience = patience
        self.longest = longest
        self.restart()

    def restart(self) -> None:
        """Restart measuring."""
        self._begin_time = self.clock()
        self._ticks = 0

    def exceeded_limit(self, share: float = 1) -> float | None:
        """Return the limit that is exceeded, or None; each limit is multiplied by ``share``."""
        self._ticks += 1
        if self.clock() - self._begin_time > share * self.patience:
            return self.patience
        return self.longest if self._ticks * TICK > share * self.longest else None


class TimedCalls:
    """Calls functions, and interrupts those that do not return.

    Attributes:
        patience: the most seconds of computing of a call.
        longest: the most seconds of a call that computes less.
    """

    def __init__(self, patience: float, longest: float = LONGEST) -> None:
        """Create a timer for calls from this thread, to be used in a ``with`` statement."""
        self.patience = patience
        self.longest = longest
        self._thread = threading.get_ident()
        self._clock = ThreadClock()
        #: The number of calls, and whether one is running.
        self._calls, self._running = 0, False
        #: Whether the exception was sent, and the limit that was exceeded.
        self._has_interrupted, self._overdue_seconds = False, patience
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._watcher = threading.Thread(target=self._run, name="zermelo-check", daemon=True)

    def __enter__(self) -> Self:
        """Start the checking thread."""
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the checking thread."""
        self._stop_event.set()
        self._watcher.join()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of ``function(*arguments)``.

        Raises:
            OverdueError: it has not returned in time.
        """
        self._calls += 1  # no clock is read here, which may take longer than the hook
        self._running = True
        try:
            try:
                return function(*arguments)
            finally:
                self._settle()
        except _StopError:
            self._settle()  # the exception may have arrived during the first ``_settle``
            raise OverdueError(self._overdue_seconds) from None

    def _settle(self) -> None:
        """Ensure that no exception arrives from here on."""
        with self._lock:
            self._running = False
            was_sent, self._has_interrupted = self._has_interrupted, False
        if was_sent:
            # If it has not arrived yet, it arrives at the first of these steps. Clearing it instead
            # would make Python 3.11 hang under a tracer.
            for _ in range(_INTERPRETER_STEPS):
                pass

    def _run(self) -> None:
        timer, call = CallTimer(self._clock, self.patience, self.longest), 0
        while not self._stop_event.wait(TICK):
            with self._lock:
                if not self._running:
                    continue
                if self._calls != call:
                    call = self._calls
                    timer.restart()
                seconds = timer.exceeded_limit(_REPEAT_SHARE if self._has_interrupted else 1)
                if seconds is None:
                    continue
                if not self._has_interrupted:
                    self._overdue_seconds = seconds
                self._has_interrupted = True
                timer.restart()
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(_StopError)
                )
