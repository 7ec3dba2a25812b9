"""Narrow layers, many in one kernel call: Python overhead would exceed the work on the positions.

The rules are in a generated module, and so is the kernel that alternates between them and the
functions here (``narrow`` in ``_compile/generate/module.py``). It is compiled for a game after many
narrow layers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.core.jit import inlined
from zermelo._engine.index.direct import insert_direct
from zermelo._engine.index.hash_index import fits, insert

#: Positions of a narrow layer at most, and narrow layers before the kernel is used.
WIDTH, PATIENCE = 32, 1 << 13
#: Layers that one call expands at most, and its capacity in positions and moves.
LAYERS, ROOM = 1 << 15, 1 << 16

#: Indices into ``state``: begin and end of the layer to expand next; positions and moves so far;
#: whether all moves lead forward, and beyond their layer; layers found by this call.
HEAD, END, KNOWN, MOVES, FORWARD, LAYERED, FOUND, STATE = range(8)


@inlined
def is_narrow_layer(
    state: Int64Array,
    bounds: Int64Array,
    children: Uint64Array,
    words: int,
    limits: tuple[int, int],
) -> bool:
    """Whether the next layer is not empty, is narrow, and the capacity suffices for its moves.

    Args:
        state: the state, indexed by HEAD and the constants after it.
        bounds: receives the ends of layers.
        children: the buffer whose size limits the moves of a layer.
        words: words of a position.
        limits: the capacity in positions and in moves.
    """
    size = state[END] - state[HEAD]
    most = children.size // words
    has_capacity = state[KNOWN] + most <= limits[0] and state[MOVES] + most <= limits[1]
    return bool(0 < size <= WIDTH and has_capacity and state[FOUND] < bounds.size)


@inlined
def append(
    state: Int64Array, bounds: Int64Array, child_count: int, layer: Any, index: Any, graph: Any
) -> bool:
    """Number the children of a layer, and append them to the graph; return whether that succeeded.

    Args:
        state: the state, indexed by HEAD and the constants after it.
        bounds: receives the end of the next layer.
        child_count: moves of the layer.
        layer: the expansion: ``children``, ``ends``, ``values``, ``owners``, ``gains``.
        index: the hash table and its form; the array, if it is not empty, and its ``used`` bits.
        graph: ``keys``, ``first``, ``edges``, ``values``, ``owners``, ``gains``.
    """
    children, ends, values, owners, gains = layer
    table, form, places, used = index
    keys, first, edges, stored, turns, points = graph
    head, end, base = state[HEAD], state[END], state[MOVES]
    if places.size > 0:
        known = insert_direct(children, child_count, places, used, keys, state[KNOWN], edges, base)
        if known < 0:
            return False
    else:
        words: Any = np.int64(form[0])
        for i in range(child_count):
            if not fits(children, i * words, form):
                return False
        known = insert(children, child_count, table, form, keys, state[KNOWN], edges, base)
    begin = 0
    for i in range(end - head):
        for edge in range(base + begin, base + ends[i]):
            if edges[edge] <= head + i:
                state[FORWARD] = 0
            if edges[edge] < end:
                state[LAYERED] = 0
        begin = ends[i]
        first[head + i + 1] = base + begin
        stored[head + i] = values[i]
        if turns.size > 0:
            turns[head + i] = owners[i]
    if points.size > 0:
        for edge in range(child_count):
            points[base + edge] = gains[edge]
    if known > end:
        bounds[state[FOUND]] = known
        state[FOUND] += 1
    state[HEAD], state[END], state[KNOWN], state[MOVES] = end, known, known, base + child_count
    return True
