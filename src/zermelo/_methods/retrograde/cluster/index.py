"""Positions in a file in the order in which they were found, without anything to find them by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.scratch import let_go, memory_of
from zermelo._engine.index.index import Chunk, Index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Positions that are compared at once with one that is looked for.
_COMPARED = 1 << 16


class FileIndex(Index):
    """Positions that are written to a table, which has an index of its own.

    One that is looked for is compared with all: this is for a table that could not be written.
    """

    def __init__(self, keys: npt.NDArray[np.uint64], words: int) -> None:
        """Keep the packed positions, by number."""
        self.words = words
        self.span = len(keys) // words
        self._keys = keys

    @property
    def bytes(self) -> int:
        """The bytes of memory that its arrays take."""
        return memory_of(self._keys)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Index``."""
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
        """Return what tells the place of one packed position; see ``Index``."""
        place = np.empty(1, np.int64)

        def find() -> int:
            self.places(packed, 1, place)
            return place.item()

        return find

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        return self._keys.reshape(-1, self.words).take(places, axis=0).reshape(-1)

    def scan(self, size: int) -> Iterator[Chunk]:
        """Scan all positions; see ``Index``."""
        for part in super().scan(size):
            yield part
            let_go(self._keys)
