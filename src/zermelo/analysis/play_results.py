"""What a way of playing comes to from the start, worked out or sampled."""

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


def exact_play(
    move_graph: MoveGraph, made: Chances, blunders: int, ledger: Ledger, held: int
) -> Play:
    """Return the exact results of one way of playing.

    Args:
        move_graph: the positions and their moves.
        made: what it comes to from everywhere.
        blunders: which way it is: the percentage of random moves.
        ledger: what may be taken.
        held: bytes that the table takes.
    """
    start = int(move_graph.starts[0])
    if len(made.mean):
        return _exact_margins(move_graph, made, blunders, ledger, held)
    win, draw, loss = (_round(array[start]) for array in (made.win, made.draw, made.loss))
    over = win + draw + loss
    # Where every position can come to an end, what is short of 1 is the error alone.
    endless = max(0.0, 1.0 - over) if made.endless.any() else 0.0
    error = made.error

    def bounded(value: float) -> Estimate:
        return Estimate(value, value, min(1.0, value + error))

    length = None
    if over > 0.0:
        plies = _round(made.length[start] / over)
        least = plies * over / min(1.0, over + error) if error else plies
        length = Estimate(plies, least, plies + made.length_error / over)
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
    move_graph: MoveGraph, made: Chances, blunders: int, ledger: Ledger, held: int
) -> Play:
    start = int(move_graph.starts[0])
    mean, over = _round(made.mean[start]), _round(made.over[start])
    endless = max(0.0, 1.0 - over) if made.endless.any() else 0.0
    length = None
    if over > 0.0:
        plies = _round(made.length[start] / over)
        length = Estimate(plies, plies, plies + made.length_error / over)
    variance = max(0.0, _round(made.square[start]) - mean * mean)
    by_margin = None
    if not len(move_graph.cyclic):
        by_margin = margins(move_graph, blunders / 100, ledger, held + made.bytes)
    win = draw = loss = None
    if by_margin is not None:
        win, draw, loss = (
            Estimate(_round(chance), _round(chance), _round(chance))
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
        endless=Estimate(endless, max(0.0, endless - made.error), endless),
        length=length,
        margin=Estimate(mean, mean, mean),
        deviation=math.sqrt(variance),
    )


def _round(number: float) -> float:
    """Return a sum of floating-point numbers without the digits that their rounding made."""
    return round(float(number), _DIGITS)


def sampled_play(games: Games, blunders: int) -> Play:
    """Return the results of one way of playing, estimated from sampled games."""
    count = len(games.over)
    result, over = games.result, games.over
    lengths = games.length[over]
    margin = deviation = None
    if games.margins:
        margin = _mean_estimate(result[over])
        deviation = float(np.std(result[over]))
    return Play(
        blunders,
        exact=False,
        win=_share_estimate(int(np.sum(over & (result > 0))), count),
        draw=_share_estimate(int(np.sum(over & (result == 0))), count),
        loss=_share_estimate(int(np.sum(over & (result < 0))), count),
        endless=_share_estimate(int(np.sum(~over)), count),
        length=_mean_estimate(lengths) if len(lengths) else None,
        margin=margin,
        deviation=deviation,
        games=count,
    )


def _share_estimate(found: int, count: int) -> Estimate:
    """Return a share with its interval by Wilson's formula (1927), good for few and for none."""
    z2 = _DEVIATIONS * _DEVIATIONS
    share = found / count
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    off = _DEVIATIONS * math.sqrt(share * (1 - share) / count + z2 / (4 * count * count))
    off /= 1 + z2 / count
    low = 0.0 if not found else max(0.0, middle - off)
    high = 1.0 if found == count else min(1.0, middle + off)
    return Estimate(share, low, high)


def _mean_estimate(numbers: np.ndarray) -> Estimate:
    """Return a mean with its interval by the normal distribution."""
    mean = float(np.mean(numbers))
    off = _DEVIATIONS * float(np.std(numbers)) / math.sqrt(len(numbers))
    return Estimate(mean, mean - off, mean + off)
