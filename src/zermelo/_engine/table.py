"""A solved game in memory: every position with its value, and where to find it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.index import find


def _none() -> npt.NDArray[np.uint32]:
    return np.empty(0, np.uint32)


@dataclass
class Table:
    """Positions and their values.

    Attributes:
        words: 64-bit words a packed position takes.
        keys: packed positions by number.
        table: the index from packed positions to numbers.
        values: codes, or scores, by number.
        owners: whose turn it is, or empty.
        starts: how many positions, from number 0, are starts.
        rank: in a score game, a number a position that grows from successors to predecessors; or
            empty, where descending numbers do.
    """

    words: int
    keys: npt.NDArray[np.uint64]
    table: npt.NDArray[np.uint64]
    values: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    starts: int
    rank: npt.NDArray[np.uint32] = field(default_factory=_none)

    def __len__(self) -> int:
        """Return how many positions there are."""
        return len(self.values)

    def numbers(self, packed: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the number of each packed position (shape (n, words)), -1 where it is not here."""
        numbers = np.empty(len(packed), np.int64)
        wanted = np.ascontiguousarray(packed, np.uint64).reshape(-1)
        find(wanted, len(packed), self.words, self.table, self.keys, numbers)
        return numbers
