"""Patches that cache the types of calls of Numba's own functions with numbers.

For each addition, Numba tries all its implementations of plus with the argument types, and the
answer is always the same. A function with another implementation is another object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.types import Boolean, Number
from numba.core.types.functions import BaseFunction

_PLAIN = (Number, Boolean)
#: Cached results by the id of a function, with the function, so that its id is not reused.
_KNOWN: dict[int, tuple[Any, dict[Any, Any]]] = {}

_find: Callable[..., Any] = BaseFunction.get_call_type


def _remembered(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return the cached signature of a function of Numba for numeric argument types."""
    if kws or not all(isinstance(each, _PLAIN) for each in args):
        return _find(self, context, args, kws)
    _, known = _KNOWN.setdefault(id(self), (self, {}))
    asked = context, tuple(args)
    if asked not in known:
        known[asked] = _find(self, context, args, kws)
    return known[asked]


#: Owner, name and replacement of each patched attribute of Numba.
INSTEAD: tuple[tuple[Any, str, Any], ...] = ((BaseFunction, "get_call_type", _remembered),)
