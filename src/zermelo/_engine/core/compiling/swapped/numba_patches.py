"""Patches that cache Numba's repeated look-ups and skip events without listeners.

For each addition, Numba tries all its implementations of plus with the types, and the answer is
always the same. For each function it searches all registries for new declarations. And it announces
and times each call of LLVM.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numba
from numba.core import event
from numba.core.base import BaseContext
from numba.core.types import Boolean, Number
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext as TypingContext

from zermelo._engine.core.compiling.swapped.lazy_imports import aside, import_all, lacks_any

#: Versions of Numba for which all patches were checked. Any other version gets only the patches of
#: code that has not changed for years, and compiles more slowly.
_READ = ("0.68",)

#: The only event that is announced: it measures the seconds of compiling.
HEARD = "numba:compile"

_PLAIN = (Number, Boolean)
#: Cached results by the id of a function, with the function, so that its id is not reused.
_KNOWN: dict[int, tuple[Any, dict[Any, Any]]] = {}
#: Registries by their id, with the number of declarations when they were last searched.
_DECLARED: dict[int, tuple[Any, int]] = {}
#: The contexts that are searching for declarations now.
_LOOKING: list[Any] = []

_find: Callable[..., Any] = BaseFunction.get_call_type
_start, _end = event.start_event, event.end_event
_look, _look_at_types = BaseContext.refresh, TypingContext.refresh


@contextmanager
def quick() -> Iterator[None]:
    """Patch Numba while this thread, and no other, compiles."""
    instead = _instead()
    before = [getattr(owner, name) for owner, name, _ in instead]
    for owner, name, ours in instead:
        setattr(owner, name, ours)
    try:
        yield
    finally:
        for (owner, name, _), theirs in zip(instead, before, strict=True):
            setattr(owner, name, theirs)


def _remembered(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return the cached signature of a function of Numba for numeric argument types.

    A function with another implementation is another object, so its results are cached apart.
    """
    if kws or not all(isinstance(each, _PLAIN) for each in args):
        return _find(self, context, args, kws)
    _, known = _KNOWN.setdefault(id(self), (self, {}))
    asked = context, tuple(args)
    if asked not in known:
        known[asked] = _find(self, context, args, kws)
    return known[asked]


def _looks(self: Any) -> None:
    """Register new declarations in a context, if there are any."""
    _look_once(self, _look)
    _looks_at_types(self.typing_context)


def _looks_at_types(self: Any) -> None:
    _look_once(self, _look_at_types)


def _look_once(context: Any, look: Callable[[Any], None]) -> None:
    """Call ``look`` until there are no new declarations; nested calls return immediately."""
    registries = context._registries  # noqa: SLF001  # Numba has no other name
    _, seen = _DECLARED.get(id(registries), (None, None))
    if seen is not None and _LOOKING:
        return
    declared = _count(registries)
    while seen != declared:
        _DECLARED[id(registries)] = registries, declared
        _LOOKING.append(context)
        try:
            with aside():
                look(context)
        except ImportError:  # another version of Numba needs a skipped module
            import_all()
            look(context)
        finally:
            _LOOKING.pop()
        seen, declared = declared, _count(registries)


def all_imported() -> bool:
    """Whether Numba has imported all its parts; if not, make it import them at the next search."""
    if not lacks_any():
        return True
    import_all()
    _DECLARED.clear()
    return False


def _count(registries: Any) -> int:
    """Return the number of declarations; none is ever removed."""
    return sum(
        len(getattr(registry, kind))
        for registry, loader in registries.items()
        for kind in loader.registry_items
    )


def _starts(kind: str, data: Any = None) -> None:
    if kind == HEARD:
        _start(kind, data)


def _ends(kind: str, data: Any = None, exc_details: Any = None) -> None:
    if kind == HEARD:
        _end(kind, data, exc_details)


@cache
def _instead() -> tuple[tuple[Any, str, Any], ...]:
    """Return the patches: owner, name and replacement of each attribute."""
    plain = (
        (BaseFunction, "get_call_type", _remembered),
        (event, "start_event", _starts),
        (event, "end_event", _ends),
    )
    if not numba.__version__.startswith(tuple(f"{version}." for version in _READ)):
        return plain
    # Imported on demand: that takes as long as to load a small game's kernels.
    from zermelo._engine.core.compiling.swapped import lifetimes, lowering, structs

    return (
        *plain,
        (BaseContext, "refresh", _looks),
        (TypingContext, "refresh", _looks_at_types),
        *lifetimes.INSTEAD,
        *lowering.INSTEAD,
        *structs.INSTEAD,
    )
