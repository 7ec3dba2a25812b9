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

from zermelo._engine.column.codes import TIES
from zermelo._engine.column.value_operations import (
    MARGINS,
    ValueOperations,
    is_best_margin,
    is_best_outcome,
    operations_of,
)
from zermelo._engine.core.array_types import (
    Float64Array,
    Int32Array,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint32Array,
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

    win: Float64Array
    loss: Float64Array
    draw: Float64Array
    length: Float64Array
    endless: Uint8Array
    mean: Float64Array
    square: Float64Array
    over: Float64Array
    error: float = 0.0
    length_error: float = 0.0
    passes: int = 1

    @property
    def expected_scores(self) -> Float64Array:
        """The expected score of positions: the margin.

        Or the probability of winning plus half of a draw.
        """
        if len(self.mean):
            return self.mean
        scores = self.win - self.loss
        scores *= 0.5
        scores += 0.5
        return scores

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
        i: int,
        first: Int64Array,
        edges: Uint32Array,
        values: IntArray,
        owners: Uint8Array,
        gains: Int64Array,
        errs: float,
    ) -> tuple[Any, Any]:
        """Return the probability of each move of a position, and that added for best moves."""
        moves = first[i + 1] - first[i]
        if errs >= 1.0:
            return 1.0 / moves, 0.0
        best_count = 0
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same_mover = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e] if scored else 0
            best_count += is_best(values[i], values[child], same_mover, gain)
        return errs / moves, (1.0 - errs) / max(best_count, 1)

    return weights


@kernel
def _pass(
    order: Uint32Array,
    begin: int,
    end: int,
    first: Int64Array,
    edges: Uint32Array,
    values: Int32Array,
    owners: Uint8Array,
    errs: float,
    win: Float64Array,
    loss: Float64Array,
    draw: Float64Array,
    length: Float64Array,
    endless: Uint8Array,
) -> None:
    """Compute the probabilities of positions in ``order``, or in descending order."""
    for index in range(begin, end):
        i = np.int64(order[index]) if order.size else first.size - 2 - index
        if first[i] == first[i + 1]:
            win[i] = values[i] > TIES
            loss[i] = values[i] < -TIES
            draw[i] = 1.0 - win[i] - loss[i]
            length[i] = 0.0
            continue
        if endless.size and endless[i]:
            continue
        best_count = 0
        win_sum = loss_sum = draw_sum = ply_sum = 0.0  # over all moves
        best_win_sum = best_loss_sum = best_draw_sum = best_ply_sum = 0.0
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same_mover = owners.size > 0 and owners[i] == owners[child]
            is_best = errs < 1.0 and is_best_outcome(values[i], values[child], same_mover, 0)
            if not is_best and errs == 0.0:
                continue
            child_win, child_loss, child_draw = win[child], loss[child], draw[child]
            child_plies = length[child] + child_win + child_loss + child_draw
            if not same_mover:
                child_win, child_loss = child_loss, child_win
            if is_best:
                best_count += 1
                best_win_sum += child_win
                best_loss_sum += child_loss
                best_draw_sum += child_draw
                best_ply_sum += child_plies
            win_sum += child_win
            loss_sum += child_loss
            draw_sum += child_draw
            ply_sum += child_plies
        move_weight = errs / (first[i + 1] - first[i])
        best_weight = (1.0 - errs) / max(best_count, 1)
        win[i] = move_weight * win_sum + best_weight * best_win_sum
        loss[i] = move_weight * loss_sum + best_weight * best_loss_sum
        draw[i] = move_weight * draw_sum + best_weight * best_draw_sum
        length[i] = move_weight * ply_sum + best_weight * best_ply_sum


