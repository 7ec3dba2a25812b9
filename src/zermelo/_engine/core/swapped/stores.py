"""Variables of functions that have nothing to free: Numba loads the old value and clears the new.

It does so that nothing is freed twice. Where nothing ever is, that is a third of what LLVM gets to
read, and it has to find out that it does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.lowering import Lower

_store: Callable[..., None] = Lower.storevar
_delete: Callable[..., None] = Lower.delvar


def _stored(self: Any, value: Any, name: str, argidx: int | None = None) -> None:
    """Write a value to a variable."""
    if _frees(self) or argidx is not None or name in self._singly_assigned_vars:
        _store(self, value, name, argidx)
        return
    self.builder.store(value, self.getvar(name))


def _deleted(self: Any, name: str) -> None:
    """Note that a variable is no more."""
    if _frees(self):
        _delete(self, name)
    elif name not in self._blk_local_varmap:  # it is set elsewhere, too
        self._singly_assigned_vars.discard(name)


def _frees(lowering: Any) -> bool:
    return bool(lowering.context.enable_nrt) or bool(lowering._disable_sroa_like_opt)  # noqa: SLF001  # Numba has no other name


#: What Numba has, and what stands there instead while it is quick.
INSTEAD: tuple[tuple[Any, str, Any], ...] = (
    (Lower, "storevar", _stored),
    (Lower, "delvar", _deleted),
)
