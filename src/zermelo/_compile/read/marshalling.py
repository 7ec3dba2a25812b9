"""Marshalling of game data: the flat arrays passed to compiled rules, and how they are rebuilt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

import numpy as np

from zermelo._compile.read.constants import (
    Members,
    UnfitError,
    checked_number,
    is_numbers,
    read_attribute,
    rejection,
)
from zermelo._compile.support.nested_tuples import depths_of, flatten, offsets_of, slots_of
from zermelo.errors import ParameterError
from zermelo.game.contract import Game

#: The greatest depth of nested rows.
MOST_DEPTH = 3
#: The greatest length of a tuple of mixed types, whose items rules index by constants.
MOST_MIXED = 32
#: The greatest length of tuples in a dict or a field that remain tuples when compiled.
MOST_SHORT = 8

#: Returns the name of a NamedTuple class in the generated module.
Record = Callable[[type], str]


class DataShape(Protocol):
    """The form in which data are passed. Its text describes and distinguishes it."""

    @property
    def arrays(self) -> int:
        """The number of arrays (or numbers)."""

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the arrays (or the number)."""

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return the expression that rebuilds the data from arrays with these names."""

    def fits(self, value: Any) -> bool:
        """Return whether other data have this shape."""


class _ExactShape:
    """A shape of data that would be passed in exactly this form."""

    def fits(self, value: Any) -> bool:
        """Return whether other data have this shape."""
        return str(shape_of(value)) == str(self)


@dataclass(frozen=True)
class NumberShape(_ExactShape):
    """A whole number."""

    arrays = 1

    def __str__(self) -> str:
        """Return a text that distinguishes the shape."""
        return "number"

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the number."""
        return [int(value)]

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return its name."""
        del record
        return names[0]


@dataclass(frozen=True)
class ArrayShape(_ExactShape):
    """A NumPy array and its number of dimensions."""

    dimensions: int
    boolean: bool
    arrays = 1

    def __str__(self) -> str:
        """Return a text that distinguishes the shape."""
        return f"array{self.dimensions}" + "b" * self.boolean

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the array."""
        return [value]

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return its name."""
        del record
        return names[0]


@dataclass(frozen=True)
class RowsShape:
    """Numbers in rows, nested ``depth`` deep."""

    depth: int

    def __str__(self) -> str:
        """Return a text that distinguishes the shape."""
        return "array1" if self.depth == 1 else f"rows{self.depth}"

    @property
    def arrays(self) -> int:
        """The number of arrays: one for each depth."""
        return self.depth

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the offsets of each depth, and the numbers."""
        return list(flatten(value, self.depth))

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return rows of rows of the numbers."""
        del record
        return _nested(names)

    def fits(self, value: Any) -> bool:
        """Return whether other data can be passed as rows of this depth."""
        if isinstance(value, np.ndarray):
            return self.depth == 1 and str(shape_of(value)) == str(self)
        depths = depths_of(value) if isinstance(value, tuple) else None
        return depths is not None and depths[0] <= self.depth <= depths[1]


@dataclass(frozen=True)
class TextsShape(_ExactShape):
    """A string, at depth 1; rows of strings, nested one deeper."""

    depth: int

    def __str__(self) -> str:
        """Return a text that distinguishes the shape."""
        return f"text{self.depth}"

    @property
    def arrays(self) -> int:
        """The number of arrays: one for each depth."""
        return self.depth

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the offsets of each depth, and the code points."""
        return list(flatten(_codes(value), self.depth))

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return rows of texts."""
        del record
        return _nested([*names[:-1], f"_z.make_text({names[-1]})"])


@dataclass(frozen=True)
class RecordsShape(_ExactShape):
    """Tuples with equal fields: a column for each."""

    kind: type | None
    columns: tuple[DataShape, ...]

    def __str__(self) -> str:
        """Return a text that distinguishes the shape."""
        name = "" if self.kind is None else self.kind.__name__
        return f"records {name}({', '.join(map(str, self.columns))})"

    @property
    def arrays(self) -> int:
        """The number of arrays of all columns."""
        return sum(column.arrays for column in self.columns)

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the arrays of each column."""
        columns = zip(self.columns, zip(*value, strict=True), strict=True)
        return [array for shape, items in columns for array in shape.as_arrays(items)]

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return records of the columns."""
        parts = ", ".join(_rebuild_expressions(self.columns, names, record))
        kind = None if self.kind is None else record(self.kind)
        return f"_z.make_records({kind}, ({parts},))"


@dataclass(frozen=True)
class GroupsShape(_ExactShape):
    """Rows of records, or of other items that are not rows of numbers."""

    contents: DataShape

    def __str__(self) -> str:
        """Return a text that distinguishes the shape."""
        return f"groups({self.contents})"

    @property
    def arrays(self) -> int:
        """The number of arrays: the begin of each row, and those of the contents."""
        return 1 + self.contents.arrays

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the begin of each row, and the arrays of the contents."""
        offsets = offsets_of(value)
        return [offsets, *self.contents.as_arrays(tuple(chain.from_iterable(value)))]

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return rows of the contents."""
        return f"_z.make_rows({names[0]}, {self.contents.rebuild_expression(names[1:], record)})"


@dataclass(frozen=True)
class OneShape(_ExactShape):
    """A single record, or a tuple of mixed types."""

    kind: type | None
    parts: tuple[DataShape, ...]

    def __str__(self) -> str:
        """Return a text that distinguishes the shape."""
        name = "" if self.kind is None else self.kind.__name__
        return f"one {name}({', '.join(map(str, self.parts))})"

    @property
    def arrays(self) -> int:
        """The number of arrays of all parts."""
        return sum(part.arrays for part in self.parts)

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the arrays of each part."""
        parts = zip(self.parts, value, strict=True)
        return [array for shape, item in parts for array in shape.as_arrays(item)]

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return the tuple."""
        parts = ", ".join(_rebuild_expressions(self.parts, names, record))
        return f"({parts},)" if self.kind is None else f"{record(self.kind)}({parts})"


@dataclass(frozen=True)
class LookupShape(_ExactShape):
    """A dict, or a set, which has no values."""

    keys: DataShape
    values: DataShape | None

    def __str__(self) -> str:
        """Return a text that distinguishes the shape."""
        return f"set({self.keys})" if self.values is None else f"dict({self.keys}: {self.values})"

    @property
    def arrays(self) -> int:
        """The number of arrays: the slots, and those of keys and values."""
        return 1 + self.keys.arrays + (0 if self.values is None else self.values.arrays)

    def as_arrays(self, value: Any) -> list[Any]:
        """Return the slots, and the arrays of keys and values."""
        slots = slots_of([tuple(_numbers(key)) for key in value])
        slots.flags.writeable = False
        arrays = self.keys.as_arrays(_in_form_of(self.keys, tuple(value)))
        if self.values is not None:
            arrays += self.values.as_arrays(_in_form_of(self.values, tuple(value.values())))
        return [slots, *arrays]

    def rebuild_expression(self, names: list[str], record: Record) -> str:
        """Return the look-up."""
        keys, values = names[1 : 1 + self.keys.arrays], names[1 + self.keys.arrays :]
        values_expression = (
            None if self.values is None else self.values.rebuild_expression(values, record)
        )
        keys_expression = self.keys.rebuild_expression(keys, record)
        return f"_z.make_lookup({names[0]}, {keys_expression}, {values_expression})"


@dataclass(frozen=True)
class DataArgument:
    """Data passed to compiled rules.

    Attributes:
        name: its name in the generated module.
        shape: its shape.
        path: its source: the name of a parameter or property, with attributes after dots, or None
            for a constant.
        value: the value of a constant.
    """

    name: str
    shape: DataShape
    path: str | None
    value: Any = field(default=None, compare=False)

    @property
    def arrays(self) -> int:
        """The number of arrays (or numbers)."""
        return self.shape.arrays

    def fits(self, game: Game) -> bool:
        """Return whether a game's data at this path have this shape."""
        if self.path is None:
            return True
        try:
            return self.shape.fits(read_attribute(game, self.path))
        except UnfitError:
            return False

    def as_arrays(self, game: Game) -> list[Any]:
        """Return the arrays (or the number) to pass for a game.

        Raises:
            ParameterError: a number exceeds 64 bits.
        """
        value = self.value if self.path is None else read_attribute(game, self.path)
        try:
            return self.shape.as_arrays(value)
        except OverflowError:
            owner = "a constant of" if self.path is None else f"{self.path} of"
            message = f"{owner} {type(game).__name__} holds a number past 64 bits; use smaller ones"
            raise ParameterError(message) from None


