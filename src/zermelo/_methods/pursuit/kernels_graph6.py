"""Kernels for Cops and Robbers on many small graphs, in files of graph6.

A graph of up to 64 nodes has one word per node: the node and its neighbours. Each placement of the
cops has one word too: the robber's nodes from which the cops win within a number of rounds. So a
round is a few operations on words for each placement.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int8Array, Int16Array, Integer, Uint8Array, Uint64Array
from zermelo._engine.core.jit import inlined, light_kernel

#: The most nodes, and the most cops that are tried on a connected graph.
MOST_NODES, MOST_COPS = 64, 3
#: Placements of the most cops on the most nodes; words of working memory.
_TEAMS = MOST_NODES**MOST_COPS
WORDS = 4 * _TEAMS + 2 * MOST_NODES
#: Faults of a line.
STRANGE_BYTE, STRANGE_LENGTH, TOO_LARGE, EMPTY = 1, 2, 3, 4
#: A cop number beyond the most, and an unknown capture time.
UNKNOWN = -1

#: The first index of each table in the working memory: the won nodes, the cops' nodes, and two
#: more.
_WON, _ON, _LOST, _MOVED, _GRAPH = 0, _TEAMS, 2 * _TEAMS, 3 * _TEAMS, 4 * _TEAMS
_PART = _GRAPH + MOST_NODES
_ZERO, _LONG, _NEWLINE, _RETURN = 63, 126, 10, 13


@inlined
def _capture_time(words: Uint64Array, graph_begin: int, n: int, cops: int) -> int:
    """Return the rounds in which cops catch a robber on a connected graph, -1 if they cannot.

    Args:
        words: the working memory.
        graph_begin: the index of the graph in it: each node with its neighbours, as bits.
        n: the number of nodes.
        cops: the number of cops.
    """
    one = np.uint64(1)
    teams = n**cops
    full = ~np.uint64(0) >> np.uint64(64 - n)
    for team in range(teams):
        quotient, cells = team, np.uint64(0)
        for _ in range(cops):
            cells |= one << np.uint64(quotient % n)
            quotient //= n
        words[_ON + team] = cells
        words[_WON + team] = cells
        if cells == full:
            return 0
    rounds = 0
    while True:
        # The robber moves: a node is lost if all nodes that it can reach are lost.
        for team in range(teams):
            free = full & ~words[_WON + team]
            neighbours, v = np.uint64(0), graph_begin
            while free:
                if free & one:
                    neighbours |= words[v]
                free >>= one
                v += 1
            words[_LOST + team] = words[_ON + team] | (full & ~neighbours)
        # The cops move, one after another, to a node from which they win.
        source, target, stride = _LOST, _MOVED, 1
        for _ in range(cops):
            for team in range(teams):
                node = team // stride % n
                first = source + team - node * stride
                cells, steps = np.uint64(0), words[graph_begin + node]
                while steps:
                    if steps & one:
                        cells |= words[first]
                    steps >>= one
                    first += stride
                words[target + team] = cells
            source, target = target, source
            stride *= n
        rounds += 1
        changed = False
        for team in range(teams):
            cells = words[source + team]
            if cells == full:
                return rounds
            changed = changed or cells != words[_WON + team]
            words[_WON + team] = cells
        if not changed:
            return UNKNOWN


@inlined
def _component(words: Uint64Array, n: Integer, remaining: np.uint64) -> np.uint64:
    """Write the component of the least node in ``remaining``; return its nodes."""
    one = np.uint64(1)
    part = remaining & (~remaining + one)
    previous = np.uint64(0)
    while part != previous:
        previous = part
        for v in range(n):
            if previous >> np.uint64(v) & one:
                part |= words[_GRAPH + v]
    m = 0
    for v in range(n):
        if part >> np.uint64(v) & one:
            neighbours, w = np.uint64(0), 0
            for u in range(n):
                if part >> np.uint64(u) & one:
                    neighbours |= (words[_GRAPH + v] >> np.uint64(u) & one) << np.uint64(w)
                    w += 1
            words[_PART + m] = neighbours
            m += 1
    return part


@light_kernel
def catch(
    data: Uint8Array,
    begin: int,
    end: int,
    words: Uint64Array,
    nodes: Uint8Array,
    numbers: Int8Array,
    rounds: Int16Array,
) -> tuple[Any, Any, Any]:
    """Find the cop number and the capture time of each graph of some lines of graph6.

    Args:
        data: the bytes of whole lines.
        begin: the first byte to read.
        end: the byte after the last.
        words: working memory, ``WORDS`` of 64 bits.
        nodes: receives the number of nodes of each graph.
        numbers: receives its cop number, or ``UNKNOWN``.
        rounds: receives the capture time with that number of cops, or ``UNKNOWN``.

    Returns:
        The number of graphs, 0 or the fault of the next line, and the index of the fault in
        ``data``.
    """
    one = np.uint64(1)
    count, offset = 0, begin
    while offset < end:
        line = offset
        while offset < end and data[offset] != _NEWLINE:
            offset += 1
        stop = offset - 1 if offset > line and data[offset - 1] == _RETURN else offset
        offset += 1
        if stop == line:
            continue
        for i in range(line, stop):
            if data[i] < _ZERO or data[i] > _LONG:
                return count, STRANGE_BYTE, i
        n = np.int64(data[line]) - _ZERO
        i = line + 1
        if data[line] == _LONG:
            if stop - line < 4:
                return count, STRANGE_LENGTH, line
            n = np.int64(0)
            for i in range(line + 1, line + 4):
                n = n * 64 + np.int64(data[i]) - _ZERO
            i = line + 4
        if n > MOST_NODES:
            return count, TOO_LARGE, line
        if n == 0:
            return count, EMPTY, line
        if stop - i != (n * (n - 1) // 2 + 5) // 6:
            return count, STRANGE_LENGTH, line
        for v in range(n):
            words[_GRAPH + v] = one << np.uint64(v)
        bit = 6
        for v in range(1, n):
            for u in range(v):
                if bit == 0:
                    bit = 6
                    i += 1
                bit -= 1
                if (np.int64(data[i]) - _ZERO) >> bit & 1:
                    words[_GRAPH + v] |= one << np.uint64(u)
                    words[_GRAPH + u] |= one << np.uint64(v)
        total, longest = 0, 0
        remaining = ~np.uint64(0) >> np.uint64(64 - n)
        while remaining:
            part = _component(words, n, remaining)
            remaining &= ~part
            size = 0
            while part:
                part &= part - one
                size += 1
            needed, time = 0, UNKNOWN
            while needed < MOST_COPS and time == UNKNOWN:
                needed += 1
                time = _capture_time(words, _PART, size, needed)
            if time == UNKNOWN:
                total, longest = UNKNOWN, UNKNOWN
                break
            total += needed
            longest = max(longest, time)
        nodes[count] = n
        numbers[count] = total
        rounds[count] = longest
        count += 1
    return count, 0, end
