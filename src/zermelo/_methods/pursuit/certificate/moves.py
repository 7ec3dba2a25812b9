"""The moves of a pursuit, computed for its certificate, and their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.core.array_types import BoolArray, Int32Array, Int64Array
from zermelo._methods.pursuit.graphs import NodeMoves, PursuitGraphs

if TYPE_CHECKING:
    from zermelo._methods.pursuit.certificate.matrix import Numbers


def graph_moves(
    indptr: Int64Array,
    indices: Int32Array,
    free: BoolArray,
    *,
    waits: bool,
    stays: bool,
) -> NodeMoves:
    """Return the moves along a graph's edges, computed independently of the solver.

    Args:
        indptr: with ``indices``, the neighbours of each node.
        indices: the neighbours of all nodes, one node after the other.
        free: whether each node may be entered.
        waits: whether staying is a move everywhere.
        stays: whether staying is a move if there is no other.
    """
    size = len(free)
    begins = np.repeat(np.arange(size, dtype=np.int32), np.diff(indptr))
    allowed = free[indices]
    begins, ends = begins[allowed], indices[allowed].astype(np.int32)
    can_move = np.zeros(size, np.bool_)
    can_move[begins] = True
    staying = np.flatnonzero((waits | (stays & ~can_move)) & free).astype(np.int32)
    begins, ends = np.concatenate([begins, staying]), np.concatenate([ends, staying])
    order = np.argsort(begins, kind="stable")
    return NodeMoves(np.searchsorted(begins[order], np.arange(size + 1)), ends[order])


def moves_between(moves: NodeMoves, nodes: Numbers, number: Numbers) -> NodeMoves:
    """Return the moves among ``nodes``, renumbered by ``number``; no move may leave them."""
    degrees = np.diff(moves.indptr)
    inner = np.repeat(number >= 0, degrees)
    ends = np.concatenate([[0], np.cumsum(degrees[nodes])])
    return NodeMoves(ends, number[moves.indices[inner]].astype(np.int32))


def staying_moves(nodes: int) -> NodeMoves:
    """Return moves from each node to itself, for a pursuer who is not to move."""
    return NodeMoves(np.arange(nodes + 1), np.arange(nodes, dtype=np.int32))


def count_moves(board: PursuitGraphs, pursuers: list[NodeMoves], number: Numbers) -> int:
    """Return the number of moves from all positions; terminal positions have none."""
    nodes = np.count_nonzero(number >= 0)
    evaders = np.flatnonzero(~board.safe)
    free = number[evaders] < 0
    other_nodes = nodes - 1 + free  # the nodes for a pursuer, without the evader's node
    total = (np.diff(board.evader.indptr)[evaders] * other_nodes ** len(pursuers)).sum()
    move_counts = [
        len(moves.indices) - np.where(free, 0, np.diff(moves.indptr)[number[evaders]])
        for moves in pursuers
    ]
    if board.together:
        total += np.prod(move_counts, axis=0).sum()
    else:
        total += sum(
            (numbers * other_nodes ** (len(pursuers) - 1)).sum() for numbers in move_counts
        )
    return int(total)
