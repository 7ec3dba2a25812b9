"""The values of names in rules, in immutable form, and which values are written into the code.

Numbers are written into the code, which lets the compiler fold them. Rows and arrays are passed to
the compiled rules as arguments, so that another graph or another row of piles compiles nothing.
"""

from __future__ import annotations

import enum
import functools
import math
from collections import namedtuple
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numpy as np

from zermelo.errors import ParameterError
from zermelo.game.contract import Game, parameter_names
from zermelo.game.parameters import normalise

#: The greatest length of a constant tuple that is written into the code.
MOST_LITERALS = 64

_NUMBERS = frozenset({int, bool, type(None)})
_ROWS = frozenset({tuple, list})


class UnfitError(Exception):
    """A value cannot be used in rules; the message has the reason and an alternative."""


def is_derived(game: Game, name: str) -> bool:
    """Return whether an attribute is computed from parameters, and so may differ between games."""
    kind = type(game)
    if name in parameter_names(game):
        return False
    is_own_attribute = not hasattr(kind, name) and hasattr(game, name)
    return is_own_attribute or isinstance(getattr(kind, name, None), property | cached_property)


def has_rows(game: Game) -> bool:
    """Return whether a game has rows or arrays, so that its class has games of many sizes."""
    return any(
        isinstance(getattr(game, name), tuple | np.ndarray) for name in parameter_names(game)
    )


def read_attribute(game: Game, path: str) -> Any:
    """Return a parameter or property of a game, or an attribute of one, in its immutable form.

    Raises:
        UnfitError: rules cannot use it.
    """
    name, *attributes = path.split(".")
    value = getattr(game, name)
    for attribute in attributes:
        value = getattr(value, attribute)
    is_parameter = path in parameter_names(game) and not isinstance(value, enum.Enum)
    return value if is_parameter else constant(value)


def constant(value: object) -> Any:
    """Return a module's or class's constant in its immutable form.

    Raises:
        UnfitError: rules cannot use it.
    """
    if isinstance(value, enum.EnumType):
        value = tuple(value)
    if isinstance(value, float | complex | bytes):
        raise UnfitError(rejection(value))
    if isinstance(value, dict):
        return {constant(key): constant(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return Members(constant(item) for item in value)
    if isinstance(value, enum.Enum) and not isinstance(value, int):
        return member(value)
    if isinstance(value, np.ndarray | np.integer) and value.dtype.kind in "iu":
        _check_width(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(constant, value))
    if isinstance(value, tuple | list) and not _is_plain(value):
        return tuple(map(constant, value))
    try:
        return normalise("constant", value)
    except ParameterError:
        message = f"is {words(value)}; rules compute with whole numbers, so convert it to integers"
        raise UnfitError(message) from None


def _check_width(value: Any) -> None:
    """Reject NumPy numbers with less than 64 bits or without a sign.

    Raises:
        UnfitError: they wrap around in Python where compiled ones do not.
    """
    if value.dtype.kind == "i" and value.dtype.itemsize == np.dtype(np.int64).itemsize:
        return
    if isinstance(value, np.ndarray):
        description, remedy = "an array of narrow numbers, which wrap", ".astype(int)"
    else:
        description, remedy = "a narrow number of NumPy, which wraps", "int(...)"
    message = f"is {description} around in Python and not in rules; make it {remedy}"
    raise UnfitError(message)


class Members(tuple[Any, ...]):
    """The members of a set, in Python's order of iteration."""

    __slots__ = ()


def _is_plain(row: tuple[Any, ...] | list[Any]) -> bool:
    """Return whether a row contains only numbers and rows of numbers, as nearly all do."""
    kinds = set(map(type, row))  # without a loop, as rows may be long
    if kinds <= _NUMBERS:
        return True
    return kinds <= _ROWS and _is_plain(tuple(chain.from_iterable(row)))


def member(value: enum.Enum) -> Any:
    """Return an Enum's member in the form of rules: a record of its value, or else of its index."""
    kind, by_value = _members(type(value))
    return kind(constant(value.value) if by_value else list(type(value)).index(value))


@cache
def _members(kind: enum.EnumType) -> tuple[Any, bool]:
    """Return the class of the records for an Enum's members, and whether they contain values."""
    by_value = all(is_numbers(member.value) for member in kind)  # type: ignore[var-annotated]  # members of any kind
    factory: Any = namedtuple  # noqa: PYI024  # the name is known only now
    record = factory(kind.__name__, ["value" if by_value else "place"])
    record.of_enum = kind
    return record, by_value


def of_enum(value: object) -> bool:
    """Return whether a value is the record of an Enum's member."""
    return hasattr(type(value), "of_enum")


def is_numbers(value: object) -> bool:
    """Return whether a value is a number or a nested tuple of numbers."""
    return isinstance(value, int) or (isinstance(value, tuple) and all(map(is_numbers, value)))


def is_literal(value: object) -> bool:
    """Return whether a constant is a number, a character, or a short tuple or record."""
    if value is None or isinstance(value, int):
        return True
    if isinstance(value, str):
        return len(value) == 1
    if not isinstance(value, tuple) or isinstance(value, Members):
        return False
    if hasattr(value, "_fields"):
        return bool(value) and all(map(is_literal, value))
    return _is_even(value) and 0 < _count(value) <= MOST_LITERALS


def _is_even(value: tuple[Any, ...]) -> bool:
    """Return whether the rows of a nested tuple have equal lengths at each depth."""
    if all(isinstance(item, int) for item in value):
        return True
    if not all(type(item) is tuple for item in value):
        return False
    inner_items = [inner for item in value for inner in item]
    return len({len(item) for item in value}) == 1 and _is_even(tuple(inner_items))


def _count(value: object) -> int:
    return sum(_count(item) for item in value) if isinstance(value, tuple) else 1


def checked_number(value: int) -> int:
    """Return a number that fits in 64 bits.

    Raises:
        UnfitError: it does not.
    """
    if not -(1 << 63) <= value < 1 << 63:
        message = f"is {value:#x}, past 64 bits; split it over two numbers"
        raise UnfitError(message)
    return int(value) if not isinstance(value, bool) else value


def words(value: object) -> str:
    """Return a phrase for the type of a value."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def rejection(value: object, verb: str = "is") -> str:
    """Return why rules cannot use a value, and an alternative."""
    if isinstance(value, bytes):
        return f"{verb} the bytes {value!r}; turn them into a tuple of whole numbers"
    if isinstance(value, functools.partial):
        return f"{verb} a partial, which rules cannot use; call its function with all its arguments"
    if isinstance(value, complex):
        return f"{verb} the complex number {value!r}; rules compute with whole numbers, so use them"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{verb} {value!r}, not a whole number; use one that is larger than all others"
    if isinstance(value, float):
        return (
            f"{verb} the fraction {value!r}; rules compute with whole numbers, so scale it to one"
        )
    return f"{verb} {words(value)}, which rules cannot use; use whole numbers and tuples"