@functools.cache
def _shortfall(operations: ValueOperations) -> Callable[..., Any]:
    """Return the kernel that computes the probability that a game is unfinished."""
    is_best, scored = operations.is_best, operations.scored
    weights = weights_for(operations)

    @kernel
    def short(
        positions: Uint32Array,
        first: Int64Array,
        edges: Uint32Array,
        values: Int32Array,
        owners: Uint8Array,
        errs: float,
        endless: Uint8Array,
        unfinished: Float64Array,
        gains: Int64Array,
    ) -> float:
        """Do one pass for the probability that the game is unfinished; return the greatest."""
        worst = 0.0
        for index in range(positions.size):
            i = np.int64(positions[index])
            if endless[i] == 1:
                continue
            move_weight, best_weight = weights(i, first, edges, values, owners, gains, errs)
            chance = 0.0
            for e in range(first[i], first[i + 1]):
                child = np.int64(edges[e])
                same_mover = owners.size > 0 and owners[i] == owners[child]
                weight = move_weight
                gain = gains[e] if scored else 0
                if best_weight > 0.0 and is_best(values[i], values[child], same_mover, gain):
                    weight += best_weight
                chance += weight * unfinished[child]
            unfinished[i] = chance
            worst = max(worst, chance)
        return worst

    return short


@functools.cache
def _finite_marks(operations: ValueOperations) -> Callable[..., Any]:
    """Return the kernel that marks positions from which an end is possible."""
    is_best, scored = operations.is_best, operations.scored

    @kernel
    def mark_finite(
        positions: Uint32Array,
        first: Int64Array,
        edges: Uint32Array,
        values: Int32Array,
        owners: Uint8Array,
        errs: float,
        endless: Uint8Array,
        gains: Int64Array,
    ) -> int:
        """Mark positions with a possible move to one with an end as not endless.

        Return their number.
        """
        count = 0
        for index in range(positions.size):
            i = np.int64(positions[index])
            if endless[i] == 0:
                continue
            for e in range(first[i], first[i + 1]):
                child = np.int64(edges[e])
                if endless[child]:
                    continue
                same_mover = owners.size > 0 and owners[i] == owners[child]
                gain = gains[e] if scored else 0
                if errs > 0.0 or is_best(values[i], values[child], same_mover, gain):
                    endless[i] = 0
                    count += 1
                    break
        return count

    return mark_finite


margin_weights = weights_for(MARGINS)


@kernel
def _score_pass(
    order: Uint32Array,
    begin: int,
    end: int,
    first: Int64Array,
    edges: Uint32Array,
    values: Int64Array,
    owners: Uint8Array,
    gains: Int64Array,
    errs: float,
    mean: Float64Array,
    square: Float64Array,
    length: Float64Array,
    end_chances: Float64Array,
) -> None:
    """Compute the expected margins of positions, in the order of ``_pass``."""
    for index in range(begin, end):
        i = np.int64(order[index]) if order.size else first.size - 2 - index
        if first[i] == first[i + 1]:
            mean[i] = values[i]
            square[i] = mean[i] * mean[i]
            length[i] = 0.0
            end_chances[i] = 1.0
            continue
        move_weight, best_weight = margin_weights(i, first, edges, values, owners, gains, errs)
        total = squares = plies = end_chance = 0.0
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            same_mover = owners.size > 0 and owners[i] == owners[child]
            gain = gains[e]
            weight = move_weight
            if best_weight > 0.0 and is_best_margin(values[i], values[child], same_mover, gain):
                weight += best_weight
            margin = mean[child] if same_mover else -mean[child]
            total += weight * (gain + margin)
            squares += weight * (gain * gain + 2.0 * gain * margin + square[child])
            plies += weight * (end_chances[child] + length[child])
            end_chance += weight * end_chances[child]
        mean[i] = total
        square[i] = squares
        length[i] = plies
        end_chances[i] = end_chance


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
        no_marks = np.empty(0, np.uint8)
        no_chances = np.empty(0)
        result = Chances(win, loss, draw, length, no_marks, no_chances, no_chances, no_chances)
        arrays = (
            move_graph.first,
            move_graph.edges,
            move_graph.values,
            move_graph.owners,
        )
        order = np.empty(0, np.uint32) if move_graph.order is None else move_graph.order
        ordered_count = count if move_graph.order is None else len(move_graph.order)
        for begin in range(0, ordered_count, _BATCH):
            end = min(begin + _BATCH, ordered_count)
            _pass(order, begin, end, *arrays, errs, win, loss, draw, length, no_marks)
            report.advance(end)
        if len(move_graph.cyclic):
            _solve_cycles(move_graph, errs, tolerance, report, result)
        return result


