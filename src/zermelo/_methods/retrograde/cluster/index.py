"""Positions in a file in the order of discovery, without an index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.scratch import memory_of, release_pages
from zermelo._engine.index.index import Chunk, Index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Positions compared in one batch with the one that is looked up.
_COMPARED = 1 << 16


class FileIndex(Index):
    """Positions that are written to a table, which builds its own index.

    A lookup compares a position with all others: this is for a table that could not be written.
    """

    def __init__(self, keys: npt.NDArray[np.uint64], words: int) -> None:
        """Store the packed positions, by number."""
        self.words = words
        self.span = len(keys) // words
        self._keys = keys

    @property
    def bytes(self) -> int:
        """The bytes of memory of its arrays."""
        return memory_of(self._keys)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Look up packed positions; see ``Index``."""
        wanted = packed[: count * self.words].reshape(-1, self.words)
        rows = self._keys.reshape(-1, self.words)
        out[:count] = -1
        for n in range(count):
            for begin in range(0, self.span, _COMPARED):
                same = (rows[begin : begin + _COMPARED] == wanted[n]).all(axis=1)
                if same.any():
                    out[n] = begin + int(np.argmax(same))
                    break
        return int((out[:count] >= 0).sum())

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that looks up one packed position; see ``Index``."""
        place = np.empty(1, np.int64)

        def find() -> int:
            self.places(packed, 1, place)
            return place.item()

        return find

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions with the given numbers."""
        return self._keys.reshape(-1, self.words).take(places, axis=0).reshape(-1)

    def scan(self, size: int) -> Iterator[Chunk]:
        """Scan all positions; see ``Index``."""
        for part in super().scan(size):
            yield part
            release_pages(self._keys)
