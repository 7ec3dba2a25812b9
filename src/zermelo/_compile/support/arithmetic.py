"""Whole-number functions of ``math`` that Numba does not have, ``pow`` with a modulus, and shifts.

Shifts are as Python has them, whatever the count: ``x << 64`` has no low bits, ``x >> 64`` no bits.
The processor looks at six bits of the count only, and LLVM promises nothing. A negative count,
which Python refuses, is taken for a great one: to raise here made Connect Four four times slower.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload, register_jitable

_MOST = (1 << 63) - 1
_HALF_WORD = 1 << 31
_NUMBERS = types.Integer | types.Boolean
_WORD = ir.IntType(64)


@register_jitable
def _times(one: int, other: int) -> int:
    """Return a product of two numbers that are not negative, in code that raises past 64 bits."""
    if other and one > _MOST // other:
        raise OverflowError("past 64 bits")  # noqa: EM101, TRY003  # compiled: a constant
    return one * other


@overload(math.isqrt)
def _isqrt(number):
    def root(number):
        if number < 0:
            raise ValueError("isqrt() of a negative number")  # noqa: EM101, TRY003  # compiled: a constant
        guess = np.int64(math.sqrt(number))
        while guess * guess > number:
            guess -= 1
        while (guess + 1) * (guess + 1) <= number:
            guess += 1
        return guess

    return root


@overload(math.comb)
def _comb(many, chosen):
    def ways(many, chosen):
        if many < 0 or chosen < 0:
            raise ValueError("comb() of a negative number")  # noqa: EM101, TRY003  # compiled: a constant
        if chosen > many:
            return 0
        found = 1
        for i in range(min(chosen, many - chosen)):
            found = _times(found, many - i) // (i + 1)
        return found

    return ways


@overload(math.perm)
def _perm(many, chosen=None):
    def ways(many, chosen=None):
        taken = many if chosen is None else chosen
        if many < 0 or taken < 0:
            raise ValueError("perm() of a negative number")  # noqa: EM101, TRY003  # compiled: a constant
        if taken > many:
            return 0
        found = 1
        for i in range(taken):
            found = _times(found, many - i)
        return found

    return ways


@overload(math.factorial)
def _factorial(number):
    return lambda number: math.perm(number, number)


@overload(math.lcm)
def _lcm(one, other):
    return lambda one, other: (
        0 if one == 0 or other == 0 else _times(abs(one) // math.gcd(one, other), abs(other))
    )


def power(base: int, exponent: int, modulus: int) -> int:
    """Return a power modulo a number."""
    return pow(base, exponent, modulus)


@overload(power)
def _power(base, exponent, modulus):
    if not all(isinstance(each, _NUMBERS) for each in (base, exponent, modulus)):
        return None

    def found(base, exponent, modulus):
        if modulus == 0:
            raise ValueError("pow() 3rd argument cannot be 0")  # noqa: EM101, TRY003  # compiled: a constant
        if exponent < 0 or abs(modulus) > _HALF_WORD:
            raise OverflowError("pow() past 64 bits")  # noqa: EM101, TRY003  # compiled: a constant
        result, square = np.int64(1) % modulus, base % modulus
        while exponent:
            if exponent & 1:
                result = result * square % modulus
            square = square * square % modulus
            exponent >>= 1
        return result

    return found


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
