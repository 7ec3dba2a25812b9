"""Rules that do not return: stopped from outside, as nothing inside them can be trusted to.

A second thread looks now and then whether the call that is running has had its time, and if so
raises an exception in the thread it runs in. That works in any thread, leaves the process's
signals alone, and costs rules that do return next to nothing.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, Self

#: Seconds between two looks.
_TICK = 0.05
#: Seconds after which a call that swallowed the exception is sent another.
_AGAIN = 0.5
#: Steps within which an exception that was sent arrives.
_STEPS = 1000


class OverdueError(Exception):
    """A call had not returned when its time was up."""


class _StopError(BaseException):
    """What is raised inside the call; no ``except Exception`` of an author's holds it up."""


class TimedCalls:
    """Calls functions, and gives up on those that do not return.

    Attributes:
        patience: the seconds a call may take.
    """

    def __init__(self, patience: float) -> None:
        """Make a watch for calls from this thread, to be used in a ``with`` statement."""
        self.patience = patience
        self._thread = threading.get_ident()
        self._deadline = math.inf
        self._sent = False
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
        self._deadline = monotonic() + self.patience
        try:
            try:
                return function(*arguments)
            finally:
                self._settle()
        except _StopError:
            self._settle()  # the exception may have come while the call was being settled
            raise OverdueError from None

    def _settle(self) -> None:
        """See to it that no exception arrives from here on."""
        with self._lock:
            self._deadline = math.inf
            sent, self._sent = self._sent, False
        if sent:
            # Had it not arrived yet, it would do so at the first of these steps. It must not be
            # taken back instead: that makes Python 3.11 hang as soon as it is traced.
            for _ in range(_STEPS):
                pass

    def _run(self) -> None:
        while not self._done.wait(_TICK):
            with self._lock:
                if monotonic() > self._deadline:
                    self._deadline = monotonic() + _AGAIN
                    self._sent = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread), ctypes.py_object(_StopError)
                    )
