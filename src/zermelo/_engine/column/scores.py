"""The margins of a score game that occur, and their counts."""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.array_types import Int64Array

Scores = Int64Array

#: The longest range of margins that are counted in an array; others are counted by sorting.
CLOSE = 1 << 20
#: Positions that are counted in one batch: they fit a core's own cache.
_SCORES_PER_BATCH = 1 << 16


def margin_counts(scores: Scores) -> tuple[Scores, Scores]:
    """Return the distinct margins, ascending, and their counts."""
    least, greatest = int(scores.min()), int(scores.max())
    span = greatest - least + 1
    if span > min(CLOSE, max(len(scores), _SCORES_PER_BATCH)):
        margins, occurrences = np.unique(scores, return_counts=True)
        return margins, occurrences.astype(np.int64, copy=False)
    counts = np.zeros(span, np.int64)
    for begin in range(0, len(scores), _SCORES_PER_BATCH):
        counts += np.bincount(scores[begin : begin + _SCORES_PER_BATCH] - least, minlength=span)
    present = np.flatnonzero(counts)
    return present + least, counts[present]
