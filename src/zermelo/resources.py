"""Parsing of a caller's limits: an amount of memory and a number of threads."""

from __future__ import annotations

import os
import re
from typing import Any

from zermelo.errors import ParameterError

#: The most threads to start. No machine runs more, and starting more takes minutes.
MOST_THREADS = 4096

_AMOUNT = re.compile(r"\s*(\d+)(?:\.(\d+))?\s*([KMGT]?)(i?)B?\s*", re.IGNORECASE)


def memory_bytes(memory: int | str | None) -> int | None:
    """Return an amount of memory in bytes.

    Args:
        memory: bytes, or text such as ``"2GB"``, ``"500M"`` or ``"1.5GiB"``; None stays None.

    Raises:
        ParameterError: it is not an amount.
    """
    if memory is None:
        return None
    match = _AMOUNT.fullmatch(str(memory))
    if match is None or isinstance(memory, bool):
        message = f"memory={memory!r} is not an amount; write bytes, or text such as '2GB'"
        raise ParameterError(message)
    whole, part, unit, binary = match.groups(default="")
    base = 1024 if binary else 1000
    power = "KMGT".find(unit.upper()) + 1 if unit else 0
    return int(int(whole + part) * base**power // 10 ** len(part))


def thread_count(threads: int | None) -> int:
    """Return the number of threads to use: the given number, or the number of cores.

    Raises:
        ParameterError: it is not an integer, below 1, or above ``MOST_THREADS``.
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    given: Any = threads  # an untyped caller may pass anything
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        message = f"threads must be a whole number of at least 1, not {threads!r}"
        raise ParameterError(message)
    if given > MOST_THREADS:
        message = f"threads must be at most {MOST_THREADS:,}, not {threads!r}"
        raise ParameterError(message)
    return threads
