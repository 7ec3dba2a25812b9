"""A lower bound of the number of positions, from collisions of random games.

Random games from the starts, each move equally likely, pass through some distribution of positions
after d moves. The more positions there are, the fewer games meet. If n games have independent
positions after d moves, a pair meets with the probability sum p², which is at least 1/N if N
positions are possible; so N is at least 1 / sum p², for any distribution. The number of pairs that
meet estimates sum p²; a safety margin makes it improbable that the bound is too high. (No meeting
at all is most probable for equal probabilities, as with birthdays: the number of pairs that meet is
then approximately Poisson.)
"""

from __future__ import annotations

import math

import numpy as np

from zermelo._engine.core.array_types import Int64Array

#: If c pairs met, at most c + 5 √c + 16 pairs were expected. If 16 are expected, none meet in one
#: of nine million samples.
_SPREAD, _LEAST_COLLISIONS = 5.0, 16.0
#: The factor by which the bound without meetings exceeds the required one.
_MARGIN_FACTOR = 2


def games_for(most: int) -> int:
    """Return the number of random games that prove more than ``most`` positions if none meet."""
    return math.ceil(math.sqrt(2 * _LEAST_COLLISIONS * _MARGIN_FACTOR * most))


def bound_of(game_counts: Int64Array) -> int:
    """Return a lower bound of the number of positions, from the number of games in each."""
    pairs, games = int(np.sum(game_counts * (game_counts - 1))) // 2, int(game_counts.sum())
    game_pairs = games * (games - 1) // 2
    return int(game_pairs / (pairs + _SPREAD * math.sqrt(pairs) + _LEAST_COLLISIONS))
