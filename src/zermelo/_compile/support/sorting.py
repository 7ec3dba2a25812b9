"""Sorting short lists of whole numbers: Numba's own sorting takes three seconds to compile."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable


@register_jitable
def sort_numbers(items: Any, reverse: Any) -> None:
    """Sort a list in place by Shell's method: fast for few items, acceptable for more."""
    gap = len(items) // 2
    while gap > 0:
        for i in range(gap, len(items)):
            item = items[i]
            at = i
            while at >= gap and (items[at - gap] < item if reverse else items[at - gap] > item):
                items[at] = items[at - gap]
                at -= gap
            items[at] = item
        gap //= 2


def _suits(items: Any, key: Any) -> bool:
    """Whether ``items`` are whole numbers to be sorted without a key."""
    plain = key is None or isinstance(key, types.NoneType | types.Omitted)
    if isinstance(items, types.Generator):
        return plain and isinstance(items.yield_type, types.Integer)
    rows = types.List | types.UniTuple | types.Array | types.RangeType | types.Set
    return plain and isinstance(items, rows) and isinstance(items.dtype, types.Integer)


@overload(builtins.sorted)
def _sorted(items, key=None, reverse=False):  # noqa: FBT002  # as Python has it
    if not _suits(items, key):
        return None

    def ordered(items, key=None, reverse=False):  # noqa: FBT002  # likewise
        found = [np.int64(item) for item in items]
        sort_numbers(found, reverse)
        return found

    return ordered
