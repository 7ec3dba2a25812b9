"""The functions that every generated module imports for compiled rules."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload, overload_method, register_jitable

from zermelo._compile.support.arithmetic import (
    absolute,
    add,
    added,
    bit,
    checked_pow,
    floordiv,
    iadd,
    imul,
    invert,
    isub,
    lshift,
    mul,
    neg,
    power,
    raise_on_overflow,
    rshift,
    sub,
)
from zermelo._compile.support.enums import enum_record, eq, ge, gt, le, lt, ne
from zermelo._compile.support.hook_results import (
    PackedShape,
    build_position,
    checked_record,
    is_given,
    numbers,
    pack_numbers,
    points,
    position,
    present_value,
    store_words,
    tuple_of_length,
    whole,
    xor_numbers,
)
from zermelo._compile.support.lookup import make_lookup
from zermelo._compile.support.moves import hash_move, write_move
from zermelo._compile.support.numba_types import (
    Builder,
    Context,
    Intrinsic,
    Signature,
    Target,
    Type,
    Value,
)
from zermelo._compile.support.records import make_records
from zermelo._compile.support.rows import RowsType, make_rows
from zermelo._compile.support.sequences import Series, count_of
from zermelo._compile.support.sorting import sort_numbers
from zermelo._compile.support.stack_tuples import (
    blank,
    fill,
    filled_tuple,
    fixed_list,
    fixed_list_to_tuple,
    replace_item,
    set_item,
    shorter_row,
    sorted_tuple,
    with_item,
)
from zermelo._compile.support.strings import CharacterType, TextType, character, make_text
from zermelo._compile.support.type_names import MARK, named
from zermelo._compile.support.variable_tuples import (
    as_field,
    as_variable_tuple,
    coerce_like,
    to_tuple,
)
from zermelo._engine.core.compiling.dispatchers import part
from zermelo.game.contract import bag, put

#: Generated modules import NumPy from here, too.
numpy = np

__all__ = [
    "PackedShape",
    "RowsType",
    "absolute",
    "add",
    "as_field",
    "as_variable_tuple",
    "bag",
    "bit",
    "blank",
    "build_position",
    "character",
    "checked_pow",
    "checked_record",
    "checked_variable",
    "enum_record",
    "eq",
    "fill",
    "filled_tuple",
    "fixed_list",
    "fixed_list_to_tuple",
    "floordiv",
    "ge",
    "getter",
    "gt",
    "hash_move",
    "iadd",
    "imul",
    "invert",
    "is_given",
    "isub",
    "le",
    "lshift",
    "lt",
    "make_lookup",
    "make_records",
    "make_rows",
    "make_text",
    "math",
    "member",
    "mul",
    "ne",
    "neg",
    "non_negative",
    "numbers",
    "numpy",
    "operator",
    "pack_numbers",
    "part",
    "points",
    "position",
    "power",
    "present_value",
    "put",
    "raise_on_overflow",
    "replace_item",
    "replacer",
    "rshift",
    "same_length",
    "set_item",
    "shorter_row",
    "sort_numbers",
    "sorted_tuple",
    "store_words",
    "sub",
    "to_tuple",
    "total",
    "truth",
    "tuple_of_length",
    "unliteral",
    "whole",
    "write_move",
    "xor_numbers",
]


@intrinsic
def checked_variable(context: Context, has: Type, value: Type) -> Intrinsic:  # Numba's signature
    """Return a variable's value, or raise if it is unset."""

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        with builder.if_then(builder.not_(arguments[0]), likely=False):
            target.call_conv.return_user_exc(builder, ValueError, ("a variable has no value",))
        if target.enable_nrt:
            target.nrt.incref(builder, value, arguments[1])
        return arguments[1]

    return value(types.boolean, value), generate


