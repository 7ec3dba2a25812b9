"""The interface of columns, and columns that are arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.scratch import memory_of, release_pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.values.kind import Kind

#: Values that are counted in one batch: NumPy converts them to wider integers.
_VALUES_PER_BATCH = 1 << 16


class Column(ABC):
    """Values by number, and the player to move.

    Attributes:
        count: the number of values.
        kind: the kind of the values.
        turns: whether the player to move is stored.
    """

    count: int
    kind: Kind
    turns: bool = False

    @property
    def bytes(self) -> int:
        """The bytes of memory that the column takes before any look-up, files excluded."""
        return 0

    @abstractmethod
    def values(self, numbers: Int64Array) -> npt.NDArray[Any]:
        """Return the values at numbers, in the type of their kind."""

    @abstractmethod
    def value(self, number: int) -> int:
        """Return the value at one number."""

    @abstractmethod
    def tally(self) -> dict[int, int]:
        """Return the number of times each code occurs."""

    def owners(self, numbers: Int64Array) -> Uint8Array:
        """Return the player to move at numbers; zeros if the players strictly alternate."""
        return np.zeros(len(numbers), np.uint8)

    def release_pages(self) -> None:  # noqa: B027  # most are no files
        """Release the memory pages of arrays that are mapped files."""

    def loaded(self) -> Column:
        """Return the column in memory.

        Raises:
            CorruptTableError: a block of their file is damaged.
        """
        return self

    def prober(
        self,
        find: Callable[[], int],
        packed: Uint64Array,  # noqa: ARG002  # see pursuit
    ) -> Callable[[], int]:
        """Return a function that gives the value of the packed position in ``packed``.

        Args:
            find: returns the number of the position, -1 if it is missing; see ``Index.finder``.
            packed: an array into which the caller writes the position before each call, in one
                thread.

        Returns:
            A function that returns the value, or ``kind.unknown`` if the position is missing.
        """
        value, unknown = self.value, self.kind.unknown

        def probe() -> int:
            number = find()
            return value(number) if number >= 0 else unknown

        return probe


class ArrayColumn(Column):
    """Values in an array, in memory or in a mapped file.

    Attributes:
        stored: the stored code at each number.
        owner: the player to move at each, or empty if the players strictly alternate.
        meaning: the 32-bit codes of stored ones, negative ones from the end; or None if 32-bit
            codes are stored.
    """

    def __init__(
        self,
        kind: Kind,
        stored: IntArray,
        owner: Uint8Array,
        meaning: Int32Array | None = None,
        count: int | None = None,
    ) -> None:
        """Store the arrays.

        Args:
            kind: the kind of the values.
            stored: the stored code at each number.
            owner: the player to move at each number, or empty.
            meaning: the codes that stored ones stand for, or None.
            count: the number of values, if 0 is stored at numbers without one; by default each
                number has a value.
        """
        self.kind = kind
        self.stored = stored
        self.owner = owner
        self.meaning = meaning
        self.count = len(stored) if count is None else count
        self.turns = len(owner) > 0

    @property
    def bytes(self) -> int:
        """The bytes of memory that its arrays take."""
        return memory_of(self.stored, self.owner)

    def values(self, numbers: Int64Array) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        stored = self.stored[numbers]
        return stored if self.meaning is None else self.meaning.take(stored)

    def value(self, number: int) -> int:
        """Return the value at one number."""
        stored: int = self.stored.item(number)
        return stored if self.meaning is None else self._meaning_list[stored]

    @cached_property
    def _meaning_list(self) -> list[int]:
        return [] if self.meaning is None else self.meaning.tolist()

    def owners(self, numbers: Int64Array) -> Uint8Array:
        """Return the player to move at numbers."""
        return self.owner[numbers] if self.turns else super().owners(numbers)

    def prober(
        self,
        find: Callable[[], int],
        packed: Uint64Array,  # noqa: ARG002  # see pursuit
    ) -> Callable[[], int]:
        """Return a function that gives the value of a packed position; see ``Column``."""
        read_code, meanings, unknown = self.stored.item, self._meaning_list, self.kind.unknown

        def probe() -> int:
            number = find()
            return read_code(number) if number >= 0 else unknown

        def probe_meaning() -> int:
            number = find()
            return meanings[read_code(number)] if number >= 0 else unknown

        return probe_meaning if meanings else probe

    def release_pages(self) -> None:
        """Release the memory pages of its arrays, if they are mapped files."""
        release_pages(self.stored, self.owner)

    def tally(self) -> dict[int, int]:
        """Return the number of times each code occurs."""
        counts = self._code_counts()
        absent = len(self.stored) - self.count
        if absent:
            counts[0] -= absent
        meanings = self._meaning_list
        return {meanings[n] if meanings else n: count for n, count in counts.items() if count}

    def _code_counts(self) -> dict[int, int]:
        """Return the number of times each stored code occurs."""
        stored = self.stored
        if stored.itemsize > 2:  # too many possible codes for an array of counts
            return codes.value_counts(stored)
        unsigned = np.dtype(f"u{stored.itemsize}")
        counts = np.zeros(1 << 8 * stored.itemsize, np.int64)
        for begin in range(0, len(stored), _VALUES_PER_BATCH):
            part = stored[begin : begin + _VALUES_PER_BATCH].view(unsigned)
            part_counts = np.bincount(part)
            counts[: len(part_counts)] += part_counts
            release_pages(stored)
        present = np.flatnonzero(counts)
        numbers = present.astype(unsigned).view(stored.dtype)
        return dict(zip(numbers.tolist(), counts[present].tolist(), strict=True))
