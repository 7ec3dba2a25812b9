"""Shifts as Python has them, whatever the count: ``x << 64`` has no low bits, ``x >> 64`` no bits.

The processor looks at six bits of the count only, and LLVM promises nothing. A negative count,
which Python refuses, is taken for a great one: to raise here made Connect Four four times slower.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)


@intrinsic
def left(context: Any, value: Any, places: Any) -> Any:  # Numba's signature
    """Return ``value << places``, its lowest 64 bits."""
    if not _numbers(value, places):
        return None

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, count = arguments
        most = ir.Constant(_WORD, 63)
        far = builder.icmp_unsigned(">", count, most)
        shifted = builder.shl(number, builder.and_(count, most))
        return builder.select(far, ir.Constant(_WORD, 0), shifted)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def right(context: Any, value: Any, places: Any) -> Any:  # Numba's signature
    """Return ``value >> places``."""
    if not _numbers(value, places):
        return None

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, count = arguments
        most = ir.Constant(_WORD, 63)
        far = builder.icmp_unsigned(">", count, most)
        return builder.ashr(number, builder.select(far, most, count))

    return types.int64(types.int64, types.int64), generate


def _numbers(*kinds: Any) -> bool:
    return all(isinstance(kind, types.Integer | types.Boolean) for kind in kinds)
