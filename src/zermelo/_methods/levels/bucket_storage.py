"""Levels in buckets, in memory: eight bytes per word of a position, one per value, few more.

The positions of a level are in the order of their hashes, so a table of the buckets' first
positions is enough to look up a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.checkpoint.columns import ColumnCheckpoint
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import resident
from zermelo._engine.core.threads import map_ordered
from zermelo._engine.sort.buckets import WIDE, bucket_bits, look_up
from zermelo._engine.table import Table
from zermelo._methods.levels.index import BucketIndex
from zermelo._methods.levels.kernels import leave_part
from zermelo._methods.levels.storage import BUCKET_KINDS, Level, MemoryColumn, Storage
from zermelo._methods.levels.workspace import LevelledRules, LevelWorkspace

_PerLevel: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Window:
    """Levels in memory, or a part of each; arrays by level have an entry for each level.

    Attributes:
        keys: their packed positions.
        values: the stored forms of their values.
        turns: the player to move in each, or empty if the players strictly alternate.
        offsets: the first position of each bucket.
        lowest: the level of the first entry of the arrays by level.
        bits: logarithm of the number of buckets of each level, -1 if the level is empty.
        starts: the index of each level's first bucket in ``offsets``.
        lows: each level's first bucket in this part; None if the levels are whole.
        highs: the bucket after each level's last in this part.
        first: whether this is the first part.
    """

    keys: npt.NDArray[np.uint64]
    values: npt.NDArray[Any]
    turns: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.uint32]
    lowest: int
    bits: _PerLevel
    starts: _PerLevel
    lows: _PerLevel | None = None
    highs: _PerLevel | None = None
    first: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether the window contains the whole levels."""
        return self.lows is None

    @property
    def bytes(self) -> int:
        """The bytes of its arrays."""
        return sum(each.nbytes for each in (self.keys, self.values, self.turns, self.offsets))

    @property
    def shape(self) -> tuple[Any, ...]:
        """The arguments of ``look_up`` that describe the window."""
        return self.lowest, self.bits, self.starts, self.offsets, self.keys

    def look_up_children(self, workspace: Any, made: int) -> tuple[Any, Any, Any]:
        """Look up the children in a workspace; return the arguments of ``raise_values`` about them.

        Args:
            workspace: the workspace of a thread, which has just expanded positions.
            made: the number of children.

        Returns:
            The number of each child, or -1 if it is not in this part; the player to move by number,
            or empty; and the values by number.
        """
        children, levels = workspace.buffers.children, workspace.child_levels
        words = workspace.words
        if not self.is_whole:
            cut = self.lowest, self.bits, self.lows, self.highs
            leave_part(children, levels, made, words, *cut)
        look_up(children, levels, made, words, *self.shape, workspace.numbers)  # type: ignore[call-arg]  # a kernel
        return workspace.numbers, self.turns, self.values


