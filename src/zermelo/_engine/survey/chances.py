"""The result of a playing model from every position: probabilities, expected length and margin.

With a certain probability the model plays any move, each equally likely, and else one of the best
moves, each equally likely. So the probabilities of a position follow from those of its children,
and one pass over the positions computes them all if successors come first.

If moves form cycles, probabilities grow from 0 in passes over those positions, and each stays below
its limit. The difference of a position's probabilities from 1 is the probability that the game is
unfinished; the greatest of these bounds the error of all. Positions from which no end is reachable
are excluded before, or this probability would never vanish.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import TIES
from zermelo._engine.column.value_operations import (
    MARGINS,
    ValueOperations,
    is_best_margin,
    is_best_outcome,
    operations_of,
)
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.survey.move_graph import MoveGraph
from zermelo.progress import Reporter

#: The most moves that are examined before the passes end without reaching the tolerance.
_MOST_LOOKS = 40_000_000_000
_MOST_PASSES = 200_000
#: Positions of a pass between two reports.
_BATCH = 1 << 20


@dataclass
class Chances:
    """The result of a playing model from every position, for the player to move.

    Attributes:
        win: the probability of winning; empty in a score game.
        loss: the probability of losing; empty in a score game.
        draw: the probability of a draw; empty in a score game.
        length: the expected number of moves to the end, with 0 for games that never end.
        endless: whether no end is reachable.
        mean: in a score game, the expected margin.
        square: in a score game, the expected square of the margin.
        over: in a score game, the probability that the game ends.
        error: an upper bound of the error of probabilities.
        length_error: an upper bound of the error of lengths.
        passes: the number of passes.
    """

    win: npt.NDArray[np.float64]
    loss: npt.NDArray[np.float64]
    draw: npt.NDArray[np.float64]
    length: npt.NDArray[np.float64]
    endless: npt.NDArray[np.uint8]
    mean: npt.NDArray[np.float64]
    square: npt.NDArray[np.float64]
    over: npt.NDArray[np.float64]
    error: float = 0.0
    length_error: float = 0.0
    passes: int = 1

    @property
    def expected_scores(self) -> npt.NDArray[np.float64]:
        """The expected score of positions: the margin.

        Or the probability of winning plus half of a draw.
        """
        if len(self.mean):
            return self.mean
        looks = self.win - self.loss
        looks *= 0.5
        looks += 0.5
        return looks

    @property
    def bytes(self) -> int:
        """The bytes of its arrays."""
        arrays = (self.win, self.loss, self.draw, self.length, self.endless, self.mean,
                  self.square, self.over)  # fmt: skip
        return sum(array.nbytes for array in arrays)


@functools.cache
def weights_for(operations: ValueOperations) -> Callable[..., Any]:
    """Return the inlined kernel that gives the probabilities of a position's moves."""
    is_best, scored = operations.is_best, operations.scored

    @inlined
    def weights(
        i: Any, first: Any, edges: Any, values: Any, owners: Any, gains: Any, errs: Any
    ) -> tuple[Any, Any]:
        """Return the probability of each move of a position, and that added for best moves."""
        moves = first[i + 1] - first[i]
        if errs >= 1.0:
            return 1.0 / moves, 0.0
        best = 0
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e] if scored else 0
            best += is_best(values[i], values[child], same, gain)
        return errs / moves, (1.0 - errs) / max(best, 1)

    return weights


@kernel
def _pass(
    order: Any,
    begin: int,
    end: int,
    first: Any,
    edges: Any,
    values: Any,
    owners: Any,
    errs: float,
    win: Any,
    loss: Any,
    draw: Any,
    length: Any,
    endless: Any,
) -> None:
    """Compute the probabilities of positions in ``order``, or in descending order."""
    for at in range(begin, end):
        i = np.int64(order[at]) if order.size else first.size - 2 - at
        if first[i] == first[i + 1]:
            win[i] = values[i] > TIES
            loss[i] = values[i] < -TIES
            draw[i] = 1.0 - win[i] - loss[i]
            length[i] = 0.0
            continue
        if endless.size and endless[i]:
            continue
        best = 0
        won = lost = drawn = plies = 0.0  # over all moves
        best_won = best_lost = best_drawn = best_plies = 0.0
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[child]
            is_best = errs < 1.0 and is_best_outcome(values[i], values[child], same, 0)
            if not is_best and errs == 0.0:
                continue
            won_there, lost_there, drawn_there = win[child], loss[child], draw[child]
            longer = length[child] + won_there + lost_there + drawn_there
            if not same:
                won_there, lost_there = lost_there, won_there
            if is_best:
                best += 1
                best_won += won_there
                best_lost += lost_there
                best_drawn += drawn_there
                best_plies += longer
            won += won_there
            lost += lost_there
            drawn += drawn_there
            plies += longer
        each, more = errs / (first[i + 1] - first[i]), (1.0 - errs) / max(best, 1)
        win[i] = each * won + more * best_won
        loss[i] = each * lost + more * best_lost
        draw[i] = each * drawn + more * best_drawn
        length[i] = each * plies + more * best_plies


