"""Patches for listing the variables of Numba's instructions faster, and their lifetimes once.

Numba computes the lifetime of each variable after each of six passes over a function, and uses only
the last result.
"""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, NoneType
from typing import Any

from numba.core import transforms
from numba.core.ir import Inst, Loc, Var
from numba.core.postproc import PostProcessor, VariableLifetime

#: Types of parts of an instruction that contain no variables: by far most parts.
_BARE = frozenset({str, int, bool, Loc, NoneType, BuiltinFunctionType})

_list: Callable[..., list[Any]] = Inst._rec_list_vars  # noqa: SLF001  # Numba has no other name
_work_out: Callable[..., None] = PostProcessor.run


def _listed(self: Any, part: Any) -> list[Any]:
    """Return the variables in a part of an instruction, in order."""
    if not isinstance(part, dict | list | tuple):
        return _list(self, part)
    found = []
    for each in part.values() if isinstance(part, dict) else part:
        kind = type(each)
        if kind is Var:
            found.append(each)
        elif kind not in _BARE:
            found += _listed(self, each)
    return found


def _worked_out(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:  # noqa: FBT002  # Numba's signature
    """Prepare a function for the next pass; lifetimes are computed on demand."""
    function = self.func_ir
    if function.is_generator:
        _work_out(self, emit_dels, extend_lifetimes)
        return
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


#: Owner, name and replacement of each patched attribute of Numba.
INSTEAD: tuple[tuple[Any, str, Any], ...] = (
    (Inst, "_rec_list_vars", _listed),
    (PostProcessor, "run", _worked_out),
)
