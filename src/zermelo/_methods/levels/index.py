"""The positions of a game with levels: level by level, in buckets by their hashes."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.core.scratch import memory_of, release_pages
from zermelo._engine.index.index import Index
from zermelo._engine.sort.buckets import look_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from zermelo._engine.index.index import Chunk
    from zermelo._methods.levels.workspace import LevelledRules

#: The codes of values stored in a byte: remoteness times four plus 0, 1 or 2.
MEANING = np.array(
    [codes.encode((kind & 3) - 1, kind >> 2) if kind & 3 < 3 else 0 for kind in range(256)],
    np.int32,
)


class LevelIndex(Index):
    """An index that looks positions up by their levels.

    Attributes:
        begins: the first place of each level, ascending.
    """

    begins: npt.NDArray[np.int64]

    def __init__(self, expand: LevelledRules) -> None:
        """Store the compiled rules, which compute levels."""
        self.words = expand.words
        self._expand = expand

    @abstractmethod
    def find_at_levels(
        self,
        packed: npt.NDArray[np.uint64],
        levels: npt.NDArray[np.int64],
        count: int,
        out: npt.NDArray[np.int64],
    ) -> int:
        """Look up packed positions whose levels are known; see ``places``."""

    @abstractmethod
    def find_at(
        self, packed: npt.NDArray[np.uint64], level: npt.NDArray[np.int64]
    ) -> Callable[[], int]:
        """Return a function that looks up one packed position whose level is known."""

    def steps(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the levels of ascending places, negated so that they descend; see ``Index``."""
        return -np.searchsorted(self.begins, places, side="right")

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Look up packed positions; see ``Index``."""
        levels = np.empty(count, np.int64)
        self._expand.levels(packed, count, levels)
        return self.find_at_levels(packed, levels, count, out)

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that looks up one packed position; see ``Index``."""
        level = np.empty(1, np.int64)
        tell_level, find = self._expand.level_of(packed, level), self.find_at(packed, level)

        def tell() -> int:
            tell_level()
            return find()

        return tell


class BucketIndex(LevelIndex):
    """Positions sorted by level and hash, with a table of the buckets' first positions.

    Attributes:
        keys: packed positions by number.
    """

    def __init__(
        self,
        expand: LevelledRules,
        count: int,
        keys: npt.NDArray[np.uint64],
        offsets: npt.NDArray[np.uint32],
        lowest: int,
        level_bits: npt.NDArray[np.int64],
        level_starts: npt.NDArray[np.int64],
    ) -> None:
        """Store the arrays; see ``buckets.look_up`` for their meaning."""
        super().__init__(expand)
        self.span = count
        self.keys = keys
        filled = level_starts[level_bits >= 0]
        self.begins = offsets[filled].astype(np.int64)
        self._offsets = offsets
        self._shape = (lowest, level_bits, level_starts, offsets, keys)

    @property
    def bytes(self) -> int:
        """The bytes of memory of its arrays."""
        return memory_of(self.keys, self._offsets)

    def find_at_levels(
        self,
        packed: npt.NDArray[np.uint64],
        levels: npt.NDArray[np.int64],
        count: int,
        out: npt.NDArray[np.int64],
    ) -> int:
        """Look up packed positions whose levels are known; see ``places``."""
        return int(look_up(packed, levels, count, self.words, *self._shape, out))

    def find_at(
        self, packed: npt.NDArray[np.uint64], level: npt.NDArray[np.int64]
    ) -> Callable[[], int]:
        """Return a function that looks up one packed position whose level is known."""
        place = np.empty(1, np.int64)
        look, place_of = (
            partial(look_up, packed, level, 1, self.words, *self._shape, place),
            place.item,
        )

        def find() -> int:
            look()
            return place_of()

        return find

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        words = self.words
        return self.keys[: self.span * words].reshape(-1, words).take(places, axis=0).reshape(-1)

    def scan(self, size: int) -> Iterator[Chunk]:
        """Scan all positions; see ``Index``."""
        for part in super().scan(size):
            yield part
            release_pages(self.keys, self._offsets)
