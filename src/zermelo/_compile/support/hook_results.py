"""Results of hooks: checked, converted to numbers, and packed into words.

A position is packed by a few shifts and masks for each of its numbers. Numba would infer and
generate every step separately, which takes longer than all other code of a small game's rules. So
the code that packs and unpacks a position is generated here as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, register_model, typeof_impl

from zermelo._compile.support.numba_types import (
    Builder,
    Context,
    Intrinsic,
    Signature,
    Target,
    Type,
    Value,
)
from zermelo._compile.support.type_names import MARK, named, remedy_for
from zermelo.values.scores import LARGEST_SCORE

_WORD = ir.IntType(64)
_WORD_MASK = (1 << 64) - 1


@dataclass(frozen=True)
class PackedShape:
    """The packing of a game's positions.

    Attributes:
        words: 64-bit words of a packed position.
        slots: the least value, the bits, the word and the shift of each number.
        shape: the shape of a position: an error message for other values, the class of a record or
            None, and the shapes of its parts, or None for a number.
    """

    words: int
    slots: tuple[tuple[int, int, int, int], ...]
    shape: tuple[str, Any, Any]


class PackedShapeType(types.Type):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of one packing."""

    def __init__(self, packing: PackedShape) -> None:
        """Create the type."""
        self.packing = packing
        super().__init__(name=f"Packed({len(packing.slots)} in {packing.words})")

    @property
    def key(self) -> Any:
        """The object that decides equality of types."""
        return self.packing


register_model(PackedShapeType)(models.OpaqueModel)


@typeof_impl.register(PackedShape)
def _type_of(value: Any, _: Any) -> Any:
    return PackedShapeType(value)


@lower_constant(PackedShapeType)
def _constant(context: Context, *_: Any) -> Any:
    return context.get_dummy_value()


@intrinsic
def position(
    context: Context, packing: Type, keys: Type, i: Type
) -> Intrinsic:  # Numba's signature
    """Return the position with index ``i`` of packed ones."""
    shape = packing.packing

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        _, row, index = arguments
        words = [
            target.unpack_value(builder, types.uint64, address)
            for address in _word_addresses(target, builder, keys, row, index, shape.words)
        ]
        flat = []
        for low, bits, word, shift in shape.slots:
            number = _constant_word(0) if not bits else words[word]
            if shift and bits:
                number = builder.lshr(number, _constant_word(shift))
            if 0 < bits < _WORD.width:
                number = builder.and_(number, _constant_word((1 << bits) - 1))
            flat.append(builder.add(number, _constant_word(low)))
        return _build(target, builder, signature.return_type, iter(flat))

    return _kind(shape.shape)(packing, keys, types.int64), generate


@intrinsic
def build_position(context: Context, packing: Type, flat: Type) -> Intrinsic:  # Numba's signature
    """Return the position with some numbers."""

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        items = cgutils.unpack_tuple(builder, arguments[1])
        return _build(target, builder, signature.return_type, iter(items))

    return _kind(packing.packing.shape)(packing, flat), generate


@intrinsic
def numbers(context: Context, packing: Type, value: Type) -> Intrinsic:  # Numba's signature
    """Return the numbers of a position; a type error for an invalid one."""
    shape = packing.packing
    _check(shape.shape, value)

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        flat = _flatten(target, builder, shape.shape, value, arguments[1])
        return target.make_tuple(builder, signature.return_type, tuple(flat))

    return types.UniTuple(types.int64, len(shape.slots))(packing, value), generate


@intrinsic
def pack_numbers(context: Context, packing: Type, flat: Type) -> Intrinsic:  # Numba's signature
    """Return whether some number exceeds its bits, and the packed words."""
    shape = packing.packing
    words = types.UniTuple(types.uint64, shape.words)

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        items = cgutils.unpack_tuple(builder, arguments[1])
        excess: dict[int, Any] = {}
        packed = [_constant_word(0)] * shape.words
        for (low, bits, word, shift), item in zip(shape.slots, items, strict=True):
            number = builder.sub(item, _constant_word(low))
            if bits < _WORD.width:
                excess[bits] = builder.or_(excess[bits], number) if bits in excess else number
            if bits:
                shifted = builder.shl(number, _constant_word(shift)) if shift else number
                packed[word] = builder.or_(packed[word], shifted)
        # The excess bits of all numbers of one width are combined before the check: a branch for
        # each number would take longer than all other code.
        past_bits = _constant_word(0)
        for bits, number in excess.items():
            past_bits = builder.or_(past_bits, builder.ashr(number, _constant_word(bits)))
        is_past = builder.icmp_signed("!=", past_bits, _constant_word(0))
        word_tuple = target.make_tuple(builder, words, tuple(packed))
        return target.make_tuple(builder, signature.return_type, (is_past, word_tuple))

    return types.Tuple((types.boolean, words))(packing, flat), generate


