"""Rows of records in compiled rules: a column for each field.

``pieces[i]`` is a NamedTuple (or a plain tuple) of the items with index ``i`` of every column, each
of which is a row of numbers, rows, texts, or records. So the fields may have different types.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic, models, register_model

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
    item_kind,
    item_of,
    part_of,
    struct_of,
    with_field,
)


class RecordsType(Series):
    """The Numba type of a row of records."""

    def __init__(self, kind: type | None, columns: Any) -> None:
        """Create the type.

        Args:
            kind: the class of the records, or None for plain tuples.
            columns: the type of the tuple of columns.
        """
        self.kind = kind
        self.columns = columns
        name = "" if kind is None else f"{kind.__name__} {id(kind)}: "
        super().__init__(name=f"Records({name}{columns})")

    @property
    def item(self) -> Type:
        """The type of a record."""
        return types.BaseTuple.from_types([item_kind(c) for c in self.columns], self.kind)

    def count(self, context: Target, builder: Builder, value: Value) -> Value:
        """Return the number of records."""
        columns = _columns(context, builder, self, value)
        return count_of(context, builder, self.columns[0], columns[0])

    def item_at(self, context: Target, builder: Builder, value: Value, place: Value) -> Value:
        """Return a record."""
        columns = _columns(context, builder, self, value)
        items = [
            item_of(context, builder, kind, column, place)
            for kind, column in zip(self.columns, columns, strict=True)
        ]
        return context.make_tuple(builder, self.item, items)

    def part(
        self, context: Target, builder: Builder, value: Value, begin: Value, end: Value
    ) -> Value:
        """Return a slice of the records."""
        columns = _columns(context, builder, self, value)
        parts = [
            part_of(context, builder, kind, column, begin, end)
            for kind, column in zip(self.columns, columns, strict=True)
        ]
        columns_part = context.make_tuple(builder, self.columns, parts)
        return with_field(context, builder, self, value, "columns", columns_part)


def _columns(context: Target, builder: Builder, kind: RecordsType, value: Value) -> list[Any]:
    columns = field_of(context, builder, kind, value, "columns")
    return list(cgutils.unpack_tuple(builder, columns, len(kind.columns)))


@register_model(RecordsType)
class _RecordsModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: ModelManager, kind: RecordsType) -> None:
        super().__init__(manager, kind, [("columns", kind.columns)])


@intrinsic
def make_records(context: Context, kind: Type, columns: Type) -> Intrinsic:  # Numba's signature
    """Return the records of a NamedTuple class, or plain tuples for None, in these columns."""
    kind_of_rows = RecordsType(getattr(kind, "instance_class", None), columns)
    return kind_of_rows(kind, columns), struct_of("columns")
