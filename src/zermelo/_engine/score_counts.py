"""The margins of a score game: which occur, and how often."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.jit import kernel

#: Margins that lie so close together are counted one beside the other, and others by sorting them;
#: and so are so few, as small games start without a kernel.
_CLOSE, _FEW = 1 << 20, 1 << 17


@kernel
def _count(scores: Any, least: Any, counts: Any) -> None:
    for i in range(scores.size):
        counts[scores[i] - least] += 1


def occurring(
    scores: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the margins that occur among some, ascending, and how often each does."""
    least, greatest = int(scores.min()), int(scores.max())
    if greatest - least >= _CLOSE or len(scores) <= _FEW:
        found, often = np.unique(scores, return_counts=True)
        return found, often.astype(np.int64, copy=False)
    counts = np.zeros(greatest - least + 1, np.int64)
    _count(scores, least, counts)
    there = np.flatnonzero(counts)
    return there + least, counts[there]
