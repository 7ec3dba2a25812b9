"""The buffers of one thread while a game is solved level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.expander import CAPACITY, Buffers, Expand, expanded_parts
from zermelo._engine.sort.deduplicate import deduplicate, deduplicate_short, table_size
from zermelo._engine.sort.position_lists import ListCoder
from zermelo._methods.levels.kernels import sort_by_level

#: The range of children's levels above which they are not counted one by one.
_FAR = 1 << 12


class LevelledRules(Expand, Protocol):
    """Compiled rules with levels."""

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions."""

    def level_of(
        self, packed: npt.NDArray[np.uint64], out: npt.NDArray[np.int64]
    ) -> Callable[[], object]:
        """Return a function that writes the level of one packed position at each call."""


class LevelWorkspace:
    """The buffers and queued positions of one thread.

    Attributes:
        partitions: queued positions, by level.
        spare: partitions whose memory can be reused.
        here: the positions that were expanded last.
        begin: the place of the first of them in its array.
        keys: a buffer for the positions of a chunk, if they have to be read to be expanded.
        coder: buffers for lists of positions.
        child_levels: the levels of their children.
        numbers: the index of each child in the levels above.
        sorted_children: the children sorted by level, if they have several levels.
        sorted_levels: the levels of the sorted children.
    """

    def __init__(self, expand: LevelledRules, chunk: int) -> None:
        """Allocate buffers to expand ``chunk`` positions in one batch."""
        self.expand = expand
        self.words = expand.words
        self.buffers = Buffers.for_rules(expand, chunk, CAPACITY * chunk)
        self.child_levels = zeros(CAPACITY * chunk, np.int64)
        self.numbers = zeros(CAPACITY * chunk, np.int64)
        self.partitions: dict[int, Any] = {}
        self.spare: list[Any] = []
        self.coder = ListCoder(expand.words)
        self.keys = zeros(chunk * expand.words, np.uint64)
        self.here = self.sorted_children = np.empty(0, np.uint64)
        self.sorted_levels = np.empty(0, np.int64)
        self.begin = 0
        self.clear()

    def clear(self) -> None:
        """Release the buffers for creating levels."""
        self.raw = self.out = self.spread = np.empty(0, np.uint64)
        self.slots = np.empty(0, np.uint32)
        self.places = np.empty(0, np.uint32)
        self.coder.clear()

    @property
    def bytes(self) -> int:
        """The bytes of its arrays, without queued positions."""
        making = (self.raw, self.out, self.spread, self.slots, self.places)
        buffers = (self.buffers.children, self.buffers.values, self.buffers.gains)
        levels = (self.child_levels, self.numbers, self.sorted_children, self.sorted_levels)
        arrays = (*making, *buffers, *levels, self.keys)
        return sum(array.nbytes for array in arrays) + self.coder.bytes

    def expand_parts(
        self, keys: npt.NDArray[np.uint64], count: int
    ) -> Iterator[tuple[int, int, int]]:
        """Expand positions; yields the begin, the size and the number of children of each part."""
        self.here = keys
        for part in expanded_parts(self.expand, keys, count, self.buffers):
            child_count = part.moves
            if len(self.child_levels) < child_count:
                self.child_levels = zeros(len(self.buffers.children), np.int64)
                self.numbers = zeros(len(self.buffers.children), np.int64)
            self.expand.levels(self.buffers.children, child_count, self.child_levels)
            yield part.begin, part.end - part.begin, child_count

    def children_by_level(
        self, child_count: int, least: int, most: int
    ) -> Iterator[tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.int64], int]]:
        """Yield the children by level: the level, an array of children, their levels, a count.

        The array may contain children of other levels too; the levels tell them apart.

        Args:
            child_count: the number of children.
            least: the least of their levels.
            most: the greatest of their levels.
        """
        children, levels, words = self.buffers.children, self.child_levels, self.words
        if least == most:
            yield least, children, levels, child_count
            return
        if most - least > _FAR:
            for level in np.unique(levels[:child_count]).tolist():
                yield level, children, levels, child_count
            return
        if len(self.sorted_levels) < child_count:
            self.sorted_children = zeros(len(levels) * words, np.uint64)
            self.sorted_levels = zeros(len(levels), np.int64)
        ends = np.zeros(most - least + 2, np.int64)
        sort_by_level(
            children,
            levels,
            child_count,
            words,
            least,
            ends,
            self.sorted_children,
            self.sorted_levels,
        )
        for n in np.flatnonzero(np.diff(ends)).tolist():
            begin, end = ends[n : n + 2].tolist()
            here = self.sorted_children[begin * words : end * words]
            yield least + n, here, self.sorted_levels[begin:end], end - begin

    def raw_for(self, count: int) -> npt.NDArray[np.uint64]:
        """Return a buffer for ``count`` positions with duplicates."""
        if len(self.raw) < count * self.words:
            self.raw = np.empty(0, np.uint64)
            self.raw = zeros((count + count // 8) * self.words, np.uint64)
        return self.raw

    def deduplication_bytes(self, count: int) -> int:
        """Return the bytes that it takes to deduplicate ``count`` positions."""
        size = count + count // 8
        entries = size if self.words == 1 else table_size(size)
        return 16 * size * self.words + 12 * entries + 4 * count

    def deduplicated(
        self, count: int, partition_bits: int, bits: int, ends: npt.NDArray[np.uint32]
    ) -> int:
        """Deduplicate the first ``count`` positions of ``raw`` into ``out``; return the count."""
        words = self.words
        size = len(self.raw) // words
        if len(self.out) < len(self.raw):
            entries = size if words == 1 else table_size(size)
            self.out = self.spread = np.empty(0, np.uint64)
            self.slots = np.empty(0, np.uint32)
            self.out = zeros(size * words, np.uint64)
            self.spread, self.slots = zeros(entries, np.uint64), zeros(entries, np.uint32)
        spread, slots = self.spread, self.slots
        if words > 1:
            return int(
                deduplicate(
                    self.raw, count, words, partition_bits, bits, spread, slots, ends, self.out
                )
            )
        if len(self.places) <= len(ends):
            self.places = np.empty(len(ends) + 1, np.uint32)
        arrays = (slots, self.places, spread, ends, self.out)
        return int(deduplicate_short(self.raw, count, partition_bits, bits, *arrays))
