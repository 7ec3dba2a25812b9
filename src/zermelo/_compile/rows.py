"""Ragged rows in compiled rules: a graph or any nested list, as two flat arrays.

``rows[i]`` is an array of integers (or, nested once more, rows again), ``len(rows)`` how many
there are. Rules read them as they read a tuple of tuples in Python.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core import cgutils, types
from numba.extending import intrinsic, make_attribute_wrapper, models, overload, register_model


class RowsType(types.Type):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of rows: where each begins, and what holds their contents."""

    def __init__(self, offsets: Any, contents: Any) -> None:
        """Make the type for arrays (or rows) of these types."""
        self.offsets = offsets
        self.contents = contents
        super().__init__(name=f"Rows({offsets}, {contents})")


@register_model(RowsType)
class _RowsModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: Any, kind: RowsType) -> None:
        members = [("offsets", kind.offsets), ("contents", kind.contents)]
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
            target.nrt.incref(builder, argument_type, argument)
        return rows._getvalue()  # noqa: SLF001  # Numba's own name for it

    return kind(offsets, contents), generate


@overload(len)
def _length(rows):
    if isinstance(rows, RowsType):
        return lambda rows: rows.offsets.size - 1
    return None


@overload(operator.getitem)
def _row(rows, i):
    if not isinstance(rows, RowsType) or not isinstance(i, types.Integer):
        return None
    nested = isinstance(rows.contents, RowsType)

    def flat_row(rows, i):
        count = rows.offsets.size - 1
        if i < 0:
            i += count
        if i < 0 or i >= count:
            raise IndexError("no such row")  # noqa: EM101, TRY003  # compiled: a constant message
        return rows.contents[rows.offsets[i] : rows.offsets[i + 1]]

    def nested_row(rows, i):
        count = rows.offsets.size - 1
        if i < 0:
            i += count
        if i < 0 or i >= count:
            raise IndexError("no such row")  # noqa: EM101, TRY003  # compiled: a constant message
        inner = rows.contents
        return make_rows(inner.offsets[rows.offsets[i] : rows.offsets[i + 1] + 1], inner.contents)

    return nested_row if nested else flat_row


def depth_of(value: tuple[Any, ...]) -> int | None:
    """Return how deeply a tuple is nested down to integers, or None if it is uneven or not so."""
    depths: set[int] = set()
    for item in value:
        depth = depth_of(item) if isinstance(item, tuple) else 0
        if depth is None or not isinstance(item, tuple | int):
            return None
        depths.add(depth)
    if 0 in depths and len(depths) > 1:
        return None
    return 1 + max(depths, default=0)


def flatten(value: tuple[Any, ...], depth: int) -> list[npt.NDArray[np.int64]]:
    """Return the flat arrays of a nested tuple: the offsets of each depth, then the integers."""
    if depth == 1:
        return [np.array(value, np.int64)]
    lengths = np.array([len(row) for row in value], np.int64)
    offsets = np.zeros(len(value) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    joined = tuple(item for row in value for item in row)
    return [offsets, *flatten(joined, depth - 1)]