def _solve_cycles(
    move_graph: MoveGraph, errs: float, tolerance: float, report: Reporter, result: Chances
) -> None:
    """Compute the positions from which a cycle can be reached, to within the tolerance.

    In a score game, margins start with those of best play, which are right if only endless play is
    left.
    """
    first, edges, values = move_graph.first, move_graph.edges, move_graph.values
    owners, gains, cyclic = move_graph.owners, move_graph.gains, move_graph.cyclic
    result.endless = np.zeros(move_graph.positions, np.uint8)
    result.endless[cyclic] = 1
    reversed_order = np.ascontiguousarray(cyclic[::-1])
    orders = (reversed_order, cyclic)
    turn = 0
    operations = operations_of(move_graph.kind)
    mark_finite, shortfall = _finite_marks(operations), _shortfall(operations)
    while mark_finite(orders[turn & 1], first, edges, values, owners, errs, result.endless, gains):
        turn += 1
    unfinished = np.zeros(move_graph.positions)
    unfinished[cyclic] = result.endless[cyclic] == 0
    if not unfinished.any():
        return
    move_count = int(np.diff(first)[cyclic].sum())
    passes, error = 0, 1.0
    most = min(_MOST_PASSES, max(_MOST_LOOKS // max(move_count, 1), 1))
    arrays = (first, edges, values, owners, gains)
    while passes < most:
        order = orders[passes & 1]
        if len(result.mean):
            _score_pass(order, 0, len(order), *arrays, errs,
                        result.mean, result.square, result.length, result.over)  # fmt: skip
        else:
            _pass(order, 0, len(order), *arrays[:-1], errs,
                  result.win, result.loss, result.draw, result.length, result.endless)  # fmt: skip
        error = shortfall(
            order, first, edges, values, owners, errs, result.endless, unfinished, gains
        )
        passes += 1
        report.pass_over(passes)  # few games need nearly ``most`` passes
        longest = float(result.length.max())
        if error < 1.0:
            result.length_error = error * (longest + passes) / (1.0 - error)
            if max(error, result.length_error / max(longest, 1.0)) <= tolerance:
                break
    result.error, result.passes = error, passes
    if error >= 1.0:
        result.length_error = float("inf")


def _scores(move_graph: MoveGraph, errs: float, tolerance: float, report: Reporter) -> Chances:
    count = move_graph.positions
    mean, square, length, end_chances = (np.zeros(count) for _ in range(4))
    cyclic = move_graph.cyclic
    mean[cyclic] = move_graph.values[cyclic]
    square[cyclic] = mean[cyclic] * mean[cyclic]
    no_chances = np.empty(0)
    order = np.empty(0, np.uint32) if move_graph.order is None else move_graph.order
    arrays = (
        move_graph.first,
        move_graph.edges,
        move_graph.values,
        move_graph.owners,
        move_graph.gains,
    )
    ordered_count = count - len(cyclic)
    for begin in range(0, ordered_count, _BATCH):
        end = min(begin + _BATCH, ordered_count)
        _score_pass(order, begin, end, *arrays, errs, mean, square, length, end_chances)
        report.advance(end)
    no_marks = np.empty(0, np.uint8)
    result = Chances(
        no_chances, no_chances, no_chances, length, no_marks, mean, square, end_chances
    )
    if len(cyclic):
        _solve_cycles(move_graph, errs, tolerance, report, result)
    return result