@intrinsic
def truth(context: Context, value: Type) -> Intrinsic:  # Numba's signature
    """Return the truth of a value: rows are true if they are not empty."""
    flat = isinstance(value, types.Array) and value.ndim == 1
    if isinstance(value, types.BaseTuple):
        return types.boolean(value), lambda target, *_: target.get_constant(
            types.boolean, len(value) > 0
        )
    if not flat and not isinstance(value, Series):
        return plain_signature(value)

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        count = count_of(target, builder, value, arguments[0])
        return builder.icmp_signed("!=", count, target.get_constant(types.intp, 0))

    return types.boolean(value), generate


@intrinsic
def unliteral(context: Context, value: Type) -> Intrinsic:  # Numba's signature
    """Return a move without its constant type: Numba compiles a function anew for each constant."""
    if _has_none(value):
        message = (
            f"{MARK}gives a move with None in it; leave that part out, so that the move is shorter"
        )
        raise TypingError(message)
    return plain_signature(value)


def plain_signature(value: Any) -> Any:
    """Return the signature and code of an identity that removes the constant type of a value."""
    kind = _unliteral_type(value)

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        cast = target.cast(builder, arguments[0], signature.args[0], kind)
        if target.enable_nrt:
            target.nrt.incref(builder, kind, cast)
        return cast

    return kind(value), generate


def _has_none(kind: Type) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(map(_has_none, kind))
    return isinstance(kind, types.NoneType | types.Optional)


def _unliteral_type(kind: Type) -> Any:
    if not isinstance(kind, types.BaseTuple) or not len(kind):
        return types.unliteral(kind)
    items = tuple(_unliteral_type(item) for item in kind)
    return types.BaseTuple.from_types(items, getattr(kind, "instance_class", None))


@cache
def replacer(fields: tuple[str, ...]) -> Callable[..., Any]:
    """Return a function of a NamedTuple and values: the tuple with these fields replaced."""
    names = ", ".join(fields)
    space: dict[str, Any] = {}
    text = f"def replaced(old, {names}): ...\ndef choose(old, {names}): return make_copier(old)"

    def make_copier(old: Any) -> Any:
        kind = getattr(old, "instance_class", None)
        if kind is None or not set(fields) <= set(kind._fields):
            missing = next((f for f in fields if f not in getattr(kind, "_fields", ())), "")
            noun = f"a {kind.__name__}, which has no {missing}" if kind else named(old)
            message = f"{MARK}calls _replace() on {noun}; name fields it has"
            raise TypingError(message)
        new = (f"coerce_like({f}, old.{f})" if f in fields else f"old.{f}" for f in kind._fields)
        text = f"def copy_with(old, {names}): return kind({', '.join(new)})"
        inner = {"kind": kind, "coerce_like": coerce_like}
        exec(text, inner)  # noqa: S102  # the names are those of fields
        return inner["copy_with"]

    space["make_copier"] = make_copier
    exec(text, space)  # noqa: S102  # likewise
    replace_fields: Callable[..., Any] = space["replaced"]
    overload(replace_fields)(space["choose"])
    return replace_fields


def getter(record: type, attribute: str) -> Callable[..., Any]:
    """Return a function of a property's function, data and a NamedTuple.

    It returns the property of the NamedTuple, or its field of this name.

    Args:
        record: the class that has the property.
        attribute: the name.
    """

    def read(property_function: Any, data: Any, position: Any) -> Any: ...

    @overload(read)
    def _read(property_function, data, position):
        if getattr(position, "instance_class", None) is record:
            return lambda property_function, data, position: property_function(data, position)
        space: dict[str, Any] = {}
        exec(f"def field(property_function, data, position): return position.{attribute}", space)  # noqa: S102  # the name of a field
        return space["field"]

    return read


@overload(put)
def _put_in_tuple(row, i, value):
    for problem, value_type, expected in (
        ("changes", row, types.BaseTuple),
        ("goes to the place", i, types.Integer | types.Boolean),
        ("puts in", value, types.Integer | types.Boolean),
    ):
        if not isinstance(value_type, expected):
            message = f"{MARK}calls put() so that it {problem} {named(value_type)}; "
            raise TypingError(message + "write put(tuple, place, whole number)")
    size = len(row)

    def put_item(row, i, value):
        if i < 0 or i >= size:
            raise IndexError("put: no such place")  # noqa: EM101, TRY003  # compiled: a constant
        return with_item(row, i, value)

    return put_item


