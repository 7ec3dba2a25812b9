"""Bit operations on 64-bit words, by processor instructions if it has them."""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from zermelo._engine.core.jit import inlined

#: Masks of the bits of a word whose index has bit k set.
PLACES = (
    np.uint64(0xAAAAAAAAAAAAAAAA),
    np.uint64(0xCCCCCCCCCCCCCCCC),
    np.uint64(0xF0F0F0F0F0F0F0F0),
    np.uint64(0xFF00FF00FF00FF00),
    np.uint64(0xFFFF0000FFFF0000),
    np.uint64(0xFFFFFFFF00000000),
)
#: Mask of the bits of a word whose index has an odd number of 1 bits.
ODD = np.uint64(0x6996966996696996)

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


def _instruction(name: str) -> Any:
    """Return an intrinsic for an LLVM function of two 64-bit words."""

    @intrinsic
    def call(context: Any, word: Any, mask: Any) -> Any:  # noqa: ARG001  # Numba's signature
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # the same
            wide = ir.IntType(64)
            shape = ir.FunctionType(wide, [wide] * len(arguments))
            function = cgutils.get_or_insert_function(builder.module, shape, name)
            return builder.call(function, arguments)

        return types.uint64(types.uint64, types.uint64), generate

    return call


@intrinsic
def _population(context: Any, word: Any) -> Any:  # noqa: ARG001  # Numba's signature
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # the same
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _trailing(context: Any, word: Any) -> Any:  # noqa: ARG001  # Numba's signature
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # the same
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@intrinsic
def _leading(context: Any, word: Any) -> Any:  # noqa: ARG001  # Numba's signature
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # the same
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@inlined
def ones(word: Any) -> Any:
    """Return the number of 1 bits of a 64-bit word, as a signed number."""
    return np.int64(_population(np.uint64(word)))


@inlined
def lowest(word: Any) -> Any:
    """Return the index of the lowest 1 bit of a word, 64 for 0."""
    return np.int64(_trailing(np.uint64(word)))


@inlined
def length(word: Any) -> Any:
    """Return the bit length of a number: 0 for 0."""
    return 64 - np.int64(_leading(np.uint64(word)))


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
    try:
        return bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))
    except RuntimeError:  # LLVM cannot tell on every system
        return False


if has_instructions():
    gather = _instruction("llvm.x86.bmi.pext.64")
    scatter = _instruction("llvm.x86.bmi.pdep.64")
else:
    gather = inlined(gather_portably)
    scatter = inlined(scatter_portably)
