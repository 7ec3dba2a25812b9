"""The kernel that finds nimbers of positions whose moves lead forward."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column.nimbers import mex
from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint32Array
from zermelo._engine.core.jit import kernel
from zermelo.values.nimbers import NIMBERS

UNKNOWN = NIMBERS.unknown


@kernel
def sweep(
    first: Int64Array,
    edges: Uint32Array,
    gains: Int64Array,
    order: Uint32Array,
    ordered: bool,
    values: Int32Array,
) -> None:
    """Find the nimbers of positions, successors first: in ``order``, or from the last down."""
    most: Any = 0
    for n in range(first.size - 1):
        most = max(most, np.int64(first[n + 1]) - np.int64(first[n]))
    child_nimbers = np.empty(most, np.int32)
    for k in range(order.size if ordered else first.size - 1):
        i: Any = np.int64(order[k]) if ordered else first.size - 2 - k
        if values[i] == UNKNOWN:
            begin, end = np.int64(first[i]), np.int64(first[i + 1])
            moves = np.int64(0)
            total = np.int64(0)
            for e in range(begin, end):
                total ^= np.int64(values[np.int64(edges[e])])
                if gains.size == 0 or gains[e] != 0:
                    child_nimbers[moves] = total
                    moves += 1
                    total = np.int64(0)
            values[i] = mex(child_nimbers, 0, moves)
