"""What compiled rules may call beyond Numba's own Python: imported by every generated module."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic, overload, overload_method, register_jitable

from zermelo._compile.rows import RowsType, make_rows
from zermelo.game import put

__all__ = ["RowsType", "contains", "given", "inside", "make_rows", "put", "total", "whole"]

#: What marks the sentence in a typing error that is meant for the author.
MARK = "zermelo: "


def whole(value: Any) -> Any:
    """Return a value as a 64-bit integer; a type error for whatever is not a whole number."""
    return np.int64(value)


@overload(whole)
def _whole(value):
    if isinstance(value, types.Integer | types.Boolean):
        return lambda value: np.int64(value)
    raise TypingError(MARK + f"a whole number was expected and this is {_words(value)}")


def given(value: Any) -> bool:
    """Return whether a hook returned something, that is, not None."""
    return value is not None


@overload(given)
def _given(value):
    if isinstance(value, types.NoneType):
        return lambda value: False  # noqa: ARG005  # the parameter's name is the overload's
    if isinstance(value, types.Optional):
        return lambda value: value is not None
    return lambda value: True  # noqa: ARG005  # the parameter's name is the overload's


def inside(value: Any) -> Any:
    """Return what a hook returned as a 64-bit integer; ``given`` has said there is something."""
    return np.int64(value)


@overload(inside)
def _inside(value):
    if isinstance(value, types.Optional):
        return lambda value: whole(_unwrapped(value))
    if isinstance(value, types.NoneType):
        return lambda value: np.int64(0)  # noqa: ARG005  # never run: nothing is given
    return lambda value: whole(value)


@intrinsic
def _unwrapped(context: Any, value: Any) -> Any:  # Numba's signature
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return target.make_helper(builder, signature.args[0], value=arguments[0]).data

    return value.type(value), generate


@overload(put)
def _put(row, i, value):
    if not isinstance(row, types.BaseTuple):
        raise TypingError(MARK + f"put() changes a tuple of integers, and this is {_words(row)}")
    if not isinstance(value, types.Integer | types.Boolean):
        raise TypingError(MARK + f"put() takes a whole number, and this is {_words(value)}")
    size = len(row)

    def changed(row, i, value):
        if i < 0 or i >= size:
            raise IndexError("put: no such place")  # noqa: EM101, TRY003  # compiled: a constant
        return tuple_setitem(_widened(row), i, np.int64(value))

    return changed


@intrinsic
def _widened(context: Any, row: Any) -> Any:  # Numba's signature
    target = types.UniTuple(types.int64, len(row))

    def generate(compiler: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return compiler.cast(builder, arguments[0], signature.args[0], target)

    return target(row), generate


@register_jitable
def contains(items: Any, item: Any) -> bool:
    """Return whether an integer is among some."""
    for other in items:
        if other == item:
            return True
    return False


@overload(operator.contains)
def _in_array(items, item):
    if isinstance(items, types.Array) and isinstance(item, types.Integer | types.Boolean):
        return lambda items, item: contains(items, item)
    return None


def total(items: Any) -> Any:
    """Return the sum of some integers."""
    return sum(items)


@overload(total)
def _total(items):
    def added(items):
        result = np.int64(0)
        for item in items:
            result += item
        return result

    return added


@intrinsic
def _ones(context: Any, value: Any) -> Any:  # Numba's signature
    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _leading_zeros(context: Any, value: Any) -> Any:  # Numba's signature
    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@overload_method(types.Integer, "bit_count")
def _bit_count(value):
    return lambda value: _ones(abs(np.int64(value)))


@overload_method(types.Integer, "bit_length")
def _bit_length(value):
    return lambda value: 64 - _leading_zeros(abs(np.int64(value)))


def _words(kind: Any) -> str:
    """Return what an author calls a Numba type."""
    if isinstance(kind, types.Float):
        return "a fraction (a float); divide with // and keep to whole numbers"
    if isinstance(kind, types.NoneType):
        return "None; a return may be missing on some path"
    if isinstance(kind, types.Optional):
        return "None on some path; return a number on every path"
    if isinstance(kind, types.UnicodeType | types.StringLiteral):
        return "a string; number the cases and give the numbers names at the top of the module"
    if isinstance(kind, types.BaseTuple):
        return "a tuple"
    return str(kind)
