"""Kernels that parse parity games in PGSolver's format, and survey the cycles of their graphs.

A game is text. Each vertex has a number, a priority, an owner, successors and perhaps a name:
``3 1 0 4,5 "lift";``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, IntArray
from zermelo._engine.core.jit import inlined, light_kernel

#: The end of parsing: at the end of the text, in the middle of a vertex, or at an invalid byte.
DONE, CUT, INVALID = 0, 1, 2
#: The item that was expected at the invalid byte.
NUMBER, PRIORITY, OWNER, SUCCESSOR, COMMA = 0, 1, 2, 3, 4
#: The greatest number of a vertex, and of a priority.
MOST_VERTEX, MOST_PRIORITY = (1 << 32) - 2, (1 << 53)

#: Bits of facts about a component: it has an even priority, or an odd one; an edge leaves the
#: component, or stays in it.
EVEN, ODD, LEAVES, STAYS = 1, 2, 4, 8

_ZERO, _COMMA, _END, _QUOTE, _SPACE = 48, 44, 59, 34, 32


@inlined
def _number(data: IntArray, at: int, end: int, most: int) -> tuple[Any, Any]:
    """Return the number that begins at ``at``, and its end; -1 if there is no valid number."""
    begin = at
    number = np.int64(0)
    while at < end:
        digit = np.int64(data[at]) - _ZERO
        if digit < 0 or digit > 9:
            break
        number = number * 10 + digit
        if number > most:
            return np.int64(-1), begin
        at += 1
    return (number if at > begin else np.int64(-1)), at


@light_kernel
def read_vertices(
    data: Any,
    begin: int,
    end: int,
    numbers: Int64Array,
    facts: IntArray,
    edges: IntArray,
    names: IntArray,
) -> tuple[int, int, int, int, int]:
    """Parse vertices until the text ends, or a vertex is incomplete or invalid.

    Args:
        data: the text.
        begin: the first byte to read.
        end: the end of the text.
        numbers: receives the number and the priority of each vertex, int64, two a row.
        facts: receives the owner and the number of successors of each vertex, uint32, two a row.
        edges: receives the successors, uint32.
        names: receives the begin and the end of the name of each vertex, int64, two a row; 0 and 0
            for a vertex without a name. Empty if names are not needed.

    Returns:
        The end of parsing, DONE, CUT or INVALID; the index of the first byte that was not parsed,
        or of the invalid byte; the item expected there; and the numbers of vertices and successors.
    """
    at, count, total = begin, 0, 0
    while True:
        while at < end and data[at] <= _SPACE:
            at += 1
        vertex_begin, first = at, total
        if at == end:
            return DONE, at, 0, count, total
        for field in range(3):
            most = MOST_VERTEX if field == NUMBER else MOST_PRIORITY if field == PRIORITY else 1
            number, at = _number(data, at, end, most)
            if at == end:
                return CUT, vertex_begin, 0, count, first
            if number < 0 or data[at] > _SPACE:
                return INVALID, at, field, count, first
            if field == OWNER:
                facts[count, 0] = number
            else:
                numbers[count, field] = number
            while at < end and data[at] <= _SPACE:
                at += 1
        while True:
            number, at = _number(data, at, end, MOST_VERTEX)
            if at == end:
                return CUT, vertex_begin, 0, count, first
            if number < 0:
                return INVALID, at, SUCCESSOR, count, first
            edges[total] = number
            total += 1
            while at < end and data[at] <= _SPACE:
                at += 1
            if at == end:
                return CUT, vertex_begin, 0, count, first
            if data[at] != _COMMA:
                break
            at += 1
            while at < end and data[at] <= _SPACE:
                at += 1
        name_begin, name_end = np.int64(0), np.int64(0)
        if data[at] == _QUOTE:
            at += 1
            name_begin = np.int64(at)
            while at < end and data[at] != _QUOTE:
                at += 1
            name_end = np.int64(at)
            at += 1
            while at < end and data[at] <= _SPACE:
                at += 1
            if at >= end:
                return CUT, vertex_begin, 0, count, first
        if data[at] != _END:
            return INVALID, at, COMMA, count, first
        at += 1
        if names.size:
            names[count, 0] = name_begin
            names[count, 1] = name_end
        facts[count, 1] = total - first
        count += 1


@light_kernel
def sinks(first: IntArray, edges: IntArray, out: Any) -> None:
    """Write whether each vertex has edges, and all its edges lead to itself."""
    for v in range(out.size):
        low, high = np.int64(first[v]), np.int64(first[v + 1])
        is_sink = high > low
        for e in range(low, high):
            is_sink = is_sink and np.int64(edges[e]) == v
        out[v] = is_sink


@light_kernel
def has_mixed_cycle(first: IntArray, edges: IntArray, odd: Any, walk: IntArray, last: int) -> int:
    """Return whether one edge from each vertex makes a cycle with even and odd priorities.

    The walks visit each vertex twice at most. If the result is False, other such cycles may exist.

    Args:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        odd: whether the priority of each vertex is odd.
        walk: working memory, uint32, an entry for each vertex, initially 0.
        last: 1 to follow the last edge of each vertex, 0 for the first.
    """
    for start in range(walk.size):
        v = np.int64(start)
        while walk[v] == 0 and first[v] != first[v + 1]:
            walk[v] = start + 1
            v = np.int64(edges[np.int64(first[v + last]) - last])
        if walk[v] != start + 1:  # at an end, or where another walk has been
            continue
        u, parities = v, 0
        while True:
            parities |= ODD if odd[u] else EVEN
            u = np.int64(edges[np.int64(first[u + last]) - last])
            if u == v:
                break
        if parities == EVEN | ODD:
            return True
    return False


@light_kernel
def survey_components(
    first: IntArray, edges: IntArray, component: IntArray, odd: Any, facts: IntArray
) -> None:
    """Write facts about each component: the parities of its priorities, and where edges lead.

    Args:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        component: the component of each vertex.
        odd: whether the priority of each vertex is odd.
        facts: receives bits for each component, uint8, initially 0.
    """
    for v in range(component.size):
        c = component[v]
        facts[c] |= ODD if odd[v] else EVEN
        for e in range(np.int64(first[v]), np.int64(first[v + 1])):
            facts[c] |= STAYS if component[np.int64(edges[e])] == c else LEAVES