@register_jitable
def _contains(items: Any, item: Any) -> bool:
    for candidate in items:
        if candidate == item:
            return True
    return False


@overload(operator.contains)
def _in_array(items, item):
    if isinstance(items, types.Array) and isinstance(item, types.Integer | types.Boolean):
        return lambda items, item: _contains(items, item)
    return None


def total(items: Any, start: int = 0) -> tuple[Any, bool]:
    """Return the sum of integers, and whether it exceeds 64 bits."""
    return sum(items, start), False


@overload(total)
def _total(items, start=0):
    def sum_of_items(items, start=0):
        result, is_past = np.int64(start), False
        for item in items:
            result, exceeds = added(result, item)
            is_past |= exceeds
        return result, is_past

    return sum_of_items


def member(value: int, members: Any) -> int:
    """Return a value after checking that an IntEnum has a member for it."""
    del members
    return value


@overload(member)
def _member(value, members):
    def checked(value, members):
        if value not in members:
            raise ValueError("no member has this value")  # noqa: EM101, TRY003  # compiled: a constant
        return np.int64(value)

    return checked


def non_negative(number: int) -> int:
    """Return a number after checking that it is not negative."""
    return number


@overload(non_negative)
def _non_negative(number):
    def checked(number):
        if number < 0:
            raise ValueError("a negative number for islice()")  # noqa: EM101, TRY003  # compiled: a constant
        return number

    return checked


def same_length(items: Any, first: Any) -> Any:
    """Return ``items`` after checking that they are as many as ``first``.

    See ``zip(strict=True)``.
    """
    del first
    return items


@overload(same_length)
def _same_length(items, first):
    def checked(items, first):
        if len(items) != len(first):
            raise ValueError("zip() of rows of unlike lengths")  # noqa: EM101, TRY003  # compiled: a constant
        return items

    return checked


@overload(builtins.any)
def _any(items):
    def any_item(items):
        for item in items:
            if truth(item):
                return True
        return False

    return any_item


@overload(builtins.all)
def _all(items):
    def all_items(items):
        for item in items:
            if not truth(item):
                return False
        return True

    return all_items


@overload(builtins.reversed)
def _reversed(items):
    if isinstance(items, types.RangeType):
        return lambda items: range(
            items.start + (len(items) - 1) * items.step, items.start - items.step, -items.step
        )
    if isinstance(items, types.Array | types.List):
        return lambda items: items[::-1]
    if isinstance(items, types.UniTuple):
        return lambda items: [items[len(items) - 1 - i] for i in range(len(items))]
    return None


@overload_method(types.Array, "count")
@overload_method(types.UniTuple, "count")
@overload_method(Series, "count")
def _count(items, item):
    if isinstance(items, TextType) and not isinstance(item, CharacterType):
        return None

    def count_item(items, item):
        result = 0
        for candidate in items:
            if candidate == item:
                result += 1
        return result

    return count_item


@overload_method(types.Array, "index")
@overload_method(Series, "index")
def _index(items, item):
    if isinstance(items, TextType) and not isinstance(item, CharacterType):
        return None

    def index_of_item(items, item):
        for i in range(len(items)):
            if items[i] == item:
                return i
        raise ValueError("not in the row")  # noqa: EM101, TRY003  # compiled: a constant

    return index_of_item


@intrinsic
def _ones(context: Context, value: Type) -> Intrinsic:  # Numba's signature
    def generate(_: Any, builder: Builder, signature: Signature, arguments: Value) -> Value:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _leading_zeros(context: Context, value: Type) -> Intrinsic:  # Numba's signature
    def generate(_: Any, builder: Builder, signature: Signature, arguments: Value) -> Value:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@overload_method(types.Integer, "bit_count")
def _bit_count(value):
    return lambda value: _ones(abs(np.int64(value)))


@overload_method(types.Integer, "bit_length")
def _bit_length(value):
    return lambda value: 64 - _leading_zeros(abs(np.int64(value)))
