"""Strings in compiled rules: characters as numbers, strings as rows of them.

Rules may iterate over them, compare them and search for characters, but create no new ones.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, overload, register_model

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
from zermelo._compile.support.sequences import (
    Series,
    count_of,
    field_of,
    item_of,
    part_of,
    struct_of,
    with_field,
)
from zermelo._compile.support.type_names import MARK

_BITS = 64
_DIGITS = 10
_ZERO = ord("0")


class CharacterType(types.Type):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of a string of one character."""

    def __init__(self) -> None:
        """Create the type."""
        super().__init__(name="Character")


CHARACTER = CharacterType()


@register_model(CharacterType)
class _CharacterModel(models.PrimitiveModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: ModelManager, kind: CharacterType) -> None:
        super().__init__(manager, kind, ir.IntType(_BITS))


class TextType(Series):
    """The Numba type of a string: the code points of its characters."""

    def __init__(self, codes: Any) -> None:
        """Create the type for an array of this type."""
        self.codes = codes
        super().__init__(name=f"Text({codes})")

    @property
    def item(self) -> Type:
        """The type of a character."""
        return CHARACTER

    def count(self, context: Target, builder: Builder, value: Value) -> Value:
        """Return the number of characters."""
        return count_of(context, builder, self.codes, _codes(context, builder, self, value))

    def item_at(self, context: Target, builder: Builder, value: Value, place: Value) -> Value:
        """Return a character."""
        codes = _codes(context, builder, self, value)
        return item_of(context, builder, self.codes, codes, place)

    def part(
        self, context: Target, builder: Builder, value: Value, begin: Value, end: Value
    ) -> Value:
        """Return a slice of the characters."""
        codes = _codes(context, builder, self, value)
        part = part_of(context, builder, self.codes, codes, begin, end)
        return with_field(context, builder, self, value, "codes", part)


def _codes(context: Target, builder: Builder, kind: TextType, value: Value) -> Value:
    return field_of(context, builder, kind, value, "codes")


@register_model(TextType)
class _TextModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: ModelManager, kind: TextType) -> None:
        super().__init__(manager, kind, [("codes", kind.codes)])


@intrinsic
def make_text(context: Context, codes: Type) -> Intrinsic:  # Numba's signature
    """Return the text of an array of code points."""
    return TextType(codes)(codes), struct_of("codes")


@intrinsic
def character(context: Context, code: Type) -> Intrinsic:  # Numba's signature
    """Return the character of a code point."""

    def generate(
        target: Target, builder: Builder, call_signature: Signature, arguments: Value
    ) -> Value:
        return target.cast(builder, arguments[0], call_signature.args[0], types.int64)

    return CHARACTER(code), generate


@intrinsic
def _code(context: Context, value: Type) -> Intrinsic:  # Numba's signature
    return types.int64(value), lambda *arguments: arguments[-1][0]


@overload(ord)
def _ord(value):
    return (lambda value: _code(value)) if isinstance(value, CharacterType) else None


@overload(len)
def _length(value):
    return (lambda value: 1) if isinstance(value, CharacterType) else None  # named by Numba


class _CharacterComparison(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    def generic(self, arguments: Type, _: Any) -> Signature:
        """Return the signature of a comparison of two characters, or None."""
        if arguments == (CHARACTER, CHARACTER):
            return signature(types.boolean, *arguments)
        return None


for _operator, _sign in (
    *((operator.eq, "=="), (operator.ne, "!="), (operator.lt, "<")),
    *((operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")),
):
    infer_global(_operator)(type(f"_Of{_operator.__name__}", (_CharacterComparison,), {}))

    @lower_builtin(_operator, CharacterType, CharacterType)
    def _compared(
        _: Any, builder: Builder, call_signature: Signature, arguments: Value, sign: str = _sign
    ) -> Value:
        return builder.icmp_unsigned(sign, *arguments)


def _equality(left: Any, right: Any) -> Any:
    """Return the function that compares two strings for equality, or None for other types."""
    if isinstance(left, TextType) and isinstance(right, TextType):

        def equal_texts(left, right):
            if len(left) != len(right):
                return False
            for i in range(len(left)):
                if left[i] != right[i]:
                    return False
            return True

        return equal_texts
    if isinstance(left, TextType) and isinstance(right, CharacterType):
        return lambda left, right: len(left) == 1 and left[0] == right
    if isinstance(left, CharacterType) and isinstance(right, TextType):
        return lambda left, right: len(right) == 1 and right[0] == left
    return None


@overload(operator.eq)
def _equal(left, right):
    return _equality(left, right)


@overload(operator.ne)
def _unequal(left, right):
    if _equality(left, right) is None:
        return None
    return lambda left, right: not left == right  # noqa: SIM201  # which is what is defined


@overload(operator.contains)
def _in_text(items, item):
    if not isinstance(items, TextType):
        return None
    if not isinstance(item, CharacterType):
        message = f"{MARK}looks for more than a character in a string; compare them with =="
        raise TypingError(message)

    def contains(items, item):
        for candidate in items:
            if candidate == item:
                return True
        return False

    return contains


@overload(builtins.int)
def _digit(text):
    if not isinstance(text, CharacterType):
        return None

    def number(text):
        code = _code(text) - _ZERO
        if code < 0 or code >= _DIGITS:
            raise ValueError("not a digit")  # noqa: EM101, TRY003  # compiled: a constant
        return code

    return number
