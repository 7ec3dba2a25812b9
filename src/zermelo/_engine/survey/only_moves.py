"""Only-moves and traps: counts over all positions of a solved game.

An only-move is the single move that preserves the value of its position. A trap is a move that
loses value but looks good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._engine.column.codes import TIES
from zermelo._engine.column.value_operations import is_best_margin, operations_of
from zermelo._engine.core.array_types import (
    Float64Array,
    Int32Array,
    Int64Array,
    Integer,
    Uint8Array,
    Uint32Array,
)
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.survey.move_graph import MoveGraph

#: The tolerance of comparisons with one half, for sums of floating-point numbers.
_TOLERANCE = 1e-9
#: The number of counters of positions and moves; see ``OnlyMoves``.
_COUNTERS = 12


@dataclass
class OnlyMoves:
    """Counts of positions and moves, and some traps.

    Attributes:
        open: positions with a choice (two moves or more) by outcome: won, drawn, lost; in a score
            game ``open[0]`` counts all of them.
        single: won and drawn positions with a choice in which one move preserves the outcome; in a
            score game ``single[0]`` counts positions with a choice and one best move.
        keep: moves that preserve the outcome, in won and in drawn positions with a choice.
        moves: all moves in won and in drawn positions with a choice.
        traps: the number of traps.
        tempting: traps that look at least as good as every move that is not a trap.
        trapped: positions with a trap.
        examples: the traps nearest to the start: the numbers of the position and of the move, and
            the move's apparent score.
    """

    open: tuple[int, int, int]
    single: tuple[int, int]
    keep: tuple[int, int]
    moves: tuple[int, int]
    traps: int
    tempting: int
    trapped: int
    examples: list[tuple[int, int, float]]


@inlined
def _sign(value: int) -> int:
    if value > TIES:
        return 1
    return -1 if value < -TIES else 0


@inlined
def _expected_score(win: Float64Array, loss: Float64Array, child: Integer, same_mover: bool) -> Any:
    """Return the apparent score of a move: its expected score under random play."""
    better = win[child] - loss[child]
    return 0.5 + 0.5 * (better if same_mover else -better)


@inlined
def _insert(
    ply: int, apparent_score: float, i: int, e: int, trap_keys: Float64Array, trap_moves: Int64Array
) -> None:
    """Insert a trap into the list: fewest plies from the start first, then best apparent score."""
    last = trap_keys.shape[0] - 1
    if ply > trap_keys[last, 0] or (
        ply == trap_keys[last, 0] and apparent_score <= trap_keys[last, 1]
    ):
        return
    row = last
    while row > 0 and (
        trap_keys[row - 1, 0] > ply
        or (trap_keys[row - 1, 0] == ply and trap_keys[row - 1, 1] < apparent_score)
    ):
        trap_keys[row, 0] = trap_keys[row - 1, 0]
        trap_keys[row, 1] = trap_keys[row - 1, 1]
        trap_moves[row, 0] = trap_moves[row - 1, 0]
        trap_moves[row, 1] = trap_moves[row - 1, 1]
        row -= 1
    trap_keys[row, 0] = ply
    trap_keys[row, 1] = apparent_score
    trap_moves[row, 0] = i
    trap_moves[row, 1] = e


@kernel
def _count(
    first: Int64Array,
    edges: Uint32Array,
    values: Int32Array,
    owners: Uint8Array,
    win: Float64Array,
    loss: Float64Array,
    plies: Int32Array,
    counts: Int64Array,
    trap_keys: Float64Array,
    trap_moves: Int64Array,
) -> None:
    """Count over all positions of a game without scores; see ``OnlyMoves``."""
    for i in range(first.size - 1):
        moves = first[i + 1] - first[i]
        if moves == 0:
            continue
        outcome = _sign(values[i])
        good_count = 0
        best = -1.0
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same_mover = owners.size > 0 and owners[i] == owners[child]
            child_outcome = _sign(values[child]) if same_mover else -_sign(values[child])
            if child_outcome == outcome:
                good_count += 1
            if child_outcome >= 0 and win.size:
                best = max(best, _expected_score(win, loss, child, same_mover))
        if moves > 1:
            counts[1 - outcome] += 1
            if outcome >= 0:
                counts[3 + 1 - outcome] += good_count == 1
                counts[5 + 1 - outcome] += good_count
                counts[7 + 1 - outcome] += moves
        if outcome < 0 or win.size == 0 or good_count == moves:
            continue
        has_trap = False
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same_mover = owners.size > 0 and owners[i] == owners[child]
            child_outcome = _sign(values[child]) if same_mover else -_sign(values[child])
            if child_outcome >= 0:
                continue
            apparent_score = _expected_score(win, loss, child, same_mover)
            if apparent_score >= 0.5 - _TOLERANCE:
                has_trap = True
                counts[9] += 1
                counts[10] += apparent_score >= best - _TOLERANCE
                if plies[i] >= 0:
                    _insert(plies[i], apparent_score, i, e, trap_keys, trap_moves)
        counts[11] += has_trap


@kernel
def _count_scores(
    first: Int64Array,
    edges: Uint32Array,
    values: Int64Array,
    owners: Uint8Array,
    gains: Int64Array,
    plies: Int32Array,
    counts: Int64Array,
    trap_keys: Float64Array,
    trap_moves: Int64Array,
) -> None:
    """Count in a score game, where a trap immediately gains at least what each best move gains."""
    for i in range(first.size - 1):
        moves = first[i + 1] - first[i]
        if moves == 0:
            continue
        best_count = 0
        most = -(np.int64(1) << 62)
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same_mover = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e]
            if is_best_margin(values[i], values[child], same_mover, gain):
                best_count += 1
                most = max(most, gain)
        if moves > 1:
            counts[0 if values[i] > 0 else 1 if values[i] == 0 else 2] += 1
            counts[3] += best_count == 1
        has_trap = False
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same_mover = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e]
            if gain < most or is_best_margin(values[i], values[child], same_mover, gain):
                continue
            has_trap = True
            counts[9] += 1
            counts[10] += gain > most
            if plies[i] >= 0:
                margin = gain + (values[child] if same_mover else -values[child])
                _insert(plies[i], np.float64(values[i] - margin), i, e, trap_keys, trap_moves)
        counts[11] += has_trap


def only_moves_and_traps(
    move_graph: MoveGraph,
    win: Float64Array,
    loss: Float64Array,
    plies: Int32Array,
    examples: int,
) -> OnlyMoves:
    """Count only-moves and traps of all positions.

    Args:
        move_graph: the positions and their moves.
        win: the probability of each position that its player wins under random play, which gives
            moves their apparent scores; empty if traps are not needed.
        loss: the probability that its player loses under random play.
        plies: the least number of moves to each position, -1 if unreachable.
        examples: the number of traps to list.
    """
    counts = np.zeros(_COUNTERS, np.int64)
    trap_keys = np.full((examples, 2), np.inf)
    trap_keys[:, 1] = -np.inf
    trap_moves = np.full((examples, 2), -1, np.int64)
    arrays = (move_graph.first, move_graph.edges, move_graph.values, move_graph.owners)
    scored = operations_of(move_graph.kind).scored
    if scored:
        _count_scores(*arrays, move_graph.gains, plies, counts, trap_keys, trap_moves)
    else:
        _count(*arrays, win, loss, plies, counts, trap_keys, trap_moves)
    tallies = counts.tolist()
    traps = [
        (int(i), int(e), float(apparent_score))
        for (i, e), apparent_score in zip(
            trap_moves.tolist(), trap_keys[:, 1].tolist(), strict=True
        )
        if i >= 0
    ]
    if scored:  # in a score game, only the best moves are good
        tallies[0], tallies[1], tallies[2] = tallies[0] + tallies[1] + tallies[2], 0, 0
    return OnlyMoves(
        (tallies[0], tallies[1], tallies[2]),
        (tallies[3], tallies[4]),
        (tallies[5], tallies[6]),
        (tallies[7], tallies[8]),
        tallies[9],
        tallies[10],
        tallies[11],
        traps,
    )
