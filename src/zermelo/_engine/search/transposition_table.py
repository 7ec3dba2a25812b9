"""The memory of a transposition table: small at first, enlarged in place as it fills."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from zermelo._engine.core.array_types import Uint64Array
from zermelo._engine.core.memory import LARGE, zeros

#: Buckets at first.
_BUCKETS = 1 << 10
#: The growth factor of a table, and the least useful one.
_GROWTH, _LEAST_GROWTH = 2, 1.25


class SearchTable:
    """The array of buckets.

    Attributes:
        bucket: words of a bucket.
        array: the buckets.
    """

    def __init__(self, bucket: int, memory: int) -> None:
        """Create a small table.

        Args:
            bucket: words of a bucket.
            memory: the most bytes of the table.
        """
        self.bucket = bucket
        self.set_limit(memory)
        self.array: Uint64Array = zeros(_BUCKETS * bucket, np.uint64)
        self._reservation: Uint64Array | None = None

    def set_limit(self, memory: int) -> None:
        """Change the most bytes of the table."""
        self._most_buckets = max(memory // (8 * self.bucket), _BUCKETS)

    @property
    def buckets(self) -> int:
        """The number of buckets."""
        return len(self.array) // self.bucket

    def enlarge_to(self, buckets: int) -> bool:
        """Enlarge the table to ``buckets`` for copied entries, if memory allows.

        Return whether it has them.
        """
        if self.buckets < buckets <= self._most_buckets:
            self.array = self._enlarged(buckets * self.bucket)
        return self.buckets == buckets

    def enlarge(self, spread: Callable[[Uint64Array, int], int]) -> int | None:
        """Enlarge the table, if memory allows.

        Args:
            spread: moves the entries to their buckets; takes the larger array and the number of
                buckets before, and returns the number of entries.

        Returns:
            The number of entries, or None if the table was not enlarged.
        """
        old_count = self.buckets
        count = min(_GROWTH * old_count, self._most_buckets)
        if count < _LEAST_GROWTH * old_count:
            return None
        self.array = self._enlarged(count * self.bucket)
        return spread(self.array, old_count)

    def _enlarged(self, size: int) -> Uint64Array:
        """Return an array of ``size`` words that begins with the current ones."""
        if self._reservation is not None and size <= len(self._reservation):
            return self._reservation[:size]
        larger = zeros(size, np.uint64) if 8 * size < LARGE else self._reserved(size)
        larger[: len(self.array)] = self.array
        return larger[:size]

    def _reserved(self, size: int) -> Uint64Array:
        """Return an array of the greatest allowed size, which takes memory when written."""
        try:
            self._reservation = zeros(self._most_buckets * self.bucket, np.uint64)
        except (OSError, MemoryError, OverflowError, ValueError):
            return zeros(size, np.uint64)  # then each enlargement copies the table
        return self._reservation
