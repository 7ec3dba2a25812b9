"""Kernels for Cops and Robbers on many small graphs, in files of graph6.

A graph of up to 64 nodes has one word per node: the node and its neighbours. Each placement of the
cops has one word too: the robber's nodes from which the cops win within a number of rounds. So a
round is a few operations on words for each placement. Graphs of up to 16 nodes have kernels of
their own for one and two cops, in ``kernels_small``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int8Array, Int16Array, Integer, Uint8Array, Uint64Array
from zermelo._engine.core.bits import lowest, ones
from zermelo._engine.core.jit import inlined, light_kernel
from zermelo._methods.pursuit.kernels_small import (
    BYTE_NODES,
    SMALL_NODES,
    few_cops,
    one_cop_of_bytes,
    two_cops_of_bytes,
)

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
#: The most nodes of a graph whose digits are one word, and the byte of digit 0.
_SHORT_NODES, _OFFSET = 11, np.uint64(63)
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
    for node in range(n):
        words[_ON + node] = one << np.uint64(node)
    block = n
    while block < teams:
        for node in range(n - 1, -1, -1):
            for team in range(block):
                words[_ON + node * block + team] = words[_ON + team] | one << np.uint64(node)
        block *= n
    for team in range(teams):
        cells = words[_ON + team]
        words[_WON + team] = cells
        if cells == full:
            return 0
    rounds = 0
    while True:
        # The robber moves: a node is lost if all nodes that it can reach are lost.
        for team in range(teams):
            free = full & ~words[_WON + team]
            neighbours = np.uint64(0)
            while free:
                neighbours |= words[graph_begin + lowest(free)]
                free &= free - one
            words[_LOST + team] = words[_ON + team] | (full & ~neighbours)
        # The cops move, one after another, to a node from which they win.
        source, target, stride = _LOST, _MOVED, 1
        for _ in range(cops):
            for block in range(0, teams, n * stride):
                for node in range(n):
                    near = words[graph_begin + node]
                    for first in range(source + block, source + block + stride):
                        cells, steps = np.uint64(0), near
                        while steps:
                            cells |= words[first + lowest(steps) * stride]
                            steps &= steps - one
                        words[target + first - source + node * stride] = cells
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
def _cop_number(words: Uint64Array, graph_begin: int, n: int) -> tuple[int, int]:
    """Return the cop number and the capture time of a connected graph, or ``UNKNOWN`` for both.

    Args:
        words: the working memory.
        graph_begin: the index of the graph in it.
        n: the number of nodes.
    """
    cops = 0
    if 1 < n <= BYTE_NODES:
        time = one_cop_of_bytes(words, graph_begin, n)
        if time != UNKNOWN:
            return 1, time
        time = two_cops_of_bytes(words, graph_begin, n)
        if time != UNKNOWN:
            return 2, time
        cops = 2
    elif 1 < n <= SMALL_NODES:
        cops, time = few_cops(words, graph_begin, n)
        if time != UNKNOWN:
            return cops, time
    while cops < MOST_COPS:
        cops += 1
        time = _capture_time(words, graph_begin, n, cops)
        if time != UNKNOWN:
            return cops, time
    return UNKNOWN, UNKNOWN


@inlined
def _digit_count(n: Integer) -> Any:
    """Return the number of bytes after those for the number of nodes."""
    return (np.int64(n) * (np.int64(n) - 1) // 2 + 5) // 6


@inlined
def _short_line(data: Uint8Array, line: int, end: int) -> tuple[Any, Any]:
    """Return the nodes of a graph and all its digits as one number; 0 nodes if it has no such line.

    Args:
        data: the bytes of whole lines.
        line: the first byte of the line.
        end: the byte after the last line.
    """
    n, digits, all_bits = np.int64(data[line]) - _ZERO, np.uint64(0), np.uint64(0)
    if n < 1 or n > _SHORT_NODES:
        return 0, digits
    stop = line + 1 + _digit_count(n)
    if stop >= end or data[stop] != _NEWLINE:
        return 0, digits
    for i in range(line + 1, stop):
        digit = np.uint64(data[i]) - _OFFSET
        all_bits |= digit
        digits = digits << np.uint64(6) | digit
    return (n if all_bits <= _OFFSET else 0), digits


@inlined
def _write_bytes(words: Uint64Array, n: int, digits: np.uint64) -> None:
    """Write a graph of up to eight nodes; see ``_write_rows``."""
    one = np.uint64(1)
    # Row v of a matrix of bits is byte v.
    left, matrix = 6 * _digit_count(n), np.uint64(0)
    for v in range(1, n):
        left -= v
        column = digits >> np.uint64(left) & ((one << np.uint64(v)) - one)
        matrix |= column << np.uint64(9 * (n - 1 - v) + 1)
    other = matrix
    swapped = (other ^ (other >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    other ^= swapped ^ (swapped << np.uint64(7))
    swapped = (other ^ (other >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    other ^= swapped ^ (swapped << np.uint64(14))
    swapped = (other ^ (other >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    other ^= swapped ^ (swapped << np.uint64(28))
    matrix |= other | np.uint64(0x8040201008040201)
    for v in range(n):
        words[_GRAPH + v] = matrix >> np.uint64(8 * v) & np.uint64(0xFF)


@inlined
def _write_rows(
    words: Uint64Array, n: int, digits: np.uint64, left: int, data: Uint8Array, i: int
) -> None:
    """Write a graph: a word for each node, with the node and its neighbours as bits.

    Column v in the file is the nodes before v, the first in the highest bit. So the graph is the
    same with its nodes numbered from the last.

    Args:
        words: the working memory.
        n: the number of nodes.
        digits: bits that were read.
        left: the number of them.
        data: the bytes with the other bits.
        i: the index of the first of them.
    """
    one = np.uint64(1)
    for v in range(n):
        column, needed = np.uint64(0), v
        while needed > left:
            column |= (digits & ((one << np.uint64(left)) - one)) << np.uint64(needed - left)
            needed -= left
            digits, left = np.uint64(data[i]) - _OFFSET, 6
            i += 1
        left -= needed
        column |= digits >> np.uint64(left) & ((one << np.uint64(needed)) - one)
        node = n - 1 - v
        words[_GRAPH + node] = (column << one | one) << np.uint64(node)
    for v in range(1, n):
        row = words[_GRAPH + v]
        for u in range(v):
            row |= (words[_GRAPH + u] >> np.uint64(v) & one) << np.uint64(u)
        words[_GRAPH + v] = row


@inlined
def _component(words: Uint64Array, n: Integer, remaining: np.uint64) -> tuple[np.uint64, int]:
    """Return the nodes of the component of the least node in ``remaining``, and its index.

    A component that is not the whole graph is written with its nodes numbered from 0.
    """
    one = np.uint64(1)
    part = remaining & (~remaining + one)
    found = part
    while found and part != remaining:
        reached = words[_GRAPH + lowest(found)] & ~part
        part |= reached
        found = (found & (found - one)) | reached
    if part == ~np.uint64(0) >> np.uint64(64 - n):
        return part, _GRAPH
    m, left = 0, part
    while left:
        row, neighbours, w = words[_GRAPH + lowest(left)], np.uint64(0), 0
        left &= left - one
        others = part
        while others:
            neighbours |= (row >> np.uint64(lowest(others)) & one) << np.uint64(w)
            others &= others - one
            w += 1
        words[_PART + m] = neighbours
        m += 1
    return part, _PART


@light_kernel
def catch(
    data: Uint8Array,
    begin: int,
    end: int,
    words: Uint64Array,
    nodes: Uint8Array,
    numbers: Int8Array,
    rounds: Int16Array,
) -> tuple[int, int, int]:
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
    n: Any
    count, offset = 0, begin
    while offset < end:
        line = offset
        n, digits = _short_line(data, line, end)
        if n > 0:
            offset = line + 2 + _digit_count(n)
            if n <= BYTE_NODES:
                _write_bytes(words, n, digits)
            else:
                _write_rows(words, n, digits, 6 * _digit_count(n), data, offset)
        else:
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
            if stop - i != _digit_count(n):
                return count, STRANGE_LENGTH, line
            _write_rows(words, n, np.uint64(0), 0, data, i)
        total, longest = 0, 0
        remaining = ~np.uint64(0) >> np.uint64(64 - n)
        while remaining:
            part, component = _component(words, n, remaining)
            remaining &= ~part
            needed, time = _cop_number(words, component, ones(part))
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
