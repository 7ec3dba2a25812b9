"""The certificate of games with several target sets: strategies with a memory prove who wins.

A memory says which sets have been visited before the current vertex or, if the sets are to be
visited for ever, which one is next. Winners are claimed for each memory and vertex. They are right
if no allowed move leads to a pair that its winner loses, and if

* where the player wins who has to visit the sets, no cycle of allowed moves keeps the memory, and
  play does not end early;
* where the opponent wins, no pair has all sets visited; or no cycle of allowed moves visits the
  next set, if the sets are to be visited for ever.

The moves are followed on the graph itself; the product that the solver builds is not used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.infinite.certificate_graph import CertificateGraph, Fault
from zermelo._engine.infinite.components import components

#: The memory after a visit to the last of all sets.
_ALL_VISITED = -1


class VisitingClaim(NamedTuple):
    """A claimed solution of a game with several target sets.

    Attributes:
        sets: for each set a row, whether it contains each vertex.
        player: the player who has to visit the sets.
        memories: for each memory a row, whether each set has been visited before; None if the sets
            are to be visited for ever, when memory i means that set i is next.
        winners: the claimed winner, by memory and vertex.
        strategy: the claimed winning edge, by memory and vertex.
    """

    sets: npt.NDArray[np.bool_]
    player: int
    memories: npt.NDArray[np.bool_] | None
    winners: npt.NDArray[np.int8]
    strategy: npt.NDArray[np.int64]


class _Moves(NamedTuple):
    """The moves that are allowed if the winner of each pair follows the strategy.

    Attributes:
        sources: the number of each move's pair, ascending.
        targets: the number of the pair that each move leads to.
        visits: whether the memory advances at the source.
    """

    sources: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    visits: npt.NDArray[np.bool_]


def check(graph: CertificateGraph, claim: VisitingClaim) -> Fault | None:
    """Check a claimed solution; return a fault, or None."""
    winners, player, recurs = claim.winners, claim.player, claim.memories is None
    if not np.isin(winners, (0, 1)).all():
        return _fault(~np.isin(winners, (0, 1)), "has no winner")
    after = _memories_after(claim)
    if isinstance(after, Fault):
        return after
    is_done = after == _ALL_VISITED
    if (is_done & (winners != player)).any():
        return _fault(is_done & (winners != player), "visits the last set, but its winner does not")
    is_stuck = graph.degrees == 0
    ends_early = ~is_done & is_stuck & (winners == player)
    if not recurs and ends_early.any():
        return _fault(ends_early, "ends the game before all sets have been visited")
    chooses = (winners == graph.owners) & ~is_done
    if not recurs:
        chooses &= ~is_stuck
    edge_numbers = claim.strategy - graph.begins
    has_no_edge = chooses & ((edge_numbers < 0) | (edge_numbers >= graph.degrees))
    if has_no_edge.any():
        return _fault(has_no_edge, "has no winning move")
    moves = _allowed_moves(graph, claim, after, chooses, is_done)
    is_lost = winners.ravel()[moves.sources] != winners.ravel()[moves.targets]
    if is_lost.any():
        source = int(moves.sources[int(np.argmax(is_lost))]) % graph.count
        return Fault(source, "has an allowed move that its winner loses")
    return _cycle_fault(moves, winners.ravel() == player, graph.count, recurs=recurs)


def _memories_after(claim: VisitingClaim) -> npt.NDArray[np.int64] | Fault:
    """Return the memory after each memory and vertex, or a fault if a memory is missing."""
    sets, memories = claim.sets, claim.memories
    shape = (len(sets) if memories is None else len(memories), sets.shape[1])
    if claim.winners.shape != shape or claim.strategy.shape != shape:
        return Fault(0, "has no winner or no move for some memory")
    after = np.empty(shape, np.int64)
    if memories is None:
        for number, members in enumerate(sets):
            after[number] = np.where(members, (number + 1) % len(sets), number)
        return after
    numbers = {row.tobytes(): number for number, row in enumerate(memories)}
    if memories[0].any() or len(numbers) < len(memories):
        return Fault(0, "has visited a set before the beginning, or a memory is listed twice")
    kinds, kind_of_vertex = np.unique(sets.T, axis=0, return_inverse=True)
    kind_of_vertex = kind_of_vertex.ravel()
    for number, visited in enumerate(memories):
        unions = [visited | kind for kind in kinds]
        numbers_after = [
            _ALL_VISITED if row.all() else numbers.get(row.tobytes()) for row in unions
        ]
        if None in numbers_after:
            vertex = int(np.argmax(kind_of_vertex == numbers_after.index(None)))
            return Fault(vertex, "leads to a memory that is not listed")
        after[number] = np.array(numbers_after, np.int64)[kind_of_vertex]
    return after


def _allowed_moves(
    graph: CertificateGraph,
    claim: VisitingClaim,
    after: npt.NDArray[np.int64],
    chooses: npt.NDArray[np.bool_],
    is_done: npt.NDArray[np.bool_],
) -> _Moves:
    """Return the moves that are allowed while sets are left.

    Args:
        graph: the graph.
        claim: the claim.
        after: the memory after each memory and vertex.
        chooses: the pairs whose strategy has one move; all moves of the others are allowed.
        is_done: the pairs where all sets have been visited.
    """
    parts = []
    for memory, row in enumerate(after):
        allowed = ~(chooses[memory] | is_done[memory])[graph.sources]
        allowed[claim.strategy[memory][chooses[memory]]] = True
        sources, targets = graph.sources[allowed], graph.targets[allowed]
        visits = claim.sets[memory] if claim.memories is None else row != memory
        parts.append(
            _Moves(
                memory * graph.count + sources,
                row[sources] * graph.count + targets,
                visits[sources],
            )
        )
    return _Moves(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _cycle_fault(
    moves: _Moves, is_players: npt.NDArray[np.bool_], count: int, *, recurs: bool
) -> Fault | None:
    """Return a fault of the cycles of allowed moves, or None.

    Args:
        moves: the moves, none of which leads from one winner to another.
        is_players: whether the player who has to visit the sets wins each pair.
        count: the number of vertices.
        recurs: whether the sets are to be visited for ever.
    """
    keeps = is_players[moves.sources] & ~moves.visits
    vertex = _vertex_on_cycle(moves, keeps, keeps, len(is_players))
    if vertex is not None:
        return Fault(vertex % count, "lies on a cycle that does not visit the next set")
    if recurs:
        opponents = ~is_players[moves.sources]
        vertex = _vertex_on_cycle(moves, opponents, moves.visits, len(is_players))
        if vertex is not None:
            return Fault(vertex % count, "lies on a cycle that visits all sets")
    return None


def _vertex_on_cycle(
    moves: _Moves, chosen: npt.NDArray[np.bool_], marked: npt.NDArray[np.bool_], pairs: int
) -> int | None:
    """Return the source of a marked move on a cycle of chosen moves, or None."""
    sources, targets = moves.sources[chosen], moves.targets[chosen]
    first = np.zeros(pairs + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=pairs), out=first[1:])
    component, _ = components(first, targets)
    on_cycle = (component[sources] == component[targets]) & marked[chosen]
    return int(sources[np.argmax(on_cycle)]) if on_cycle.any() else None


def _fault(pairs: npt.NDArray[np.bool_], reason: str) -> Fault:
    """Return the fault of the first pair of a mask."""
    return Fault(int(np.argmax(pairs.any(axis=0))), reason)
