"""Which positions have the same game before them, move for move, whatever it looks like.

Positions have the same shape where they have the same value and their moves lead, in some order, to
positions of the same shapes. Symmetric positions have, with or without anybody declaring it. A
shape is 64 bits made of those of the next positions, so that two shapes which differ are taken for
one about once in 2**64 times.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.survey.move_graph import MoveGraph


@inlined
def _mixed(word: Any) -> Any:
    """Return a word whose every bit depends on every bit of this one (splitmix64, Steele 2014)."""
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def _shape(
    order: Any, first: Any, edges: Any, values: Any, owners: Any, gains: Any, shapes: Any
) -> None:
    for at in range(first.size - 1):
        i = np.int64(order[at]) if order.size else first.size - 2 - at
        total = _mixed(np.uint64(np.int64(values[i])))
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            move = shapes[child]
            if owners.size > 0 and owners[i] == owners[child]:
                move = _mixed(move)
            if gains.size:
                move += _mixed(np.uint64(gains[e]))
            total += _mixed(move)
        shapes[i] = total


def shapes_of(move_graph: MoveGraph) -> npt.NDArray[np.uint64] | None:
    """Return the shape of each position, or None where moves lead in circles."""
    if len(move_graph.rest):
        return None
    shapes = np.empty(move_graph.positions, np.uint64)
    order = np.empty(0, np.uint32) if move_graph.order is None else move_graph.order
    arrays = (
        move_graph.first,
        move_graph.edges,
        move_graph.values,
        move_graph.owners,
        move_graph.gains,
    )
    _shape(order, *arrays, shapes)
    return shapes
