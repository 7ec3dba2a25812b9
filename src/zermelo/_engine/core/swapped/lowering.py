"""What Numba writes for LLVM only to take out again, not written.

It loads the old value of a variable before it writes another, and clears it in the end, so that
nothing is freed twice; for what is never freed, that is a third of the code. It takes all
apart that may have to be freed, to the last number of each array. And wherever one function names
another, it writes at which address the other one is in this process, which is read where a function
is handed on as a value.
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
    """Write a value to a variable."""
    if _frees(self, name) or argidx is not None or name in self._singly_assigned_vars:
        _store(self, value, name, argidx)
        return
    self.builder.store(value, self.getvar(name))


def _deleted(self: Any, name: str) -> None:
    """Note that a variable is no more."""
    if _frees(self, name):
        _delete(self, name)
    elif name not in self._blk_local_varmap:  # it is set elsewhere, too
        self._singly_assigned_vars.discard(name)


def _frees(lowering: Any, name: str) -> bool:
    """Whether something is freed when a variable is written or deleted."""
    if lowering._disable_sroa_like_opt:  # noqa: SLF001  # Numba has no other name
        return True
    context = lowering.context
    return bool(context.enable_nrt) and _holds(context.data_model_manager, lowering.typeof(name))


def _counted(self: Any, builder: Any, ty: Any, val: Any) -> list[Any]:
    """Return what is counted in a value, of which no part is looked at that has nothing such."""
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
    """Whether anything in values of a type is counted."""
    model = models[kind]
    put_off = any(isinstance(each, types.DeferredType) for each in model.traverse_types())
    return put_off or bool(model.contains_nrt_meminfo())


def _written_out(self: Any, builder: Any, ty: Any, val: Any) -> Any:
    """Return a constant; a function is known by its type."""
    if type(ty) is types.Dispatcher:
        return self.get_constant_null(ty)
    return _constant(self, builder, ty, val)


def _turned(self: Any, builder: Any, val: Any, fromty: Any, toty: Any) -> Any:
    """Return a value as one of another type, a function with its address."""
    if type(fromty) is types.Dispatcher and fromty != toty:
        val = _constant(self, builder, fromty, fromty.dispatcher)
    return _cast(self, builder, val, fromty, toty)


#: What Numba has, and what stands there instead while it is quick.
INSTEAD: tuple[tuple[Any, str, Any], ...] = (
    (Lower, "storevar", _stored),
    (Lower, "delvar", _deleted),
    (NRTContext, "get_meminfos", _counted),
    (BaseContext, "get_constant_generic", _written_out),
    (BaseContext, "cast", _turned),
)
