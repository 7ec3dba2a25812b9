"""Ragged rows in compiled rules: a graph or any nested list, as two flat arrays.

``rows[i]`` is an array of integers (or, one level deeper, rows), ``len(rows)`` is their
number, and a loop iterates over them. Rules read them like a tuple of tuples in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, register_model, typeof_impl

from zermelo._compile.support.numba_types import (
    Builder,
    Context,
    Intrinsic,
    ModelManager,
    Target,
    Type,
    Value,
)
from zermelo._compile.support.sequences import (
    Series,
    count_of,
    field_of,
    item_of,
    minus_one,
    part_of,
    plus_one,
    struct_of,
    with_field,
)


class RowsType(Series):
    """The Numba type of rows: the begin of each, and their contents."""

    def __init__(self, offsets: Any, contents: Any) -> None:
        """Create the type for arrays (or other series) of these types."""
        self.offsets = offsets
        self.contents = contents
        super().__init__(name=f"Rows({offsets}, {contents})")

    @property
    def item(self) -> Type:
        """The type of a row."""
        return self.contents

    def count(self, context: Target, builder: Builder, value: Value) -> Value:
        """Return the number of rows."""
        offsets = field_of(context, builder, self, value, "offsets")
        return minus_one(builder, count_of(context, builder, self.offsets, offsets))

    def item_at(self, context: Target, builder: Builder, value: Value, index: Value) -> Value:
        """Return a row with a valid index."""
        offsets = field_of(context, builder, self, value, "offsets")
        contents = field_of(context, builder, self, value, "contents")
        begin = item_of(context, builder, self.offsets, offsets, index)
        end = item_of(context, builder, self.offsets, offsets, plus_one(builder, index))
        return part_of(context, builder, self.contents, contents, begin, end)

    def part(
        self, context: Target, builder: Builder, value: Value, begin: Value, end: Value
    ) -> Value:
        """Return a slice of the rows."""
        offsets = field_of(context, builder, self, value, "offsets")
        part = part_of(context, builder, self.offsets, offsets, begin, plus_one(builder, end))
        return with_field(context, builder, self, value, "offsets", part)


@register_model(RowsType)
class _RowsModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: ModelManager, kind: RowsType) -> None:
        members = [("offsets", kind.offsets), ("contents", kind.contents)]
        super().__init__(manager, kind, members)


@intrinsic
def make_rows(context: Context, offsets: Type, contents: Type) -> Intrinsic:  # Numba's signature
    """Return rows over ``contents``, the i-th from ``offsets[i]`` to ``offsets[i + 1]``."""
    kind = RowsType(offsets, contents)
    return kind(offsets, contents), struct_of("offsets", "contents")


@dataclass
class Rows:
    """Rows as a constant, for rules that are compiled unchanged."""

    offsets: Any
    contents: Any


def rows_of(arrays: list[Any]) -> Any:
    """Return rows from their flat arrays, see ``nested.flatten``."""
    return arrays[0] if len(arrays) == 1 else Rows(arrays[0], rows_of(arrays[1:]))


@typeof_impl.register(Rows)
def _type_of(value: Rows, context: Context) -> Any:
    return RowsType(typeof_impl(value.offsets, context), typeof_impl(value.contents, context))


@lower_constant(RowsType)
def _constant(context: Target, builder: Builder, kind: Type, value: Rows) -> Value:
    rows = cgutils.create_struct_proxy(kind)(context, builder)
    rows.offsets = context.get_constant_generic(builder, kind.offsets, value.offsets)
    rows.contents = context.get_constant_generic(builder, kind.contents, value.contents)
    return rows._getvalue()  # noqa: SLF001  # Numba's own name for it
