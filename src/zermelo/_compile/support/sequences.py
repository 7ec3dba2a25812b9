"""Things with places, in compiled rules: how many there are, the one at a place, a loop over them.

Rows, texts, records and tables are such; each says how its parts are read, and the rest is here.
It is written out, and not as functions in Python: one that returns an array needs a heap.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, register_model


class Series(types.IterableType):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of things with places. Its subclasses say how they are read."""

    #: Whether ``series[i]`` is the item at a place; where it is not, as in a table, something else.
    placed = True

    @property
    def item(self) -> Any:
        """The type of what stands at a place."""
        raise NotImplementedError

    @property
    def iterator_type(self) -> Any:
        """The type of what goes through them; the name is Numba's."""
        return IteratorType(self)

    def count(self, context: Any, builder: Any, value: Any) -> Any:
        """Return how many there are."""
        raise NotImplementedError

    def taken(self, context: Any, builder: Any, value: Any, place: Any) -> Any:
        """Return what stands at a place that is known to be there."""
        raise NotImplementedError

    def part(self, context: Any, builder: Any, value: Any, begin: Any, end: Any) -> Any:
        """Return the part from one place to another."""
        raise NotImplementedError


class IteratorType(types.SimpleIteratorType):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of a loop over a series."""

    def __init__(self, series: Series) -> None:
        """Make the type for this series."""
        self.series = series
        super().__init__(f"iter({series})", series.item)


@register_model(IteratorType)
class _IteratorModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: Any, kind: IteratorType) -> None:
        members = [("series", kind.series), ("next", types.EphemeralPointer(types.intp))]
        super().__init__(manager, kind, members)


# -- arrays are read as series are ----------------------------------------------------------------


def count_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return how many items a series, or an array of one dimension, has."""
    if isinstance(kind, Series):
        return kind.count(context, builder, value)
    return builder.extract_value(field_of(context, builder, kind, value, "shape"), 0)


def item_of(context: Any, builder: Any, kind: Any, value: Any, place: Any) -> Any:
    """Return the item at a place of a series or an array; its holder keeps the reference."""
    if isinstance(kind, Series):
        return kind.taken(context, builder, value, place)
    data = field_of(context, builder, kind, value, "data")
    return context.unpack_value(builder, kind.dtype, builder.gep(data, [place]))


def part_of(context: Any, builder: Any, kind: Any, value: Any, begin: Any, end: Any) -> Any:
    """Return the part of a series or an array from one place to another; likewise."""
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
    """Return a field of a struct, which is not written to the stack for that."""
    return context.data_model_manager[kind].get(builder, value, name)


def with_field(context: Any, builder: Any, kind: Any, value: Any, name: str, field: Any) -> Any:
    """Return a struct with another field; likewise."""
    return context.data_model_manager[kind].set(builder, value, field, name)


def item_kind(kind: Any) -> Any:
    """Return the type of what stands at a place of a series or an array."""
    return kind.item if isinstance(kind, Series) else kind.dtype


def more(builder: Any, place: Any) -> Any:
    """Return the place after one."""
    return builder.add(place, ir.Constant(place.type, 1))


def less(builder: Any, place: Any) -> Any:
    """Return the place before one."""
    return builder.sub(place, ir.Constant(place.type, 1))


def made_of(*members: str) -> Callable[..., Any]:
    """Return the code that makes a struct of its arguments, members in this order."""

    def generate(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        made = cgutils.create_struct_proxy(called.return_type)(context, builder)
        given = list(zip(called.args, arguments, strict=True))[-len(members) :]
        for member, (kind, value) in zip(members, given, strict=True):
            setattr(made, member, value)
            held(context, builder, kind, value)
        return made._getvalue()  # noqa: SLF001  # Numba's own name for it

    return generate


def held(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return a value, counted as held once more where that is counted."""
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


# -- what Numba calls -----------------------------------------------------------------------------


@infer_global(len)
class _Length(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    def generic(self, arguments: Any, _: Any) -> Any:
        """Return the signature of a length, if that is what it is."""
        if len(arguments) == 1 and isinstance(arguments[0], Series):
            return signature(types.intp, *arguments)
        return None


@lower_builtin(len, Series)
def _length(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
    return count_of(context, builder, called.args[0], arguments[0])


@infer_global(operator.getitem)
class _Item(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    def generic(self, arguments: Any, _: Any) -> Any:
        """Return the signature of taking an item, if that is what it is."""
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
