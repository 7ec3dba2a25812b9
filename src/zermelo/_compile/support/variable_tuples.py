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

from zermelo._compile.support.sequences import Series
from zermelo._compile.support.type_names import MARK, named

_ITEMS = "keep whole numbers, and tuples of them, in tuples"


class LooseType(Series):
    """The Numba type of a tuple of variable length, whose items have one type."""

    def __init__(self, item: Any) -> None:
        """Create the type for items of this type."""
        self._item = item
        super().__init__(name=f"LooseTuple({item})")

    @property
    def item(self) -> Any:
        """The type of an item."""
        return self._item

    @property
    def dtype(self) -> Any:
        """The type of an item, under Numba's name."""
        return self._item

    def count(self, context: Any, builder: Any, value: Any) -> Any:
        """Return the number of items."""
        return cgutils.create_struct_proxy(self)(context, builder, value=value).count

    def taken(self, context: Any, builder: Any, value: Any, place: Any) -> Any:
        """Return the item at a valid index."""
        there = place_of(context, builder, self, value, place)
        return context.unpack_value(builder, self.item, there)

    def unify(self, context: Any, other: Any) -> Any:
        """Return the common type of this type and a tuple of known length, or None."""
        return self if self._holds(context, other) else None

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """Return whether a tuple of known length can be converted to this type."""
        return Conversion.safe if self._holds(context, other) else None

    def _holds(self, context: Any, other: Any) -> bool:
        if not isinstance(other, types.BaseTuple):
            return False
        return all(context.can_convert(item, self.item) is not None for item in other)


@register_model(LooseType)
class _LooseModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: Any, kind: LooseType) -> None:
        members = [("count", types.intp), ("held", types.MemInfoPointer(types.voidptr))]
        super().__init__(manager, kind, members)


def item_type(kind: Any) -> Any:
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
def loose_room(context: Any, count: Any, kind: Any) -> Any:  # Numba's signature
    """Return a tuple of ``count`` items of a type, to be filled immediately, not changed later."""
    made = LooseType(kind.instance_type)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return room_of(target, builder, made, arguments[0])

    return made(types.intp, kind), generate


def room_of(target: Any, builder: Any, kind: LooseType, count: Any) -> Any:
    made = cgutils.create_struct_proxy(kind)(target, builder)
    size = target.get_abi_sizeof(target.get_data_type(kind.item))
    made.count = count
    made.held = target.nrt.meminfo_alloc(
        builder, builder.mul(count, target.get_constant(types.intp, size))
    )
    return made._getvalue()  # noqa: SLF001  # Numba's own name for it


def place_of(target: Any, builder: Any, kind: LooseType, value: Any, at: Any) -> Any:
    """Return the address of an item."""
    whole = cgutils.create_struct_proxy(kind)(target, builder, value=value)
    data = target.nrt.meminfo_data(builder, whole.held)
    data = builder.bitcast(data, target.get_data_type(kind.item).as_pointer())
    return builder.gep(data, [at])


