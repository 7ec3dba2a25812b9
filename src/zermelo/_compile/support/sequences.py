"""Sequences in compiled rules: their length, their items, loops over them.

Rows, texts, records and tables are sequences; each defines how its parts are read, and the rest is
here. It is generated code, not Python functions: one that returns an array would need a heap.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature
from numba.extending import models, register_model


class Series(types.IterableType):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of sequences. Subclasses define how they are read."""

    #: Whether ``series[i]`` is the item with index ``i``; in a table it is not.
    placed = True

    @property
    def item(self) -> Any:
        """The type of an item."""
        raise NotImplementedError

    @property
    def iterator_type(self) -> Any:
        """The type of an iterator, under Numba's name."""
        return IteratorType(self)

    def count(self, context: Any, builder: Any, value: Any) -> Any:
        """Return the number of items."""
        raise NotImplementedError

    def taken(self, context: Any, builder: Any, value: Any, place: Any) -> Any:
        """Return the item with a valid index."""
        raise NotImplementedError

    def part(self, context: Any, builder: Any, value: Any, begin: Any, end: Any) -> Any:
        """Return a slice of the sequence."""
        raise NotImplementedError


class IteratorType(types.SimpleIteratorType):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of an iterator over a sequence."""

    def __init__(self, series: Series) -> None:
        """Create the type for this sequence."""
        self.series = series
        super().__init__(f"iter({series})", series.item)


@register_model(IteratorType)
class _IteratorModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: Any, kind: IteratorType) -> None:
        members = [("series", kind.series), ("next", types.EphemeralPointer(types.intp))]
        super().__init__(manager, kind, members)


# -- arrays are read like sequences ---------------------------------------------------------------


def count_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return the number of items of a sequence, or of an array of one dimension."""
    if isinstance(kind, Series):
        return kind.count(context, builder, value)
    return builder.extract_value(field_of(context, builder, kind, value, "shape"), 0)


def item_of(context: Any, builder: Any, kind: Any, value: Any, place: Any) -> Any:
    """Return the item with an index of a sequence or an array, without a new reference."""
    if isinstance(kind, Series):
        return kind.taken(context, builder, value, place)
    data = field_of(context, builder, kind, value, "data")
    return context.unpack_value(builder, kind.dtype, builder.gep(data, [place]))


def part_of(context: Any, builder: Any, kind: Any, value: Any, begin: Any, end: Any) -> Any:
    """Return a slice of a sequence or an array, without a new reference."""
    if isinstance(kind, Series):
        return kind.part(context, builder, value, begin, end)
    count = builder.sub(end, begin)
    data = field_of(context, builder, kind, value, "data")
    changed = {
        "nitems": count,
        "data": builder.gep(data, [begin]),
        "shape": cgutils.pack_array(builder, [count]),
    }
    for name, field in changed.items():
        value = with_field(context, builder, kind, value, name, field)
    return value


def field_of(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Return a field of a struct, without copying the struct to the stack."""
    return context.data_model_manager[kind].get(builder, value, name)


def with_field(context: Any, builder: Any, kind: Any, value: Any, name: str, field: Any) -> Any:
    """Return a struct with another field, without copying it to the stack."""
    return context.data_model_manager[kind].set(builder, value, field, name)


def item_kind(kind: Any) -> Any:
    """Return the type of an item of a sequence or an array."""
    return kind.item if isinstance(kind, Series) else kind.dtype


def more(builder: Any, place: Any) -> Any:
    """Return an index plus one."""
    return builder.add(place, ir.Constant(place.type, 1))


def less(builder: Any, place: Any) -> Any:
    """Return an index minus one."""
    return builder.sub(place, ir.Constant(place.type, 1))


def made_of(*members: str) -> Callable[..., Any]:
    """Return the code generator of a struct whose arguments are its members in this order."""

    def generate(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        made = cgutils.create_struct_proxy(called.return_type)(context, builder)
        given = list(zip(called.args, arguments, strict=True))[-len(members) :]
        for member, (kind, value) in zip(members, given, strict=True):
            setattr(made, member, value)
            held(context, builder, kind, value)
        return made._getvalue()  # noqa: SLF001  # Numba's own name for it

    return generate


def held(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return a value, with a new reference if references are counted."""
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


# -- implementations for Numba --------------------------------------------------------------------


@infer_global(len)
class _Length(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    def generic(self, arguments: Any, _: Any) -> Any:
        """Return the signature of ``len`` of a sequence, or None."""
        if len(arguments) == 1 and isinstance(arguments[0], Series):
            return signature(types.intp, *arguments)
        return None


@lower_builtin(len, Series)
def _length(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
    return count_of(context, builder, called.args[0], arguments[0])


@infer_global(operator.getitem)
class _Item(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    def generic(self, arguments: Any, _: Any) -> Any:
        """Return the signature of indexing a sequence, or None."""
        series, i = arguments
        whole = isinstance(i, types.Integer | types.Boolean)
        if isinstance(series, Series) and series.placed and whole:
            return signature(series.item, series, types.intp)
        return None


@lower_builtin(operator.getitem, Series, types.intp)
def _taken(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
    kind = called.args[0]
    value, place = arguments
    count = count_of(context, builder, kind, value)
    zero = ir.Constant(place.type, 0)
    from_end = builder.icmp_signed("<", place, zero)
    place = builder.select(from_end, builder.add(place, count), place)
    with builder.if_then(builder.icmp_unsigned(">=", place, count), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("no such place",))
    found = item_of(context, builder, kind, value, place)
    return held(context, builder, kind.item, found)


@lower_builtin("getiter", Series)
def _begin(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
    loop = cgutils.create_struct_proxy(called.return_type)(context, builder)
    loop.series = held(context, builder, called.args[0], arguments[0])
    loop.next = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    return loop._getvalue()  # noqa: SLF001  # Numba's own name for it


@lower_builtin("iternext", IteratorType)
@iternext_impl(RefType.NEW)
def _advance(context: Any, builder: Any, called: Any, arguments: Any, result: Any) -> None:
    kind = called.args[0]
    series, following = (
        field_of(context, builder, kind, arguments[0], n) for n in ("series", "next")
    )
    place = builder.load(following)
    count = count_of(context, builder, kind.series, series)
    more_to_come = builder.icmp_signed("<", place, count)
    result.set_valid(more_to_come)
    with builder.if_then(more_to_come):
        found = item_of(context, builder, kind.series, series, place)
        result.yield_(held(context, builder, kind.series.item, found))
        builder.store(more(builder, place), following)


#: An empty tuple of whole numbers; Numba's empty tuple has no type of items.
_NO_NUMBERS = types.UniTuple(types.int64, 0)


@infer
class _EmptyLoop(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    key = "getiter"

    def generic(self, arguments: Any, _: Any) -> Any:
        """Return the signature of a loop over an empty tuple, or None."""
        [items] = arguments
        if isinstance(items, types.Tuple) and not len(items):
            return signature(_NO_NUMBERS.iterator_type, items)
        return None


@lower_builtin("getiter", types.Tuple)
def _begin_nothing(context: Any, builder: Any, called: Any, _: Any) -> Any:
    nothing = cgutils.get_null_value(context.get_value_type(_NO_NUMBERS))
    begin = context.get_function("getiter", signature(called.return_type, _NO_NUMBERS))
    return begin(builder, (nothing,))
