"""Kernels that decide the positions of a level from those of the levels above."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, one_ply_earlier
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch

#: Children whose values are asked for ahead.
_AHEAD = 32


@inlined
def _unfolded(stored: Any, narrow: Any) -> Any:
    """Return the code of a stored value: in a byte, remoteness times four and 0, 1, 2."""
    if not narrow:
        return np.int64(stored)
    remoteness = np.int64(stored >> 2)
    kind = stored & 3
    if kind == 1:
        return np.int64(TIES - remoteness)
    return np.int64(LAST - remoteness) if kind == 2 else np.int64(remoteness - LAST)


@inlined
def _folded(code: Any, narrow: Any) -> Any:
    """Return what is stored for a code."""
    if not narrow:
        return code
    if code > TIES:
        return (LAST - code) * 4 + 2
    return (TIES - code) * 4 + 1 if code > 0 else (code + LAST) * 4


@kernel
def settle(
    begin: int, done: int, ends: Any, terminal: Any, numbers: Any, turns: Any, stored: Any
) -> None:
    """Decide expanded positions from their children, all decided."""
    narrow = stored.itemsize == 1
    alternate = turns.size == 0
    edge = 0
    last = np.int64(ends[done - 1]) - 1
    for i in range(done):
        best = np.int64(terminal[i])
        if best == UNKNOWN:
            best = np.int64(-LAST)
        while edge < ends[i]:
            prefetch(stored, numbers[min(edge + _AHEAD, last)])
            child = numbers[edge]
            same = (not alternate) and turns[child] == turns[begin + i]
            best = max(best, one_ply_earlier(_unfolded(stored[child], narrow), same))
            edge += 1
        stored[begin + i] = _folded(best, narrow)


@kernel
def least_and_most(levels: Any, count: int) -> tuple[Any, Any]:
    """Return the least and the greatest of some levels."""
    least = levels[0]
    most = levels[0]
    for i in range(1, count):
        least = min(least, levels[i])
        most = max(most, levels[i])
    return least, most
