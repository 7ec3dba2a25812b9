"""The contents of a position's field: a number, a tuple or a record, which may be nested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from operator import index
from typing import Any

from zermelo.game.records import fault_of, names_of, parts_of

#: The name of the start in messages if it is not a NamedTuple.
POSITION = "the position"
_WHOLE = "make positions whole numbers, or NamedTuples of whole numbers and tuples of them"
_PART = "make it a whole number, or a tuple of them, as long in each position"


class MisfitError(ValueError):
    """A value does not fit the layout; the message says why, for a caller to add the context."""


@dataclass(frozen=True)
class FieldType:
    """The shape of a value.

    Attributes:
        kind: its class: that of a number, ``tuple``, or a record class.
        parts: the shapes of its items; None for a number.
    """

    kind: type
    parts: tuple[FieldType, ...] | None = None

    @cached_property
    def count(self) -> int:
        """The number of integers in it."""
        return 1 if self.parts is None else sum(part.count for part in self.parts)

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is a number, or a tuple of numbers, all of them ``int``."""
        if self.parts is None:
            return self.kind is int
        return self.kind is tuple and all(
            part.parts is None and part.is_plain for part in self.parts
        )

    @property
    def field_names(self) -> tuple[str, ...]:
        """The names of the fields of a record; () for anything else."""
        return names_of(self.kind)

    def labels(self, label: str) -> Iterator[str]:
        """Yield the name of each number, in an item with the name ``label``."""
        if self.parts is None:
            yield label
            return
        for place, part in self._label_numbers(label):
            yield from part.labels(place)

    def _label_numbers(self, label: str) -> Iterator[tuple[str, FieldType]]:
        names = self.field_names
        for n, part in enumerate(self.parts or ()):
            yield (f"{label}.{names[n]}" if names else f"{label}[{n}]"), part

    def flatten(self, label: str, value: Any) -> Iterator[int]:
        """Yield the numbers of a value.

        Raises:
            MisfitError: it does not have this shape.
        """
        if self.parts is None:
            yield as_integer(label, value)
            return
        items = tuple(value) if isinstance(value, list) else parts_of(value)
        if items is None or len(items) != len(self.parts):
            message = f"{label} must be {self.description()}, not {value!r}"
            raise MisfitError(message)
        for (place, part), item in zip(self._label_numbers(label), items, strict=True):
            yield from part.flatten(place, item)

    def build(self, numbers: Iterator[int]) -> Any:
        """Return the value with these numbers, in the classes of this shape."""
        if self.parts is None:
            return _as(self.kind, next(numbers))
        items = [part.build(numbers) for part in self.parts]
        return self.kind(*items) if self.field_names else self.kind(items)

    def description(self) -> str:
        """Return a description, for messages."""
        if self.parts is None:
            return "a whole number"
        if self.field_names:
            return f"{self.kind.__name__}({', '.join(self.field_names)})"
        return (
            f"a tuple of {len(self.parts)} integers"
            if self.is_plain
            else f"a tuple of {len(self.parts)}"
        )

    def kinds(self) -> Iterator[FieldType]:
        """Yield all records in it, including itself."""
        if self.field_names:
            yield self
        for part in self.parts or ():
            yield from part.kinds()


class InvalidStartError(Exception):
    """A start contains something that positions cannot contain; the message says where and what."""


def field_type(label: str, value: Any) -> FieldType:
    """Return the shape of a value.

    Raises:
        InvalidStartError: it is not a number, tuple or record, or contains something else.
    """
    items = parts_of(value)
    if items is None:
        return FieldType(_number(label, value))
    fault = fault_of(type(value))
    if fault is not None:
        message = f"has {label} = {value!r}, whose class {type(value).__name__} {fault}"
        raise InvalidStartError(message)
    names = names_of(type(value))
    labels = [f"{label}.{name}" for name in names] or [f"{label}[{n}]" for n in range(len(items))]
    parts = tuple(field_type(place, item) for place, item in zip(labels, items, strict=True))
    return FieldType(type(value) if names else tuple, parts)


def _number(label: str, value: Any) -> type:
    try:
        number = index(value)
    except TypeError:
        fault = fault_of(type(value))
        remedy = _WHOLE if label == POSITION else _PART
        clause = f", which {fault}" if fault else f"; {remedy}"
        message = f"has {label} = {value!r}, a {type(value).__name__}{clause}"
        raise InvalidStartError(message) from None
    if getattr(value, "dtype", "int64") not in ("int64", "bool"):
        message = f"has {label} = {value!r}, which NumPy lets wrap around; make it int(...)"
        raise InvalidStartError(message)
    if not -(1 << 63) <= number < 1 << 63:
        message = f"has {label} = {number!r}, past 64 bits; split it over two fields"
        raise InvalidStartError(message)
    # Rules can distinguish an enumeration or a boolean from a number.
    return type(value) if isinstance(value, bool | IntEnum) else int


def as_integer(name: str, value: Any) -> int:
    """Return a value as an integer.

    Raises:
        MisfitError: it is not an integer.
    """
    try:
        return index(value)
    except TypeError:
        message = f"{name} must be an integer, not {value!r}"
        raise MisfitError(message) from None


def _as(kind: type, number: int) -> Any:
    """Return a number as a member of a class, or unchanged if the class has no such member."""
    if kind is int or (kind is bool and number not in (0, 1)):
        return number
    try:
        return kind(number)
    except ValueError:
        return number
