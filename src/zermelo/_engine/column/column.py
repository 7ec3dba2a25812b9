"""Values by number, and those of them that are an array."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.core.scratch import let_go, memory_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.values.kind import Kind

#: Values that are counted at a time: NumPy widens what it counts.
_COUNTED = 1 << 16


class Column(ABC):
    """Values by number, and whose turn it is.

    Attributes:
        count: how many there are.
        kind: the kind of value that they are.
        turns: whether it is said whose turn it is.
    """

    count: int
    kind: Kind
    turns: bool = False

    @property
    def bytes(self) -> int:
        """The bytes of memory that it takes before anything is asked, files left out."""
        return 0

    @abstractmethod
    def values(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at numbers, of the type that their kind has."""

    @abstractmethod
    def value(self, number: int) -> int:
        """Return the value at one number."""

    @abstractmethod
    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""

    def owners(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at numbers; zeros where the players strictly alternate."""
        return np.zeros(len(numbers), np.uint8)

    def let_go(self) -> None:  # noqa: B027  # most are no files
        """Let the system have the memory of what has been looked at, where it is in files."""

    def loaded(self) -> Column:
        """Return the same values in memory.

        Raises:
            CorruptTableError: a block of their file is damaged.
        """
        return self

    def prober(
        self,
        find: Callable[[], int],
        packed: npt.NDArray[np.uint64],  # noqa: ARG002  # see pursuit
    ) -> Callable[[], int]:
        """Return what tells the value of one packed position after another.

        Args:
            find: tells its number, -1 where it is not there; see ``Index.finder``.
            packed: an array that whoever asks writes the position into before. That is for one
                thread.

        Returns:
            What returns its value, or ``kind.unknown`` where it is not there.
        """
        value, unknown = self.value, self.kind.unknown

        def ask() -> int:
            number = find()
            return value(number) if number >= 0 else unknown

        return ask


class ArrayColumn(Column):
    """Values that stand in an array, in memory or in a file that is mapped.

    Attributes:
        stored: what stands at each number.
        owner: whose turn it is at each, or empty where the players strictly alternate.
        meaning: the codes that stored numbers stand for, the negative ones from the end; or None
            where codes are stored as they are.
    """

    def __init__(
        self,
        kind: Kind,
        stored: npt.NDArray[Any],
        owner: npt.NDArray[np.uint8],
        meaning: npt.NDArray[np.int32] | None = None,
        count: int | None = None,
    ) -> None:
        """Keep the arrays.

        Args:
            kind: the kind of value that they are.
            stored: see the attributes.
            owner: see the attributes.
            meaning: see the attributes.
            count: how many values there are, where 0 stands at the numbers that have none; by
                default each number has one.
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

    def values(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        stored = self.stored[numbers]
        return stored if self.meaning is None else self.meaning.take(stored)

    def value(self, number: int) -> int:
        """Return the value at one number."""
        stored: int = self.stored.item(number)
        return stored if self.meaning is None else self._meant[stored]

    @cached_property
    def _meant(self) -> list[int]:
        return [] if self.meaning is None else self.meaning.tolist()

    def owners(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at numbers."""
        return self.owner[numbers] if self.turns else super().owners(numbers)

    def prober(
        self,
        find: Callable[[], int],
        packed: npt.NDArray[np.uint64],  # noqa: ARG002  # see pursuit
    ) -> Callable[[], int]:
        """Return what tells the value of one packed position; see ``Column``."""
        at, meant, unknown = self.stored.item, self._meant, self.kind.unknown

        def ask() -> int:
            number = find()
            return at(number) if number >= 0 else unknown

        def ask_meaning() -> int:
            number = find()
            return meant[at(number)] if number >= 0 else unknown

        return ask_meaning if meant else ask

    def let_go(self) -> None:
        """Let the system have the memory of its arrays, where they are files."""
        let_go(self.stored, self.owner)

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        found = self._occurring()
        absent = len(self.stored) - self.count
        if absent:
            found[0] -= absent
        meant = self._meant
        return {meant[n] if meant else n: often for n, often in found.items() if often}

    def _occurring(self) -> dict[int, int]:
        """Return how often each number is stored."""
        stored = self.stored
        if stored.itemsize > 2:  # bytes, of which any number may occur
            return codes.counted(stored)
        unsigned = np.dtype(f"u{stored.itemsize}")
        often = np.zeros(1 << 8 * stored.itemsize, np.int64)
        for begin in range(0, len(stored), _COUNTED):
            part = stored[begin : begin + _COUNTED].view(unsigned)
            some = np.bincount(part)
            often[: len(some)] += some
            let_go(stored)
        there = np.flatnonzero(often)
        numbers = there.astype(unsigned).view(stored.dtype)
        return dict(zip(numbers.tolist(), often[there].tolist(), strict=True))
