"""Results of a way of playing from the start, exact or sampled."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.survey.margins import margins
from zermelo.analysis.results import Estimate, Play

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.survey.chances import Chances
    from zermelo._engine.survey.move_graph import MoveGraph
    from zermelo._engine.survey.playouts import Games

#: Standard deviations to either side that hold 95 % of a normal distribution.
_DEVIATIONS = 1.959964
_DIGITS = 12
#: The greatest probability of unfinished games with which sums over games by chance are told.
MOST_ERROR = 1e-6


def exact_play(
    move_graph: MoveGraph, way_chances: Chances, blunders: int, ledger: Ledger, table_bytes: int
) -> Play:
    """Return the exact results of one way of playing.

    Args:
        move_graph: the positions and their moves.
        way_chances: the results from all positions.
        blunders: which way it is: the percentage of random moves.
        ledger: the memory budget.
        table_bytes: bytes that the table takes.
    """
    start = int(move_graph.starts[0])
    if len(way_chances.mean):
        return _exact_margins(move_graph, way_chances, blunders, ledger, table_bytes)
    win, draw, loss = (
        rounded(array[start]) for array in (way_chances.win, way_chances.draw, way_chances.loss)
    )
    finished = win + draw + loss
    # If every position can end, only the error keeps the sum below 1.
    endless = max(0.0, 1.0 - finished) if way_chances.endless.any() else 0.0
    error = way_chances.error

    def bounded(value: float) -> Estimate:
        return Estimate(value, value, min(1.0, value + error))

    length = None
    if finished > 0.0:
        plies = rounded(way_chances.length[start] / finished)
        least = plies * finished / min(1.0, finished + error) if error else plies
        length = Estimate(plies, least, plies + way_chances.length_error / finished)
    return Play(
        blunders,
        exact=True,
        win=bounded(win),
        draw=bounded(draw),
        loss=bounded(loss),
        endless=Estimate(endless, max(0.0, endless - error), endless),
        length=length,
    )


def _exact_margins(
    move_graph: MoveGraph, way_chances: Chances, blunders: int, ledger: Ledger, table_bytes: int
) -> Play:
    start = int(move_graph.starts[0])
    mean, finished = rounded(way_chances.mean[start]), rounded(way_chances.over[start])
    endless = max(0.0, 1.0 - finished) if way_chances.endless.any() else 0.0
    length = None
    if finished > 0.0:
        plies = rounded(way_chances.length[start] / finished)
        length = Estimate(plies, plies, plies + way_chances.length_error / finished)
    is_known = not len(move_graph.by_chance) or way_chances.error <= MOST_ERROR
    variance = max(0.0, rounded(way_chances.square[start]) - mean * mean)
    by_margin = None
    if not len(move_graph.cyclic) and not len(move_graph.by_chance):
        by_margin = margins(move_graph, blunders / 100, ledger, table_bytes + way_chances.bytes)
    win = draw = loss = None
    if by_margin is not None:
        win, draw, loss = (
            Estimate(rounded(chance), rounded(chance), rounded(chance))
            for chance in (
                sum(c for margin, c in by_margin.items() if margin > 0),
                by_margin.get(0, 0.0),
                sum(c for margin, c in by_margin.items() if margin < 0),
            )
        )
    return Play(
        blunders,
        exact=True,
        win=win,
        draw=draw,
        loss=loss,
        endless=Estimate(endless, max(0.0, endless - way_chances.error), endless),
        length=length,
        margin=Estimate(mean, mean, mean) if is_known else None,
        deviation=math.sqrt(variance) if is_known else None,
    )


def rounded(number: float) -> float:
    """Return a sum of floating-point numbers without the digits that their rounding made."""
    return round(float(number), _DIGITS)


def sampled_play(games: Games, blunders: int) -> Play:
    """Return the results of one way of playing, estimated from sampled games."""
    count = len(games.over)
    result, is_over = games.result, games.over
    lengths = games.length[is_over]
    margin = deviation = None
    if games.margins:
        margin = _mean_estimate(result[is_over])
        deviation = float(np.std(result[is_over]))
    return Play(
        blunders,
        exact=False,
        win=_share_estimate(int(np.sum(is_over & (result > 0))), count),
        draw=_share_estimate(int(np.sum(is_over & (result == 0))), count),
        loss=_share_estimate(int(np.sum(is_over & (result < 0))), count),
        endless=_share_estimate(int(np.sum(~is_over)), count),
        length=_mean_estimate(lengths) if len(lengths) else None,
        margin=margin,
        deviation=deviation,
        games=count,
    )


def _share_estimate(hits: int, count: int) -> Estimate:
    """Return a share with its interval by Wilson's formula (1927), good for few and for none."""
    z2 = _DEVIATIONS * _DEVIATIONS
    share = hits / count
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    off = _DEVIATIONS * math.sqrt(share * (1 - share) / count + z2 / (4 * count * count))
    off /= 1 + z2 / count
    low = 0.0 if not hits else max(0.0, middle - off)
    high = 1.0 if hits == count else min(1.0, middle + off)
    return Estimate(share, low, high)


def _mean_estimate(numbers: np.ndarray) -> Estimate:
    """Return a mean with its interval by the normal distribution."""
    mean = float(np.mean(numbers))
    off = _DEVIATIONS * float(np.std(numbers)) / math.sqrt(len(numbers))
    return Estimate(mean, mean - off, mean + off)