def shape_of(value: Any) -> DataShape:
    """Return the shape of data in immutable form.

    Raises:
        UnfitError: rules cannot use them.
    """
    if type(value) is int:
        checked_number(value)
        return NumberShape()
    if isinstance(value, np.ndarray):
        return ArrayShape(value.ndim, value.dtype == np.bool_)
    if isinstance(value, str):
        return TextsShape(1)
    if isinstance(value, Members):
        return _lookup(tuple(value), None)
    if isinstance(value, dict):
        return _lookup(tuple(value), tuple(value.values()))
    if isinstance(value, tuple):
        return _record_shape(value) if hasattr(value, "_fields") else _row(value)
    raise UnfitError(rejection(value))


def _row(value: tuple[Any, ...]) -> DataShape:
    """Return the shape of a row."""
    depths = depths_of(value)
    if depths is not None and not _holds_records(value):
        if depths[0] > MOST_DEPTH:
            message = f"is nested {depths[0]} deep; at most {MOST_DEPTH} is possible"
            raise UnfitError(message)
        return RowsShape(depths[0])
    depth = _depth_of_texts(value)
    if depth is not None:
        return TextsShape(depth)
    try:
        return _records(value)
    except UnfitError:
        pass
    try:
        return _groups(value)
    except UnfitError:
        if len(value) <= MOST_MIXED and all(item is not None for item in value):
            return _record_shape(value)
        raise


