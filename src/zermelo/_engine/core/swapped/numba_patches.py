"""What Numba works out anew for each line that it compiles, remembered; what nobody hears, unsaid.

For each addition it asks all that it has by the name of plus, one after another, for the types at
hand, and the answer is the same each time. For each function it looks through all that is declared
for something new. And it announces each call of LLVM, and times all.
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

from zermelo._engine.core.swapped.lazy_imports import aside, import_all, lacks_any

#: Versions of Numba whose code was read for all that is swapped. Any other is left as it is but for
#: what has stood there for years, and compiles for longer.
_READ = ("0.68",)

#: What is announced at all: by this the seconds of compiling are counted.
HEARD = "numba:compile"

_PLAIN = (Number, Boolean)
#: By the id of a function: the function, so that its id stays its own, and what it gave.
_KNOWN: dict[int, tuple[Any, dict[Any, Any]]] = {}
#: By the id of what a context has been declared: this, and how much it was when it was looked at.
_DECLARED: dict[int, tuple[Any, int]] = {}
#: The contexts that look now.
_LOOKING: list[Any] = []

_find: Callable[..., Any] = BaseFunction.get_call_type
_start, _end = event.start_event, event.end_event
_look, _look_at_types = BaseContext.refresh, TypingContext.refresh


@contextmanager
def quick() -> Iterator[None]:
    """Have Numba be quick meanwhile; it compiles for one thread at a time, so for this one."""
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
    """Return what a function of Numba's gives for numbers of some types, asked once.

    What can be asked belongs to the function: with another way to compute it, it is another one.
    """
    if kws or not all(isinstance(each, _PLAIN) for each in args):
        return _find(self, context, args, kws)
    _, known = _KNOWN.setdefault(id(self), (self, {}))
    asked = context, tuple(args)
    if asked not in known:
        known[asked] = _find(self, context, args, kws)
    return known[asked]


def _looks(self: Any) -> None:
    """Have a context look for what was declared since, if anything was."""
    _look_once(self, _look)
    _looks_at_types(self.typing_context)


def _looks_at_types(self: Any) -> None:
    _look_once(self, _look_at_types)


def _look_once(context: Any, look: Callable[[Any], None]) -> None:
    """Look until there is nothing new; what is declared meanwhile asks, each, to look as well."""
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
        except ImportError:  # another version of Numba needs something of it
            import_all()
            look(context)
        finally:
            _LOOKING.pop()
        seen, declared = declared, _count(registries)


def all_imported() -> bool:
    """Whether Numba has all that it can have; if not, have it read that when it looks next."""
    if not lacks_any():
        return True
    import_all()
    _DECLARED.clear()
    return False


def _count(registries: Any) -> int:
    """Return how much is declared in all; nothing of it is ever taken back."""
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
    """Return what Numba has, and what stands there instead meanwhile."""
    plain = (
        (BaseFunction, "get_call_type", _remembered),
        (event, "start_event", _starts),
        (event, "end_event", _ends),
    )
    if not numba.__version__.startswith(tuple(f"{version}." for version in _READ)):
        return plain
    # Imported where something is compiled: it takes as long as to load a small game's kernels.
    from zermelo._engine.core.swapped import lifetimes, lowering, structs

    return (
        *plain,
        (BaseContext, "refresh", _looks),
        (TypingContext, "refresh", _looks_at_types),
        *lifetimes.INSTEAD,
        *lowering.INSTEAD,
        *structs.INSTEAD,
    )
