"""Waiting for what a thread or a process comes to, instead of for a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

Answer = TypeVar("Answer")


def wait_until(condition: Callable[[], Answer], seconds: float = 120) -> Answer:
    """Ask again and again until the answer is true; return it.

    Args:
        condition: what is asked. It may fail the test where there is nothing to wait for any more.
        seconds: how long to wait at most, which only a fault takes.
    """
    deadline, pause = monotonic() + seconds, threading.Event()
    while not (answer := condition()):
        assert monotonic() < deadline, f"waited {seconds} seconds in vain"
        pause.wait(0.01)
    return answer
