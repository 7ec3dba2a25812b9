"""The check, by samples, that the rules of a game agree with the pursuit that it declares.

A certificate that scans a pursuit's matrices does not run the rules on each position. Each node's
moves are compared with those of the rules, in either turn, with the other side on several nodes,
some of them a move away; and so are each capture, and the outcomes of all these positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import LAST, UNKNOWN
from zermelo._engine.core.array_types import Int64Array
from zermelo._engine.expand.expander import expanded

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._methods.pursuit.graphs import NodeMoves, PursuitGraphs
    from zermelo._methods.pursuit.index import PursuitIndex

Numbers = Int64Array

#: Nodes of the other side with which each node is compared; and the average number of moves above
#: which it is just one node, because moves take the most time.
_NODES_PER_NODE, _MANY_MOVES = 3, 32
#: Moves per batch; bytes of a move in a batch, and bytes of a node until all are compared.
_MOVES, _MOVE, _NODE = 1 << 15, 1 << 7, 1 << 9


def sample_places(index: PursuitIndex, board: PursuitGraphs) -> Numbers:
    """Return the places of the sampled positions, ascending."""
    nodes, half = index.nodes, index.half
    random = np.random.default_rng(board.size)
    node_count = len(nodes)
    places = (
        _NODES_PER_NODE if board.evader.degree + board.pursuers[0].degree <= 2 * _MANY_MOVES else 1
    )
    evaders = np.repeat(np.arange(board.size), places)
    pursuers = np.repeat(np.arange(node_count), places)
    evaders_to_move = evaders * node_count + random.integers(node_count, size=len(evaders))
    random_nodes = random.integers(board.size, size=len(pursuers))
    pursuers_to_move = half + random_nodes * node_count + pursuers
    captures = nodes * node_count + np.arange(node_count)
    chosen = [evaders_to_move, pursuers_to_move, captures, captures + half]
    for moves in (board.evader, board.pursuers[0]):
        origins, neighbours = _neighbours(moves, random)
        for evader, pursuer in ((origins, neighbours), (neighbours, origins)):
            allowed = ~board.forbidden[pursuer]
            pair = index.place(0, evader[allowed], (pursuer[allowed],))
            chosen += [pair, pair + half]
    return np.unique(np.concatenate(chosen))


def _neighbours(moves: NodeMoves, random: np.random.Generator) -> tuple[Numbers, Numbers]:
    """Return the nodes that have moves, and for each a random node that a move leads to."""
    degrees = np.diff(moves.indptr)
    nodes = np.flatnonzero(degrees)
    chosen = moves.indptr[nodes] + random.integers(degrees[nodes])
    return nodes, moves.indices[chosen].astype(np.int64)


def rules_agree(
    compiled: CompiledRules, index: PursuitIndex, board: PursuitGraphs, places: Numbers
) -> bool:
    """Return whether the rules and the board have equal outcomes and moves at some places.

    Args:
        compiled: the rules.
        index: looks up and packs positions.
        board: the pursuit that the game declares.
        places: the positions, as ``sample_places`` returns them.
    """
    move_counts = np.cumsum(_degrees(board, *index.coordinates(places)))
    cuts = np.flatnonzero(np.diff(move_counts // _MOVES)) + 1
    return all(_places_agree(compiled, index, board, part) for part in np.split(places, cuts))


def sampling_bytes(board: PursuitGraphs) -> int:
    """Return the approximate bytes that comparing samples takes."""
    most = max(int(np.diff(moves.indptr).max()) for moves in (board.evader, *board.pursuers))
    return _NODE * board.size + _MOVE * (_MOVES + most)


def _degrees(board: PursuitGraphs, evader: Numbers, pursuer: Numbers, turn: Numbers) -> Numbers:
    """Return the numbers of moves of the side to move."""
    of_evader, of_pursuer = (np.diff(moves.indptr) for moves in (board.evader, *board.pursuers))
    return np.where(turn == 0, of_evader[evader], of_pursuer[pursuer])


def _places_agree(
    compiled: CompiledRules, index: PursuitIndex, board: PursuitGraphs, places: Numbers
) -> bool:
    values, owners, parents, children = _rules_results(compiled, index, places)
    nodes = index.nodes
    evader, pursuer, turn = index.coordinates(places)
    degree = _degrees(board, evader, pursuer, turn)
    # For the evader; the first condition that holds decides.
    ends = np.select(
        [board.safe[evader], evader == pursuer, degree == 0],
        [LAST, -LAST, np.where(turn == 0, -LAST, LAST)],
        UNKNOWN,
    )
    ends = np.where((turn == 1) & (ends != UNKNOWN), -ends, ends)
    if not (np.array_equal(values, ends) and np.array_equal(owners, turn)):
        return False
    degree = np.where(ends == UNKNOWN, degree, 0)
    begins = np.where(turn == 0, board.evader.indptr[evader], board.pursuers[0].indptr[pursuer])
    parent = np.repeat(np.arange(len(places)), degree)
    edge = np.arange(len(parent)) + np.repeat(begins - (np.cumsum(degree) - degree), degree)
    by_evader = turn[parent] == 0
    targets = np.empty(len(edge), np.int64)
    targets[by_evader] = board.evader.indices[edge[by_evader]]
    targets[~by_evader] = board.pursuers[0].indices[edge[~by_evader]]
    count = np.cumsum(~board.forbidden) - 1  # of nodes that a pursuer may enter, before each
    number = count[np.where(by_evader, pursuer[parent], targets)]
    pair = np.where(by_evader, targets, evader[parent]) * len(nodes) + number
    expected = pair + (1 - turn[parent]) * index.half
    if np.array_equal(parent, parents) and np.array_equal(expected, children):
        return True
    return np.array_equal(_sorted(parent, expected), _sorted(parents, children))


def _rules_results(
    compiled: CompiledRules, index: PursuitIndex, places: Numbers
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Numbers, Numbers]:
    """Return the outcomes of positions, the sides to move, and pairs of parent and successor."""
    keys = index.packed(places)
    ends, targets, values, owners, _ = expanded(compiled, keys, len(places))
    children = np.empty(len(targets), np.int64)
    index.places(targets.reshape(-1), len(targets), children)
    parents = np.repeat(np.arange(len(places)), np.diff(ends, prepend=0))
    return values, owners, parents, children


def _sorted(parents: Numbers, children: Numbers) -> Numbers:
    """Return pairs of parent and successor in a canonical order."""
    order = np.lexsort((children, parents))
    return np.stack([parents[order], children[order]])
