"""A lower bound of the number of positions, by how many of some random games meet.

Random games from the starts, each move with equal chances, pass through some distribution of
positions after d moves. The more positions there are, the fewer games meet. Of n games whose
positions after d moves are independent, a pair meets with the probability sum p², which is at
least 1/N where N positions are possible; so N is at least 1 / sum p², however unlike the chances
are. The number of pairs that meet estimates sum p²; what is added to it makes it improbable that
the bound is too high. (That none meet is most probable where the chances are equal, as with
birthdays: there, the number of pairs that meet is about Poisson.)
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

#: Pairs that might have been expected where c met: c + 5 √c + 16. Where 16 are expected, none meet
#: in one of nine million samples.
_SPREAD, _NONE_MET = 5.0, 16.0
#: How many times as far as it has to a bound reaches where none meet.
_BEYOND = 2


def games_for(most: int) -> int:
    """Return the number of random games that prove more than ``most`` positions if none meet."""
    return math.ceil(math.sqrt(2 * _NONE_MET * _BEYOND * most))


def bound_of(met: npt.NDArray[np.int64]) -> int:
    """Return a number of positions that there are at least, by how many games meet in each."""
    pairs, games = int(np.sum(met * (met - 1))) // 2, int(met.sum())
    drawn = games * (games - 1) // 2
    return int(drawn / (pairs + _SPREAD * math.sqrt(pairs) + _NONE_MET))
