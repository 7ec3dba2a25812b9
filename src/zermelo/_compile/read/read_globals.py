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
        self._entries: dict[tuple[int, str], tuple[Any, str, Any, Any]] = {}

    def record(self, namespace: object, name: str, value: object) -> None:
        """Record the value of ``name`` in ``namespace`` (a dict, a cell, a module, a class)."""
        self._entries[id(namespace), name] = (namespace, name, value, snapshot(value))

    def are_unchanged(self) -> bool:
        """Return whether all recorded values are unchanged."""
        return all(_is_unchanged(*entry) for entry in self._entries.values())


def snapshot(value: object) -> Any:
    """Return a copy for a later comparison, or None if comparing the object itself suffices."""
    if isinstance(value, FunctionType):
        # Tools that reload modules while they run put new code into old functions.
        return (value.__code__, value.__defaults__, value.__kwdefaults__)
    is_mutable = isinstance(value, np.ndarray | list | dict | set)
    if is_mutable or (isinstance(value, tuple) and not _is_fixed(value)):
        return _frozen(value)
    return None


def _is_unchanged(namespace: object, name: str, value: object, old_snapshot: object) -> bool:
    new_value = _read(namespace, name)
    if new_value is value:
        return old_snapshot is None or bool(snapshot(new_value) == old_snapshot)
    if type(new_value) is not type(value) or not isinstance(new_value, _VALUES):
        return False
    return bool(_frozen(new_value) == (_frozen(value) if old_snapshot is None else old_snapshot))


def _frozen(value: object) -> Any:
    try:
        return hashable_parameter(constant(value))
    except Exception:  # noqa: BLE001  # an invalid value is reported where rules use it
        return None


def _read(namespace: object, name: str) -> Any:
    if isinstance(namespace, dict):
        return namespace.get(name, _MISSING)
    if isinstance(namespace, CellType):
        try:
            return namespace.cell_contents
        except ValueError:
            return _MISSING
    return getattr(namespace, name, _MISSING)


def _is_fixed(value: Iterable[object]) -> bool:
    """Return whether a tuple, with all nested values, is immutable."""
    return all(
        item is None or isinstance(item, int | str) or (isinstance(item, tuple) and _is_fixed(item))
        for item in value
    )
