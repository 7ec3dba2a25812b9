"""The index of positions in the order of discovery."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint32Array, Uint64Array
from zermelo._engine.core.scratch import memory_of
from zermelo._engine.index.index import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zermelo._engine.index.hash_index import HashIndex


class FoundIndex(Index):
    """Positions in the order of discovery.

    Attributes:
        keys: packed positions by number.
        hashes: from packed positions to numbers.
        ranks: in a score game, numbers that decrease along every move; without them the numbers
            themselves must increase along every move.
        layers: the begins of layers, and the end of the last, if every move leads to the next
            layer.
    """

    def __init__(
        self,
        keys: Uint64Array,
        hashes: HashIndex,
        count: int,
        ranks: Uint32Array | None = None,
        layers: Sequence[int] | None = None,
    ) -> None:
        """Store the arrays; the first ``count`` of ``keys`` are positions."""
        self.words = hashes.words
        self.span = count
        self.keys = keys[: count * self.words]
        self.hashes = hashes
        self.ranks = ranks
        self.layers = layers

    @property
    def bytes(self) -> int:
        """The bytes of memory that its arrays take."""
        ranks = [] if self.ranks is None else [self.ranks]
        return memory_of(self.keys, self.hashes.entered, *ranks)

    def places(self, packed: Uint64Array, count: int, out: Int64Array) -> int:
        """Find packed positions; see ``Index``."""
        return self.hashes.find(packed, count, self.keys, out)

    def finder(self, packed: Uint64Array) -> Callable[[], int]:
        """Return a function that gives the place of the position in ``packed``; see ``Index``."""
        return self.hashes.finder(packed, self.keys)

    def packed(self, places: Int64Array) -> Uint64Array:
        """Return the packed positions at places."""
        return self.keys.reshape(-1, self.words).take(places, axis=0).reshape(-1)

    def potential(self, places: Int64Array) -> Int64Array:
        """Return numbers that decrease along every move."""
        return -places if self.ranks is None else self.ranks[places].astype(np.int64)

    def steps(self, places: Int64Array) -> Int64Array:
        """Return numbers that decrease along every move, equal within a layer; see ``Index``."""
        if self.layers is None or self.ranks is not None:
            return self.potential(places)
        first, last = (bisect_right(self.layers, places.item(end)) for end in (0, -1))
        ends = np.searchsorted(places, self.layers[first:last])
        counts = np.diff(ends, prepend=0, append=len(places))
        return np.repeat(len(self.layers) - np.arange(first, last + 1), counts)
