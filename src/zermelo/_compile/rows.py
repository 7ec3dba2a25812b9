"""Ragged rows in compiled rules: a graph or any nested list, as two flat arrays.

``rows[i]`` is an array of integers (or, nested once more, rows again), ``len(rows)`` how many
there are, and a loop goes through them. Rules read them as they read a tuple of tuples in Python.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl, lower_builtin, lower_constant
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    register_model,
    typeof_impl,
)


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


def _flat_row(rows, i):
    count = rows.offsets.size - 1
    if i < 0:
        i += count
    if i < 0 or i >= count:
        raise IndexError("no such row")  # noqa: EM101, TRY003  # compiled: a constant message
    return rows.contents[rows.offsets[i] : rows.offsets[i + 1]]


def _nested_row(rows, i):
    count = rows.offsets.size - 1
    if i < 0:
        i += count
    if i < 0 or i >= count:
        raise IndexError("no such row")  # noqa: EM101, TRY003  # compiled: a constant message
    inner = rows.contents
    return make_rows(inner.offsets[rows.offsets[i] : rows.offsets[i + 1] + 1], inner.contents)


@overload(operator.getitem)
def _row(rows, i):
    if not isinstance(rows, RowsType) or not isinstance(i, types.Integer | types.Boolean):
        return None
    return _nested_row if isinstance(rows.contents, RowsType) else _flat_row


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
    length = types.intp(kind.rows)
    count = context.compile_internal(builder, lambda rows: len(rows), length, [loop.rows])
    more = builder.icmp_signed("<", place, count)
    result.set_valid(more)
    with builder.if_then(more):
        get = _nested_row if isinstance(kind.rows.contents, RowsType) else _flat_row
        item = kind.rows.row(kind.rows, types.intp)
        result.yield_(context.compile_internal(builder, get, item, [loop.rows, place]))
        builder.store(cgutils.increment_index(builder, place), loop.next)


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
    lengths = np.array([len(row) for row in value], np.int64)
    offsets = np.zeros(len(value) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    joined = tuple(item for row in value for item in row)
    return [_frozen(offsets), *flatten(joined, depth - 1)]


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
