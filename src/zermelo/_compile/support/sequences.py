"""Sequences in compiled rules: their length, their items, loops over them.

Rows, texts, records and tables are sequences; each defines how its parts are read. The other
operations are here. They are code generators, not Python functions, because a function that returns
an array would need a heap.
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

from zermelo._compile.support.numba_types import (
    Builder,
    ModelManager,
    Signature,
    Target,
    Type,
    Value,
)


class Series(types.IterableType):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of sequences. Subclasses define how they are read."""

    #: Whether ``series[i]`` is the item with index ``i``; in a table it is not.
    is_indexed = True

    @property
    def item(self) -> Type:
        """The type of an item."""
        raise NotImplementedError

    @property
    def iterator_type(self) -> Type:
        """The type of an iterator, under Numba's name."""
        return IteratorType(self)

    def count(self, context: Target, builder: Builder, value: Value) -> Value:
        """Return the number of items."""
        raise NotImplementedError

    def item_at(self, context: Target, builder: Builder, value: Value, index: Value) -> Value:
        """Return the item with a valid index."""
        raise NotImplementedError

    def part(
        self, context: Target, builder: Builder, value: Value, begin: Value, end: Value
    ) -> Value:
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
    def __init__(self, manager: ModelManager, kind: IteratorType) -> None:
        members = [("series", kind.series), ("next", types.EphemeralPointer(types.intp))]
        super().__init__(manager, kind, members)


# -- arrays are read like sequences ---------------------------------------------------------------


def count_of(context: Target, builder: Builder, kind: Type, value: Value) -> Value:
    """Return the number of items of a sequence, or of an array of one dimension."""
    if isinstance(kind, Series):
        return kind.count(context, builder, value)
    return builder.extract_value(field_of(context, builder, kind, value, "shape"), 0)


def item_of(context: Target, builder: Builder, kind: Type, value: Value, index: Value) -> Value:
    """Return the item with an index of a sequence or an array, without a new reference."""
    if isinstance(kind, Series):
        return kind.item_at(context, builder, value, index)
    data = field_of(context, builder, kind, value, "data")
    return context.unpack_value(builder, kind.dtype, builder.gep(data, [index]))


def part_of(
    context: Target, builder: Builder, kind: Type, value: Value, begin: Value, end: Value
) -> Value:
    """Return a slice of a sequence or an array, without a new reference."""
    if isinstance(kind, Series):
        return kind.part(context, builder, value, begin, end)
    count = builder.sub(end, begin)
    data = field_of(context, builder, kind, value, "data")
    fields = {
        "nitems": count,
        "data": builder.gep(data, [begin]),
        "shape": cgutils.pack_array(builder, [count]),
    }
    for name, field in fields.items():
        value = with_field(context, builder, kind, value, name, field)
    return value


def field_of(context: Target, builder: Builder, kind: Type, value: Value, name: str) -> Value:
    """Return a field of a struct, without copying the struct to the stack."""
    return context.data_model_manager[kind].get(builder, value, name)


def with_field(
    context: Target, builder: Builder, kind: Type, value: Value, name: str, field: Value
) -> Value:
    """Return a struct with another field, without copying it to the stack."""
    return context.data_model_manager[kind].set(builder, value, field, name)


def item_kind(kind: Type) -> Any:
    """Return the type of an item of a sequence or an array."""
    return kind.item if isinstance(kind, Series) else kind.dtype


def plus_one(builder: Builder, index: Value) -> Value:
    """Return an index plus one."""
    return builder.add(index, ir.Constant(index.type, 1))


def minus_one(builder: Builder, index: Value) -> Value:
    """Return an index minus one."""
    return builder.sub(index, ir.Constant(index.type, 1))


def struct_of(*members: str) -> Callable[..., Any]:
    """Return the code generator of a struct whose arguments are its members in this order."""

    def generate(
        context: Target, builder: Builder, signature: Signature, arguments: Value
    ) -> Value:
        struct = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        pairs = list(zip(signature.args, arguments, strict=True))[-len(members) :]
        for member, (kind, value) in zip(members, pairs, strict=True):
            setattr(struct, member, value)
            with_reference(context, builder, kind, value)
        return struct._getvalue()  # noqa: SLF001  # Numba's own name for it

    return generate


