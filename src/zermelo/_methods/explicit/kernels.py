"""Kernels of explicit graphs: codes as outcomes and plies, the certificate, the best edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int8Array, Int32Array, Int64Array, IntArray, Uint8Array
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch
from zermelo._methods.explicit.graph_source import GraphPart

#: The code of a vertex whose outcome is not given.
NONE = 2
_AHEAD = 64


@kernel
def split_codes(
    stored: IntArray, outcome: Int8Array, remoteness: Int32Array, last: int, ties: int
) -> None:
    """Write the outcome and the plies of each code."""
    for i in range(stored.size):
        code = np.int32(stored[i])
        size = abs(code)
        outcome[i] = np.int8(code > ties) - np.int8(code < -ties)
        remoteness[i] = np.int32(last) - size if size > ties else np.int32(ties) - code
        if code == 0:
            remoteness[i] = -1


@inlined
def edge_value(code: Any, keeps_turn: bool, ties: int) -> Any:
    """Return the value of an edge, for the player who moves, to a vertex with this code."""
    if code > ties or code < -ties:
        if not keeps_turn:
            code = -code
        return code - 1 if code > 0 else code + 1
    return code - 1 if code > 0 else 0


@kernel
def check_codes(
    part: GraphPart,
    owners: Uint8Array,
    stored: Any,
    begin: int,
    end: int,
    dead_end: int,
    last: int,
    ties: int,
    favours: int,
) -> tuple[Any, Any]:
    """Return the first vertex of a range whose code is wrong, and its correct code; or -1 and 0.

    ``part`` has the edges of these vertices, as ``GraphPart``.
    """
    first, edges, outcome, base, _ = part
    # All in one function: a call per vertex would count references to the arrays each time, which
    # costs as much as the work.
    alternate = owners.size == 0
    most = edges.size - 1
    for i in range(begin, end):
        low, high = np.int64(first[i - base]), np.int64(first[i - base + 1])
        given: Any = np.int64(outcome[i - base])
        if given == NONE and low == high:
            given = dead_end
        if given != NONE:
            expected: Any = ties if given == 0 else given * last
            if stored[i] != expected:
                return i, expected
            continue
        if alternate:  # the least code decides a win or a loss
            least: Any = np.int64(last)
            for e in range(low, high):
                prefetch(stored, np.int64(edges[min(e + _AHEAD, most)]))
                code = np.int64(stored[np.int64(edges[e])])
                least = min(least, code)
            if least < -ties:
                expected = -least - 1
            elif least > ties:
                expected = -least + 1
            else:
                draw: Any = np.int64(0)
                for e in range(low, high):
                    code = np.int64(stored[np.int64(edges[e])])
                    draw = code if draw < code <= ties else draw
                expected = draw - 1 if draw > 0 else 0
        else:
            expected = np.int64(-last)
            delays = np.int64(owners[i]) == favours  # who wins by endless play prefers it
            for e in range(low, high):
                ahead = np.int64(edges[min(e + _AHEAD, most)])
                prefetch(stored, ahead)
                prefetch(owners, ahead)
                target = np.int64(edges[e])
                worth = edge_value(np.int64(stored[target]), owners[i] == owners[target], ties)
                expected = max(expected, -worth if delays and 0 < worth <= ties else worth)
            if delays and -ties <= expected < 0:
                expected = -expected
        if abs(expected) == ties:  # the remoteness exceeds what the codes can express
            return i, 0
        if stored[i] != expected:
            return i, expected
    return -1, 0


@kernel
def choose_edges(
    part: GraphPart,
    owners: Uint8Array,
    stored: IntArray,
    begin: int,
    end: int,
    ties: int,
    chosen: Int64Array,
) -> None:
    """Write the index of the first best edge of each vertex; -1 if the game is over there.

    Indices are among the edges of ``part``, a ``GraphPart``; the first is for vertex ``begin``.
    """
    first, edges, outcome, base, _ = part
    stop = np.int64(first[end - base])
    for i in range(begin, end):
        low, high = np.int64(first[i - base]), np.int64(first[i - base + 1])
        for e in range(low + _AHEAD, min(high + _AHEAD, stop)):
            prefetch(stored, np.int64(edges[e]))
        chosen[i - begin] = -1
        if outcome[i - base] != NONE:
            continue
        value = np.int64(stored[i])
        for e in range(low, high):
            target = np.int64(edges[e])
            keeps_turn = owners.size > 0 and owners[i] == owners[target]
            if edge_value(np.int64(stored[target]), keeps_turn, ties) == value:
                chosen[i - begin] = e
                break