@functools.cache
def _shortfall(operations: ValueOperations) -> Callable[..., Any]:
    """Return the kernel that finds how likely a game is unfinished."""
    is_best, scored = operations.is_best, operations.scored
    weights = weights_for(operations)

    @kernel
    def short(
        rest: Any,
        first: Any,
        edges: Any,
        values: Any,
        owners: Any,
        errs: float,
        endless: Any,
        open_: Any,
        gains: Any,
    ) -> float:
        """Do one pass for the probability that the game is unfinished; return the greatest."""
        worst = 0.0
        for at in range(rest.size):
            i = np.int64(rest[at])
            if endless[i] == 1:
                continue
            each, more = weights(i, first, edges, values, owners, gains, errs)
            going = 0.0
            for e in range(first[i], first[i + 1]):
                child = np.int64(edges[e])
                same = owners.size > 0 and owners[i] == owners[child]
                weight = each
                gain = gains[e] if scored else 0
                if more > 0.0 and is_best(values[i], values[child], same, gain):
                    weight += more
                going += weight * open_[child]
            open_[i] = going
            worst = max(worst, going)
        return worst

    return short


@functools.cache
def _finite_marks(operations: ValueOperations) -> Callable[..., Any]:
    """Return the kernel that marks positions from which an end is possible."""
    is_best, scored = operations.is_best, operations.scored

    @kernel
    def mark_finite(
        rest: Any,
        first: Any,
        edges: Any,
        values: Any,
        owners: Any,
        errs: float,
        endless: Any,
        gains: Any,
    ) -> int:
        """Mark positions with a possible move to one with an end as not endless.

        Return their number.
        """
        struck = 0
        for at in range(rest.size):
            i = np.int64(rest[at])
            if endless[i] == 0:
                continue
            for e in range(first[i], first[i + 1]):
                child = np.int64(edges[e])
                if endless[child]:
                    continue
                same = owners.size > 0 and owners[i] == owners[child]
                gain = gains[e] if scored else 0
                if errs > 0.0 or is_best(values[i], values[child], same, gain):
                    endless[i] = 0
                    struck += 1
                    break
        return struck

    return mark_finite


margin_weights = weights_for(MARGINS)


@kernel
def _score_pass(
    order: Any,
    begin: int,
    end: int,
    first: Any,
    edges: Any,
    values: Any,
    owners: Any,
    gains: Any,
    errs: float,
    mean: Any,
    square: Any,
    length: Any,
    over: Any,
) -> None:
    """Compute the expected margins of positions, in the order of ``_pass``."""
    for at in range(begin, end):
        i = np.int64(order[at]) if order.size else first.size - 2 - at
        if first[i] == first[i + 1]:
            mean[i] = values[i]
            square[i] = mean[i] * mean[i]
            length[i] = 0.0
            over[i] = 1.0
            continue
        each, more = margin_weights(i, first, edges, values, owners, gains, errs)
        total = squares = plies = ended = 0.0
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e]
            weight = each
            if more > 0.0 and is_best_margin(values[i], values[child], same, gain):
                weight += more
            margin = mean[child] if same else -mean[child]
            total += weight * (gain + margin)
            squares += weight * (gain * gain + 2.0 * gain * margin + square[child])
            plies += weight * (over[child] + length[child])
            ended += weight * over[child]
        mean[i] = total
        square[i] = squares
        length[i] = plies
        over[i] = ended


