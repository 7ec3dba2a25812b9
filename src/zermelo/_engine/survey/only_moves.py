"""Only-moves and traps.

How many moves of each position preserve its value, and which are tempting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import TIES
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.survey.chances import is_best_move
from zermelo._engine.survey.move_graph import MoveGraph

#: The tolerance of comparisons with one half, for sums of floating-point numbers.
_NEAR = 1e-9
#: The number of counters of positions and moves; see ``OnlyMoves``.
_COUNTED = 12


@dataclass
class OnlyMoves:
    """Counts of positions and moves, and some traps.

    Attributes:
        open: positions with a choice (two moves or more) by outcome: won, drawn, lost; in a score
            game all of them first.
        single: the won and the drawn ones in which only one move preserves the outcome; in a score
            game ``single[0]`` is the number of positions with a choice and one best move.
        keep: moves that preserve the outcome, in won and in drawn positions with a choice.
        moves: all moves in these positions.
        traps: moves that are traps.
        tempting: traps that look at least as good as every other move that is no trap.
        trapped: positions with a trap.
        examples: the first traps: the numbers of the position and of the move, and its apparent
            score.
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
def _sign(value: Any) -> int:
    if value > TIES:
        return 1
    return -1 if value < -TIES else 0


@inlined
def _expected_score(win: Any, loss: Any, child: Any, same: Any) -> Any:
    """Return the apparent score of a move: the expected score if play is random."""
    better = win[child] - loss[child]
    return 0.5 + 0.5 * (better if same else -better)


@inlined
def _insert(ply: Any, looks: Any, i: Any, e: Any, hardest: Any, which: Any) -> None:
    """Insert a trap if it is among the first: by moves from the start, then by apparent score."""
    last = hardest.shape[0] - 1
    if ply > hardest[last, 0] or (ply == hardest[last, 0] and looks <= hardest[last, 1]):
        return
    at = last
    while at > 0 and (
        hardest[at - 1, 0] > ply or (hardest[at - 1, 0] == ply and hardest[at - 1, 1] < looks)
    ):
        hardest[at, 0] = hardest[at - 1, 0]
        hardest[at, 1] = hardest[at - 1, 1]
        which[at, 0] = which[at - 1, 0]
        which[at, 1] = which[at - 1, 1]
        at -= 1
    hardest[at, 0] = ply
    hardest[at, 1] = looks
    which[at, 0] = i
    which[at, 1] = e


@kernel
def _count(
    first: Any,
    edges: Any,
    values: Any,
    owners: Any,
    win: Any,
    loss: Any,
    plies: Any,
    counts: Any,
    hardest: Any,
    which: Any,
) -> None:
    """Count over all positions of a game without scores; see ``OnlyMoves``."""
    for i in range(first.size - 1):
        moves = first[i + 1] - first[i]
        if moves == 0:
            continue
        own = _sign(values[i])
        good = 0
        best = -1.0
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[child]
            after = _sign(values[child]) if same else -_sign(values[child])
            if after == own:
                good += 1
            if after >= 0 and win.size:
                best = max(best, _expected_score(win, loss, child, same))
        if moves > 1:
            counts[1 - own] += 1
            if own >= 0:
                counts[3 + 1 - own] += good == 1
                counts[5 + 1 - own] += good
                counts[7 + 1 - own] += moves
        if own < 0 or win.size == 0 or good == moves:
            continue
        trapped = False
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[child]
            after = _sign(values[child]) if same else -_sign(values[child])
            if after >= 0:
                continue
            looks = _expected_score(win, loss, child, same)
            if looks >= 0.5 - _NEAR:
                trapped = True
                counts[9] += 1
                counts[10] += looks >= best - _NEAR
                if plies[i] >= 0:
                    _insert(plies[i], looks, i, e, hardest, which)
        counts[11] += trapped


@kernel
def _count_scores(
    first: Any,
    edges: Any,
    values: Any,
    owners: Any,
    gains: Any,
    plies: Any,
    counts: Any,
    hardest: Any,
    which: Any,
) -> None:
    """Count in a score game: a trap makes at least the immediate points of the best move."""
    for i in range(first.size - 1):
        moves = first[i + 1] - first[i]
        if moves == 0:
            continue
        best = 0
        most = -(np.int64(1) << 62)
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e]
            if is_best_move(values[i], values[child], same, gains, e):
                best += 1
                most = max(most, gain)
        if moves > 1:
            counts[0 if values[i] > 0 else 1 if values[i] == 0 else 2] += 1
            counts[3] += best == 1
        trapped = False
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e]
            if gain < most or is_best_move(values[i], values[child], same, gains, e):
                continue
            trapped = True
            counts[9] += 1
            counts[10] += gain > most
            if plies[i] >= 0:
                margin = gain + (values[child] if same else -values[child])
                _insert(plies[i], np.float64(values[i] - margin), i, e, hardest, which)
        counts[11] += trapped


def only_moves_and_traps(
    move_graph: MoveGraph,
    win: npt.NDArray[np.float64],
    loss: npt.NDArray[np.float64],
    plies: npt.NDArray[np.int32],
    examples: int,
) -> OnlyMoves:
    """Count only-moves and traps of all positions.

    Args:
        move_graph: the positions and their moves.
        win: the probability of winning if both play at random, which makes a move look good or bad;
            empty if traps are not needed.
        loss: the probability of losing.
        plies: the least number of moves to each position, -1 if unreachable.
        examples: the number of traps to list.
    """
    counts = np.zeros(_COUNTED, np.int64)
    hardest = np.full((examples, 2), np.inf)
    hardest[:, 1] = -np.inf
    which = np.full((examples, 2), -1, np.int64)
    arrays = (move_graph.first, move_graph.edges, move_graph.values, move_graph.owners)
    if move_graph.kind.gains:
        _count_scores(*arrays, move_graph.gains, plies, counts, hardest, which)
    else:
        _count(*arrays, win, loss, plies, counts, hardest, which)
    c = counts.tolist()
    found = [
        (int(i), int(e), float(looks))
        for (i, e), looks in zip(which.tolist(), hardest[:, 1].tolist(), strict=True)
        if i >= 0
    ]
    if move_graph.kind.gains:  # in a score game, only the best moves are good
        c[0], c[1], c[2] = c[0] + c[1] + c[2], 0, 0
    return OnlyMoves(
        (c[0], c[1], c[2]), (c[3], c[4]), (c[5], c[6]), (c[7], c[8]), c[9], c[10], c[11], found
    )
