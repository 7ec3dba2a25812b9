"""The globals that rules read, so that a change at run time is detected."""

from __future__ import annotations

from collections.abc import Iterable
from types import CellType, FunctionType
from typing import Any

import numpy as np

from zermelo._compile.read.constants import constant
from zermelo.game.parameters import hashable_parameter

_MISSING = object()
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
        return all(_is_unchanged(*entry) for entry in self._seen.values())


def snapshot(value: Any) -> Any:
    """Return a copy for a later comparison, or None if comparing the object itself suffices."""
    if isinstance(value, FunctionType):
        # Tools that reload modules while they run put new code into old functions.
        return (value.__code__, value.__defaults__, value.__kwdefaults__)
    changes = isinstance(value, np.ndarray | list | dict | set)
    if changes or (isinstance(value, tuple) and not _is_fixed(value)):
        return _frozen(value)
    return None


def _is_unchanged(space: Any, name: str, value: Any, old_snapshot: Any) -> bool:
    new_value = _read(space, name)
    if new_value is value:
        return old_snapshot is None or bool(snapshot(new_value) == old_snapshot)
    if type(new_value) is not type(value) or not isinstance(new_value, _VALUES):
        return False
    return bool(_frozen(new_value) == (_frozen(value) if old_snapshot is None else old_snapshot))


def _frozen(value: Any) -> Any:
    try:
        return hashable_parameter(constant(value))
    except Exception:  # noqa: BLE001  # what rules cannot use is reported where they use it
        return None


def _read(space: Any, name: str) -> Any:
    if isinstance(space, dict):
        return space.get(name, _MISSING)
    if isinstance(space, CellType):
        try:
            return space.cell_contents
        except ValueError:
            return _MISSING
    return getattr(space, name, _MISSING)


def _is_fixed(value: Iterable[Any]) -> bool:
    """Whether a tuple, with all nested values, is immutable."""
    return all(
        item is None or isinstance(item, int | str) or (isinstance(item, tuple) and _is_fixed(item))
        for item in value
    )
