"""Nimbers in kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.jit import inlined, kernel
from zermelo.values.nimbers import IN_SETS

#: Stands for infinity with a nimber that no set may have.
OUTSIDE = -(1 << 31)


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


@inlined
def added(total: Any, code: Any) -> Any:
    """Return the code of the sum of two positions, of theirs; ``OUTSIDE`` where there is none.

    See ``zermelo.values.nimbers.nim_sum``.
    """
    if min(total, code) == OUTSIDE:
        return np.int64(OUTSIDE)
    if total >= 0 and code >= 0:
        return total ^ code
    if total < 0 and code < 0:
        return np.int64(-1)
    nimber, bits = (total, -1 - code) if total >= 0 else (code, -1 - total)
    moved = np.int64(0)
    for n in range(IN_SETS):
        if (bits >> n) & 1:
            if n ^ nimber >= IN_SETS:
                return np.int64(OUTSIDE)
            moved |= np.int64(1) << (n ^ nimber)
    return -1 - moved


@kernel
def sums(ends: Any, codes: Any, out: Any) -> None:
    """Write the codes of sums, of the codes of their components and where those of each end."""
    at = 0
    for i in range(ends.size):
        total = np.int64(0)
        while at < ends[i]:
            total = added(total, np.int64(codes[at]))
            at += 1
        out[i] = total


@inlined
def move_at(codes: Any, potential: Any, gains: Any, begin: Any, below: Any) -> Any:
    """Return what is known of the sum that a move leads to.

    Args:
        codes: the codes of components, those of each move one after another.
        potential: their potentials, or empty, where none is asked for.
        gains: 1 where those of a move end, or empty where each move leads to one.
        begin: where those of the move begin.
        below: what a potential must be below for a nimber to be proved.

    Returns:
        Where the components end; how many are infinite, and the last of these; the nim-sum of the
        others; how many are not proved, and the last of these; the nim-sum of the others.
    """
    endless, unproved = np.int64(0), np.int64(0)
    last_endless, last_unproved = np.int64(-1), np.int64(-1)
    finite, proved = np.int64(0), np.int64(0)
    at = np.int64(begin)
    while True:
        code = np.int64(codes[at])
        if code < 0:
            endless += 1
            last_endless = at
        else:
            finite ^= code
        if code < 0 or (potential.size > 0 and potential[at] >= below):
            unproved += 1
            last_unproved = at
        else:
            proved ^= code
        at += 1
        if gains.size == 0 or gains[at - 1] != 0:
            break
    return at, endless, last_endless, finite, unproved, last_unproved, proved
