"""Levels in buckets, in files: for games whose levels do not fit in memory.

Every level is written when it is created. It is read sequentially to be expanded, and on the way
down for look-ups. If the higher levels do not fit in memory for look-ups, they are loaded in parts,
by buckets, and the level is expanded once for each part: a value is the greatest of the values of
its moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from zermelo import limits
from zermelo._engine.core.ledger import Ledger, readable
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo._engine.sort.buckets import Partitions, bucket_bits, partition_within
from zermelo._methods.levels.bucket_storage import BucketStorage
from zermelo._methods.levels.queue import FileQueue
from zermelo._methods.levels.windows import LevelReader, SlotWindow, slot_bytes, suits_slots
from zermelo._methods.levels.workspace import LevelledRules

#: The message if the files of levels have changed.
MISSING_POSITION = (
    "a move leads to a position that is not among those of its level, as they are in {folder}; "
    "check that folder, delete the unfinished solve, and solve again"
)


class FileStorage(BucketStorage):
    """The storage of levels in buckets, in files."""

    in_memory = False
    queue: FileQueue

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        arrays: Mapping[str, Any],
        scratch: Scratch,
    ) -> None:
        """Create a storage without levels, with files in the folder of ``scratch``."""
        self.scratch = scratch
        super().__init__(expand, ledger, threads, arrays)
        # A storage in memory was tried before, and used all of the allowed memory.
        self.reserve(max(self.allowed, self.held_bytes()))

    def _new_queue(self) -> FileQueue:
        """Return an empty queue, whose memory is what the workspaces leave."""
        threads, words = len(self.workspaces), self.words
        size = partition_within(self.allowed, words, threads)
        make = partial(Partitions, words, self.allowed)
        share = (self.allowed - self.held_bytes()) // threads
        return FileQueue(self.workspaces, size, make, self.scratch, share)

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

    def most_positions(self) -> int:
        """Return the greatest number of positions that fit."""
        return MOST_POSITIONS

    # -- up -------------------------------------------------------------------------------------

    def check_queue(self, workspace: Any) -> None:
        """Write queued positions to disk while they take too much memory."""
        self.queue.write_excess(workspace)

    def collect(self, level: int) -> None:
        """Create a level from its queued positions, without duplicates."""
        queue = self.queue
        waiting, bits = queue.of_level(level), queue.bits[level]
        buckets = 1 << (max(bucket_bits(sum(each.count for each in waiting)), bits) - bits)
        largest = max(sum(each.size(n) for each in waiting) for n in range(1 << bits))
        making = self.workspaces[0].deduplication_bytes(largest) + 4 * buckets
        making += queue.reading_bytes(level, largest)
        for workspace in self.workspaces:
            workspace.clear()
        # If queued positions leave too little memory to create the level, they go to disk too.
        needed = self.held_bytes() + len(self.workspaces) * making
        if needed + queue.bytes > self.allowed:
            queue.write_all()
        self.reserve(needed + queue.bytes)
        super().collect(level)

    # -- down -----------------------------------------------------------------------------------

    def reader(self, level: int, top: int) -> LevelReader:
        """Return a reader of the levels from one up to another."""
        above = {n: here for n, here in self.levels.items() if level < n <= top}
        return LevelReader(above, self.arrays, self.words, turned=not self.expand.alternate)

    def windows(self, level: int, top: int) -> Iterator[tuple[Any, bool]]:
        """Yield the levels from one up to another, in parts that fit in memory."""
        reader, threads = self.reader(level, top), len(self.workspaces)
        fixed = self.held_bytes() + threads * self.chunk * self.value_bytes
        size = fixed + slot_bytes(reader.levels, threads)
        fits = limits.current().windows == 1 and size <= self.allowed
        if fits and suits_slots(reader.levels, self.words, self.value_kind):
            self.reserve(size)
            arguments = reader.levels, self.arrays, self.pool, self.workspaces
            turned, error = not self.expand.alternate, self.missing_error()
            window = SlotWindow(*arguments, turned=turned, error=error)
            if window.fits:
                yield window, True
                return
        parts, most = reader.parts_within(self.allowed - fixed, self.allowed)
        self.reserve(fixed + most)
        self.parts = max(self.parts, parts)
        for part in range(parts):
            yield reader.read(part, parts), part == parts - 1

    def missing_error(self) -> Exception:
        """Return the error for a move to a position that the files do not have."""
        return OSError(MISSING_POSITION.format(folder=self.scratch.folder))

    # -- memory ---------------------------------------------------------------------------------

    def resident(self) -> int:
        """Return 0, as levels are in files."""
        return 0

    def additional_value_bytes(self) -> int:
        """Return 0, as values will be in files."""
        return 0
