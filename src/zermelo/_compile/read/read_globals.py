"""What rules read besides their game's parameters, so that a change at run time is noticed."""

from __future__ import annotations

from collections.abc import Iterable
from types import CellType, FunctionType
from typing import Any

import numpy as np

from zermelo._compile.read.constants import constant
from zermelo.game.parameters import identity

_GONE = object()
_VALUES = (int, str, tuple, list, dict, set, frozenset, np.ndarray)


class ReadGlobals:
    """Globals, attributes of modules and classes, and variables of closures, as they were read."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._seen: dict[tuple[int, str], tuple[Any, str, Any, Any]] = {}

    def note(self, space: Any, name: str, value: Any) -> None:
        """Remember that ``name`` in ``space`` (a dict, a cell, a module, a class) is ``value``."""
        self._seen[id(space), name] = (space, name, value, snapshot(value))

    def unchanged(self) -> bool:
        """Whether everything is still what it was."""
        return all(_same(*entry) for entry in self._seen.values())


def snapshot(value: Any) -> Any:
    """Return something to compare with later, or None where the value itself will do."""
    if isinstance(value, FunctionType):
        # Tools that reload modules while they run put new code into old functions.
        return (value.__code__, value.__defaults__, value.__kwdefaults__)
    changes = isinstance(value, np.ndarray | list | dict | set)
    if changes or (isinstance(value, tuple) and not _fixed(value)):
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
        return identity(constant(value))
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


def _fixed(value: Iterable[Any]) -> bool:
    """Whether a tuple cannot change, however deep one looks."""
    return all(
        item is None or isinstance(item, int | str) or (isinstance(item, tuple) and _fixed(item))
        for item in value
    )
