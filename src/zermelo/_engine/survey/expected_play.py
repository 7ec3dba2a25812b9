"""The result of a playing model from every position of a game with chance, and how much is luck.

``chances`` explains the model and the passes. At a position of chance each result has the
probability of its weight. Besides the results, sums over all moves and rolls to the end are
expected, such as the absolute changes of the expectation by rolls. Games that never end add
nothing to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.expected_moves import expectation_bounds
from zermelo._engine.core.array_types import (
    Float64Array,
    Int64Array,
    Integer,
    Uint8Array,
    Uint32Array,
)
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.survey.chances import Chances
from zermelo._engine.survey.move_graph import MoveGraph
from zermelo.progress import Reporter
from zermelo.values.expectations import MOST_WIDTH, WIDTH_BITS, Expectations

#: The most moves that are examined before the passes end without reaching the tolerance.
_MOST_LOOKS = 40_000_000_000
_MOST_PASSES = 200_000
#: Positions of a pass between two reports.
_BATCH = 1 << 20
#: The rows of expected numbers: win, loss and draw; or margin, its square, and the end of the game.
_WIN, _LOSS, _DRAW = range(3)
_MEAN, _SQUARE, _OVER = range(3)
#: The rows of sums to the end: plies, rolls, changes by rolls, expectation that moves give away,
#: and moves that matter.
_LENGTH, _ROLLS, _SWING, _LOST, _MATTERS = range(3, 8)
_ROWS = 8

#: The arrays of a graph as kernels take them.
_Arrays: TypeAlias = tuple[
    Int64Array, Uint32Array, npt.NDArray[Any], Uint8Array, Int64Array, Uint8Array
]


@dataclass
class ExpectedPlay(Chances):
    """The result of a playing model from every position; see ``Chances``.

    The sums are expected over the rest of the game, with 0 for games that never end.

    Attributes:
        rolls: the number of decisions of chance.
        swing: the sum of the absolute changes of the expectation by them.
        lost: the sum of the expectation that moves give away.
        matters: the number of moves where some other move would give expectation away.
    """

    rolls: Float64Array | None = None
    swing: Float64Array | None = None
    lost: Float64Array | None = None
    matters: Float64Array | None = None


@inlined
def _bounds(e: Integer, i: Integer, graph: _Arrays, unit: Integer) -> tuple[Any, Any]:
    """Return the bounds of the value of a move, or of a result of chance."""
    _, edges, values, keeps, labels, by_chance = graph
    child = np.int64(edges[e])
    same_mover = keeps[e] != 0
    points = np.int64(0) if by_chance[i] else labels[e] * unit
    return expectation_bounds(values[child], same_mover, points)


@inlined
def _weights(i: Integer, graph: _Arrays, unit: Integer, errs: float) -> tuple[Any, Any, Any, Any]:
    """Return what determines the probabilities of a position's moves.

    Returns:
        The probability of each move, or of a weight of 1; that added for moves that may be best;
        the greatest lower bound of a move; and whether some move is worse than that.
    """
    first, _, _, _, labels, by_chance = graph
    begin, end = first[i], first[i + 1]
    if by_chance[i]:
        total = np.int64(0)
        for e in range(begin, end):
            total += labels[e]
        return 1.0 / total, 0.0, np.int64(0), False
    best = np.int64(0)
    for e in range(begin, end):
        lower, _ = _bounds(e, i, graph, unit)
        if e == begin or lower > best:
            best = lower
    best_count = 0
    for e in range(begin, end):
        _, upper = _bounds(e, i, graph, unit)
        best_count += upper >= best
    moves = end - begin
    return errs / moves, (1.0 - errs) / best_count, best, best_count < moves


@inlined
def _weight(e: Integer, i: Integer, graph: _Arrays, unit: Integer, model: Any) -> float:
    """Return the probability of a move; ``model`` is the result of ``_weights``."""
    move_weight, best_weight, best, _ = model
    if graph[5][i]:
        return float(move_weight * graph[4][e])
    _, upper = _bounds(e, i, graph, unit)
    return float(move_weight + (best_weight if upper >= best else 0.0))


@kernel
def _pass(
    order: Uint32Array,
    begin: int,
    end: int,
    first: Int64Array,
    edges: Uint32Array,
    values: Int64Array,
    keeps: Uint8Array,
    labels: Int64Array,
    by_chance: Uint8Array,
    endless: Uint8Array,
    unit: int,
    errs: float,
    scored: bool,
    rows: Float64Array,
) -> None:
    """Compute the rows of positions in ``order``, or in descending order."""
    graph = first, edges, values, keeps, labels, by_chance
    for index in range(begin, end):
        i = np.int64(order[index]) if order.size else first.size - 2 - index
        if first[i] == first[i + 1]:
            final = (values[i] >> WIDTH_BITS) / unit
            if scored:
                rows[_MEAN, i], rows[_SQUARE, i], rows[_OVER, i] = final, final * final, 1.0
            else:
                rows[_WIN, i], rows[_LOSS, i] = final > 0.0, final < 0.0
                rows[_DRAW, i] = final == 0.0
            continue
        if endless.size and endless[i]:
            continue
        model = _weights(i, graph, unit, errs)
        own_middle = 2 * (values[i] >> WIDTH_BITS) + (values[i] & MOST_WIDTH)
        a = b = c = plies = rolls = swing = lost = matters = 0.0
        for e in range(first[i], first[i + 1]):
            weight = _weight(e, i, graph, unit, model)
            if weight == 0.0:
                continue
            child = np.int64(edges[e])
            same_mover = keeps[e] != 0
            lower, upper = _bounds(e, i, graph, unit)
            if scored:
                gain = 0.0 if by_chance[i] else np.float64(labels[e])
                margin = rows[_MEAN, child] if same_mover else -rows[_MEAN, child]
                over = rows[_OVER, child]
                a += weight * (gain + margin)
                b += weight * (gain * gain + 2.0 * gain * margin + rows[_SQUARE, child])
                c += weight * over
            else:
                win, loss = rows[_WIN, child], rows[_LOSS, child]
                if not same_mover:
                    win, loss = loss, win
                a, b, c = a + weight * win, b + weight * loss, c + weight * rows[_DRAW, child]
                over = win + loss + rows[_DRAW, child]
            plies += weight * (over + rows[_LENGTH, child])
            rolls += weight * rows[_ROLLS, child]
            swing += weight * rows[_SWING, child]
            lost += weight * rows[_LOST, child]
            matters += weight * rows[_MATTERS, child]
            if by_chance[i]:
                rolls += weight * over
                swing += weight * over * abs(lower + upper - own_middle) / (2.0 * unit)
            else:
                lost += weight * over * max(model[2] - upper, 0) / unit
                matters += weight * over * model[3]
        rows[0, i], rows[1, i], rows[2, i], rows[_LENGTH, i] = a, b, c, plies
        rows[_ROLLS, i], rows[_SWING, i] = rolls, swing
        rows[_LOST, i], rows[_MATTERS, i] = lost, matters


@kernel
def _shortfall(
    positions: Uint32Array,
    first: Int64Array,
    edges: Uint32Array,
    values: Int64Array,
    keeps: Uint8Array,
    labels: Int64Array,
    by_chance: Uint8Array,
    endless: Uint8Array,
    unit: int,
    errs: float,
    unfinished: Float64Array,
) -> float:
    """Do one pass for the probability that the game is unfinished; return the greatest."""
    graph = first, edges, values, keeps, labels, by_chance
    worst = 0.0
    for index in range(positions.size):
        i = np.int64(positions[index])
        if endless[i]:
            continue
        model = _weights(i, graph, unit, errs)
        chance = 0.0
        for e in range(first[i], first[i + 1]):
            chance += _weight(e, i, graph, unit, model) * unfinished[np.int64(edges[e])]
        unfinished[i] = chance
        worst = max(worst, chance)
    return worst


@kernel
def _mark_finite(
    positions: Uint32Array,
    first: Int64Array,
    edges: Uint32Array,
    values: Int64Array,
    keeps: Uint8Array,
    labels: Int64Array,
    by_chance: Uint8Array,
    endless: Uint8Array,
    unit: int,
    errs: float,
) -> int:
    """Mark positions with a possible move to one with an end as not endless.

    Return their number.
    """
    graph = first, edges, values, keeps, labels, by_chance
    count = 0
    for index in range(positions.size):
        i = np.int64(positions[index])
        if endless[i] == 0:
            continue
        model = _weights(i, graph, unit, errs)
        for e in range(first[i], first[i + 1]):
            is_finite = endless[np.int64(edges[e])] == 0
            if is_finite and _weight(e, i, graph, unit, model) > 0.0:
                endless[i] = 0
                count += 1
                break
    return count


@kernel
def _decisions(
    first: Int64Array,
    edges: Uint32Array,
    values: Int64Array,
    keeps: Uint8Array,
    labels: Int64Array,
    by_chance: Uint8Array,
    unit: int,
    counts: Int64Array,
) -> None:
    """Count positions with a choice, those where it matters, and those with one best move."""
    graph = first, edges, values, keeps, labels, by_chance
    for i in range(first.size - 1):
        moves = first[i + 1] - first[i]
        if by_chance[i] or moves <= 1:
            continue
        _, best_weight, _, matters = _weights(i, graph, unit, 0.0)
        counts[0] += 1
        counts[1] += matters
        counts[2] += best_weight == 1.0


@dataclass
class Decisions:
    """Counts of positions in which a player chooses.

    Attributes:
        choices: positions with two moves or more.
        matters: those in which some move gives expectation away.
        single: those in which only one move may be best.
    """

    choices: int
    matters: int
    single: int


def count_decisions(move_graph: MoveGraph) -> Decisions:
    """Count the positions in which a player chooses."""
    counts = np.zeros(3, np.int64)
    _decisions(*_arrays(move_graph), _unit(move_graph), counts)
    return Decisions(*counts.tolist())


def expected_play(
    move_graph: MoveGraph, errs: float, tolerance: float, report: Reporter, name: str
) -> ExpectedPlay:
    """Compute the result of a playing model for a game with chance.

    Args:
        move_graph: the positions and their moves.
        errs: the probability of a random move, from 0 to 1.
        tolerance: the greatest error, if moves form cycles.
        report: receives the progress.
        name: the name of the model.
    """
    kind, count, cyclic = move_graph.kind, move_graph.positions, move_graph.cyclic
    assert isinstance(kind, Expectations)  # noqa: S101  # the caller asked
    rows = np.zeros((_ROWS, count))
    if kind.is_scored:
        codes = move_graph.values[cyclic]
        rows[_MEAN, cyclic] = (kind.lowers(codes) + kind.uppers(codes)) * (kind.unit / 2)
        rows[_SQUARE, cyclic] = rows[_MEAN, cyclic] ** 2
    first_rows, empty = (rows[0], rows[1], rows[2]), np.empty(0)
    win, loss, draw = (empty, empty, empty) if kind.is_scored else first_rows
    mean, square, over = first_rows if kind.is_scored else (empty, empty, empty)
    play = ExpectedPlay(
        win=win,
        loss=loss,
        draw=draw,
        length=rows[_LENGTH],
        endless=np.empty(0, np.uint8),
        mean=mean,
        square=square,
        over=over,
        rolls=rows[_ROLLS],
        swing=rows[_SWING],
        lost=rows[_LOST],
        matters=rows[_MATTERS],
    )
    arrays, unit = _arrays(move_graph), _unit(move_graph)
    with report.phase(name, count):
        order = np.empty(0, np.uint32) if move_graph.order is None else move_graph.order
        ordered_count = count if move_graph.order is None else len(move_graph.order)
        for begin in range(0, ordered_count, _BATCH):
            end = min(begin + _BATCH, ordered_count)
            _pass(order, begin, end, *arrays, play.endless, unit, errs, kind.is_scored, rows)
            report.advance(end)
        if len(cyclic):
            _solve_cycles(move_graph, errs, tolerance, report, play, rows)
    return play


def _solve_cycles(
    move_graph: MoveGraph,
    errs: float,
    tolerance: float,
    report: Reporter,
    play: ExpectedPlay,
    rows: Float64Array,
) -> None:
    """Compute the positions from which a cycle can be reached, to within the tolerance.

    In a score game, margins start with those of best play, which are right if only endless play is
    left.
    """
    cyclic, arrays, unit = move_graph.cyclic, _arrays(move_graph), _unit(move_graph)
    play.endless = np.zeros(move_graph.positions, np.uint8)
    play.endless[cyclic] = 1
    orders = np.ascontiguousarray(cyclic[::-1]), cyclic
    turn = 0
    while _mark_finite(orders[turn & 1], *arrays, play.endless, unit, errs):
        turn += 1
    unfinished = np.zeros(move_graph.positions)
    unfinished[cyclic] = play.endless[cyclic] == 0
    if not unfinished.any():
        return
    move_count = int(np.diff(move_graph.first)[cyclic].sum())
    most = min(_MOST_PASSES, max(_MOST_LOOKS // max(move_count, 1), 1))
    passes, error, scored = 0, 1.0, len(play.mean) > 0
    while passes < most:
        order = orders[passes & 1]
        _pass(order, 0, len(order), *arrays, play.endless, unit, errs, scored, rows)
        error = _shortfall(order, *arrays, play.endless, unit, errs, unfinished)
        passes += 1
        report.pass_over(passes)
        longest = float(play.length.max())
        if error < 1.0:
            play.length_error = error * (longest + passes) / (1.0 - error)
            if max(error, play.length_error / max(longest, 1.0)) <= tolerance:
                break
    play.error, play.passes = error, passes
    if error >= 1.0:
        play.length_error = float("inf")


def _arrays(move_graph: MoveGraph) -> _Arrays:
    """Return the arrays of a graph as kernels take them."""
    return (
        move_graph.first,
        move_graph.edges,
        move_graph.values,
        move_graph.keeps,
        move_graph.gains,
        move_graph.by_chance,
    )


def _unit(move_graph: MoveGraph) -> int:
    """Return the units of a point."""
    kind = move_graph.kind
    assert isinstance(kind, Expectations)  # noqa: S101  # the caller asked
    return kind.units_of(1)
