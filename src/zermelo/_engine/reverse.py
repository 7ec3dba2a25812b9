"""The reversed graph: which positions have a move to each position.

Written by buckets of 65,536 targets, so that each pass writes to places that are near each other:
2.3 to 2.8 times as fast as writing each reversed edge to its place at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.jit import kernel
from zermelo._engine.memory import zeros

_BITS = 16
_SIZE = 1 << _BITS


@kernel
def _bucket(first: Any, edges: Any, starts: Any, sources: Any, places: Any) -> None:
    """Sort edges by bucket of their target; ``starts`` receives where each bucket begins."""
    for e in range(edges.size):
        starts[(np.int64(edges[e]) >> _BITS) + 1] += 1
    for b in range(starts.size - 1):
        starts[b + 1] += starts[b]
    at = starts.copy()
    for source in range(first.size - 1):
        for e in range(first[source], first[source + 1]):
            target = np.int64(edges[e])
            b = int(target >> _BITS)
            sources[at[b]] = source
            places[at[b]] = target & (_SIZE - 1)
            at[b] += 1


@kernel
def _spread(starts: Any, sources: Any, places: Any, into: Any, parents: Any) -> None:
    """Sort each bucket by target; ``into`` receives where the parents of each position begin."""
    count: Any = np.empty(_SIZE, np.int64)
    positions = into.size - 1
    for b in range(starts.size - 1):
        low = b << _BITS
        high = min(low + _SIZE, positions)
        count[:] = 0
        for i in range(starts[b], starts[b + 1]):
            count[places[i]] += 1
        at = starts[b]
        for position in range(low, high):
            into[position] = at
            size = count[position - low]
            count[position - low] = at
            at += size
        for i in range(starts[b], starts[b + 1]):
            place = places[i]
            parents[count[place]] = sources[i]
            count[place] += 1
    into[positions] = starts[starts.size - 1]


def reverse(
    first: npt.NDArray[np.int64], edges: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
    """Return, for each position, the positions with a move to it.

    Args:
        first: place in ``edges`` of each position's first move, and one number more.
        edges: where each move leads.

    Returns:
        Place of each position's first parent and one number more; the parents, as many times as
        they have a move there, in ascending order.
    """
    positions = len(first) - 1
    buckets = (positions >> _BITS) + 1
    starts = np.zeros(buckets + 1, np.int64)
    sources: npt.NDArray[Any] = zeros(len(edges), np.uint32)
    places: npt.NDArray[Any] = zeros(len(edges), np.uint16)
    _bucket(first, edges, starts, sources, places)
    into: npt.NDArray[Any] = zeros(positions + 1, np.int64)
    parents: npt.NDArray[Any] = zeros(len(edges), np.uint32)
    _spread(starts, sources, places, into, parents)
    return into, parents