def _records(value: tuple[Any, ...]) -> DataShape:
    """Return the shape of a row of tuples with equal fields."""
    first = value[0]
    fields = getattr(first, "_fields", None)
    for item in value:
        if not isinstance(item, tuple) or getattr(item, "_fields", None) != fields:
            raise UnfitError(_mixture_problem(value))
        if len(item) != len(first) or not item:
            raise UnfitError(_mixture_problem(value))
    columns = tuple(_column(column) for column in zip(*value, strict=True))
    return RecordsShape(type(first) if fields is not None else None, columns)


def _column(value: tuple[Any, ...]) -> DataShape:
    """Return the shape of the items of one field: short tuples of equal length remain tuples."""
    first = value[0]
    short = type(first) is tuple and 0 < len(first) <= MOST_SHORT and is_numbers(value)
    if short and all(isinstance(item, tuple) and len(item) == len(first) for item in value):
        return _records(value)
    return _row(value)


def _groups(value: tuple[Any, ...]) -> DataShape:
    """Return the shape of rows of records."""
    if not all(isinstance(item, tuple) and not hasattr(item, "_fields") for item in value):
        raise UnfitError(_mixture_problem(value))
    return GroupsShape(_row(tuple(chain.from_iterable(value))))


def _record_shape(value: tuple[Any, ...]) -> DataShape:
    """Return the shape of a single record, or of a tuple of mixed types."""
    kind = type(value) if hasattr(value, "_fields") else None
    return OneShape(kind, tuple(map(shape_of, value)))


def _mixture_problem(value: tuple[Any, ...]) -> str:
    invalid = _first_invalid(value)
    if invalid is not None:
        return rejection(invalid, "holds")
    return "is a tuple of mixed types; keep numbers and rows of numbers apart"


def _holds_records(value: Any) -> bool:
    # Long tables of numbers are scanned at each use, so that a number must cost little.
    return isinstance(value, tuple) and any(
        hasattr(item, "_fields") or _holds_records(item) for item in value if type(item) is not int
    )


def _lookup(keys: tuple[Any, ...], values: tuple[Any, ...] | None) -> DataShape:
    noun = "a set" if values is None else "a dict"
    if not keys:
        message = f"is {noun} that holds nothing; put something into it, or leave it out"
        raise UnfitError(message)
    letters = all(isinstance(key, str) and len(key) == 1 for key in keys)
    if not letters and any(isinstance(key, str) for key in keys):
        invalid = next(key for key in keys if isinstance(key, str))
        message = (
            f"is {noun} with the key {invalid!r}; rules look up strings in it only where they are "
            "written out, so use whole numbers, or single characters, for keys"
        )
        raise UnfitError(message)
    shape: DataShape = TextsShape(1) if letters else _keys(keys, noun)
    return LookupShape(shape, None if values is None else _column(values))


def _keys(keys: tuple[Any, ...], noun: str) -> DataShape:
    """Return the shape of keys that are numbers, or tuples of numbers of equal length."""
    try:
        if all(isinstance(key, int) for key in keys):
            return _row(keys)
        if is_numbers(keys):
            return _records(keys)
    except UnfitError:
        pass
    message = f"is {noun} of unlike keys; use whole numbers, or tuples of as many, for keys"
    raise UnfitError(message)


def _in_form_of(shape: DataShape, items: tuple[Any, ...]) -> Any:
    """Return keys or values in the form of their shape: single characters make one string."""
    return "".join(items) if isinstance(shape, TextsShape) and shape.depth == 1 else items


def _numbers(key: Any) -> list[int]:
    """Return the numbers of a key."""
    if isinstance(key, tuple):
        return [number for item in key for number in _numbers(item)]
    return [ord(key)] if isinstance(key, str) else [int(key)]


def _codes(value: Any) -> Any:
    return tuple(map(ord, value)) if isinstance(value, str) else tuple(map(_codes, value))


def _depth_of_texts(value: Any) -> int | None:
    """Return the depth of nested strings, or None if there is anything else."""
    if isinstance(value, str):
        return 1
    if not isinstance(value, tuple) or hasattr(value, "_fields") or not value:
        return None
    depths = {_depth_of_texts(item) for item in value}
    depth = depths.pop()
    return None if depth is None or depths else depth + 1


def _rebuild_expressions(
    shapes: tuple[DataShape, ...], names: list[str], record: Record
) -> Iterator[str]:
    """Yield the expressions that rebuild several data whose arrays are consecutive."""
    for shape in shapes:
        yield shape.rebuild_expression(names[: shape.arrays], record)
        names = names[shape.arrays :]


def _nested(names: list[str]) -> str:
    """Return the expression for rows of rows, outermost first."""
    if len(names) == 1:
        return names[0]
    return f"_z.make_rows({names[0]}, {_nested(names[1:])})"


def _first_invalid(value: Any) -> Any:
    """Return the first item inside nested tuples that is neither a tuple nor a whole number."""
    for item in value:
        invalid = _first_invalid(item) if isinstance(item, tuple) else item
        if invalid is not None and not isinstance(invalid, int):
            return invalid
    return None
