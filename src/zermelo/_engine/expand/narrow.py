"""Narrow layers, many in one call of a kernel: Python would take longer than the positions do.

The rules are in a module of their own, and so is the kernel that alternates between them and what
stands here (``narrow`` in ``_compile/generate/module.py``). It is compiled for a game once many of
its layers were narrow.
"""

from __future__ import annotations

from typing import Any

from zermelo._engine.core.jit import inlined
from zermelo._engine.index.direct import insert_direct
from zermelo._engine.index.hash_index import insert

#: Positions of a narrow layer at most, and narrow layers before the kernel is used.
WIDTH, PATIENCE = 32, 1 << 13
#: Layers that one call expands at most, and positions and moves there is room for.
LAYERS, ROOM = 1 << 15, 1 << 16

#: Numbers in ``state``: where the layer that is not expanded yet begins and ends; positions and
#: moves so far; whether all moves lead forward, and beyond their layer; layers found by this call.
HEAD, END, KNOWN, MOVES, FORWARD, LAYERED, FOUND, STATE = range(8)


@inlined
def goes_on(state: Any, bounds: Any, children: Any, words: int, limits: Any) -> bool:
    """Whether a layer is left, it is narrow, and all that it may lead to has room.

    Args:
        state: see HEAD and those after it.
        bounds: receives where layers end.
        children: the buffer that limits how many moves a layer has.
        words: words of a position.
        limits: positions and moves that there is room for.
    """
    size = state[END] - state[HEAD]
    most = children.size // words
    room = state[KNOWN] + most <= limits[0] and state[MOVES] + most <= limits[1]
    return bool(0 < size <= WIDTH and room and state[FOUND] < bounds.size)


@inlined
def append(
    state: Any, bounds: Any, made: int, words: int, layer: Any, index: Any, graph: Any
) -> bool:
    """Number what a layer leads to, and add it to the graph; whether that could be done.

    Args:
        state: see HEAD and those after it.
        bounds: receives where the layer ends that this one leads to.
        made: moves of the layer.
        words: words of a position.
        layer: what it was expanded into: ``children``, ``ends``, ``values``, ``owners``, ``gains``.
        index: the hash table; or the array, if it is not empty, and the bits that may differ.
        graph: ``keys``, ``first``, ``edges``, ``values``, ``owners``, ``gains``.
    """
    children, ends, values, owners, gains = layer
    table, places, used = index
    keys, first, edges, stored, turns, points = graph
    head, end, base = state[HEAD], state[END], state[MOVES]
    if places.size > 0:
        known = insert_direct(children, made, places, used, keys, state[KNOWN], edges, base)
        if known < 0:
            return False
    else:
        known = insert(children, made, words, table, keys, state[KNOWN], edges, base)
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
        for edge in range(made):
            points[base + edge] = gains[edge]
    if known > end:
        bounds[state[FOUND]] = known
        state[FOUND] += 1
    state[HEAD], state[END], state[KNOWN], state[MOVES] = end, known, known, base + made
    return True
