"""The globals that rules read, so that a change at run time is detected."""

from __future__ import annotations

from collections.abc import Iterable
from types import CellType, FunctionType
from typing import Any

import numpy as np

from zermelo._compile.read.constants import constant
from zermelo.game.parameters import hashable_parameter

_GONE = object()
_VALUES = (int, str, tuple, list, dict, set, frozenset, np.ndarray)


class ReadGlobals:
    """Globals, attributes of modules and classes, and closure variables, with their values."""

    def __init__(self) -> None:
        """Create an empty record."""
        self._seen: dict[tuple[int, str], tuple[Any, str, Any, Any]] = {}

    def record(self, space: Any, name: str, value: Any) -> None:
        """Record the value of ``name`` in ``space`` (a dict, a cell, a module, a class)."""
        self._seen[id(space), name] = (space, name, value, snapshot(value))

    def unchanged(self) -> bool:
        """Whether all recorded values are unchanged."""
        return all(_same(*entry) for entry in self._seen.values())


def snapshot(value: Any) -> Any:
    """Return a copy for a later comparison, or None if comparing the object itself suffices."""
    if isinstance(value, FunctionType):
        # Tools that reload modules while they run put new code into old functions.
        return (value.__code__, value.__defaults__, value.__kwdefaults__)
    changes = isinstance(value, np.ndarray | list | dict | set)
    if changes or (isinstance(value, tuple) and not _is_fixed(value)):
        return _frozen(value)
    return None


def _same(space: Any, name: str, value: Any, before: Any) -> bool:
    now = _read(space, name)
    if now is value:
        return before is None or bool(snapshot(now) == before)
    if type(now) is not type(value) or not isinstance(now, _VALUES):
        return False
    return bool(_frozen(now) == (_frozen(value) if before is None else before))


def _frozen(value: Any) -> Any:
    try:
        return hashable_parameter(constant(value))
    except Exception:  # noqa: BLE001  # what rules cannot use is reported where they use it
        return None


def _read(space: Any, name: str) -> Any:
    if isinstance(space, dict):
        return space.get(name, _GONE)
    if isinstance(space, CellType):
        try:
            return space.cell_contents
        except ValueError:
            return _GONE
    return getattr(space, name, _GONE)


def _is_fixed(value: Iterable[Any]) -> bool:
    """Whether a tuple, with all nested values, is immutable."""
    return all(
        item is None or isinstance(item, int | str) or (isinstance(item, tuple) and _is_fixed(item))
        for item in value
    )
