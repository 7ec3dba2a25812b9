"""Descriptors that ``space()`` may give a field instead of a range, for common boards.

A range gives the numbers that a field may have. Many boards allow far less than all combinations of
their fields: no cell has two pieces, and their number is fixed. The descriptors here express this,
and allow the remaining positions to be numbered without a gap.

One descriptor may stand in several fields, and then applies to them together: two fields with one
``Disjoint`` share its cells, two fields with a ``Disjoint`` each are independent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, perm
from operator import index
from typing import Any

from zermelo.errors import ParameterError

#: The most bits of a field for cells: one less than a word has, as numbers have a sign.
MOST_CELLS = 63


@dataclass(frozen=True, eq=False)
class Descriptor(ABC):
    """The base of the descriptors."""

    @abstractmethod
    def bounds(self, integers: int) -> list[range]:
        """Return the numbers that each of ``integers`` integers may be, separately."""

    @abstractmethod
    def size(self, integers: int) -> int:
        """Return the number of combinations of ``integers`` integers."""

    @abstractmethod
    def misfit(self, integers: int) -> str | None:
        """Return why it cannot describe ``integers`` integers, or None if it can."""

    @abstractmethod
    def allows(self, numbers: Sequence[int]) -> bool:
        """Return whether the integers may have these values together."""


@dataclass(frozen=True, eq=False)
class Disjoint(Descriptor):
    """Fields whose bits are disjoint sets of cells.

    Attributes:
        cells: the number of cells, which are then the bits from 0, or the bits themselves.
        counts: for each field the number of cells in its set: a number, a range of numbers, or None
            for any. By default any.
    """

    cells: int | Sequence[int]
    counts: Sequence[int | range | None] | None = None

    def __post_init__(self) -> None:
        """Check the arguments.

        Raises:
            ParameterError: the cells, or a count, are invalid.
        """
        object.__setattr__(self, "cells", _cells(type(self).__name__, self.cells))
        if self.counts is not None:
            counts = tuple(_count(type(self).__name__, count, self.places) for count in self.counts)
            object.__setattr__(self, "counts", counts)

    @property
    def places(self) -> tuple[int, ...]:
        """The bits that stand for cells."""
        cells: Any = self.cells
        return tuple(cells)

    def allowed(self, integers: int) -> list[range]:
        """Return the sizes that each set may have."""
        any_size = range(len(self.places) + 1)
        counts: Any = self.counts or [None] * integers
        return [any_size if count is None else count for count in counts]

    @property
    def free(self) -> bool:
        """Whether the sets may have any size."""
        whole = range(len(self.places) + 1)
        return self.counts is None or all(count in (None, whole) for count in self.counts)

    def bounds(self, integers: int) -> list[range]:
        """Return the numbers with bits up to the last cell."""
        return [range(1 << (max(self.places) + 1))] * integers

    def ways(self, integers: int) -> list[list[int]]:
        """Return the number of choices of the sets from the i-th on among ``cells`` cells."""
        cells = len(self.places)
        table = [[1] * (cells + 1)]
        for sizes in reversed(self.allowed(integers)):
            later = table[0]
            row = [
                sum(comb(left, c) * later[left - c] for c in sizes if c <= left)
                for left in range(cells + 1)
            ]
            table.insert(0, row)
        return table

    def size(self, integers: int) -> int:
        """Return the number of choices of the sets."""
        if self.free:
            return int((integers + 1) ** len(self.places))
        return self.ways(integers)[0][-1]

    def allows(self, numbers: Sequence[int]) -> bool:
        """Return whether the integers may have these values together."""
        free = sum(1 << place for place in self.places)
        for number, sizes in zip(numbers, self.allowed(len(numbers)), strict=True):
            if number & ~free or number.bit_count() not in sizes:
                return False
            free &= ~number
        return True

    def misfit(self, integers: int) -> str | None:
        """Return why it cannot describe ``integers`` integers, or None if it can."""
        if self.counts is not None and len(self.counts) != integers:
            return f"{len(self.counts)} counts for {_fields(integers)}; give one a field"
        if not self.size(integers):
            return f"no way to put {self.counts!r} pieces on {len(self.places)} cells"
        return None


@dataclass(frozen=True, eq=False, init=False)
class Subsets(Disjoint):
    """A field whose bits are a set of cells.

    Attributes:
        cells: the number of cells, which are then the bits from 0, or the bits themselves.
        counts: the number of cells in the set: a number, a range of numbers, or None for any.
    """

    def __init__(self, cells: int | Sequence[int], count: int | range | None = None) -> None:
        """Store the cells, and the number of cells in the set.

        Raises:
            ParameterError: the cells, or the count, are invalid.
        """
        object.__setattr__(self, "cells", cells)
        object.__setattr__(self, "counts", (count,))
        self.__post_init__()

    def misfit(self, integers: int) -> str | None:
        """Return why it cannot describe ``integers`` integers, or None if it can."""
        if integers != 1:
            return f"one Subsets for {_fields(integers)}; use Disjoint, or one Subsets a field"
        return super().misfit(integers)


@dataclass(frozen=True, eq=False)
class Squares(Descriptor):
    """Integers that are the squares of pieces, with at most one piece on each square.

    Attributes:
        cells: how many squares there are; they are numbered from 0.
    """

    cells: int

    def __post_init__(self) -> None:
        """Check the argument.

        Raises:
            ParameterError: it is not a number of squares.
        """
        object.__setattr__(self, "cells", _whole(type(self).__name__, self.cells))
        if not 0 < self.cells <= MOST_CELLS + 1:
            message = f"{type(self).__name__}({self.cells!r}): give 1 to {MOST_CELLS + 1}"
            raise ParameterError(message)

    def bounds(self, integers: int) -> list[range]:
        """Return the squares."""
        return [range(self.cells)] * integers

    def size(self, integers: int) -> int:
        """Return the number of placements of the pieces."""
        return perm(self.cells, integers)

    def allows(self, numbers: Sequence[int]) -> bool:
        """Return whether the integers may have these values together."""
        different = len(set(numbers)) == len(numbers)
        return different and all(0 <= number < self.cells for number in numbers)

    def misfit(self, integers: int) -> str | None:
        """Return why it cannot describe ``integers`` integers, or None if it can."""
        if integers > self.cells:
            return f"{integers} pieces on {self.cells} squares; give more squares"
        return None


@dataclass(frozen=True, eq=False)
class Permutation(Squares):
    """A tuple of the numbers from 0, each once, in any order.

    Attributes:
        cells: how many numbers there are.
    """

    def misfit(self, integers: int) -> str | None:
        """Return why it cannot describe ``integers`` integers, or None if it can."""
        if integers != self.cells:
            return f"a Permutation of {self.cells} numbers for {_fields(integers)}; give as many"
        return None


#: A part of a space, with the indices of the integers of a position that it describes.
Part = tuple["range | Descriptor", tuple[int, ...]]


def space_parts(items: Iterable[tuple[Any, int]]) -> list[Part]:
    """Return the parts of a space.

    Args:
        items: for each field the item of ``space()``, which is a range, several or a descriptor,
            and the number of its integers.

    Returns:
        Each range with its integer, each descriptor with all of its integers, in the order of their
        first use.
    """
    parts: dict[int, tuple[Any, list[int]]] = {}
    offset = 0
    for values, integers in items:
        numbers = range(offset, offset + integers)
        if isinstance(values, Descriptor):
            parts.setdefault(id(values), (values, []))[1].extend(numbers)
        else:
            ranges = [values] * integers if isinstance(values, range) else values
            for range_, number in zip(ranges, numbers, strict=True):
                parts[-1 - number] = (range_, [number])
        offset += integers
    return [(values, tuple(numbers)) for values, numbers in parts.values()]


def part_size(part: Part) -> int:
    """Return the number of combinations of a part.

    For a range, those from its least to its greatest.
    """
    values, numbers = part
    if isinstance(values, Descriptor):
        return values.size(len(numbers))
    return abs(values[-1] - values[0]) + 1


def _cells(name: str, cells: object) -> tuple[int, ...]:
    if isinstance(cells, Iterable):
        places = tuple(_whole(name, cell) for cell in cells)
    else:
        places = tuple(range(_whole(name, cells)))
    if not places or len(set(places)) < len(places) or min(places) < 0:
        message = f"{name}({cells!r}): give a number of cells, or the bit of each, none twice"
        raise ParameterError(message)
    if max(places) >= MOST_CELLS:
        message = f"{name}({cells!r}): give bits from 0 to {MOST_CELLS - 1}; split the board"
        raise ParameterError(message)
    return tuple(sorted(places))


def _count(name: str, count: Any, places: tuple[int, ...]) -> range | None:
    if count is None:
        return None
    sizes = count if isinstance(count, range) else range(_whole(name, count), count + 1)
    if not sizes or min(sizes) < 0 or max(sizes) > len(places):
        message = (
            f"{name}: {len(places)} cells cannot hold {count!r} pieces; give 0 to {len(places)}"
        )
        raise ParameterError(message)
    return range(min(sizes), max(sizes) + 1) if abs(sizes.step) == 1 else sizes


def _whole(name: str, number: Any) -> int:
    try:
        return index(number)
    except TypeError:
        message = f"{name}: {number!r} is not a whole number; give one"
        raise ParameterError(message) from None


def _fields(integers: int) -> str:
    return "one integer" if integers == 1 else f"{integers} integers"
