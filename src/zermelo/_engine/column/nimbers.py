"""Nimbers in kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array, Integer
from zermelo._engine.core.jit import inlined, kernel
from zermelo.values.nimbers import IN_SETS

#: The code of infinity with a nimber too great for a set.
OUTSIDE = -(1 << 31)


@inlined
def mex(nimbers: Int32Array, begin: int, end: Integer) -> Any:
    """Return the least whole number that is not in a range of an array.

    Sixty-four numbers are searched at a time, so that one pass suffices for nearly all positions.
    """
    least = np.int64(0)
    while True:
        presence = np.uint64(0)
        for k in range(begin, end):
            offset = np.int64(nimbers[k]) - least
            if 0 <= offset < 64:
                presence |= np.uint64(1) << np.uint64(offset)
        if presence != np.uint64(0xFFFFFFFFFFFFFFFF):
            break
        least += 64
    while presence & np.uint64(1) != np.uint64(0):
        presence >>= np.uint64(1)
        least += 1
    return least


@inlined
def least_missing_bit(numbers: Integer) -> Any:
    """Return the least number whose bit is not set."""
    least = np.int64(0)
    while numbers & np.uint32(1) != 0:
        numbers >>= np.uint32(1)
        least += 1
    return least


@inlined
def sum_code(total: Integer, code: Integer) -> Any:
    """Return the code of a sum of two positions, or ``OUTSIDE`` if it has none.

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
def sums(ends: Int64Array, codes: Int32Array, out: Int64Array) -> None:
    """Write the code of each sum; ``ends`` has the end of its components' codes."""
    component = 0
    for i in range(ends.size):
        total = np.int64(0)
        while component < ends[i]:
            total = sum_code(total, np.int64(codes[component]))
            component += 1
        out[i] = total


@inlined
def move_at(
    codes: Int32Array,
    potential: Int64Array,
    gains: Int64Array,
    begin: Integer,
    potential_limit: Integer,
) -> Any:
    """Return the nim-sum that a move leads to, with its infinite and its unproved components.

    Args:
        codes: the codes of components, move by move.
        potential: the potential of each component, or empty if not needed.
        gains: 1 at the last component of each move, or empty if each move leads to one position.
        begin: the index of the move's first component.
        potential_limit: a nimber is proved if its potential is below this.

    Returns:
        The end of the components; the number of infinite ones, and the last of them; the nim-sum of
        the finite ones; the number of unproved ones, and the last of them; the nim-sum of the
        proved ones.
    """
    endless, unproved = np.int64(0), np.int64(0)
    last_endless, last_unproved = np.int64(-1), np.int64(-1)
    finite, proved = np.int64(0), np.int64(0)
    component = np.int64(begin)
    while True:
        code = np.int64(codes[component])
        if code < 0:
            endless += 1
            last_endless = component
        else:
            finite ^= code
        if code < 0 or (potential.size > 0 and potential[component] >= potential_limit):
            unproved += 1
            last_unproved = component
        else:
            proved ^= code
        component += 1
        if gains.size == 0 or gains[component - 1] != 0:
            break
    return component, endless, last_endless, finite, unproved, last_unproved, proved
