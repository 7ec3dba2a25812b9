"""Integer arithmetic with Python's semantics in 64 bits, and integer functions of ``math``.

Each operation whose result may need more than 64 bits raises ``OverflowError`` with its own number,
by which ``SourceMap`` finds the author's line. LLVM removes the check if it proves that the
result fits, as for numbers unpacked from a few bits of a position.

Shifts have Python's semantics for any count: ``x << 64`` has no low bits, ``x >> 64`` no bits. The
processor uses six bits of the count only, and LLVM does not define larger counts.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload, register_jitable

from zermelo._compile.support.numba_types import (
    Builder,
    Context,
    Intrinsic,
    Signature,
    Target,
    Type,
    Value,
)
from zermelo._compile.support.type_names import MARK

_MOST = (1 << 63) - 1
_HALF_WORD = 1 << 31
_NUMBERS = types.Integer | types.Boolean
_WORD = ir.IntType(64)
_LEAST = ir.Constant(_WORD, -1 << 63)
_ZERO = ir.Constant(_WORD, 0)
_LAST = ir.Constant(_WORD, 63)

#: Generates an operation: takes the target, the builder, its operands and a function that raises if
#: a bit is set.
Code = Callable[..., Any]


@register_jitable
def _times(left: int, right: int) -> int:
    """Return a product of two non-negative numbers, or raise past 64 bits."""
    if right and left > _MOST // right:
        raise OverflowError("past 64 bits")  # noqa: EM101, TRY003  # compiled: a constant
    return left * right


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
def _comb(n, k):
    def combinations(n, k):
        if n < 0 or k < 0:
            raise ValueError("comb() of a negative number")  # noqa: EM101, TRY003  # compiled: a constant
        if k > n:
            return 0
        result = 1
        for i in range(min(k, n - k)):
            result = _times(result, n - i) // (i + 1)
        return result

    return combinations


@overload(math.perm)
def _perm(n, k=None):
    def permutations(n, k=None):
        length = n if k is None else k
        if n < 0 or length < 0:
            raise ValueError("perm() of a negative number")  # noqa: EM101, TRY003  # compiled: a constant
        if length > n:
            return 0
        result = 1
        for i in range(length):
            result = _times(result, n - i)
        return result

    return permutations


@overload(math.factorial)
def _factorial(number):
    return lambda number: math.perm(number, number)


@overload(math.lcm)
def _lcm(left, right):
    return lambda left, right: (
        0 if left == 0 or right == 0 else _times(abs(left) // math.gcd(left, right), abs(right))
    )


def power(base: int, exponent: int, modulus: int) -> int:
    """Return a power modulo a number."""
    return pow(base, exponent, modulus)


@overload(power)
def _power(base, exponent, modulus):
    if not all(isinstance(argument, _NUMBERS) for argument in (base, exponent, modulus)):
        return None

    def power_modulo(base, exponent, modulus):
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

    return power_modulo


def operation(name: str, numba_function: Any, code: Code) -> Any:
    """Return an intrinsic of one or two values and the number of the operation in the rules.

    Args:
        name: its name in messages, as in ``operator``.
        numba_function: the operation for values other than whole numbers, or None.
        code: generates the operation for whole numbers.
    """

    def typed(context: Context, values: tuple[Any, ...], place: Any) -> Any:
        if not isinstance(place, types.Literal):  # Numba asks again without literals
            return None
        if _numbers(*values):
            signature = types.int64(*(types.int64 for _ in values), place)
            return signature, lambda *arguments: _checked_operation(
                code, place.literal_value, *arguments
            )
        resolved = (
            None if numba_function is None else numba_operation(context, numba_function, values)
        )
        if resolved is None:
            return None
        signature, write = resolved
        return signature.return_type(
            *signature.args, place
        ), lambda target, builder, _, arguments: write(target, builder, arguments[:-1])

    def unary(context: Context, value: Any, place: Any) -> Any:
        return typed(context, (value,), place)

    def binary(context: Context, left: Any, right: Any, place: Any) -> Any:
        return typed(context, (left, right), place)

    function = unary if numba_function in _UNARY else binary
    function.__name__ = function.__qualname__ = name
    return intrinsic(prefer_literal=True)(function)


def numba_operation(context: Context, numba_function: Any, values: tuple[Any, ...]) -> Any:
    """Return the signature of a Numba operation and its code generator; None if there is none."""
    kind = context.resolve_value_type(numba_function)
    for argument_types in (values, tuple(map(types.unliteral, values))):
        try:
            signature = kind.get_call_type(context, argument_types, {})
        except TypingError:
            continue
        if signature is not None:
            return signature, partial(_call_numba, kind, signature)
    return None


def _call_numba(
    kind: Type, signature: Signature, target: Target, builder: Builder, arguments: Value
) -> Value:
    """Generate Numba's code for a signature."""
    return target.get_function(kind, signature)(builder, arguments)