class BucketStorage(Storage):
    """The storage of levels in buckets, in memory."""

    kinds = BUCKET_KINDS

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        make: type[LevelWorkspace] = LevelWorkspace,
    ) -> None:
        """Create a storage without levels; see ``Storage``."""
        super().__init__(expand, ledger, threads, make)
        behind = WIDE * self.words  # look-ups may read so far past the end
        self.columns: dict[str, Any] = {
            name: MemoryColumn(kind, self.allowed, behind if name == "keys" else 0)
            for name, kind in self.kinds.items()
        }

    def most_positions(self) -> int:
        """Return the greatest number of positions that fit."""
        return self.allowed // (8 * self.words) if self.in_memory else super().most_positions()

    # -- up -------------------------------------------------------------------------------------

    def collect(self, pool: ThreadPoolExecutor, level: int) -> None:
        """Create a level from its queued positions, without duplicates."""
        waiting = self._take_waiting(level)
        raw = sum(partitions.count for partitions in waiting)
        partition_bits = self._partition_bits[level]
        bits = max(bucket_bits(raw), partition_bits)
        begin, first = self.known, len(self.columns["offsets"])
        keys, offsets = self.columns["keys"], self.columns["offsets"]
        partitions = range(1 << partition_bits)
        for count, ends, out in self.made(pool, waiting, partitions, partition_bits, bits):
            before = np.uint32(self.known)
            self._count(count)
            if len(offsets) == first:
                offsets.append(np.array([begin], np.uint32))
            keys.append(out)
            offsets.append(ends + before)
            self.check()
        self.levels[level] = Level(begin, self.known, self.known - begin, bits, first)
        self._recycle_queued(level)

    def made(
        self,
        pool: ThreadPoolExecutor,
        waiting: list[Any],
        partitions: range,
        partition_bits: int,
        bits: int,
    ) -> Iterator[tuple[int, npt.NDArray[np.uint32], npt.NDArray[np.uint64]]]:
        """Deduplicate queued positions, partition by partition.

        Args:
            pool: the threads.
            waiting: the objects that contain them.
            partitions: the partitions to deduplicate.
            partition_bits: logarithm of the number of the level's partitions.
            bits: logarithm of the number of the level's buckets.

        Yields:
            Each partition's number of positions, the ends of its buckets, relative to its
            beginning, and the positions, which the next partition may overwrite.
        """
        buckets = 1 << (bits - partition_bits)

        def made(workspace: Any, partition: int) -> tuple[int, npt.NDArray[np.uint32], Any]:
            raw = workspace.raw_for(max(1, sum(each.size(partition) for each in waiting)))
            count = 0
            for each in waiting:
                count = each.gather(partition, raw, count)
            ends = np.empty(buckets, np.uint32)
            count = workspace.deduplicated(count, partition_bits, bits, ends)
            return count, ends, workspace.out[: count * self.words]

        for _, made_of in map_ordered(pool, self.workspaces, made, partitions):
            yield made_of

    def begin_turns(self, level: int) -> None:
        """Allocate the players to move for the positions of a level."""
        self.columns["turns"].reserve(self.levels[level].end)

    def note_turns(self, workspace: Any, span: tuple[int, int], at: int, done: int) -> None:
        """Write the players to move in positions that were just expanded."""
        self.columns["turns"].write(span[0] + at, workspace.buffers.owners[:done])

    def expand_parts(
        self,
        workspace: Any,
        level: int,  # noqa: ARG002  # see slots
        span: tuple[int, int],
    ) -> Iterator[tuple[int, int, int]]:
        """Expand a part of a level; see ``LevelWorkspace.expand_parts``."""
        begin, end = span
        here = self.columns["keys"].elements(begin * self.words, end * self.words, workspace.keys)
        return workspace.expand_parts(here, end - begin)  # type: ignore[no-any-return]

    # -- down -----------------------------------------------------------------------------------

    @property
    def value_kind(self) -> np.dtype[Any]:
        """The type of the column of values."""
        return self.held_values.dtype(len(self.levels))

    def begin_values(self, checkpoint: ColumnCheckpoint) -> None:  # noqa: ARG002  # see files
        """Allocate the values."""
        self._shape = self._by_level()
        self.columns["values"] = MemoryColumn(self.value_kind, self.allowed)
        self.columns["values"].allocate(self.known)

    def windows(self, level: int, top: int) -> Iterator[tuple[Window, bool]]:  # noqa: ARG002  # see files
        """Yield all levels as one window; see ``Storage``."""
        keys, values = self.columns["keys"].mapped(), self.columns["values"].mapped()
        turns, offsets = self.columns["turns"].mapped(), self.columns["offsets"].mapped()
        yield Window(keys, values, turns, offsets, *self._shape), True

    def decide(self, window: Window, workspace: Any, level: int, span: tuple[int, int]) -> int:
        """Decide positions of a level as far as the window of higher levels allows."""
        values = self._values_of(span, begun=not window.first)
        for at, done, made in self.expand_parts(workspace, level, span):
            known = window.look_up_children(workspace, made)
            given = done, workspace.buffers, *known
            self.held_values.raise_values(*given, values[at:], first=window.first)
        self.columns["values"].write(span[0], values)
        return span[1] - span[0]

    def _values_of(self, span: tuple[int, int], *, begun: bool) -> npt.NDArray[Any]:  # noqa: ARG002  # see files
        """Return the values of positions, or an array for them if they have none yet."""
        return self.columns["values"].array[slice(*span)]  # type: ignore[no-any-return]

    def finish(self) -> None:
        """Create the table, after all positions are decided."""
        keys, offsets = self.columns["keys"].mapped(), self.columns["offsets"].mapped()
        turns, values = self.columns["turns"].mapped(), self.columns["values"].mapped()
        index = BucketIndex(self.expand, len(values), keys, offsets, *self._by_level())
        column = ArrayColumn(
            self.expand.kind, values, turns, self.held_values.meaning(values.dtype)
        )
        self.table = Table(index, column, np.empty(0, np.int64), "places")

    def _by_level(self) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the lowest level, and for each level from there its bits and its first bucket."""
        lowest, highest = min(self.levels), max(self.levels)
        bits = np.full(highest - lowest + 1, -1, np.int64)
        starts = np.zeros(highest - lowest + 1, np.int64)
        for level, here in self.levels.items():
            bits[level - lowest], starts[level - lowest] = here.bits, here.first
        return lowest, bits, starts

    # -- memory and checkpoints -----------------------------------------------------------------

    def resident(self) -> int:
        """Return the bytes of memory that levels take."""
        sizes = [8 * self.words * self.known, 4 * len(self.columns["offsets"])]
        if not self.expand.alternate:
            sizes.append(self.known)
        return sum(resident(size, self.allowed) for size in sizes)

    def additional_value_bytes(self) -> int:
        """Return the bytes of memory that values will take in addition."""
        return self.known * self.value_bytes

    def ends(self) -> dict[str, int]:
        """Return the number of elements of each column of levels, except ``turns``."""
        return {"keys": self.known * self.words, "offsets": len(self.columns["offsets"])}

    def column(self, name: str) -> Any:
        """Return a column of levels, or ``values`` once it exists."""
        return self.columns[name]
