"""The memory of a search's table: little at first, enlarged where it stands as it fills."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import LARGE, zeros

#: Buckets at first.
_BUCKETS = 1 << 10
#: How many times larger a table gets, and the least that is worth it.
_GROWTH, _WORTH = 2, 1.25


class SearchTable:
    """An array of buckets.

    Attributes:
        bucket: words of a bucket.
        array: the buckets.
    """

    def __init__(self, bucket: int, memory: int) -> None:
        """Begin small.

        Args:
            bucket: words of a bucket.
            memory: the most bytes that it may take.
        """
        self.bucket = bucket
        self.allow(memory)
        self.array: npt.NDArray[np.uint64] = zeros(_BUCKETS * bucket, np.uint64)
        self._whole: npt.NDArray[np.uint64] | None = None

    def allow(self, memory: int) -> None:
        """Change the most bytes that it may take."""
        self._most = max(memory // (8 * self.bucket), _BUCKETS)

    @property
    def buckets(self) -> int:
        """How many there are."""
        return len(self.array) // self.bucket

    def make(self, buckets: int) -> bool:
        """Have room for that number of buckets, with entries from elsewhere, if memory allows."""
        if self.buckets < buckets <= self._most:
            self.array = self._enlarged(buckets * self.bucket)
        return self.buckets == buckets

    def enlarge(self, spread: Callable[[npt.NDArray[np.uint64], int], int]) -> int | None:
        """Enlarge it, if memory allows.

        Args:
            spread: gives the entries their places in what it is given: the larger array, and how
                many buckets there were. It returns how many entries there are.

        Returns:
            How many entries there are, or None where it stays as it is.
        """
        before = self.buckets
        count = min(_GROWTH * before, self._most)
        if count < _WORTH * before:
            return None
        self.array = self._enlarged(count * self.bucket)
        return spread(self.array, before)

    def _enlarged(self, size: int) -> npt.NDArray[np.uint64]:
        """Return an array with ``size`` words that begins with what there is."""
        if self._whole is not None and size <= len(self._whole):
            return self._whole[:size]
        larger = zeros(size, np.uint64) if 8 * size < LARGE else self._reserved(size)
        larger[: len(self.array)] = self.array
        return larger[:size]

    def _reserved(self, size: int) -> npt.NDArray[np.uint64]:
        """Return an array of all that is allowed, whose memory is taken when it is written."""
        try:
            self._whole = zeros(self._most * self.bucket, np.uint64)
        except (OSError, MemoryError, OverflowError, ValueError):
            return zeros(size, np.uint64)  # it is copied each time
        return self._whole
