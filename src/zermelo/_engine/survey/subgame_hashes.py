"""Hashes of the game below each position: equal for positions with isomorphic games.

Positions have equal hashes if they have equal values and their moves lead, in some order, to
positions of equal hashes. Symmetric positions have, with or without declared symmetries. A hash is
64 bits computed from those of the children, so that two different games collide about once in 2**64
times.
"""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.array_types import (
    Int64Array,
    IntArray,
    Uint8Array,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.survey.move_graph import MoveGraph

#: Mixed into the value of a position of chance, an arbitrary number.
_BY_CHANCE = np.int64(0x5851F42D4C957F2D)


@inlined
def _mix(word: np.uint64) -> np.uint64:
    """Return a word whose every bit depends on every bit of ``word`` (splitmix64, Steele 2014)."""
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def _shape(
    order: Uint32Array,
    first: Int64Array,
    edges: Uint32Array,
    values: IntArray,
    owners: Uint8Array,
    gains: Int64Array,
    hashes: Uint64Array,
) -> None:
    for index in range(first.size - 1):
        i = np.int64(order[index]) if order.size else first.size - 2 - index
        total = _mix(np.uint64(np.int64(values[i])))
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            move = hashes[child]
            if owners.size > 0 and owners[i] == owners[child]:
                move = _mix(move)
            if gains.size:
                move += _mix(np.uint64(gains[e]))
            total += _mix(move)
        hashes[i] = total


def hash_subgames(move_graph: MoveGraph) -> Uint64Array | None:
    """Return the hash of each position, or None if moves form cycles."""
    if len(move_graph.cyclic):
        return None
    shapes = np.empty(move_graph.positions, np.uint64)
    order = np.empty(0, np.uint32) if move_graph.order is None else move_graph.order
    values = move_graph.values
    if len(move_graph.by_chance):
        values = np.where(move_graph.by_chance, values ^ _BY_CHANCE, values)
    arrays = (
        move_graph.first,
        move_graph.edges,
        values,
        move_graph.owners,
        move_graph.gains,
    )
    _shape(order, *arrays, shapes)
    return shapes