def with_reference(context: Target, builder: Builder, kind: Type, value: Value) -> Value:
    """Return a value, with a new reference if references are counted."""
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


# -- implementations for Numba --------------------------------------------------------------------


@infer_global(len)
class _Length(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    def generic(self, arguments: Type, _: Any) -> Signature:
        """Return the signature of ``len`` of a sequence, or None."""
        if len(arguments) == 1 and isinstance(arguments[0], Series):
            return signature(types.intp, *arguments)
        return None


@lower_builtin(len, Series)
def _lower_len(
    context: Target, builder: Builder, call_signature: Signature, arguments: Value
) -> Value:
    return count_of(context, builder, call_signature.args[0], arguments[0])


@infer_global(operator.getitem)
class _Item(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    def generic(self, arguments: Type, _: Any) -> Signature:
        """Return the signature of indexing a sequence, or None."""
        series, i = arguments
        whole = isinstance(i, types.Integer | types.Boolean)
        if isinstance(series, Series) and series.is_indexed and whole:
            return signature(series.item, series, types.intp)
        return None


@lower_builtin(operator.getitem, Series, types.intp)
def _lower_getitem(
    context: Target, builder: Builder, call_signature: Signature, arguments: Value
) -> Value:
    kind = call_signature.args[0]
    value, index = arguments
    count = count_of(context, builder, kind, value)
    zero = ir.Constant(index.type, 0)
    from_end = builder.icmp_signed("<", index, zero)
    index = builder.select(from_end, builder.add(index, count), index)
    with builder.if_then(builder.icmp_unsigned(">=", index, count), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("no such place",))
    item = item_of(context, builder, kind, value, index)
    return with_reference(context, builder, kind.item, item)


@lower_builtin("getiter", Series)
def _lower_getiter(
    context: Target, builder: Builder, call_signature: Signature, arguments: Value
) -> Any:
    loop = cgutils.create_struct_proxy(call_signature.return_type)(context, builder)
    loop.series = with_reference(context, builder, call_signature.args[0], arguments[0])
    loop.next = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    return loop._getvalue()  # noqa: SLF001  # Numba's own name for it


@lower_builtin("iternext", IteratorType)
@iternext_impl(RefType.NEW)
def _lower_iternext(
    context: Target, builder: Builder, call_signature: Signature, arguments: Value, result: Any
) -> None:
    kind = call_signature.args[0]
    series, next_index = (
        field_of(context, builder, kind, arguments[0], n) for n in ("series", "next")
    )
    index = builder.load(next_index)
    count = count_of(context, builder, kind.series, series)
    has_next = builder.icmp_signed("<", index, count)
    result.set_valid(has_next)
    with builder.if_then(has_next):
        item = item_of(context, builder, kind.series, series, index)
        result.yield_(with_reference(context, builder, kind.series.item, item))
        builder.store(plus_one(builder, index), next_index)


#: An empty tuple of whole numbers; Numba's empty tuple has no type of items.
_NO_NUMBERS = types.UniTuple(types.int64, 0)


@infer
class _EmptyLoop(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    key = "getiter"

    def generic(self, arguments: Type, _: Any) -> Signature:
        """Return the signature of a loop over an empty tuple, or None."""
        [items] = arguments
        if isinstance(items, types.Tuple) and not len(items):
            return signature(_NO_NUMBERS.iterator_type, items)
        return None


@lower_builtin("getiter", types.Tuple)
def _lower_empty_getiter(
    context: Target, builder: Builder, call_signature: Signature, _: Any
) -> Value:
    empty = cgutils.get_null_value(context.get_value_type(_NO_NUMBERS))
    begin = context.get_function("getiter", signature(call_signature.return_type, _NO_NUMBERS))
    return begin(builder, (empty,))
