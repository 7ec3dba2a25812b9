"""The interface of indexes: positions and the number of each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint64Array

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Packed positions, and their places.
Chunk: TypeAlias = tuple[Uint64Array, Int64Array]

#: Positions in a batch when an index is scanned.
PAGE = 1 << 13


class Index(ABC):
    """The positions of a table and the number of each: its *place*.

    Attributes:
        words: 64-bit words of a packed position.
        span: a number greater than every place.
        saved_as: the name of the form of table files that the index is saved in.
        is_ordered: whether the positions of its file were found to ascend strictly, so that a
            binary search finds each of them.
    """

    words: int
    span: int
    saved_as = "listed"
    is_ordered = False

    @property
    def bytes(self) -> int:
        """The bytes of memory that the index takes before any look-up, files excluded."""
        return 0

    @abstractmethod
    def places(self, packed: Uint64Array, count: int, out: Int64Array) -> int:
        """Find ``count`` packed positions (``count * words`` words).

        ``out`` receives the place of each, -1 if it is missing. Returns the number found.
        """

    @abstractmethod
    def finder(self, packed: Uint64Array) -> Callable[[], int]:
        """Return a function that gives the place of the position in ``packed``, or -1.

        The caller writes the position into ``packed`` before each call, in one thread.
        """

    @abstractmethod
    def packed(self, places: Int64Array) -> Uint64Array:
        """Return the packed positions at places, ``words`` words each."""

    def pages(self) -> Iterator[Int64Array]:
        """Yield all places in ascending order, at most ``PAGE`` in a batch."""
        for begin in range(0, self.span, PAGE):
            yield np.arange(begin, min(begin + PAGE, self.span))

    def scan(self, size: int) -> Iterator[Chunk]:
        """Yield all positions in batches of about ``size``.

        Each batch is overwritten by the next.
        """
        for begin in range(0, self.span, size):
            places = np.arange(begin, min(begin + size, self.span))
            yield self.packed(places), places

    def potential(self, places: Int64Array) -> Int64Array:
        """Return numbers that decrease along every move, if no moves form a cycle."""
        return -places

    def steps(self, places: Int64Array) -> Int64Array:
        """Return the potential of ascending places in the coarsest known form."""
        return self.potential(places)

    @property
    def loaded_bytes(self) -> int:
        """The bytes of the loaded index; 0 if decompressing its file is sufficient."""
        return 0

    def loaded(self) -> Index:
        """Return the index in memory, which finds any position without decompressing.

        Raises:
            CorruptTableError: a block of its file is damaged.
        """
        return self

    def starts(self, packed: Uint64Array) -> Int64Array:
        """Return the distinct places of packed starts, shape (k, words), in order."""
        places = np.empty(len(packed), np.int64)
        self.places(np.ascontiguousarray(packed).reshape(-1), len(packed), places)
        return distinct_places(places)


def distinct_places(places: Int64Array) -> Int64Array:
    """Return the distinct places, in order of first occurrence."""
    return np.array(list(dict.fromkeys(places.tolist())), np.int64)
