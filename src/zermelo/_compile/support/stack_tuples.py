"""Tuples filled item by item, with the length of another object, without allocation.

If that length is part of a type, the items are on the stack of the function that fills them, and
the tuple is one of Numba's. Otherwise it is a tuple of variable length.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, models, overload, register_jitable, register_model

from zermelo._compile.support.type_names import MARK, named
from zermelo._compile.support.variable_tuples import (
    LooseType,
    place_of,
    room_of,
    to_tuple,
)
from zermelo.game.contract import bag


class BlankType(types.Type):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of an array of numbers on the stack."""

    def __init__(self, count: int) -> None:
        """Create the type for ``count`` numbers."""
        self.count = count
        super().__init__(name=f"Blank({count})")


@register_model(BlankType)
class _BlankModel(models.PrimitiveModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: Any, kind: BlankType) -> None:
        super().__init__(manager, kind, ir.ArrayType(ir.IntType(64), kind.count).as_pointer())


# These intrinsics are inlined into their caller, whose stack they use.
@intrinsic
def blank(context: Any, like: Any, count: Any) -> Any:  # Numba's signature
    """Return space for as many numbers as ``like`` has items, which are ``count``."""
    if isinstance(like, types.BaseTuple) and len(like):
        made = BlankType(len(like))

        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return cgutils.alloca_once(builder, target.get_value_type(made).pointee)

        return made(like, count), generate
    loose = LooseType(types.int64)

    def allocate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return room_of(target, builder, loose, arguments[1])

    return loose(like, types.intp), allocate


@intrinsic
def fill(context: Any, made: Any, at: Any, value: Any) -> Any:  # Numba's signature
    """Write a number at an index."""
    if not isinstance(value, types.Integer | types.Boolean):
        message = f"{MARK}makes a tuple of what is {named(value)}; write tuple([... for ...])"
        raise TypingError(message)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = target.cast(builder, arguments[2], value, types.int64)
        if isinstance(made, BlankType):
            place = builder.gep(arguments[0], [ir.Constant(ir.IntType(64), 0), arguments[1]])
        else:
            place = place_of(target, builder, made, *arguments[:2])
        builder.store(number, place)
        return target.get_dummy_value()

    return types.void(made, types.intp, value), generate


