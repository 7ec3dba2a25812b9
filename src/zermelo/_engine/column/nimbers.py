"""Nimbers in kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.jit import inlined


@inlined
def mex(nimbers: Any, begin: Any, end: Any) -> Any:
    """Return the least whole number that is not among some of an array.

    Sixty-four are looked for at once, so that one pass is enough for nearly all positions.
    """
    least = np.int64(0)
    while True:
        there = np.uint64(0)
        for k in range(begin, end):
            beyond = np.int64(nimbers[k]) - least
            if 0 <= beyond < 64:
                there |= np.uint64(1) << np.uint64(beyond)
        if there != np.uint64(0xFFFFFFFFFFFFFFFF):
            break
        least += 64
    while there & np.uint64(1) != np.uint64(0):
        there >>= np.uint64(1)
        least += 1
    return least


@inlined
def lacking(numbers: Any) -> Any:
    """Return the least number whose bit is not set."""
    least = np.int64(0)
    while numbers & np.uint32(1) != 0:
        numbers >>= np.uint32(1)
        least += 1
    return least
