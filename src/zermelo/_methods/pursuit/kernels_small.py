"""Kernels for one and two cops on a connected graph of up to 16 nodes, many teams at once.

The set of the robber's nodes from which a team wins is a byte on up to 8 nodes, and two bytes on up
to 16. The sets of all teams are lanes of vectors: a round takes a few instructions for each node,
and for each pair of nodes, instead of some for each team.
"""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.array_types import Integer, Uint64Array
from zermelo._engine.core.jit import inlined
from zermelo._engine.core.lanes import add_masked, add_where_covered, lane, transpose_bytes
from zermelo._engine.core.memory import on_stack

#: The most nodes of a graph whose sets are bytes, and of one whose sets are two bytes.
BYTE_NODES, SMALL_NODES = 8, 16
#: Returned if the robber is never caught.
_UNKNOWN = -1

#: The lowest, and the highest, bit of each byte of a word; the bit of node v in byte v.
_ONES, _HIGHS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_DIAGONAL = np.uint64(0x8040201008040201)
#: The lowest, and the highest, bit of each of four lanes.
_FOUR_LOWEST, _FOUR_HIGHEST = np.uint64(0x0001000100010001), np.uint64(0x8000800080008000)
_ONE, _BYTE, _ALL = np.uint64(1), np.uint64(0xFF), np.uint64(0xFFFF)


@inlined
def _spread(nodes: np.uint64) -> np.uint64:
    """Return a word whose byte v is 1 if the set has node v, of 8, and else 0."""
    # Bit v of byte v of the product is left; the sum moves it to bit 7, if it is there.
    return ((nodes * _ONES & _DIAGONAL) + ~_HIGHS) >> np.uint64(7) & _ONES


@inlined
def one_cop_of_bytes(graph: Uint64Array, begin: int, n: Integer) -> int:
    """Return the rounds in which one cop catches the robber on up to 8 nodes, or -1.

    Args:
        graph: the nodes: each with its neighbours, as bits.
        begin: the index of the first node.
        n: the number of nodes.
    """
    # Byte a of a word is the set for the cop on node a.
    spread = on_stack(8, np.uint64)
    on = np.uint64(0)
    for v in range(n):
        spread[v] = _spread(graph[begin + v])
        on |= _ONE << np.uint64(9 * v)
    full = _ONES * (_BYTE >> np.uint64(8 - n))
    won, rounds = on, 0
    while True:
        rounds += 1
        free, reached, moved = ~won, np.uint64(0), np.uint64(0)
        for v in range(n):
            reached |= (free >> np.uint64(v) & _ONES) * graph[begin + v]
        lost = on | (full & ~reached)
        for v in range(n):
            moved |= (lost >> np.uint64(8 * v) & _BYTE) * spread[v]
        left = moved ^ full
        if (left - _ONES) & ~left & _HIGHS:  # a byte of ``left`` is 0
            return rounds
        if moved == won:
            return _UNKNOWN
        won = moved


@inlined
def two_cops_of_bytes(graph: Uint64Array, begin: int, n: Integer) -> int:
    """Return the rounds in which two cops catch the robber on 3 to 8 nodes, or -1.

    Args:
        graph: the nodes: each with its neighbours, as bits.
        begin: the index of the first node.
        n: the number of nodes.
    """
    # Byte b of word a is the set for cops on nodes a and b.
    masks, near = on_stack(64, np.uint64), on_stack(8, np.uint64)
    on, won = on_stack(8, np.uint64), on_stack(8, np.uint64)
    lost, moved = on_stack(8, np.uint64), on_stack(8, np.uint64)
    present = ~np.uint64(0) >> np.uint64(64 - 8 * n)
    for a in range(8):
        row = (_DIAGONAL | _ONES << np.uint64(a)) & present if a < n else np.uint64(0)
        on[a] = won[a] = row
    for v in range(8):
        near[v] = graph[begin + v] if v < n else np.uint64(0)
        for a in range(8):
            masks[8 * v + a] = 0
    for v in range(n):
        add_where_covered(masks, 8 * v, ~np.uint64(0), near, 0, _ONE << np.uint64(v), 8, 64)
    full = _ONES * (_BYTE >> np.uint64(8 - n))
    rounds = 0
    while True:
        rounds += 1
        for a in range(8):
            lost[a] = on[a]
            moved[a] = 0
        for v in range(n):
            bit = _ONE << np.uint64(v)
            add_where_covered(lost, 0, bit, won, 0, near[v], 64, 8)
        for v in range(n):
            add_masked(moved, 0, lost[v], masks, 8 * v, 8, 64)
        # A set is the same for the same nodes in the other order.
        transpose_bytes(moved, lost)
        for a in range(8):
            moved[a] = 0
        for v in range(n):
            add_masked(moved, 0, lost[v], masks, 8 * v, 8, 64)
        caught, changed = np.uint64(0), np.uint64(0)
        for a in range(8):
            left = moved[a] ^ full
            caught |= (left - _ONES) & ~left & _HIGHS
            changed |= moved[a] ^ won[a]
            won[a] = moved[a]
        if caught:
            return rounds
        if not changed:
            return _UNKNOWN


