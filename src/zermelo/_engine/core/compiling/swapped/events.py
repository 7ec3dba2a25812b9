"""Patches that skip events without listeners: Numba announces and times each call of LLVM."""

from __future__ import annotations

from typing import Any

from numba.core import event

#: The only event that is announced: it measures the seconds of compiling.
HEARD = "numba:compile"

_start, _end = event.start_event, event.end_event


def _starts(kind: str, data: Any = None) -> None:
    if kind == HEARD:
        _start(kind, data)


def _ends(kind: str, data: Any = None, exc_details: Any = None) -> None:
    if kind == HEARD:
        _end(kind, data, exc_details)


#: Owner, name and replacement of each patched attribute of Numba.
INSTEAD: tuple[tuple[Any, str, Any], ...] = (
    (event, "start_event", _starts),
    (event, "end_event", _ends),
)