@intrinsic
def store_words(
    context: Context, keys: Type, index: Type, words: Type
) -> Intrinsic:  # Numba's signature
    """Write the words of a position at index ``index`` of packed ones, which must have space."""

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        row, index, words = arguments
        items = cgutils.unpack_tuple(builder, words)
        addresses = _word_addresses(target, builder, keys, row, index, len(items))
        for item, address in zip(items, addresses, strict=True):
            target.pack_value(builder, types.uint64, item, address)
        return target.get_dummy_value()

    return types.none(keys, types.int64, words), generate


@intrinsic
def xor_numbers(context: Context, left: Type, right: Type) -> Intrinsic:  # Numba's signature
    """Return the exclusive or of all numbers of two positions."""

    def generate(_: Any, builder: Builder, signature: Signature, arguments: Value) -> Value:
        mix = _constant_word(0)
        for argument in arguments:
            for item in cgutils.unpack_tuple(builder, argument):
                mix = builder.xor(mix, item)
        return mix

    return types.int64(left, right), generate


def _constant_word(value: int) -> Any:
    return ir.Constant(_WORD, value & _WORD_MASK)


def _word_addresses(
    target: Target, builder: Builder, kind: Type, row: Value, index: Value, words: int
) -> Iterator[Any]:
    """Yield the addresses of the words of a position in a row of packed ones."""
    array = target.make_array(kind)(target, builder, row)
    first = builder.mul(index, _constant_word(words))
    for n in range(words):
        offset = builder.add(first, _constant_word(n))
        yield cgutils.get_item_pointer(
            target, builder, kind, array, [offset], wraparound=False, boundscheck=False
        )


def _kind(shape: Any) -> Any:
    """Return the type of values of a shape."""
    _, record, parts = shape
    if parts is None:
        return types.int64
    return types.BaseTuple.from_types(tuple(map(_kind, parts)), record)


def _build(target: Target, builder: Builder, kind: Type, flat: Iterator[Any]) -> Value:
    """Return a value of a type from the next numbers."""
    if not isinstance(kind, types.BaseTuple):
        return next(flat)
    return target.make_tuple(
        builder, kind, tuple(_build(target, builder, part, flat) for part in kind)
    )


def _check(shape: Any, kind: Type) -> None:
    """Raise TypingError for a type that does not have a shape."""
    message, _, parts = shape
    inner = kind.type if isinstance(kind, types.Optional) else kind
    if parts is None:
        if not isinstance(inner, types.Integer | types.Boolean):
            raise TypingError(_sentence(message, kind))
        return
    if not isinstance(inner, types.BaseTuple):
        raise TypingError(_sentence(message, kind))
    if len(inner) != len(parts):
        raise TypingError(_sentence(message, f"a tuple of {len(inner)}"))
    for part, item in zip(parts, inner, strict=True):
        _check(part, item)


def _flatten(
    target: Target, builder: Builder, shape: Value, kind: Type, value: Value
) -> Iterator[Any]:
    """Yield the numbers of a checked value."""
    if isinstance(kind, types.Optional):
        kind, value = kind.type, _checked(target, builder, kind, value)
    if shape[2] is None:
        yield target.cast(builder, value, kind, types.int64)
        return
    for n, (part, item) in enumerate(zip(shape[2], kind, strict=True)):
        yield from _flatten(target, builder, part, item, builder.extract_value(value, n))


@intrinsic(prefer_literal=True)
def whole(context: Context, value: Type, message: Type) -> Intrinsic:  # Numba's signature
    """Return a value as a 64-bit integer; a type error for other values."""
    if not isinstance(message, types.Literal):  # Numba asks again without literals
        return None
    kind = value.type if isinstance(value, types.Optional) else value
    if not isinstance(kind, types.Integer | types.Boolean):
        raise TypingError(_sentence(message.literal_value, value))
    return types.int64(value, message), _to_number


