"""Patches that skip LLVM code which Numba generates and LLVM removes.

Numba loads the old value of a variable before it stores another, and clears the variable in the
end, so that nothing is freed twice. For values that are never freed, that is a third of the code.
Numba also splits values that may have to be freed into all their fields. And for each reference to
a function it writes the function's address, which is read only if a function is passed as a value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba.core import types
from numba.core.base import BaseContext
from numba.core.lowering import Lower
from numba.core.runtime.context import NRTContext

_store: Callable[..., None] = Lower.storevar
_delete: Callable[..., None] = Lower.delvar
_constant: Callable[..., Any] = BaseContext.get_constant_generic
_cast: Callable[..., Any] = BaseContext.cast


def _stored(self: Any, value: Any, name: str, argidx: int | None = None) -> None:
    """Store a value in a variable."""
    if _frees(self, name) or argidx is not None or name in self._singly_assigned_vars:
        _store(self, value, name, argidx)
        return
    self.builder.store(value, self.getvar(name))


def _deleted(self: Any, name: str) -> None:
    """Record that a variable is deleted."""
    if _frees(self, name):
        _delete(self, name)
    elif name not in self._blk_local_varmap:  # it is also set in another block
        self._singly_assigned_vars.discard(name)


def _frees(lowering: Any, name: str) -> bool:
    """Return whether storing to a variable, or deleting it, frees anything."""
    if lowering._disable_sroa_like_opt:  # noqa: SLF001  # Numba has no other name
        return True
    context = lowering.context
    return bool(context.enable_nrt) and _holds(context.data_model_manager, lowering.typeof(name))


def _counted(self: Any, builder: Any, ty: Any, val: Any) -> list[Any]:
    """Return the reference-counted parts of a value, skipping parts that have none."""
    models = self._context.data_model_manager
    if not _holds(models, ty):
        return []
    model = models[ty]
    found = [(ty, model.get_nrt_meminfo(builder, val))] if model.has_nrt_meminfo() else []
    for kind, get in model.traverse(builder):
        if _holds(models, kind):
            found += self.get_meminfos(builder, kind, get(val))
    return found


@cache
def _holds(models: Any, kind: Any) -> bool:
    """Return whether values of a type have reference-counted parts."""
    model = models[kind]
    put_off = any(isinstance(each, types.DeferredType) for each in model.traverse_types())
    return put_off or bool(model.contains_nrt_meminfo())


def _written_out(self: Any, builder: Any, ty: Any, val: Any) -> Any:
    """Return a constant; a function needs none, as its type identifies it."""
    if type(ty) is types.Dispatcher:
        return self.get_constant_null(ty)
    return _constant(self, builder, ty, val)


def _turned(self: Any, builder: Any, val: Any, fromty: Any, toty: Any) -> Any:
    """Convert a value to another type, a function with its address."""
    if type(fromty) is types.Dispatcher and fromty != toty:
        val = _constant(self, builder, fromty, fromty.dispatcher)
    return _cast(self, builder, val, fromty, toty)


#: Owner, name and replacement of each patched attribute of Numba.
INSTEAD: tuple[tuple[Any, str, Any], ...] = (
    (Lower, "storevar", _stored),
    (Lower, "delvar", _deleted),
    (NRTContext, "get_meminfos", _counted),
    (BaseContext, "get_constant_generic", _written_out),
    (BaseContext, "cast", _turned),
)
