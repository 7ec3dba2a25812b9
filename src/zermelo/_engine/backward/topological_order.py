"""The topological order of the positions from which no cycle can be reached."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray, Uint32Array
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import zeros


@kernel
def _order(
    first: IntArray, into: Uint32Array, parents: Uint32Array, left: Uint32Array, order: Uint32Array
) -> int:
    """Order positions so that successors come first; return the number ordered."""
    tail = 0
    for i in range(first.size - 1):
        left[i] = first[i + 1] - first[i]
        if left[i] == 0:
            order[tail] = i
            tail += 1
    head = 0
    while head < tail:
        i = int(order[head])
        head += 1
        for e in range(into[i], into[i + 1]):
            parent = np.int64(parents[e])
            left[parent] -= np.uint32(1)
            if left[parent] == 0:
                order[tail] = parent
                tail += 1
    return tail


def acyclic_order(
    first: npt.NDArray[Any], into: npt.NDArray[Any], parents: npt.NDArray[Any]
) -> npt.NDArray[np.uint32]:
    """Return the positions from which no cycle can be reached, successors first.

    Args:
        first: index of each position's first move among all moves; one entry more marks the end.
        into: index in ``parents`` of each position's first parent; one entry more marks the end.
        parents: the predecessors of each position.
    """
    positions = len(first) - 1
    order = zeros(positions, np.uint32)
    left = zeros(positions, np.uint32)
    return order[: _order(first, into, parents, left, order)]
