"""Tuples of variable length: ``tuple(cells)`` of a list, ``row[:i]``.

Numba's own tuples have their length in their type. These store it with their items, and are
converted to Numba's in a new position, whose fields have known lengths.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import Any

from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.imputils import lower_cast
from numba.core.typeconv import Conversion
from numba.extending import (
    intrinsic,
    models,
    overload,
    register_jitable,
    register_model,
)

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
from zermelo._compile.support.sequences import Series
from zermelo._compile.support.type_names import MARK, named

_ITEMS = "keep whole numbers, and tuples of them, in tuples"


class VariableTupleType(Series):
    """The Numba type of a tuple of variable length, whose items have one type."""

    def __init__(self, item: Any) -> None:
        """Create the type for items of this type."""
        self._item = item
        super().__init__(name=f"VariableTuple({item})")

    @property
    def item(self) -> Type:
        """The type of an item."""
        return self._item

    @property
    def dtype(self) -> Type:
        """The type of an item, under Numba's name."""
        return self._item

    def count(self, context: Target, builder: Builder, value: Value) -> Value:
        """Return the number of items."""
        return cgutils.create_struct_proxy(self)(context, builder, value=value).count

    def item_at(self, context: Target, builder: Builder, value: Value, place: Value) -> Value:
        """Return the item at a valid index."""
        address = item_address(context, builder, self, value, place)
        return context.unpack_value(builder, self.item, address)

    def unify(self, context: Context, other: Any) -> Any:
        """Return the common type of this type and a tuple of known length, or None."""
        return self if self._holds(context, other) else None

    def can_convert_from(self, context: Context, other: Any) -> Any:
        """Return whether a tuple of known length can be converted to this type."""
        return Conversion.safe if self._holds(context, other) else None

    def _holds(self, context: Context, other: Any) -> bool:
        if not isinstance(other, types.BaseTuple):
            return False
        return all(context.can_convert(item, self.item) is not None for item in other)


@register_model(VariableTupleType)
class _VariableTupleModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: ModelManager, kind: VariableTupleType) -> None:
        members = [("count", types.intp), ("memory", types.MemInfoPointer(types.voidptr))]
        super().__init__(manager, kind, members)


def item_type(kind: Type) -> Any:
    """Return the type in which an item is stored.

    Raises:
        TypingError: tuples in rules cannot contain such items.
    """
    if isinstance(kind, types.Integer | types.Boolean):
        return types.int64
    if isinstance(kind, types.BaseTuple) and len(kind):
        items = tuple(item_type(item) for item in kind)
        return types.BaseTuple.from_types(items, getattr(kind, "instance_class", None))
    message = f"{MARK}makes a tuple of what is {named(kind)}; {_ITEMS}"
    raise TypingError(message)


@intrinsic
def empty_variable_tuple(
    context: Context, count: Type, kind: Type
) -> Intrinsic:  # Numba's signature
    """Return a tuple of ``count`` items of a type, to be filled immediately, not changed later."""
    tuple_type = VariableTupleType(kind.instance_type)

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        return allocate_tuple(target, builder, tuple_type, arguments[0])

    return tuple_type(types.intp, kind), generate


def allocate_tuple(
    target: Target, builder: Builder, kind: VariableTupleType, count: Value
) -> Value:
    struct = cgutils.create_struct_proxy(kind)(target, builder)
    size = target.get_abi_sizeof(target.get_data_type(kind.item))
    struct.count = count
    struct.memory = target.nrt.meminfo_alloc(
        builder, builder.mul(count, target.get_constant(types.intp, size))
    )
    return struct._getvalue()  # noqa: SLF001  # Numba's own name for it


def item_address(
    target: Target, builder: Builder, kind: VariableTupleType, value: Value, index: Value
) -> Value:
    """Return the address of an item."""
    struct = cgutils.create_struct_proxy(kind)(target, builder, value=value)
    data = target.nrt.meminfo_data(builder, struct.memory)
    data = builder.bitcast(data, target.get_data_type(kind.item).as_pointer())
    return builder.gep(data, [index])


@intrinsic
def set_new_item(
    context: Context, tuple_type: Type, index: Type, value: Type
) -> Intrinsic:  # Numba's signature
    """Write an item of a new tuple at a valid index."""

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        address = item_address(target, builder, tuple_type, *arguments[:2])
        cast = target.cast(builder, arguments[2], value, tuple_type.item)
        target.pack_value(builder, tuple_type.item, cast, address)
        return target.get_dummy_value()

    return types.void(tuple_type, types.intp, value), generate


@lower_cast(types.BaseTuple, VariableTupleType)
def _lower_cast(
    target: Target, builder: Builder, kind: Type, tuple_type: VariableTupleType, value: Value
) -> Value:
    filled = _fill_from_tuple(target, builder, kind, tuple_type, value)
    # The caller of a cast counts its own reference, and there is no other.
    struct = cgutils.create_struct_proxy(tuple_type)(target, builder, value=filled)
    holders = builder.bitcast(struct.memory, target.get_value_type(types.uintp).as_pointer())
    builder.store(target.get_constant(types.uintp, 0), holders)
    return filled