@inlined
def few_cops(graph: Uint64Array, begin: int, n: Integer) -> tuple[int, int]:
    """Return the cop number of up to 16 nodes, at most 2, and the rounds; -1 if it is greater.

    Args:
        graph: the nodes: each with its neighbours, as bits.
        begin: the index of the first node.
        n: the number of nodes.
    """
    # Lane b of row a is the set for cops on nodes a and b. A row is four words. One cop has a row
    # of its own.
    masks = on_stack(64, np.uint64)
    own, present, near = on_stack(4, np.uint64), on_stack(4, np.uint64), on_stack(4, np.uint64)
    on, won = on_stack(64, np.uint64), on_stack(64, np.uint64)
    lost, after = on_stack(64, np.uint64), on_stack(64, np.uint64)
    moved = on_stack(4, np.uint64)
    full = (~np.uint64(0) >> np.uint64(64 - n)) * _FOUR_LOWEST
    for w in range(4):
        own[w] = present[w] = near[w] = 0
    for w in range(4 * n):
        masks[w] = 0
    for b in range(n):
        near[b >> 2] |= graph[begin + b] << np.uint64(16 * (b & 3))
        own[b >> 2] |= _ONE << np.uint64(b + 16 * (b & 3))
        present[b >> 2] |= _ALL << np.uint64(16 * (b & 3))
    for v in range(n):
        add_where_covered(masks, 4 * v, _ALL, near, 0, _ONE << np.uint64(v), 16, 16)
    for w in range(4):
        won[w] = own[w]
    rounds = 0
    while True:
        rounds += 1
        for w in range(4):
            lost[w] = own[w]
            moved[w] = 0
        for v in range(n):
            bit = _ONE << np.uint64(v)
            add_where_covered(lost, 0, bit, won, 0, graph[begin + v], 16, 16)
        for v in range(n):
            add_masked(moved, 0, lane(lost, v, 16), masks, 4 * v, 16, 16)
        caught, changed = np.uint64(0), np.uint64(0)
        for w in range(4):
            left = moved[w] ^ full
            caught |= (left - _FOUR_LOWEST) & ~left & _FOUR_HIGHEST
            changed |= moved[w] ^ won[w]
            won[w] = moved[w]
        if caught:
            return 1, rounds
        if not changed:
            break
    rows = n + 3 & ~3
    for a in range(n):
        cells = (_ONE << np.uint64(a)) * _FOUR_LOWEST
        for w in range(4):
            on[4 * a + w] = won[4 * a + w] = own[w] | (cells & present[w])
    for w in range(4 * n, 4 * rows):
        on[w] = won[w] = 0
    rounds = 0
    while True:
        rounds += 1
        caught, changed = np.uint64(0), np.uint64(0)
        for w in range(4 * rows):
            lost[w] = on[w]
            after[w] = 0
        for row in range(0, 4 * rows, 16):
            for v in range(n):
                bit = _ONE << np.uint64(v)
                add_where_covered(lost, row, bit, won, row, graph[begin + v], 64, 16)
        for a in range(n):
            for w in range(4):
                moved[w] = 0
            for v in range(n):  # masks of lanes as masks of rows
                add_masked(moved, 0, lane(masks, 16 * a + v, 16), lost, 4 * v, 16, 16)
            for v in range(n):
                add_masked(after, 4 * a, lane(moved, v, 16), masks, 4 * v, 16, 16)
        for w in range(4 * n):
            left = after[w] ^ full
            caught |= (left - _FOUR_LOWEST) & ~left & _FOUR_HIGHEST
            changed |= after[w] ^ won[w]
            won[w] = after[w]
        if caught:
            return 2, rounds
        if not changed:
            return 2, _UNKNOWN
