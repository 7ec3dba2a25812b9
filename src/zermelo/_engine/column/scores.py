"""The margins of a score game: which occur, and how often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.int64]

#: Margins that lie so close together are counted one beside the other, and others by sorting them.
CLOSE = 1 << 20
#: Positions that are counted at once: they fit a core's own cache.
_AT_ONCE = 1 << 16
#: The first positions, as far as they are looked at to see whether margins are few.
_FIRST = 1 << 12


@dataclass(frozen=True)
class Extent:
    """How far margins reach.

    Attributes:
        least: the least.
        greatest: the greatest.
        won: how many are above 0.
        lost: how many are below.
        several: how many different ones there are among the first.
    """

    least: int
    greatest: int
    won: int
    lost: int
    several: int

    @classmethod
    def of(cls, scores: Scores) -> Extent:
        """Look at some, of which there is one at the least."""
        parts = [scores[n : n + _AT_ONCE] for n in range(0, len(scores), _AT_ONCE)]
        return cls(
            min(int(part.min()) for part in parts),
            max(int(part.max()) for part in parts),
            sum(int(np.count_nonzero(part > 0)) for part in parts),
            sum(int(np.count_nonzero(part < 0)) for part in parts),
            len(np.unique(scores[:_FIRST])),
        )


def occurring(scores: Scores) -> tuple[Scores, Scores]:
    """Return the margins that occur among some, ascending, and how often each does."""
    least, greatest = int(scores.min()), int(scores.max())
    span = greatest - least + 1
    if span > min(CLOSE, max(len(scores), _AT_ONCE)):
        found, often = np.unique(scores, return_counts=True)
        return found, often.astype(np.int64, copy=False)
    counts = np.zeros(span, np.int64)
    for begin in range(0, len(scores), _AT_ONCE):
        counts += np.bincount(scores[begin : begin + _AT_ONCE] - least, minlength=span)
    there = np.flatnonzero(counts)
    return there + least, counts[there]