def _fill_from_tuple(
    target: Target, builder: Builder, kind: Type, tuple_type: VariableTupleType, value: Value
) -> Value:
    filled = allocate_tuple(target, builder, tuple_type, target.get_constant(types.intp, len(kind)))
    for n, item in enumerate(kind):
        address = item_address(
            target, builder, tuple_type, filled, target.get_constant(types.intp, n)
        )
        cast = target.cast(builder, builder.extract_value(value, n), item, tuple_type.item)
        target.pack_value(builder, tuple_type.item, cast, address)
    return filled


# -- conversions ------------------------------------------------------------------------------


def to_tuple(items: Any) -> Any:
    """Return the items of an iterable as a tuple."""
    return tuple(items)


@overload(to_tuple)
def _to_tuple(items):
    if hasattr(items, "instance_class"):
        return lambda items: _without_name(items)
    if isinstance(items, types.BaseTuple | VariableTupleType):
        return lambda items: items
    if isinstance(items, types.List | types.Array | types.RangeType):
        kind = item_type(items.dtype)

        def copied(items):
            copy = empty_variable_tuple(len(items), kind)
            for n, item in enumerate(items):
                set_new_item(copy, n, item)
            return copy

        return copied
    if isinstance(items, types.IterableType):
        return lambda items: to_tuple([item for item in items])  # noqa: C416  # what Numba knows
    message = f"{MARK}makes a tuple of {named(items)}; give tuple() something to go through"
    raise TypingError(message)


@intrinsic
def _without_name(context: Context, items: Type) -> Intrinsic:  # Numba's signature
    """Return a NamedTuple as a plain tuple."""
    plain = types.BaseTuple.from_types(tuple(items))

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        if target.enable_nrt:
            target.nrt.incref(builder, items, arguments[0])
        return arguments[0]

    return plain(items), generate


def as_variable_tuple(items: Any) -> Any:
    """Return a tuple as one of variable length; other values unchanged."""
    return items


@overload(as_variable_tuple)
def _as_variable_tuple(items):
    if not isinstance(items, types.BaseTuple) or hasattr(items, "instance_class"):
        return lambda items: items
    kind = item_type(items[0]) if len(items) else types.int64
    if any(item_type(item) != kind for item in items):
        return lambda items: items
    return lambda items: _cast(items, kind)


@intrinsic
def _cast(context: Context, items: Type, kind: Type) -> Intrinsic:  # Numba's signature
    tuple_type = VariableTupleType(kind.instance_type)

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        return _fill_from_tuple(target, builder, items, tuple_type, arguments[0])

    return tuple_type(items, kind), generate


def as_field(value: Any, count: int) -> Any:
    """Return a tuple in the form of a field of ``count`` items."""
    del count
    return value


@overload(as_field, prefer_literal=True)
def _as_field(value, count):
    if not isinstance(count, types.Literal):  # Numba asks again without literals
        return None
    if not isinstance(value, VariableTupleType | types.List):
        return lambda value, count: value
    field_length = int(count.literal_value)

    def with_length(value, count):
        if len(value) != field_length:
            raise ValueError("a tuple of another length than its field")  # noqa: EM101, TRY003  # compiled: a constant
        return _exact(to_tuple(value), count)

    return with_length


@intrinsic(prefer_literal=True)
def _exact(context: Context, variable_type: Type, count: Type) -> Intrinsic:  # Numba's signature
    if not isinstance(count, types.Literal):
        return None
    fixed_type = types.UniTuple(variable_type.item, count.literal_value)

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        items = []
        for n in range(len(fixed_type)):
            index = target.get_constant(types.intp, n)
            address = item_address(target, builder, variable_type, arguments[0], index)
            items.append(target.unpack_value(builder, variable_type.item, address))
        return target.make_tuple(builder, fixed_type, items)

    return fixed_type(variable_type, count), generate


def coerce_like(value: Any, old: Any) -> Any:
    """Return a tuple in the form of another one, which it replaces in a position."""
    del old
    return value


@overload(coerce_like)
def _coerce_like(value, old):
    if isinstance(value, VariableTupleType | types.List) and isinstance(old, types.BaseTuple):
        count = len(old)
        return lambda value, old: as_field(value, count)
    return lambda value, old: value


# -- operations on tuples ---------------------------------------------------------------------


@overload(operator.getitem)
def _slice(items, index):
    if isinstance(index, types.SliceType) and isinstance(items, VariableTupleType | types.UniTuple):
        kind = item_type(items.dtype)

        def sliced(items, index):
            first, last, step = index.indices(len(items))
            places = range(first, last, step)
            slice_items = empty_variable_tuple(len(places), kind)
            for n, place in enumerate(places):
                set_new_item(slice_items, n, items[place])
            return slice_items

        return sliced
    return None


