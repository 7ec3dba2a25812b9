"""Bits gathered and scattered in software, for processors without such instructions."""

from __future__ import annotations

import numpy as np

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


def gather_portably(word: np.uint64, mask: np.uint64) -> np.uint64:
    """Return the bits of ``word`` under ``mask``, moved together to the low end."""
    gathered = _ZERO
    target = _ONE
    while mask != _ZERO:
        lowest = mask & (~mask + _ONE)
        if word & lowest:
            gathered |= target
        mask ^= lowest
        target <<= _ONE
    return gathered


def scatter_portably(word: np.uint64, mask: np.uint64) -> np.uint64:
    """Return the lowest bits of ``word`` moved, in order, to the bits of ``mask``."""
    scattered = _ZERO
    while mask != _ZERO:
        lowest = mask & (~mask + _ONE)
        if word & _ONE:
            scattered |= lowest
        mask ^= lowest
        word >>= _ONE
    return scattered


def has_instructions() -> bool:
    """Return whether the processor has instructions that gather and scatter bits."""
    import llvmlite.binding

    try:
        return bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))
    except RuntimeError:  # LLVM cannot tell on every system
        return False