@intrinsic
def filled(context: Any, made: Any) -> Any:  # Numba's signature
    """Return the filled tuple."""
    if isinstance(made, BlankType):
        whole = types.UniTuple(types.int64, made.count)
        return whole(made), lambda _, builder, __, arguments: builder.load(arguments[0])

    def same(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target.nrt.incref(builder, made, arguments[0])
        return arguments[0]

    return made(made), same


@intrinsic
def peek(context: Any, made: Any, at: Any) -> Any:  # Numba's signature
    """Return the number at an index."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(made, BlankType):
            place = builder.gep(arguments[0], [ir.Constant(ir.IntType(64), 0), arguments[1]])
        else:
            place = place_of(target, builder, made, *arguments)
        return builder.load(place)

    return types.int64(made, types.intp), generate


def shorter(one: Any, other: Any) -> Any:
    """Return the shorter of two objects."""
    return min(one, other, key=len)


@overload(shorter)
def _shorter(one, other):
    if not (isinstance(one, types.BaseTuple) and isinstance(other, types.BaseTuple)):
        return lambda one, other: range(min(len(one), len(other)))
    if len(other) < len(one):
        return lambda one, other: other
    return lambda one, other: one


def settled(row: Any) -> Any:
    """Return a row of numbers as a tuple, if it is one, for a list of fixed length."""
    return list(row)


@overload(settled)
def _settled(row):
    if isinstance(row, types.BaseTuple) and _holds_numbers(row):
        return lambda row: _widened(row)
    return lambda row: list(row)


def _holds_numbers(row: Any) -> bool:
    return len(row) > 0 and all(isinstance(item, types.Integer | types.Boolean) for item in row)


@intrinsic
def _widened(context: Any, row: Any) -> Any:  # Numba's signature
    made = types.UniTuple(types.int64, len(row))

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        items = [
            target.cast(builder, builder.extract_value(arguments[0], n), item, types.int64)
            for n, item in enumerate(row)
        ]
        return target.make_tuple(builder, made, items)

    return made(row), generate


def unsettled(row: Any) -> Any:
    """Return a list of fixed length as a tuple."""
    return tuple(row)


@overload(unsettled)
def _unsettled(row):
    if isinstance(row, types.BaseTuple):
        return lambda row: row
    return lambda row: to_tuple(row)


def set_item(row: Any, i: int, item: Any) -> Any:
    """Return a list of fixed length after ``row[i] = item``."""
    raise NotImplementedError  # it is the overload that is compiled


@overload(set_item)
def _set_item(row, i, item):
    if not isinstance(row, types.UniTuple):

        def written(row, i, item):
            row[i] = item
            return row

        return written
    if not isinstance(item, types.Integer | types.Boolean):
        message = f"{MARK}puts {named(item)} into a list of something else; "
        raise TypingError(message + "keep a list to one kind of thing")
    size = len(row)

    def changed(row, i, item):
        place = i + size if i < 0 else i
        if place < 0 or place >= size:
            raise IndexError("list assignment index out of range")  # noqa: EM101, TRY003  # compiled: a constant
        return with_item(row, place, item)

    return changed


@overload(bag, prefer_literal=True)
def _bag(numbers, size):
    if not isinstance(size, types.Integer):
        return None
    zeros = (0,) * (size.literal_value if isinstance(size, types.Literal) else 0)
    like = register_jitable((lambda _: zeros) if zeros else (lambda size: range(size)))

    def sorted_in(numbers, size):
        made = blank(like(size), size)
        count = 0
        for number in numbers:
            if number != 0:
                if count >= size or number < 0:
                    raise ValueError("too many heaps")  # noqa: EM101, TRY003  # compiled: a constant
                place = count
                while place > 0 and peek(made, place - 1) < number:
                    fill(made, place, peek(made, place - 1))
                    place -= 1
                fill(made, place, number)
                count += 1
        for place in range(count, size):
            fill(made, place, 0)
        return filled(made)

    return sorted_in


def ordered(row: Any, reverse: bool) -> Any:  # noqa: FBT001  # as it is compiled
    """Return the sorted items of an object as a tuple."""
    return tuple(sorted(row, reverse=reverse))


@overload(ordered)
def _ordered(row, reverse):
    numbers = isinstance(row, types.UniTuple | LooseType | types.List | types.Array)
    if not numbers or not isinstance(row.dtype, types.Integer | types.Boolean):
        return lambda row, reverse: to_tuple(sorted(row, reverse=reverse))

    def insert(row, reverse):
        made = blank(row, len(row))
        for at, item in enumerate(row):
            place = at
            while place > 0 and (
                peek(made, place - 1) < item if reverse else peek(made, place - 1) > item
            ):
                fill(made, place, peek(made, place - 1))
                place -= 1
            fill(made, place, item)
        return filled(made)

    return insert


@intrinsic
def with_item(context: Any, row: Any, at: Any, item: Any) -> Any:  # Numba's signature
    """Return a tuple of numbers with the item at a valid index replaced."""
    made = types.UniTuple(types.int64, len(row))

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        old = target.cast(builder, arguments[0], row, made)
        new = target.cast(builder, arguments[2], item, types.int64)
        items = []
        for n in range(len(row)):
            here = builder.icmp_signed("==", arguments[1], target.get_constant(types.intp, n))
            items.append(builder.select(here, new, builder.extract_value(old, n)))
        return target.make_tuple(builder, made, items)

    return made(row, types.intp, item), generate


def changed(row: Any, i: int, item: Any) -> Any:
    """Return ``row[:i] + (item,) + row[i + 1 :]``."""
    raise NotImplementedError  # it is the overload that is compiled


@overload(changed)
def _changed(row, i, item):
    if not isinstance(row, types.UniTuple) or not isinstance(item, types.Integer | types.Boolean):
        return lambda row, i, item: row[:i] + (item,) + row[i + 1 :]  # noqa: RUF005  # what Numba knows
    size = len(row)

    def replaced(row, i, item):
        if i < 0 or i >= size:
            raise ValueError("a tuple of another length")  # noqa: EM101, TRY003  # compiled: a constant
        return with_item(row, i, item)

    return replaced