def chances(
    move_graph: MoveGraph, errs: float, tolerance: float, report: Reporter, name: str
) -> Chances:
    """Compute the result of a playing model.

    Args:
        move_graph: the positions and their moves.
        errs: the probability of a random move, from 0 to 1.
        tolerance: the greatest error, if moves form cycles.
        report: receives the progress.
        name: the name of the model.
    """
    count = move_graph.positions
    with report.phase(name, count):
        if operations_of(move_graph.kind).scored:
            return _scores(move_graph, errs, tolerance, report)
        win, loss, draw, length = (np.zeros(count) for _ in range(4))
        nothing = np.empty(0, np.uint8)
        none = np.empty(0)
        made = Chances(win, loss, draw, length, nothing, none, none, none)
        arrays = (
            move_graph.first,
            move_graph.edges,
            move_graph.values,
            move_graph.owners,
        )
        whole = np.empty(0, np.uint32) if move_graph.order is None else move_graph.order
        todo = count if move_graph.order is None else len(move_graph.order)
        for begin in range(0, todo, _BATCH):
            end = min(begin + _BATCH, todo)
            _pass(whole, begin, end, *arrays, errs, win, loss, draw, length, nothing)
            report.advance(end)
        if len(move_graph.rest):
            _solve_cycles(move_graph, errs, tolerance, report, made)
        return made


def _solve_cycles(
    move_graph: MoveGraph, errs: float, tolerance: float, report: Reporter, made: Chances
) -> None:
    """Compute the positions from which a cycle can be reached, to within the tolerance.

    In a score game, margins start with those of best play, which are right if only endless play is
    left.
    """
    first, edges, values = move_graph.first, move_graph.edges, move_graph.values
    owners, gains, rest = move_graph.owners, move_graph.gains, move_graph.rest
    made.endless = np.zeros(move_graph.positions, np.uint8)
    made.endless[rest] = 1
    back = np.ascontiguousarray(rest[::-1])
    ways = (back, rest)
    turn = 0
    operations = operations_of(move_graph.kind)
    mark_finite, short = _finite_marks(operations), _shortfall(operations)
    while mark_finite(ways[turn & 1], first, edges, values, owners, errs, made.endless, gains):
        turn += 1
    going = np.zeros(move_graph.positions)
    going[rest] = made.endless[rest] == 0
    if not going.any():
        return
    looks = int(np.diff(first)[rest].sum())
    passes, error = 0, 1.0
    most = min(_MOST_PASSES, max(_MOST_LOOKS // max(looks, 1), 1))
    arrays = (first, edges, values, owners, gains)
    while passes < most:
        way = ways[passes & 1]
        if len(made.mean):
            _score_pass(way, 0, len(way), *arrays, errs, made.mean, made.square, made.length,
                        made.over)  # fmt: skip
        else:
            _pass(way, 0, len(way), *arrays[:-1], errs, made.win, made.loss, made.draw, made.length,
                  made.endless)  # fmt: skip
        error = short(way, first, edges, values, owners, errs, made.endless, going, gains)
        passes += 1
        report.pass_over(passes)  # few games need nearly ``most`` passes
        longest = float(made.length.max())
        if error < 1.0:
            made.length_error = error * (longest + passes) / (1.0 - error)
            if max(error, made.length_error / max(longest, 1.0)) <= tolerance:
                break
    made.error, made.passes = error, passes
    if error >= 1.0:
        made.length_error = float("inf")


def _scores(move_graph: MoveGraph, errs: float, tolerance: float, report: Reporter) -> Chances:
    count = move_graph.positions
    mean, square, length, over = (np.zeros(count) for _ in range(4))
    rest = move_graph.rest
    mean[rest] = move_graph.values[rest]
    square[rest] = mean[rest] * mean[rest]
    nothing = np.empty(0)
    order = np.empty(0, np.uint32) if move_graph.order is None else move_graph.order
    arrays = (
        move_graph.first,
        move_graph.edges,
        move_graph.values,
        move_graph.owners,
        move_graph.gains,
    )
    todo = count - len(rest)
    for begin in range(0, todo, _BATCH):
        end = min(begin + _BATCH, todo)
        _score_pass(order, begin, end, *arrays, errs, mean, square, length, over)
        report.advance(end)
    ends = np.empty(0, np.uint8)
    made = Chances(nothing, nothing, nothing, length, ends, mean, square, over)
    if len(rest):
        _solve_cycles(move_graph, errs, tolerance, report, made)
    return made
