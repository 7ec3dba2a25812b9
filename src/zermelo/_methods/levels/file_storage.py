"""Levels in buckets, in files: for games whose levels do not fit in memory.

Every level is written when it is created. It is read sequentially to be expanded, and on the way
down for look-ups. If the higher levels do not fit in memory for look-ups, they are loaded in parts,
by buckets, and the level is expanded once for each part: a value is the greatest of the values of
its moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.checkpoint.columns import ColumnCheckpoint
from zermelo._engine.core.ledger import Ledger, readable
from zermelo._engine.core.memory import resident, zeros
from zermelo._engine.core.scratch import Scratch, ScratchColumn
from zermelo._engine.sort.buckets import BLOCK, WIDE, bucket_bits
from zermelo._engine.sort.position_lists import ListCoder
from zermelo._methods.levels.bucket_storage import BucketStorage, Window
from zermelo._methods.levels.queued_lists import QueuedLists
from zermelo._methods.levels.workspace import LevelledRules, LevelWorkspace

#: The most parts that are tried.
_MOST_PARTS = 1 << 10
#: The share of the memory for partitions that blocks which are not full may take, as a divisor.
_OPEN_SHARE = 4
#: The first bucket, the bucket after the last, and the bytes of that range of a level.
_Cut = tuple[int, int, int]


class FileWorkspace(LevelWorkspace):
    """The buffers of one thread while levels are in files."""

    def __init__(self, expand: LevelledRules, chunk: int) -> None:
        """Allocate buffers to expand ``chunk`` positions in one batch."""
        self.coder = ListCoder(expand.words)
        super().__init__(expand, chunk)
        self.keys = zeros(chunk * expand.words, np.uint64)

    @staticmethod
    def position_bytes(expand: LevelledRules) -> int:
        """Return the bytes per position of a chunk, without buffers and levels."""
        return 8 * expand.words

    def clear(self) -> None:
        """Release the buffers for creating levels."""
        super().clear()
        self.coder.clear()

    @property
    def bytes(self) -> int:
        """The bytes of its arrays, without queued positions."""
        return super().bytes + self.keys.nbytes + self.coder.bytes

    def waiting_bytes(self) -> int:
        """Return the bytes of queued positions, and of writing some of them to disk."""
        largest = max(
            (partitions.count >> partitions.bits for partitions in self.partitions.values()),
            default=0,
        )
        largest += largest // 2
        writing = 8 * self.words * largest + ListCoder.buffer_bytes(largest, self.words)
        writing = max(writing, int(self.raw.nbytes + self.coder.bytes))
        return writing + sum(int(partitions.bytes) for partitions in self.partitions.values())


class FileStorage(BucketStorage):
    """The storage of levels in buckets, in files."""

    in_memory = False

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        scratch: Scratch,
        columns: Mapping[str, Any],
    ) -> None:
        """Create a storage without levels.

        Args:
            expand: the compiled rules.
            ledger: the memory that arrays may take.
            threads: threads to use.
            scratch: the folder of files.
            columns: the columns to use, by name.
        """
        super().__init__(expand, ledger, threads, FileWorkspace)
        self.scratch = scratch
        self.columns = dict(columns)
        self._lists: dict[int, QueuedLists] = {}
        held = self.held_bytes()
        self.reserve(held)
        self._share = (self.allowed - held) // threads
        # A storage in memory was tried before, and used all of the allowed memory.
        self.reserve(self.allowed)

    @property
    def description(self) -> str:  # type: ignore[override]
        """The description of where levels were."""
        # No figures with a checkpoint: a resumed solve has the description of an uninterrupted one,
        # and the last process does not know what earlier ones did.
        if self.scratch.checkpoint.saves:
            return f"on disk, because the levels do not fit in {readable(self.allowed)}"
        said = self.scratch.io_summary(self.known)
        if self.parts > 1:
            said += f", and levels looked up in up to {self.parts} parts"
        return f"{said}, because the levels do not fit in {readable(self.allowed)}"

    # -- up -------------------------------------------------------------------------------------

    def _bits_for(self, expected: int) -> int:
        """Return the logarithm of the number of partitions for about ``expected`` positions.

        Each partition has a block that is not full; these may not take most of the memory.
        """
        bits = super()._bits_for(expected)
        while bits and (BLOCK * 8 * self.words << bits) * _OPEN_SHARE > self._share:
            bits -= 1
        return bits

    def waiting_levels(self) -> Iterable[int]:
        """Return the levels that have queued positions."""
        return [*super().waiting_levels(), *self._lists]

    def scattered(self, workspace: Any) -> None:
        """Write queued positions to disk while they take too much memory."""
        while (
            workspace.partitions
            and workspace.waiting_bytes() > self._share * limits.current().waiting
        ):
            most = max(workspace.partitions, key=lambda level: workspace.partitions[level].bytes)
            self._write(workspace, most)

    def collect(self, pool: ThreadPoolExecutor, level: int) -> None:
        """Create a level from its queued positions, without duplicates."""
        parts = [w.partitions[level] for w in self.workspaces if level in w.partitions]
        lists = [self._lists[level]] if level in self._lists else []
        parts += lists
        bits = self._partition_bits[level]
        buckets = 1 << (max(bucket_bits(sum(part.count for part in parts)), bits) - bits)
        largest = max(sum(part.size(partition) for part in parts) for partition in range(1 << bits))
        making = self.workspaces[0].deduplication_bytes(largest) + 4 * buckets
        writing = ListCoder.buffer_bytes(largest // 2, self.words)
        making += max([writing, *(each.reading_bytes() for each in lists)])
        for workspace in self.workspaces:
            workspace.clear()
        # If queued positions leave too little memory to create the level, they go to disk too.
        needed = self.held_bytes() + len(self.workspaces) * making
        if needed + self._waiting_bytes() > self.allowed:
            for workspace in self.workspaces:
                for other in list(workspace.partitions):
                    self._write(workspace, other)
                workspace.clear()
        self.reserve(needed + self._waiting_bytes())
        super().collect(pool, level)

    def _take_waiting(self, level: int) -> list[Any]:
        """Return the queued positions of a level, which is about to be created."""
        return [
            *super()._take_waiting(level),
            *([self._lists[level]] if level in self._lists else []),
        ]

    def _recycle_queued(self, level: int) -> None:
        """Release the queued positions of a level that has been created."""
        self._collecting = []
        for workspace in self.workspaces:
            workspace.clear()
        if level in self._lists:
            self._lists.pop(level).close()

    def _write(self, workspace: Any, level: int) -> None:
        """Write a thread's queued positions of a level to disk."""
        if level not in self._lists:
            error = OSError(f"a temporary file in {self.scratch.folder} was damaged")
            column = ScratchColumn(self.scratch, np.uint8)
            self._lists.setdefault(level, QueuedLists(column, self.words, error))
        partitions = workspace.partitions.pop(level)
        self._lists[level].write(partitions, workspace.raw_for, workspace.coder)

    def begin_turns(self, level: int) -> None:
        """Do nothing: files grow as they are written."""

    def release_climb_memory(self) -> None:
        """Release the memory that only finding levels takes."""
        self.columns["keys"].append(np.zeros(WIDE * self.words, np.uint64))  # for look-ups
        super().release_climb_memory()

    # -- down -----------------------------------------------------------------------------------

    def begin_values(self, checkpoint: ColumnCheckpoint) -> None:
        """Open the column of values."""
        self.columns["values"] = values = checkpoint["values"]
        left = self.known if not len(values) else 0
        self.scratch.check_space(left * self.value_bytes)

    def windows(self, level: int, top: int) -> Iterator[tuple[Window, bool]]:
        """Yield the levels from one up to another, in parts that fit in memory."""
        above = [n for n in sorted(self.levels) if level < n <= top]
        fixed = self.held_bytes() + len(self.workspaces) * self.chunk * self.value_bytes
        parts = self._parts(above, self.allowed - fixed)
        self.parts = max(self.parts, parts)
        for part in range(parts):
            cuts = self._cut(above, part, parts)
            self.reserve(fixed + sum(size for _, _, size in cuts))
            yield self._read(above, cuts, first=part == 0, whole=parts == 1), part == parts - 1

    def _read(self, above: list[int], cuts: list[_Cut], *, first: bool, whole: bool) -> Window:
        """Load parts of some levels into memory."""
        words, columns = self.words, self.columns
        bounds = [self._bounds(n, low, high) for n, (low, high, _) in zip(above, cuts, strict=True)]
        count = sum(end - begin for begin, end in bounds)
        keys = zeros((count + WIDE) * words, np.uint64)
        values = zeros(count, self.value_kind)
        turns = zeros(0 if self.expand.alternate else count, np.uint8)
        offsets = zeros(sum(high - low + 1 for low, high, _ in cuts), np.uint32)
        lowest = above[0] if above else 0
        span = above[-1] - above[0] + 1 if above else 0
        bits = np.full(span, -1, np.int64)
        starts, lows, highs = (np.zeros(span, np.int64) for _ in range(3))
        at = place = 0
        for level, (low, high, _), (begin, end) in zip(above, cuts, bounds, strict=True):
            size = end - begin
            columns["keys"].read(begin * words, keys[at * words : (at + size) * words])
            columns["values"].read(begin, values[at : at + size])
            if len(turns):
                columns["turns"].read(begin, turns[at : at + size])
            buckets = offsets[place : place + high - low + 1]
            columns["offsets"].read(self.levels[level].first + low, buckets)
            buckets -= np.uint32(begin)
            buckets += np.uint32(at)
            n = level - lowest
            bits[n], starts[n] = self.levels[level].bits, place - low
            lows[n], highs[n] = low, high
            at += size
            place += len(buckets)
        given = (keys, values, turns, offsets, lowest, bits, starts)
        return Window(*given) if whole else Window(*given, lows, highs, first)

    def _parts(self, above: list[int], left: int) -> int:
        """Return the number of parts in which levels fit in ``left`` bytes."""
        parts = limits.current().windows
        while True:
            most = max(sum(s for _, _, s in self._cut(above, n, parts)) for n in range(parts))
            if most <= left:
                return parts
            if parts == _MOST_PARTS:
                self.reserve(self.allowed - left + most)
            # Buckets are about equally full, but not exactly.
            parts = min(max(parts + 1, parts * most // max(left, 1)), _MOST_PARTS)

    def _cut(self, above: list[int], part: int, parts: int) -> list[_Cut]:
        """Return the range of buckets and the bytes of each level in a part."""
        found = []
        for level in above:
            buckets = 1 << self.levels[level].bits
            low, high = part * buckets // parts, (part + 1) * buckets // parts
            begin, end = self._bounds(level, low, high)
            each = 8 * self.words + self.value_bytes + (not self.expand.alternate)
            size = resident((end - begin + WIDE) * each + 4 * (high - low + 1), self.allowed)
            found.append((low, high, size))
        return found

    def _bounds(self, level: int, low: int, high: int) -> tuple[int, int]:
        """Return the number of the first position of a bucket, and of another bucket."""
        at = self.levels[level].first
        one = np.empty(1, np.uint32)
        begin = int(self.columns["offsets"].read(at + low, one)[0])
        return begin, int(self.columns["offsets"].read(at + high, one)[0])

    def _values_of(self, span: tuple[int, int], *, begun: bool) -> npt.NDArray[Any]:
        """Return the values of positions, or an array for them if they have none yet."""
        values = np.empty(span[1] - span[0], self.value_kind)
        return self.columns["values"].read(span[0], values) if begun else values

    # -- memory and checkpoints -----------------------------------------------------------------

    def resident(self) -> int:
        """Return 0, as levels are in files."""
        return 0

    def additional_value_bytes(self) -> int:
        """Return 0, as values will be in files."""
        return 0

    def restore_columns(self, ends: dict[str, int], checkpoint: Any) -> None:
        """Do nothing: the columns are the saved files."""