@intrinsic(prefer_literal=True)
def points(context: Context, value: Type, message: Type) -> Intrinsic:  # Numba's signature
    """Return a value as ``whole`` does, or raise if it is too large for points."""
    if not isinstance(message, types.Literal):  # Numba asks again without literals
        return None
    kind = value.type if isinstance(value, types.Optional) else value
    if not isinstance(kind, types.Integer | types.Boolean):
        raise TypingError(_sentence(message.literal_value, value))

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        number = _to_number(target, builder, signature, arguments)
        shifted = builder.add(number, _constant_word(LARGEST_SCORE))
        large = builder.icmp_unsigned(">", shifted, _constant_word(2 * LARGEST_SCORE))
        with builder.if_then(large, likely=False):
            target.call_conv.return_user_exc(builder, OverflowError, ("too many points",))
        return number

    return types.int64(value, message), generate


@intrinsic
def is_given(context: Context, value: Type) -> Intrinsic:  # Numba's signature
    """Return whether the result of a hook is not None."""

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        if isinstance(value, types.Optional):
            return target.make_helper(builder, value, value=arguments[0]).valid
        return target.get_constant(types.boolean, not isinstance(value, types.NoneType))

    return types.boolean(value), generate


@intrinsic(prefer_literal=True)
def present_value(context: Context, value: Type, message: Type) -> Intrinsic:  # Numba's signature
    """Return the result of a hook as a 64-bit integer, after ``is_given`` returned true."""
    if not isinstance(message, types.Literal):  # Numba asks again without literals
        return None
    kind = value.type if isinstance(value, types.Optional) else value
    if isinstance(kind, types.NoneType):  # never run, as ``given`` is false
        zero = lambda target, *_: target.get_constant(types.int64, 0)  # noqa: E731  # shortest
        return types.int64(value, message), zero
    if isinstance(kind, types.Boolean) or not isinstance(kind, types.Integer):
        raise TypingError(_sentence(message.literal_value, kind))
    return types.int64(value, message), _to_number


def _sentence(message: str, kind: Type) -> str:
    """Return the error message for a value of a type other than the one required."""
    verb, _, remedy = message.partition("|")
    noun = kind if isinstance(kind, str) else named(kind)
    if "fraction" in noun:
        remedy = remedy_for(noun)
    return f"{MARK}{verb} {noun}; {remedy}{' on every path' * noun.endswith('None')}"


def _to_number(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
    kind, value = signature.args[0], arguments[0]
    if isinstance(kind, types.Optional):
        kind, value = kind.type, _checked(target, builder, kind, value)
    return target.cast(builder, value, kind, types.int64)


def _checked(target: Target, builder: Builder, kind: Type, value: Value) -> Value:
    """Return the value of an optional one, or raise if it is None."""
    optional = target.make_helper(builder, kind, value=value)
    with builder.if_then(builder.not_(optional.valid), likely=False):
        target.call_conv.return_user_exc(builder, TypeError, ("a rule returned None",))
    return optional.data


@intrinsic(prefer_literal=True)
def checked_record(
    context: Context, value: Type, kind: Type, message: Type
) -> Intrinsic:  # Numba's signature
    """Return a record, after checking its class."""
    if not isinstance(message, types.Literal):  # Numba asks again without literals
        return None
    if getattr(value, "instance_class", None) is not kind.instance_class:
        raise TypingError(_sentence(message.literal_value, value))
    return value(value, kind, message), _borrowed


def _borrowed(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
    if target.enable_nrt:
        target.nrt.incref(builder, signature.return_type, arguments[0])
    return arguments[0]


@intrinsic(prefer_literal=True)
def tuple_of_length(
    context: Context, value: Type, count: Type, message: Type
) -> Intrinsic:  # Numba's signature
    """Return a tuple, after checking that it has ``count`` items."""
    if not isinstance(message, types.Literal):  # Numba asks again without literals
        return None
    kind = value.type if isinstance(value, types.Optional) else value
    if not isinstance(kind, types.BaseTuple):
        raise TypingError(_sentence(message.literal_value, value))
    if len(kind) != count.literal_value:
        raise TypingError(_sentence(message.literal_value, f"a tuple of {len(kind)}"))

    def generate(target: Target, builder: Builder, signature: Signature, arguments: Value) -> Value:
        items = arguments[0]
        if isinstance(value, types.Optional):
            items = _checked(target, builder, value, items)
        if target.enable_nrt:
            target.nrt.incref(builder, kind, items)
        return items

    return kind(value, count, message), generate
