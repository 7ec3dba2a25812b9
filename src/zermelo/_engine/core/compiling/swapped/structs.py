"""Patches that keep structs which are only read in registers; Numba copies each to the stack.

Numba does so wherever it reads an array, a range or an optional value. Here a struct is copied to
the stack when code writes to it or needs its address, at the place where Numba would have done it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.cgutils import ValueStructProxy, alloca_once, create_struct_proxy
from numba.core.datamodel import StructModel
from numba.np import arrayobj

_make_array: Callable[..., Any] = arrayobj.make_array
_make: Callable[..., None] = ValueStructProxy.__init__
_find: Callable[..., Any] = ValueStructProxy.__getattr__
_read: Callable[..., Any] = ValueStructProxy.__getitem__
_read_all: Callable[..., Any] = ValueStructProxy._getvalue  # noqa: SLF001  # Numba has no other name
_place: Callable[..., Any] = ValueStructProxy._make_refs  # noqa: SLF001  # nor here

#: Numba's attributes for a struct's address on the stack, which are computed on first access.
_PLACES = ("_value", "_outer_ref")


def _made(self: Any, context: Any, builder: Any, value: Any = None, ref: Any = None) -> None:
    """Create a proxy of a struct, and record where it would be copied to the stack."""
    model = context.data_model_manager[self._fe_type]
    kind = self._get_be_type(model) if isinstance(model, StructModel) else None
    ordinary = type(self)._make_refs is _place  # noqa: SLF001  # Numba has no other name
    if value is None or ref is not None or value.type != kind or not ordinary:
        _make(self, context, builder, value, ref)
        return
    self._context, self._datamodel, self._builder = context, model, builder
    self._be_type, self._given = kind, value
    block = builder.block
    self._where = block, block.instructions[-1] if block.instructions else None


def _found(self: Any, field: str) -> Any:
    """Return an attribute; for the struct's address, copy it to the stack first."""
    if field not in _PLACES or "_given" not in self.__dict__:
        return _find(self, field)
    builder, (block, last) = self._builder, self._where
    place = alloca_once(builder, self._be_type)
    with builder.goto_block(block):
        if last is None:
            builder.position_at_start(block)
        else:
            builder.position_after(last)
        builder.store(self._given, place)
    del self._given
    self._value = self._outer_ref = place
    return place


def _taken(self: Any, index: int) -> Any:
    """Return a field of the struct."""
    given = self.__dict__.get("_given")
    if given is None:
        return _read(self, index)
    if index >= len(self):  # by which a loop over the fields ends
        raise IndexError(index)
    return self._cast_member_to_value(index, self._builder.extract_value(given, index))


def _whole(self: Any) -> Any:
    """Return the struct as a value."""
    given = self.__dict__.get("_given")
    return _read_all(self) if given is None else given


def _array_struct(kind: Any) -> Any:
    """Return the class of an array's struct, from a cache where Numba has none."""
    if type(kind) is types.Array:
        return create_struct_proxy(kind)
    return _make_array(kind)


#: Owner, name and replacement of each patched attribute of Numba.
INSTEAD: tuple[tuple[Any, str, Any], ...] = (
    (arrayobj, "make_array", _array_struct),
    (ValueStructProxy, "__init__", _made),
    (ValueStructProxy, "__getattr__", _found),
    (ValueStructProxy, "__getitem__", _taken),
    (ValueStructProxy, "_getvalue", _whole),
)