def _are_tuples(left: Any, right: Any) -> bool:
    """Return whether two types are tuples, at least one of them of variable length."""
    tuples = VariableTupleType | types.BaseTuple
    has_variable = isinstance(left, VariableTupleType) or isinstance(right, VariableTupleType)
    return has_variable and isinstance(left, tuples) and isinstance(right, tuples)


@overload(operator.add)
def _concatenate(left, right):
    if not _are_tuples(left, right):
        return None
    kind = left.item if isinstance(left, VariableTupleType) else right.item
    if not all(_fits(side, kind) for side in (left, right)):
        message = f"{MARK}joins tuples of mixed types; {_ITEMS}"
        raise TypingError(message)

    def concatenate(left, right):
        result = empty_variable_tuple(len(left) + len(right), kind)
        offset = len(left)
        for n, item in enumerate(left):
            set_new_item(result, n, item)
        for n, item in enumerate(right):
            set_new_item(result, offset + n, item)
        return result

    if isinstance(left, types.BaseTuple):
        return lambda left, right: _cast(left, kind) + right
    if isinstance(right, types.BaseTuple):
        return lambda left, right: left + _cast(right, kind)
    return concatenate


def _fits(side: Any, kind: Type) -> bool:
    return all(
        item_type(item) == kind
        for item in ([side.item] if isinstance(side, VariableTupleType) else side)
    )


@overload(operator.mul)
def _repeat(items, times):
    if isinstance(times, types.UniTuple | VariableTupleType) and isinstance(items, types.Integer):
        return lambda items, times: times * items
    if not isinstance(items, types.UniTuple | VariableTupleType) or not isinstance(
        times, types.Integer
    ):
        return None
    kind = item_type(items.dtype)

    def repeat(items, times):
        count = len(items)
        result = empty_variable_tuple(count * max(0, times), kind)
        for n in range(count * max(0, times)):
            set_new_item(result, n, items[n % count])
        return result

    return repeat


@overload(operator.iadd)
def _concatenate_in_place(left, right):
    tuples = VariableTupleType | types.BaseTuple
    if isinstance(left, tuples) and isinstance(right, tuples):
        return lambda left, right: left + right
    return None


@overload(operator.contains)
def _contains(items, item):
    if not isinstance(items, VariableTupleType):
        return None

    def contains(items, item):
        for candidate in items:
            if candidate == item:
                return True
        return False

    return contains


@register_jitable
def _are_equal(left: Any, right: Any) -> bool:
    if len(left) != len(right):
        return False
    for n in range(len(left)):
        if left[n] != right[n]:
            return False
    return True


@register_jitable
def _is_less(left: Any, right: Any) -> bool:
    for n in range(min(len(left), len(right))):
        if left[n] != right[n]:
            return bool(left[n] < right[n])
    return len(left) < len(right)


#: The comparisons of tuples; the functions are compiled.
_COMPARISONS: dict[Any, Callable[[Any, Any], bool]] = {
    operator.eq: lambda left, right: _are_equal(left, right),
    operator.ne: lambda left, right: not _are_equal(left, right),
    operator.lt: lambda left, right: _is_less(left, right),
    operator.gt: lambda left, right: _is_less(right, left),
    operator.le: lambda left, right: not _is_less(right, left),
    operator.ge: lambda left, right: not _is_less(left, right),
}


def _teach(operation: Any, compare: Callable[[Any, Any], bool]) -> None:
    """Register a comparison of tuples of variable length, and of a tuple with a row."""
    is_equality = operation in (operator.eq, operator.ne)
    compiled_compare = register_jitable(compare)

    @overload(operation)
    def _compares(left, right):
        with_row = (_is_row(left) and _has_one_item_type(right)) or (
            _is_row(right) and _has_one_item_type(left)
        )
        if is_equality and with_row:
            return compare
        if not _are_tuples(left, right):
            return None
        kind = left.item if isinstance(left, VariableTupleType) else right.item
        if not isinstance(left, VariableTupleType) and not _has_one_item_type(left):
            return lambda left, right: compiled_compare(_cast(left, kind), right)
        if not isinstance(right, VariableTupleType) and not _has_one_item_type(right):
            return lambda left, right: compiled_compare(left, _cast(right, kind))
        return compare


def _is_row(kind: Type) -> bool:
    return isinstance(kind, types.Array) and kind.ndim == 1


def _has_one_item_type(kind: Type) -> bool:
    return isinstance(kind, types.UniTuple | VariableTupleType)


for _operation, _compare in _COMPARISONS.items():
    _teach(_operation, _compare)


@overload(builtins.reversed)
def _reversed(items):
    if not isinstance(items, VariableTupleType):
        return None
    return lambda items: [items[len(items) - 1 - n] for n in range(len(items))]
