"""Tuples filled item by item, with the length of another object, without allocation.

If the length is part of a type, the items are on the stack of the function that fills them, and
the tuple is one of Numba's. Otherwise it is a tuple of variable length.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, models, overload, register_jitable, register_model

from zermelo._compile.support.numba_types import (
    Builder,
    Context,
    Intrinsic,
    ModelManager,
    Signature,
    Target,
    Type,
    Value,
)
from zermelo._compile.support.type_names import MARK, named
from zermelo._compile.support.variable_tuples import (
    VariableTupleType,
    allocate_tuple,
    item_address,
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
    def __init__(self, manager: ModelManager, kind: BlankType) -> None:
        super().__init__(manager, kind, ir.ArrayType(ir.IntType(64), kind.count).as_pointer())


# These intrinsics are inlined into their caller, whose stack they use.
@intrinsic
def blank(context: Context, like: Type, count: Type) -> Intrinsic:  # Numba's signature
    """Return space for ``count`` numbers, which is the number of items of ``like``."""
    if isinstance(like, types.BaseTuple) and len(like):
        stack_array = BlankType(len(like))

        def generate(
            target: Target, builder: Builder, signature: Signature, arguments: Value
        ) -> Value:
            return cgutils.alloca_once(builder, target.get_value_type(stack_array).pointee)

        return stack_array(like, count), generate
    variable_tuple = VariableTupleType(types.int64)

    def allocate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        return allocate_tuple(target, builder, variable_tuple, arguments[1])

    return variable_tuple(like, types.intp), allocate


@intrinsic
def fill(context: Context, space: Type, index: Type, value: Type) -> Intrinsic:  # Numba's signature
    """Write a number at an index."""
    if not isinstance(value, types.Integer | types.Boolean):
        message = f"{MARK}makes a tuple of what is {named(value)}; write tuple([... for ...])"
        raise TypingError(message)

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        number = target.cast(builder, arguments[2], value, types.int64)
        if isinstance(space, BlankType):
            address = builder.gep(arguments[0], [ir.Constant(ir.IntType(64), 0), arguments[1]])
        else:
            address = item_address(target, builder, space, *arguments[:2])
        builder.store(number, address)
        return target.get_dummy_value()

    return types.void(space, types.intp, value), generate


@intrinsic
def filled_tuple(context: Context, space: Type) -> Intrinsic:  # Numba's signature
    """Return the filled tuple."""
    if isinstance(space, BlankType):
        tuple_type = types.UniTuple(types.int64, space.count)
        return tuple_type(space), lambda _, builder, __, arguments: builder.load(arguments[0])

    def unchanged(
        target: Target, builder: Builder, signature: Signature, arguments: Value
    ) -> Value:
        target.nrt.incref(builder, space, arguments[0])
        return arguments[0]

    return space(space), unchanged


@intrinsic
def peek(context: Context, space: Type, index: Type) -> Intrinsic:  # Numba's signature
    """Return the number at an index."""

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        if isinstance(space, BlankType):
            address = builder.gep(arguments[0], [ir.Constant(ir.IntType(64), 0), arguments[1]])
        else:
            address = item_address(target, builder, space, *arguments)
        return builder.load(address)

    return types.int64(space, types.intp), generate


def shorter_row(left: Any, right: Any) -> Any:
    """Return the shorter of two objects."""
    return min(left, right, key=len)


@overload(shorter_row)
def _shorter_row(left, right):
    if not (isinstance(left, types.BaseTuple) and isinstance(right, types.BaseTuple)):
        return lambda left, right: range(min(len(left), len(right)))
    if len(right) < len(left):
        return lambda left, right: right
    return lambda left, right: left


def fixed_list(row: Any) -> Any:
    """Return the items of a list of fixed length: a tuple of numbers, or else a list."""
    return list(row)


@overload(fixed_list)
def _fixed_list(row):
    if isinstance(row, types.BaseTuple) and _holds_numbers(row):
        return lambda row: _widen_items(row)
    return lambda row: list(row)


def _holds_numbers(row: Any) -> bool:
    return len(row) > 0 and all(isinstance(item, types.Integer | types.Boolean) for item in row)


@intrinsic
def _widen_items(context: Context, row: Type) -> Intrinsic:  # Numba's signature
    tuple_type = types.UniTuple(types.int64, len(row))

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        items = [
            target.cast(builder, builder.extract_value(arguments[0], n), item, types.int64)
            for n, item in enumerate(row)
        ]
        return target.make_tuple(builder, tuple_type, items)

    return tuple_type(row), generate


def fixed_list_to_tuple(row: Any) -> Any:
    """Return a list of fixed length as a tuple."""
    return tuple(row)


@overload(fixed_list_to_tuple)
def _fixed_list_to_tuple(row):
    if isinstance(row, types.BaseTuple):
        return lambda row: row
    return lambda row: to_tuple(row)


def set_item(row: Any, i: int, item: Any) -> Any:
    """Return a list of fixed length after ``row[i] = item``."""
    raise NotImplementedError  # it is the overload that is compiled


@overload(set_item)
def _set_item(row, i, item):
    if not isinstance(row, types.UniTuple):

        def set_in_list(row, i, item):
            row[i] = item
            return row

        return set_in_list
    if not isinstance(item, types.Integer | types.Boolean):
        message = f"{MARK}puts {named(item)} into a list of something else; "
        raise TypingError(message + "keep a list to one kind of thing")
    size = len(row)

    def set_in_tuple(row, i, item):
        place = i + size if i < 0 else i
        if place < 0 or place >= size:
            raise IndexError("list assignment index out of range")  # noqa: EM101, TRY003  # compiled: a constant
        return with_item(row, place, item)

    return set_in_tuple


@overload(bag, prefer_literal=True)
def _bag(numbers, size):
    if not isinstance(size, types.Integer):
        return None
    zeros = (0,) * (size.literal_value if isinstance(size, types.Literal) else 0)
    like = register_jitable((lambda _: zeros) if zeros else (lambda size: range(size)))

    def sorted_bag(numbers, size):
        space = blank(like(size), size)
        count = 0
        for number in numbers:
            if number != 0:
                if count >= size or number < 0:
                    raise ValueError("too many heaps")  # noqa: EM101, TRY003  # compiled: a constant
                index = count
                while index > 0 and peek(space, index - 1) < number:
                    fill(space, index, peek(space, index - 1))
                    index -= 1
                fill(space, index, number)
                count += 1
        for index in range(count, size):
            fill(space, index, 0)
        return filled_tuple(space)

    return sorted_bag


def sorted_tuple(row: Any, reverse: bool) -> Any:  # noqa: FBT001  # as it is compiled
    """Return the sorted items of an object as a tuple."""
    return tuple(sorted(row, reverse=reverse))


@overload(sorted_tuple)
def _sorted_tuple(row, reverse):
    numbers = isinstance(row, types.UniTuple | VariableTupleType | types.List | types.Array)
    if not numbers or not isinstance(row.dtype, types.Integer | types.Boolean):
        return lambda row, reverse: to_tuple(sorted(row, reverse=reverse))

    def insertion_sort(row, reverse):
        space = blank(row, len(row))
        for count, item in enumerate(row):
            index = count
            while index > 0 and (
                peek(space, index - 1) < item if reverse else peek(space, index - 1) > item
            ):
                fill(space, index, peek(space, index - 1))
                index -= 1
            fill(space, index, item)
        return filled_tuple(space)

    return insertion_sort


@intrinsic
def with_item(
    context: Context, row: Type, index: Type, item: Type
) -> Intrinsic:  # Numba's signature
    """Return a tuple of numbers with the item at a valid index replaced."""
    tuple_type = types.UniTuple(types.int64, len(row))

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        old = target.cast(builder, arguments[0], row, tuple_type)
        new = target.cast(builder, arguments[2], item, types.int64)
        items = []
        for n in range(len(row)):
            is_replaced = builder.icmp_signed(
                "==", arguments[1], target.get_constant(types.intp, n)
            )
            items.append(builder.select(is_replaced, new, builder.extract_value(old, n)))
        return target.make_tuple(builder, tuple_type, items)

    return tuple_type(row, types.intp, item), generate


def replace_item(row: Any, i: int, item: Any) -> Any:
    """Return ``row[:i] + (item,) + row[i + 1 :]``."""
    raise NotImplementedError  # it is the overload that is compiled


@overload(replace_item)
def _replace_item(row, i, item):
    if not isinstance(row, types.UniTuple) or not isinstance(item, types.Integer | types.Boolean):
        return lambda row, i, item: row[:i] + (item,) + row[i + 1 :]  # noqa: RUF005  # what Numba knows
    size = len(row)

    def with_new_item(row, i, item):
        if i < 0 or i >= size:
            raise ValueError("a tuple of another length")  # noqa: EM101, TRY003  # compiled: a constant
        return with_item(row, i, item)

    return with_new_item
