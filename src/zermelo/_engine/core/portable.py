"""Gathering and scattering bits without an instruction of the processor."""

from __future__ import annotations

from typing import Any

import numpy as np

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


def gather_portably(word: Any, mask: Any) -> Any:
    """Return the bits of ``word`` under ``mask``, moved together to the low end."""
    out = _ZERO
    place = _ONE
    while mask != _ZERO:
        low = mask & (~mask + _ONE)
        if word & low:
            out |= place
        mask ^= low
        place <<= _ONE
    return out


def scatter_portably(word: Any, mask: Any) -> Any:
    """Return the lowest bits of ``word`` moved, in order, to the bits of ``mask``."""
    out = _ZERO
    while mask != _ZERO:
        low = mask & (~mask + _ONE)
        if word & _ONE:
            out |= low
        mask ^= low
        word >>= _ONE
    return out


def has_instructions() -> bool:
    """Whether the processor has instructions that gather and scatter bits."""
    import llvmlite.binding

    try:
        return bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))
    except RuntimeError:  # LLVM cannot tell on every system
        return False
