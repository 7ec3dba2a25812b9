"""Kernels over the positions of a graph whose moves are not stored."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.backward.folds import NEVER
from zermelo._engine.core.jit import kernel


@kernel
def gather_undecided(
    keys: Any, words: int, values: Any, none: int, begin: int, end: int, packed: Any, which: Any
) -> tuple[Any, Any]:
    """Gather undecided positions; return their count, and the position to continue from."""
    count = 0
    for i in range(begin, end):
        if count == which.size:
            return count, i
        if values[i] == none:
            for word in range(words):
                packed[count * words + word] = keys[np.int64(i) * words + word]
            which[count] = i
            count += 1
    return count, end


@kernel
def begin_ranks(values: Any, none: int, ranks: Any) -> int:
    """Give terminal positions rank 0 and others ``NEVER``; return the number of others."""
    left = 0
    for i in range(values.size):
        ranks[i] = NEVER if values[i] == none else 0
        left += values[i] == none
    return left