def _checked_operation(
    code: Code,
    number: int,
    target: Target,
    builder: Builder,
    signature: Signature,
    arguments: Value,
) -> Value:
    """Generate an operation that raises with its number if its result exceeds 64 bits.

    With the number 0 it gives the lowest 64 bits instead.
    """
    del signature

    def refuse(
        is_past: Any, error: type[Exception] = OverflowError, argument: Any = number
    ) -> None:
        if not argument:
            return
        with builder.if_then(is_past, likely=False):
            target.call_conv.return_user_exc(builder, error, (argument,))

    return code(target, builder, arguments[:-1], refuse)


def _with_overflow(method: str) -> Code:
    def code(target: Target, builder: Builder, values: Value, refuse: Any) -> Value:
        del target
        result = getattr(builder, method)(*values)
        refuse(builder.extract_value(result, 1))
        return builder.extract_value(result, 0)

    return code


def _negate(target: Target, builder: Builder, values: Value, refuse: Any) -> Value:
    del target
    refuse(builder.icmp_signed("==", values[0], _LEAST))
    return builder.neg(values[0])


def _absolute(target: Target, builder: Builder, values: Value, refuse: Any) -> Value:
    negative = _negate(target, builder, values, refuse)
    return builder.select(builder.icmp_signed("<", values[0], _ZERO), negative, values[0])


def _divide(target: Target, builder: Builder, values: Value, refuse: Any) -> Value:
    is_least = builder.icmp_signed("==", values[0], _LEAST)
    refuse(builder.and_(is_least, builder.icmp_signed("==", values[1], ir.Constant(_WORD, -1))))
    signature = types.int64(types.int64, types.int64)
    return target.get_function(operator.floordiv, signature)(builder, values)


def _shift_left(target: Target, builder: Builder, values: Value, refuse: Any) -> Value:
    del target
    number, count = values
    refuse(builder.icmp_signed("<", count, _ZERO), ValueError, "negative shift count")
    is_past = builder.icmp_unsigned(">", count, _LAST)
    clipped = builder.select(is_past, _LAST, count)
    result = builder.shl(number, clipped)
    is_lossy = builder.icmp_signed("!=", builder.ashr(result, clipped), number)
    refuse(builder.or_(is_lossy, builder.and_(is_past, builder.icmp_signed("!=", number, _ZERO))))
    return builder.select(is_past, _ZERO, result)


def _bit(target: Target, builder: Builder, values: Value, refuse: Any) -> Value:
    """Generate ``1 << count``, which needs only one check."""
    del target
    with builder.if_then(
        builder.icmp_unsigned(">", values[0], ir.Constant(_WORD, 62)), likely=False
    ):
        refuse(builder.icmp_signed("<", values[0], _ZERO), ValueError, "negative shift count")
        refuse(ir.Constant(ir.IntType(1), 1))
    return builder.shl(ir.Constant(_WORD, 1), values[0])


def _shift_right(target: Target, builder: Builder, values: Value, refuse: Any) -> Value:
    del target
    number, count = values
    refuse(builder.icmp_signed("<", count, _ZERO), ValueError, "negative shift count")
    is_past = builder.icmp_signed(">", count, _LAST)
    return builder.ashr(number, builder.select(is_past, _LAST, count))


