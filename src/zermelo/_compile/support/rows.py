"""Ragged rows in compiled rules: a graph or any nested list, as two flat arrays.

``rows[i]`` is an array of integers (or, nested once more, rows again), ``len(rows)`` how many
there are, and a loop goes through them. Rules read them as they read a tuple of tuples in Python.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl, lower_builtin, lower_constant
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    register_model,
    typeof_impl,
)
from numba.np.arrayobj import populate_array

_NUMBERS = frozenset({int, bool})


class RowsType(types.IterableType):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of rows: where each begins, and what holds their contents."""

    def __init__(self, offsets: Any, contents: Any) -> None:
        """Make the type for arrays (or rows) of these types."""
        self.offsets = offsets
        self.contents = contents
        super().__init__(name=f"Rows({offsets}, {contents})")

    @property
    def row(self) -> Any:
        """The type of a row."""
        if isinstance(self.contents, RowsType):
            return RowsType(self.contents.offsets, self.contents.contents)
        return self.contents

    @property
    def iterator_type(self) -> Any:
        """The type of what goes through them; the name is Numba's."""
        return RowsIteratorType(self)


class RowsIteratorType(types.SimpleIteratorType):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of a loop over rows."""

    def __init__(self, rows: RowsType) -> None:
        """Make the type for these rows."""
        self.rows = rows
        super().__init__(f"iter({rows})", rows.row)


@register_model(RowsType)
class _RowsModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: Any, kind: RowsType) -> None:
        members = [("offsets", kind.offsets), ("contents", kind.contents)]
        super().__init__(manager, kind, members)


@register_model(RowsIteratorType)
class _IteratorModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: Any, kind: RowsIteratorType) -> None:
        members = [("rows", kind.rows), ("next", types.EphemeralPointer(types.intp))]
        super().__init__(manager, kind, members)


make_attribute_wrapper(RowsType, "offsets", "offsets")
make_attribute_wrapper(RowsType, "contents", "contents")


@intrinsic
def make_rows(context: Any, offsets: Any, contents: Any) -> Any:  # Numba's signature
    """Return rows over ``contents``, the i-th from ``offsets[i]`` to ``offsets[i + 1]``."""
    kind = RowsType(offsets, contents)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = cgutils.create_struct_proxy(kind)(target, builder)
        rows.offsets, rows.contents = arguments
        for argument, argument_type in zip(arguments, signature.args, strict=True):
            if not target.enable_nrt:
                break
            target.nrt.incref(builder, argument_type, argument)
        return rows._getvalue()  # noqa: SLF001  # Numba's own name for it

    return kind(offsets, contents), generate


@overload(len)
def _length(rows):
    if isinstance(rows, RowsType):
        return lambda rows: rows.offsets.size - 1
    return None


@infer_global(operator.getitem)
class _Row(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    def generic(self, arguments: Any, _: Any) -> Any:
        """Return the signature of taking a row, if that is what it is."""
        rows, i = arguments
        if isinstance(rows, RowsType) and isinstance(i, types.Integer | types.Boolean):
            return signature(rows.row, rows, types.intp)
        return None


@lower_builtin(operator.getitem, RowsType, types.intp)
def _taken(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
    kind = called.args[0]
    value, place = arguments
    count = _count(context, builder, kind, value)
    zero = ir.Constant(place.type, 0)
    from_end = builder.icmp_signed("<", place, zero)
    place = builder.select(from_end, builder.add(place, count), place)
    with builder.if_then(builder.icmp_unsigned(">=", place, count), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("no such row",))
    return _row(context, builder, kind, value, place)


def _count(context: Any, builder: Any, kind: RowsType, value: Any) -> Any:
    """Return how many rows there are."""
    rows = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    offsets = context.make_array(kind.offsets)(context, builder, rows.offsets)
    size = builder.extract_value(offsets.shape, 0)
    return builder.sub(size, ir.Constant(size.type, 1))


# Written out, and not as a function in Python: one that returns an array needs a heap.
def _row(context: Any, builder: Any, kind: RowsType, value: Any, place: Any) -> Any:
    """Return a row, whose place is known to be there."""
    rows = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    offsets = context.make_array(kind.offsets)(context, builder, rows.offsets)
    one = ir.Constant(place.type, 1)
    begin = builder.load(builder.gep(offsets.data, [place]))
    end = builder.load(builder.gep(offsets.data, [builder.add(place, one)]))
    if isinstance(kind.contents, RowsType):
        inner = cgutils.create_struct_proxy(kind.contents)(context, builder, value=rows.contents)
        row = cgutils.create_struct_proxy(kind.row)(context, builder)
        beyond = builder.add(end, one)
        row.offsets = _part(context, builder, kind.contents.offsets, inner.offsets, begin, beyond)
        row.contents = inner.contents
        found = row._getvalue()  # noqa: SLF001  # Numba's own name for it
    else:
        found = _part(context, builder, kind.contents, rows.contents, begin, end)
    if context.enable_nrt:
        context.nrt.incref(builder, kind.row, found)
    return found


def _part(context: Any, builder: Any, kind: Any, value: Any, begin: Any, end: Any) -> Any:
    """Return the part of an array from one place to another."""
    array = context.make_array(kind)(context, builder, value)
    part = context.make_array(kind)(context, builder)
    populate_array(
        part,
        data=builder.gep(array.data, [begin]),
        shape=cgutils.pack_array(builder, [builder.sub(end, begin)]),
        strides=array.strides,
        itemsize=array.itemsize,
        meminfo=array.meminfo,
        parent=array.parent,
    )
    return part._getvalue()  # noqa: SLF001  # Numba's own name for it


@lower_builtin("getiter", RowsType)
def _begin(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    loop = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    loop.rows = arguments[0]
    loop.next = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    if context.enable_nrt:
        context.nrt.incref(builder, signature.args[0], arguments[0])
    return loop._getvalue()  # noqa: SLF001  # Numba's own name for it


@lower_builtin("iternext", RowsIteratorType)
@iternext_impl(RefType.NEW)
def _advance(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
    kind = signature.args[0]
    loop = cgutils.create_struct_proxy(kind)(context, builder, value=arguments[0])
    place = builder.load(loop.next)
    count = _count(context, builder, kind.rows, loop.rows)
    more = builder.icmp_signed("<", place, count)
    result.set_valid(more)
    with builder.if_then(more):
        result.yield_(_row(context, builder, kind.rows, loop.rows, place))
        builder.store(builder.add(place, ir.Constant(place.type, 1)), loop.next)


def depths_of(value: Any) -> tuple[int, float] | None:
    """Return how deeply a value is nested down to integers, or None if it is uneven or not so.

    Returns:
        The least and the greatest depth it can be taken for; they differ only where it holds no
        integer at all.
    """
    if isinstance(value, int):
        return 0, 0
    if not isinstance(value, tuple):
        return None
    # Rows of numbers, and rows of those, may be long: looked at as wholes.
    kinds = set(map(type, value))
    if value and kinds <= _NUMBERS:
        return 1, 1
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(value)))
        if kinds and kinds <= _NUMBERS:
            return 2, 2
    least, most = 0, math.inf
    for item in value:
        depths = depths_of(item)
        if depths is None:
            return None
        least, most = max(least, depths[0]), min(most, depths[1])
    return (1 + least, 1 + most) if least <= most else None


def flatten(value: tuple[Any, ...], depth: int) -> list[npt.NDArray[np.int64]]:
    """Return the flat arrays of a nested tuple: the offsets of each depth, then the integers.

    They are read-only, as array parameters are: it is all one type, and rules change nothing.
    """
    if depth == 1:
        return [_frozen(np.array(value, np.int64))]
    offsets = np.fromiter(accumulate(map(len, value), initial=0), np.int64, len(value) + 1)
    return [_frozen(offsets), *flatten(tuple(chain.from_iterable(value)), depth - 1)]


def _frozen(array: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    array.flags.writeable = False
    return array


@dataclass
class Rows:
    """Rows as a constant, for rules that are compiled as they are."""

    offsets: Any
    contents: Any


def rows_of(arrays: list[Any]) -> Any:
    """Return rows from their flat arrays, see ``flatten``."""
    return arrays[0] if len(arrays) == 1 else Rows(arrays[0], rows_of(arrays[1:]))


@typeof_impl.register(Rows)
def _type_of(value: Rows, context: Any) -> Any:
    return RowsType(typeof_impl(value.offsets, context), typeof_impl(value.contents, context))


@lower_constant(RowsType)
def _constant(context: Any, builder: Any, kind: Any, value: Rows) -> Any:
    rows = cgutils.create_struct_proxy(kind)(context, builder)
    rows.offsets = context.get_constant_generic(builder, kind.offsets, value.offsets)
    rows.contents = context.get_constant_generic(builder, kind.contents, value.contents)
    return rows._getvalue()  # noqa: SLF001  # Numba's own name for it
