"""Patches that search Numba's registries only if there are new declarations.

For each function that it compiles, Numba searches all registries for new declarations. The first
search imports all that can be compiled, except what ``lazy_imports`` skips.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.base import BaseContext
from numba.core.typing.context import BaseContext as TypingContext

from zermelo._engine.core.compiling.swapped.lazy_imports import (
    import_all,
    imports_skipped,
    lacks_any,
)

#: Registries by their id, with the number of declarations when they were last searched.
_DECLARED: dict[int, tuple[Any, int]] = {}
#: The contexts that are searching for declarations now.
_LOOKING: list[Any] = []

_look, _look_at_types = BaseContext.refresh, TypingContext.refresh


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
            with imports_skipped():
                look(context)
        except ImportError:  # another version of Numba needs a skipped module
            import_all()
            look(context)
        finally:
            _LOOKING.pop()
        seen, declared = declared, _count(registries)


def all_imported() -> bool:
    """Return whether Numba has imported all its parts; if not, its next search imports them."""
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


#: Owner, name and replacement of each patched attribute of Numba.
INSTEAD: tuple[tuple[Any, str, Any], ...] = (
    (BaseContext, "refresh", _looks),
    (TypingContext, "refresh", _looks_at_types),
)