@intrinsic
def loose_set(context: Any, whole: Any, at: Any, value: Any) -> Any:  # Numba's signature
    """Write an item of a new tuple at a valid index."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = place_of(target, builder, whole, *arguments[:2])
        cast = target.cast(builder, arguments[2], value, whole.item)
        target.pack_value(builder, whole.item, cast, place)
        return target.get_dummy_value()

    return types.void(whole, types.intp, value), generate


@lower_cast(types.BaseTuple, LooseType)
def _converted(target: Any, builder: Any, kind: Any, wanted: LooseType, value: Any) -> Any:
    made = _loosened(target, builder, kind, wanted, value)
    # The caller of a cast counts its own reference, and there is no other.
    whole = cgutils.create_struct_proxy(wanted)(target, builder, value=made)
    holders = builder.bitcast(whole.held, target.get_value_type(types.uintp).as_pointer())
    builder.store(target.get_constant(types.uintp, 0), holders)
    return made


def _loosened(target: Any, builder: Any, kind: Any, wanted: LooseType, value: Any) -> Any:
    made = room_of(target, builder, wanted, target.get_constant(types.intp, len(kind)))
    for n, item in enumerate(kind):
        place = place_of(target, builder, wanted, made, target.get_constant(types.intp, n))
        cast = target.cast(builder, builder.extract_value(value, n), item, wanted.item)
        target.pack_value(builder, wanted.item, cast, place)
    return made


# -- conversions ------------------------------------------------------------------------------


def to_tuple(items: Any) -> Any:
    """Return the items of an iterable as a tuple."""
    return tuple(items)


@overload(to_tuple)
def _tupled(items):
    if hasattr(items, "instance_class"):
        return lambda items: _without_name(items)
    if isinstance(items, types.BaseTuple | LooseType):
        return lambda items: items
    if isinstance(items, types.List | types.Array | types.RangeType):
        kind = item_type(items.dtype)

        def copied(items):
            made = loose_room(len(items), kind)
            for at, item in enumerate(items):
                loose_set(made, at, item)
            return made

        return copied
    if isinstance(items, types.IterableType):
        return lambda items: to_tuple([item for item in items])  # noqa: C416  # what Numba knows
    message = f"{MARK}makes a tuple of {named(items)}; give tuple() something to go through"
    raise TypingError(message)


@intrinsic
def _without_name(context: Any, items: Any) -> Any:  # Numba's signature
    """Return a NamedTuple as a plain tuple."""
    plain = types.BaseTuple.from_types(tuple(items))

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if target.enable_nrt:
            target.nrt.incref(builder, items, arguments[0])
        return arguments[0]

    return plain(items), generate


def as_variable_tuple(items: Any) -> Any:
    """Return a tuple as one of variable length; other values unchanged."""
    return items


@overload(as_variable_tuple)
def _any_length(items):
    if not isinstance(items, types.BaseTuple) or hasattr(items, "instance_class"):
        return lambda items: items
    kind = item_type(items[0]) if len(items) else types.int64
    if any(item_type(item) != kind for item in items):
        return lambda items: items
    return lambda items: _cast(items, kind)


@intrinsic
def _cast(context: Any, items: Any, kind: Any) -> Any:  # Numba's signature
    made = LooseType(kind.instance_type)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _loosened(target, builder, items, made, arguments[0])

    return made(items, kind), generate


def as_field(value: Any, count: int) -> Any:
    """Return a tuple in the form of a field of ``count`` items."""
    del count
    return value


@overload(as_field, prefer_literal=True)
def _as_field(value, count):
    if not isinstance(count, types.Literal):  # Numba asks again without literals
        return None
    if not isinstance(value, LooseType | types.List):
        return lambda value, count: value
    wanted = int(count.literal_value)

    def exactly(value, count):
        if len(value) != wanted:
            raise ValueError("a tuple of another length than its field")  # noqa: EM101, TRY003  # compiled: a constant
        return _exact(to_tuple(value), count)

    return exactly


@intrinsic(prefer_literal=True)
def _exact(context: Any, whole: Any, count: Any) -> Any:  # Numba's signature
    if not isinstance(count, types.Literal):
        return None
    made = types.UniTuple(whole.item, count.literal_value)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        items = []
        for n in range(len(made)):
            place = target.get_constant(types.intp, n)
            place = place_of(target, builder, whole, arguments[0], place)
            items.append(target.unpack_value(builder, whole.item, place))
        return target.make_tuple(builder, made, items)

    return made(whole, count), generate


def coerce_like(value: Any, old: Any) -> Any:
    """Return a tuple in the form of another one, which it replaces in a position."""
    del old
    return value


@overload(coerce_like)
def _as_before(value, old):
    if isinstance(value, LooseType | types.List) and isinstance(old, types.BaseTuple):
        count = len(old)
        return lambda value, old: as_field(value, count)
    return lambda value, old: value


# -- operations on tuples ---------------------------------------------------------------------


@overload(operator.getitem)
def _slice(items, at):
    if isinstance(at, types.SliceType) and isinstance(items, LooseType | types.UniTuple):
        kind = item_type(items.dtype)

        def sliced(items, at):
            first, last, step = at.indices(len(items))
            places = range(first, last, step)
            made = loose_room(len(places), kind)
            for n, place in enumerate(places):
                loose_set(made, n, items[place])
            return made

        return sliced
    return None


def _of_tuples(one: Any, other: Any) -> bool:
    """Whether two types are tuples, at least one of them of variable length."""
    tuples = LooseType | types.BaseTuple
    loose = isinstance(one, LooseType) or isinstance(other, LooseType)
    return loose and isinstance(one, tuples) and isinstance(other, tuples)


@overload(operator.add)
def _joined(one, other):
    if not _of_tuples(one, other):
        return None
    kind = one.item if isinstance(one, LooseType) else other.item
    if not all(_fits(side, kind) for side in (one, other)):
        message = f"{MARK}joins tuples of mixed types; {_ITEMS}"
        raise TypingError(message)

    def joined(one, other):
        made = loose_room(len(one) + len(other), kind)
        count = len(one)
        for n, item in enumerate(one):
            loose_set(made, n, item)
        for n, item in enumerate(other):
            loose_set(made, count + n, item)
        return made

    if isinstance(one, types.BaseTuple):
        return lambda one, other: _cast(one, kind) + other
    if isinstance(other, types.BaseTuple):
        return lambda one, other: one + _cast(other, kind)
    return joined


def _fits(side: Any, kind: Any) -> bool:
    return all(
        item_type(item) == kind for item in ([side.item] if isinstance(side, LooseType) else side)
    )


@overload(operator.mul)
def _repeated(items, times):
    if isinstance(times, types.UniTuple | LooseType) and isinstance(items, types.Integer):
        return lambda items, times: times * items
    if not isinstance(items, types.UniTuple | LooseType) or not isinstance(times, types.Integer):
        return None
    kind = item_type(items.dtype)

    def repeated(items, times):
        count = len(items)
        made = loose_room(count * max(0, times), kind)
        for n in range(count * max(0, times)):
            loose_set(made, n, items[n % count])
        return made

    return repeated


@overload(operator.iadd)
def _joined_in_place(one, other):
    tuples = LooseType | types.BaseTuple
    if isinstance(one, tuples) and isinstance(other, tuples):
        return lambda one, other: one + other
    return None


@overload(operator.contains)
def _contains(items, item):
    if not isinstance(items, LooseType):
        return None

    def contains(items, item):
        for other in items:
            if other == item:
                return True
        return False

    return contains


@register_jitable
def _same(one: Any, other: Any) -> bool:
    if len(one) != len(other):
        return False
    for n in range(len(one)):
        if one[n] != other[n]:
            return False
    return True


@register_jitable
def _before(one: Any, other: Any) -> bool:
    for n in range(min(len(one), len(other))):
        if one[n] != other[n]:
            return bool(one[n] < other[n])
    return len(one) < len(other)


#: The comparisons of tuples; the functions are compiled.
_COMPARED: dict[Any, Callable[[Any, Any], bool]] = {
    operator.eq: lambda one, other: _same(one, other),
    operator.ne: lambda one, other: not _same(one, other),
    operator.lt: lambda one, other: _before(one, other),
    operator.gt: lambda one, other: _before(other, one),
    operator.le: lambda one, other: not _before(other, one),
    operator.ge: lambda one, other: not _before(one, other),
}


def _teach(operation: Any, compare: Callable[[Any, Any], bool]) -> None:
    """Register a comparison of tuples of variable length, and of a tuple with a row."""
    same = operation in (operator.eq, operator.ne)
    again = register_jitable(compare)

    @overload(operation)
    def _compares(one, other):
        row = (_is_row(one) and _is_even(other)) or (_is_row(other) and _is_even(one))
        if same and row:
            return compare
        if not _of_tuples(one, other):
            return None
        kind = one.item if isinstance(one, LooseType) else other.item
        if not isinstance(one, LooseType) and not _is_even(one):
            return lambda one, other: again(_cast(one, kind), other)
        if not isinstance(other, LooseType) and not _is_even(other):
            return lambda one, other: again(one, _cast(other, kind))
        return compare


def _is_row(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.ndim == 1


def _is_even(kind: Any) -> bool:
    return isinstance(kind, types.UniTuple | LooseType)


for _operation, _compare in _COMPARED.items():
    _teach(_operation, _compare)


@overload(builtins.reversed)
def _reversed(items):
    if not isinstance(items, LooseType):
        return None
    return lambda items: [items[len(items) - 1 - n] for n in range(len(items))]