def _raise_to_power(target: Target, builder: Builder, values: Value, refuse: Any) -> Value:
    """Generate a power by squaring, one step for each bit of the exponent."""
    del target
    base, exponent = values
    refuse(builder.icmp_signed("<", exponent, _ZERO), FloatingPointError)
    flag = ir.IntType(1)
    power, square, remaining, past = (
        cgutils.alloca_once_value(builder, value)
        for value in (ir.Constant(_WORD, 1), base, exponent, ir.Constant(flag, 0))
    )
    steps = builder.sub(ir.Constant(_WORD, 64), builder.ctlz(exponent, ir.Constant(flag, 0)))
    with cgutils.for_range(builder, steps):
        bits = builder.load(remaining)
        next_bits = builder.lshr(bits, ir.Constant(_WORD, 1))
        for variable, is_used in (
            (power, builder.trunc(bits, flag)),
            (square, builder.icmp_signed("!=", next_bits, _ZERO)),
        ):
            old = builder.load(variable)
            product = builder.smul_with_overflow(old, builder.load(square))
            is_past = builder.and_(is_used, builder.extract_value(product, 1))
            builder.store(builder.or_(builder.load(past), is_past), past)
            new = builder.select(is_used, builder.extract_value(product, 0), old)
            builder.store(new, variable)
        builder.store(next_bits, remaining)
    refuse(builder.load(past))
    return builder.load(power)


_UNARY = (operator.neg, operator.invert, abs, None)

add = operation("add", operator.add, _with_overflow("sadd_with_overflow"))
sub = operation("sub", operator.sub, _with_overflow("ssub_with_overflow"))
mul = operation("mul", operator.mul, _with_overflow("smul_with_overflow"))
iadd = operation("iadd", operator.iadd, _with_overflow("sadd_with_overflow"))
isub = operation("isub", operator.isub, _with_overflow("ssub_with_overflow"))
imul = operation("imul", operator.imul, _with_overflow("smul_with_overflow"))
floordiv = operation("floordiv", operator.floordiv, _divide)
checked_pow = operation("pow", operator.pow, _raise_to_power)
neg = operation("neg", operator.neg, _negate)
absolute = operation("abs", abs, _absolute)
lshift = operation("lshift", operator.lshift, _shift_left)
rshift = operation("rshift", operator.rshift, _shift_right)
bit = operation("lshift", None, _bit)


@intrinsic
def invert(context: Context, value: Type) -> Intrinsic:  # Numba's signature
    """Return ``~value``; a type error for True and False, for which Python and NumPy differ."""
    if isinstance(value, types.Boolean):
        message = f"{MARK}uses ~ on True or False, which gives a number; write not"
        raise TypingError(message)
    resolved = numba_operation(context, operator.invert, (value,))
    if resolved is None:
        return None
    signature, write = resolved
    return signature, lambda target, builder, _, arguments: write(target, builder, arguments)


@intrinsic
def added(context: Context, total: Type, item: Type) -> Intrinsic:  # Numba's signature
    """Return a sum and whether it exceeds 64 bits."""
    if not _numbers(total, item):
        return None

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        result = builder.sadd_with_overflow(*arguments)
        flag = target.cast(builder, builder.extract_value(result, 1), types.boolean, types.boolean)
        parts = builder.extract_value(result, 0), flag
        return target.make_tuple(builder, signature.return_type, parts)

    return types.Tuple((types.int64, types.boolean))(types.int64, types.int64), generate


@intrinsic(prefer_literal=True)
def raise_on_overflow(
    context: Context, number: Type, place: Type
) -> Intrinsic:  # Numba's signature
    """Return a number that comes with an overflow flag, or raise if the flag is set."""
    if not isinstance(place, types.Literal):  # Numba asks again without literals
        return None

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        del signature
        value, is_past = cgutils.unpack_tuple(builder, arguments[0], 2)
        with builder.if_then(is_past, likely=False):
            argument = (place.literal_value,)
            target.call_conv.return_user_exc(builder, OverflowError, argument)
        return value

    return types.int64(number, place), generate


def _numbers(*kinds: Any) -> bool:
    return all(isinstance(kind, types.Integer | types.Boolean) for kind in kinds)
