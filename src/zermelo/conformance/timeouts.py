"""Rules that do not return: stopped from outside, as nothing inside them can be trusted to.

A second thread looks now and then whether the call that is running has had its time, and if so
raises an exception in the thread it runs in. That works in any thread, leaves the process's
signals alone, and costs rules that do return next to nothing.

Time is what the thread computes, not what passes: on a machine that has much else to do, a thread
may have to wait for long, and rules that do return would be refused for that.
"""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Callable
from typing import Any, Self

#: Seconds between two looks.
TICK = 0.05
#: Seconds of looking on after which a call is given up that does not compute, but waits.
LONGEST = 60.0
#: The share of its time after which a call that swallowed the exception is sent another.
_AGAIN = 0.1
#: Steps within which an exception that was sent arrives.
_STEPS = 1000


class OverdueError(Exception):
    """A call had not returned when its time was up.

    Attributes:
        seconds: what its time was.
    """

    def __init__(self, seconds: float) -> None:
        """Say what its time was."""
        super().__init__(f"it has not returned after {seconds:g} seconds")
        self.seconds = seconds


class _StopError(BaseException):
    """What is raised inside the call; no ``except Exception`` of an author's holds it up."""


class ThreadClock:
    """Tells, in any thread, for how many seconds the thread has computed in which it was made.

    Where the system cannot tell that of another thread, it tells it of the whole process.
    """

    def __init__(self) -> None:
        """Make the clock of the calling thread."""
        of_thread = getattr(time, "pthread_getcpuclockid", None)
        self._clock = None if of_thread is None else of_thread(threading.get_ident())

    def __call__(self) -> float:
        """Return the seconds; of a thread that has ended, infinitely many."""
        if self._clock is None:
            return time.process_time()
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return math.inf


class CallTimer:
    """How much of its time a call has taken, as far as is seen by looking now and then.

    It may be a little less than it has really had: what came before the first look is not counted,
    nor what passes while nobody gets to look, as on a machine with too much else to do.
    """

    def __init__(self, clock: ThreadClock, patience: float, longest: float) -> None:
        """Begin to count.

        Args:
            clock: the clock of the thread that the call runs in.
            patience: the seconds it may compute.
            longest: the seconds it may take if it computes less.
        """
        self.clock = clock
        self.patience = patience
        self.longest = longest
        self.again()

    def again(self) -> None:
        """Begin anew."""
        self._since = self.clock()
        self._looks = 0

    def look(self, share: float = 1) -> float | None:
        """Return which seconds are up, if any, of a share of each."""
        self._looks += 1
        if self.clock() - self._since > share * self.patience:
            return self.patience
        return self.longest if self._looks * TICK > share * self.longest else None


class TimedCalls:
    """Calls functions, and gives up on those that do not return.

    Attributes:
        patience: the seconds a call may compute.
        longest: the seconds a call may take that computes less.
    """

    def __init__(self, patience: float, longest: float = LONGEST) -> None:
        """Make a watch for calls from this thread, to be used in a ``with`` statement."""
        self.patience = patience
        self.longest = longest
        self._thread = threading.get_ident()
        self._clock = ThreadClock()
        #: How many calls there were, and whether one is running.
        self._calls, self._running = 0, False
        #: Whether the exception was sent, and the seconds that were up when it was.
        self._sent, self._overdue = False, patience
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._watcher = threading.Thread(target=self._run, name="zermelo-check", daemon=True)

    def __enter__(self) -> Self:
        """Start to watch."""
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop watching."""
        self._done.set()
        self._watcher.join()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what ``function(*arguments)`` returns.

        Raises:
            OverdueError: it has not returned in time.
        """
        self._calls += 1  # and no clock is asked here, which may take longer than the rule
        self._running = True
        try:
            try:
                return function(*arguments)
            finally:
                self._settle()
        except _StopError:
            self._settle()  # the exception may have come while the call was being settled
            raise OverdueError(self._overdue) from None

    def _settle(self) -> None:
        """See to it that no exception arrives from here on."""
        with self._lock:
            self._running = False
            sent, self._sent = self._sent, False
        if sent:
            # Had it not arrived yet, it would do so at the first of these steps. It must not be
            # taken back instead: that makes Python 3.11 hang as soon as it is traced.
            for _ in range(_STEPS):
                pass

    def _run(self) -> None:
        spent, call = CallTimer(self._clock, self.patience, self.longest), 0
        while not self._done.wait(TICK):
            with self._lock:
                if not self._running:
                    continue
                if self._calls != call:
                    call = self._calls
                    spent.again()
                seconds = spent.look(_AGAIN if self._sent else 1)
                if seconds is None:
                    continue
                if not self._sent:
                    self._overdue = seconds
                self._sent = True
                spent.again()
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(_StopError)
                )
