"""Levels in buckets, in memory: eight bytes per word of a position, one per value, few more.

The positions of a level are in the order of their hashes, so a table of the buckets' first
positions is enough to look up a position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import resident
from zermelo._engine.core.threads import map_ordered, map_unordered
from zermelo._engine.sort.buckets import WIDE, bucket_bits
from zermelo._engine.store.arrays import StoredArray
from zermelo._engine.table import Table
from zermelo._methods.levels.index import BucketIndex
from zermelo._methods.levels.storage import Level, Span, Storage
from zermelo._methods.levels.windows import Window
from zermelo._methods.levels.workspace import LevelledRules, LevelWorkspace


class BucketStorage(Storage):
    """The storage of levels in buckets, in memory."""

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        arrays: Mapping[str, Any],
    ) -> None:
        """Create a storage without levels; see ``Storage``."""
        super().__init__(expand, ledger, threads, arrays, LevelWorkspace)
        self._level_arrays: tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None

    def most_positions(self) -> int:
        """Return the greatest number of positions that fit."""
        return self.allowed // (8 * self.words)

    # -- up -------------------------------------------------------------------------------------

    def collect(self, level: int) -> None:
        """Create a level from its queued positions, without duplicates."""
        waiting = self.queue.take(level)
        raw = sum(partitions.count for partitions in waiting)
        partition_bits = self.queue.bits[level]
        bits = max(bucket_bits(raw), partition_bits)
        begin, first = self.known, len(self.arrays["offsets"])
        keys, offsets = self.arrays["keys"], self.arrays["offsets"]
        partitions = range(1 << partition_bits)
        for count, ends, out in self.deduplicated(waiting, partitions, partition_bits, bits):
            before = np.uint32(self.known)
            self._count(count)
            if len(offsets) == first:
                offsets.append(np.array([begin], np.uint32))
            keys.append(out)
            offsets.append(ends + before)
            self.check()
        self.levels[level] = Level(begin, self.known, self.known - begin, bits, first)
        self.queue.recycle()
        self.check()

    def deduplicated(
        self,
        waiting: list[Any],
        partitions: range,
        partition_bits: int,
        bits: int,
    ) -> Iterator[tuple[int, npt.NDArray[np.uint32], npt.NDArray[np.uint64]]]:
        """Deduplicate queued positions, partition by partition.

        Args:
            waiting: the objects that contain them.
            partitions: the partitions to deduplicate.
            partition_bits: logarithm of the number of the level's partitions.
            bits: logarithm of the number of the level's buckets.

        Yields:
            Each partition's number of positions, the ends of its buckets, relative to its
            beginning, and the positions, which the next partition may overwrite.
        """
        buckets = 1 << (bits - partition_bits)

        def deduplicate(workspace: Any, partition: int) -> tuple[int, npt.NDArray[np.uint32], Any]:
            raw = workspace.raw_for(max(1, sum(each.size(partition) for each in waiting)))
            count = 0
            for each in waiting:
                count = each.gather(partition, raw, count)
            ends = np.empty(buckets, np.uint32)
            count = workspace.deduplicated(count, partition_bits, bits, ends)
            return count, ends, workspace.out[: count * self.words]

        for _, found in map_ordered(self.pool, self.workspaces, deduplicate, partitions):
            yield found

    def note_turns(self, workspace: Any, at: int, done: int) -> None:
        """Write the players to move in positions that were just expanded; see ``Storage``."""
        self.arrays["turns"].write(workspace.begin + at, workspace.buffers.owners[:done])

    def expand_parts(self, workspace: Any, span: Span) -> Iterator[tuple[int, int, int]]:
        """Expand a part of a level; see ``LevelWorkspace.expand_parts``."""
        _, begin, end = span
        workspace.begin = begin
        here = self.arrays["keys"].elements(begin * self.words, end * self.words, workspace.keys)
        return workspace.expand_parts(here, end - begin)  # type: ignore[no-any-return]

    # -- down -----------------------------------------------------------------------------------

    @property
    def value_kind(self) -> np.dtype[Any]:
        """The type of the array of values."""
        return self.held_values.dtype(len(self.levels))

    def begin_values(self, values: StoredArray) -> None:
        """Extend the array of values; see ``Storage``."""
        self.arrays["values"] = values
        values.extend(self.known)

    def decide_level(self, level: int, top: int) -> Iterator[int]:
        """Decide a level, once for each part of the levels above; see ``Storage``."""
        for window, last in self.windows(level, top):

            def decide(workspace: Any, span: Span, window: Any = window) -> int:
                return self._decide(window, workspace, span)

            for _, count in map_unordered(self.pool, self.workspaces, decide, self.chunks(level)):
                if last:
                    yield count
            del decide, window  # before there is another

    def windows(self, level: int, top: int) -> Iterator[tuple[Any, bool]]:  # noqa: ARG002  # all are in memory
        """Yield the levels from one up to another, in parts that fit in memory.

        Yields each part, and whether it is the last one.
        """
        keys, offsets, turns, values = self._mapped()
        if self._level_arrays is None:  # no level is added on the way down
            self._level_arrays = self._by_level()
        yield Window(keys, values, turns, offsets, *self._level_arrays), True

    def _decide(self, window: Any, workspace: Any, span: Span) -> int:
        """Decide positions of a chunk as far as a part of the levels above allows."""
        _, begin, end = span
        stored = self.arrays["values"]
        values = np.empty(end - begin, self.value_kind)
        if not window.first:
            values = stored.elements(begin, end, values)
        for at, done, made in self.expand_parts(workspace, span):
            numbers, turns, above = window.look_up_children(workspace, made)
            arrays = numbers, turns, above, values[at:]
            self.held_values.raise_values(done, workspace.buffers, *arrays, first=window.first)
        stored.write(begin, values)
        return end - begin

    def finish(self) -> None:
        """Create the table, after all positions are decided."""
        keys, offsets, turns, values = self._mapped()
        index = BucketIndex(self.expand, len(values), keys, offsets, *self._by_level())
        column = ArrayColumn(
            self.expand.kind, values, turns, self.held_values.meaning(values.dtype)
        )
        self.table = Table(index, column, np.empty(0, np.int64), "places")

    def _mapped(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the keys, with as many behind as look-ups may read, offsets, turns and values."""
        keys = self.arrays["keys"].mapped(WIDE * self.words)
        return keys, *(self.arrays[name].mapped() for name in ("offsets", "turns", "values"))

    def _by_level(self) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the lowest level, and for each level from there its bits and its first bucket."""
        lowest, highest = min(self.levels), max(self.levels)
        bits = np.full(highest - lowest + 1, -1, np.int64)
        starts = np.zeros(highest - lowest + 1, np.int64)
        for level, here in self.levels.items():
            bits[level - lowest], starts[level - lowest] = here.bits, here.first
        return lowest, bits, starts

    # -- memory ---------------------------------------------------------------------------------

    def resident(self) -> int:
        """Return the bytes of memory that levels take."""
        sizes = [8 * self.words * self.known, 4 * len(self.arrays["offsets"])]
        if not self.expand.alternate:
            sizes.append(self.known)
        return sum(resident(size, self.allowed) for size in sizes)

    def additional_value_bytes(self) -> int:
        """Return the bytes of memory that values will take in addition."""
        return self.known * self.value_bytes
