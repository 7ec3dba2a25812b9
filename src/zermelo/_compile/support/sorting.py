"""Sorting of short lists of whole numbers.

Numba's own sorting takes three seconds to compile.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable


@register_jitable
def sort_numbers(items: Any, reverse: Any) -> None:
    """Sort a list in place by Shell sort, which is fast for few items, acceptable for more."""
    gap = len(items) // 2
    while gap > 0:
        for i in range(gap, len(items)):
            item = items[i]
            hole = i
            while hole >= gap and (
                items[hole - gap] < item if reverse else items[hole - gap] > item
            ):
                items[hole] = items[hole - gap]
                hole -= gap
            items[hole] = item
        gap //= 2


def _suits(items: Any, key: Any) -> bool:
    """Return whether ``items`` are whole numbers to be sorted without a key."""
    has_no_key = key is None or isinstance(key, types.NoneType | types.Omitted)
    if isinstance(items, types.Generator):
        return has_no_key and isinstance(items.yield_type, types.Integer)
    sequences = types.List | types.UniTuple | types.Array | types.RangeType | types.Set
    return has_no_key and isinstance(items, sequences) and isinstance(items.dtype, types.Integer)


@overload(builtins.sorted)
def _sorted(items, key=None, reverse=False):  # noqa: FBT002  # as Python has it
    if not _suits(items, key):
        return None

    def sorted_list(items, key=None, reverse=False):  # noqa: FBT002  # likewise
        numbers = [np.int64(item) for item in items]
        sort_numbers(numbers, reverse)
        return numbers

    return sorted_list
