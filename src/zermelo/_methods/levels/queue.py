"""Positions that wait for their levels: each thread's, by level, in partitions.

If the partitions of a thread exceed their share of memory, it writes them to disk as lists, and
starts again with empty ones. When a level is created, each partition is read from all lists and
from memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.sort.buckets import BLOCK, Partitions
from zermelo._engine.sort.position_lists import SLACK, ListCoder, unpack_lists
from zermelo._engine.store.arrays import FileArray, StoredArray
from zermelo._methods.levels.workspace import LevelWorkspace

#: The share of the memory for partitions that blocks which are not full may take, as a divisor.
_OPEN_SHARE = 4


class QueuedLists:
    """Lists of the positions of one level, with the interface of queued ``Partitions``.

    Attributes:
        count: the number of positions, duplicates included.
    """

    def __init__(self, lists: StoredArray, words: int, error: Exception, first: int = 0) -> None:
        """Create a queue without lists.

        Args:
            lists: the array of the bytes of lists.
            words: words per position.
            error: the error to raise if a list is damaged.
            first: the first partition that lists have a part of.
        """
        self.count = 0
        self._lists = lists
        self._words, self._error, self._first = words, error, first
        self._begins = self._counts = np.empty((0, 0), np.int64)
        self._lock = threading.Lock()

    def add(self, begins: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> None:
        """Add lists in the array.

        Args:
            begins: for each list, the first byte of each part, and the end of the last one.
            counts: for each list, the number of positions of each part.
        """
        if self.count:
            begins, counts = np.vstack((self._begins, begins)), np.vstack((self._counts, counts))
        self._begins, self._counts = begins, counts
        self.count = int(counts.sum())

    def write(
        self,
        partitions: Partitions,
        raw_for: Callable[[int], npt.NDArray[np.uint64]],
        coder: ListCoder,
    ) -> None:
        """Append partitions to the array as a list.

        Args:
            partitions: the partitions.
            raw_for: a function that returns an array for a number of positions.
            coder: the thread's buffers for lists.
        """
        with self._lock:
            counts = np.zeros(1 << partitions.bits, np.int64)
            begins = np.full(len(counts) + 1, len(self._lists), np.int64)
            for partition in range(len(counts)):
                count = partitions.size(partition)
                if count:
                    raw = raw_for(count)
                    partitions.gather(partition, raw, 0)
                    counts[partition], data = coder.list_positions(raw[: count * self._words])
                    self._lists.append(data)
                begins[partition + 1] = len(self._lists)
            self.add(begins[np.newaxis], counts[np.newaxis])

    @property
    def bytes(self) -> int:
        """The bytes of the lists."""
        return len(self._lists)

    def size(self, partition: int) -> int:
        """Return the number of positions in a partition, duplicates included."""
        return int(self._counts[:, partition - self._first].sum()) if self.count else 0

    def reading_bytes(self) -> int:
        """Return the most bytes that it takes to read a partition from a file."""
        sizes = np.diff(self._begins, axis=1) if self.count else np.zeros((1, 1), np.int64)
        return int(sizes.sum(axis=0).max(initial=0)) + SLACK

    def gather(self, partition: int, into: npt.NDArray[np.uint64], at: int) -> int:
        """Append a partition to the first ``at`` positions of ``into``; return the new count."""
        if not self.count:
            return at
        part = partition - self._first
        begins = np.ascontiguousarray(self._begins[:, part])
        sizes = self._begins[:, part + 1] - begins
        data, begins = self._lists.ranges(begins, sizes, SLACK)
        counts = np.ascontiguousarray(self._counts[:, part])
        done = unpack_lists(data, begins, begins + sizes, counts, self._words, into, np.int64(at))
        if done < 0:
            raise self._error
        return int(done)

    def close(self) -> None:
        """Release the lists."""
        self._lists.close()


class LevelQueue:
    """The queued positions of all threads, in memory.

    Attributes:
        bits: the logarithm of the number of partitions, by level.
    """

    def __init__(
        self, workspaces: list[Any], size: int, make: Callable[[], Partitions], least_bits: int = 0
    ) -> None:
        """Create an empty queue.

        Args:
            workspaces: the workspaces of the threads, which have the partitions.
            size: the number of positions that a partition should contain.
            make: returns new partitions.
            least_bits: the least logarithm of the number of partitions.
        """
        self.bits: dict[int, int] = {}
        self._workspaces = workspaces
        self._size, self._make, self._least_bits = size, make, least_bits
        self._taken: list[Partitions] = []

    def bits_for(self, expected: int) -> int:
        """Return the logarithm of the number of partitions for about ``expected`` positions."""
        return max(self._least_bits, Partitions.bits_for(expected, self._size))

    def expect(self, level: int, expected: int) -> int:
        """Return the logarithm of the number of partitions of a level.

        Args:
            level: the level.
            expected: the approximate number of its positions, which counts the first time.
        """
        if level not in self.bits:
            self.bits.setdefault(level, self.bits_for(expected))
        return self.bits[level]

    def add(
        self,
        workspace: LevelWorkspace,
        level: int,
        expected: int,
        packed: npt.NDArray[np.uint64],
        levels: npt.NDArray[np.int64],
        count: int,
    ) -> None:
        """Queue those of ``count`` positions that are on a level.

        Args:
            workspace: the workspace of the thread.
            level: the level.
            expected: the approximate number of positions of the level.
            packed: the positions.
            levels: the level of each.
            count: the number of positions.
        """
        if level not in workspace.partitions:
            partitions = workspace.spare.pop() if workspace.spare else self._make()
            partitions.begin(self.expect(level, expected))
            workspace.partitions[level] = partitions
        workspace.partitions[level].add(packed, levels, count, level)

    def levels(self) -> Iterable[int]:
        """Return the levels that have queued positions."""
        return [level for workspace in self._workspaces for level in workspace.partitions]

    def of_level(self, level: int) -> list[Any]:
        """Return the queued positions of a level."""
        return [w.partitions[level] for w in self._workspaces if level in w.partitions]

    def take(self, level: int) -> list[Any]:
        """Remove and return the queued positions of a level, which is about to be created."""
        self._taken = self.of_level(level)
        for workspace in self._workspaces:
            workspace.partitions.pop(level, None)
        return self._taken

    def recycle(self) -> None:
        """Recycle the memory of the positions that were taken last."""
        # The memory is kept, as fresh memory costs time, but trimmed to the need of this level:
        # otherwise it would be too large later, when the positions themselves need the most memory.
        self.release_spare()
        for partitions, workspace in zip(self._taken, self._workspaces, strict=False):
            partitions.trim()
            workspace.spare.append(partitions)
        self._taken = []

    def release_spare(self) -> None:
        """Release the memory that no queued position takes."""
        for workspace in self._workspaces:
            workspace.spare.clear()

    @property
    def bytes(self) -> int:
        """The bytes of memory that queued positions take, and those of a level in creation."""
        held = [*self._taken]
        for workspace in self._workspaces:
            held += [*list(workspace.partitions.values()), *workspace.spare]
        return sum(int(partitions.bytes) for partitions in held)

    @property
    def count(self) -> int:
        """The number of queued positions, duplicates included."""
        held = [list(workspace.partitions.values()) for workspace in self._workspaces]
        return sum(int(partitions.count) for group in held for partitions in group)


class FileQueue(LevelQueue):
    """The queued positions of all threads, in lists in files if they take too much memory."""

    def __init__(
        self,
        workspaces: list[Any],
        size: int,
        make: Callable[[], Partitions],
        scratch: Scratch,
        share: int,
    ) -> None:
        """Create an empty queue.

        Args:
            workspaces: the workspaces of the threads, which have the partitions.
            size: the number of positions that a partition should contain.
            make: returns new partitions.
            scratch: the folder of files.
            share: the bytes of memory that the queued positions of a thread may take.
        """
        super().__init__(workspaces, size, make)
        self._scratch, self._share = scratch, share
        self._words = make().words
        self._lists: dict[int, QueuedLists] = {}
        self._taken_lists: QueuedLists | None = None

    def bits_for(self, expected: int) -> int:
        """Return the logarithm of the number of partitions for about ``expected`` positions.

        Each partition has a block that is not full; these may not take most of the memory.
        """
        bits = super().bits_for(expected)
        while bits and (BLOCK * 8 * self._words << bits) * _OPEN_SHARE > self._share:
            bits -= 1
        return bits

    def levels(self) -> Iterable[int]:
        """Return the levels that have queued positions."""
        return [*super().levels(), *self._lists]

    def of_level(self, level: int) -> list[Any]:
        """Return the queued positions of a level."""
        return [*super().of_level(level), *self._lists_of(level)]

    def _lists_of(self, level: int) -> list[QueuedLists]:
        return [self._lists[level]] if level in self._lists else []

    def take(self, level: int) -> list[Any]:
        """Remove and return the queued positions of a level, which is about to be created."""
        taken, self._taken_lists = super().take(level), self._lists.pop(level, None)
        self._taken = [queued for queued in taken if queued is not self._taken_lists]
        return taken

    def recycle(self) -> None:
        """Release the memory and the file of the positions that were taken last."""
        self._taken = []
        for workspace in self._workspaces:
            workspace.clear()
        if self._taken_lists is not None:
            self._taken_lists.close()

    def write_excess(self, workspace: LevelWorkspace) -> None:
        """Write queued positions of a thread to disk while they take too much memory."""
        while (
            workspace.partitions
            and self._writing_bytes(workspace) > self._share * limits.current().waiting
        ):
            most = max(workspace.partitions, key=lambda level: workspace.partitions[level].bytes)
            self._write(workspace, most)

    def write_all(self) -> None:
        """Write all queued positions to disk, and release all memory for them."""
        for workspace in self._workspaces:
            for level in list(workspace.partitions):
                self._write(workspace, level)
            workspace.clear()

    def _writing_bytes(self, workspace: LevelWorkspace) -> int:
        """Return the bytes of a thread's queued positions, and of writing some of them to disk."""
        partitions = workspace.partitions.values()
        largest = max((queued.count >> queued.bits for queued in partitions), default=0)
        largest += largest // 2
        writing = 8 * self._words * largest + ListCoder.buffer_bytes(largest, self._words)
        writing = max(writing, int(workspace.raw.nbytes + workspace.coder.bytes))
        return writing + sum(int(queued.bytes) for queued in partitions)

    def reading_bytes(self, level: int, largest: int) -> int:
        """Return the bytes that a thread takes to write or read partitions of a level.

        Args:
            level: the level.
            largest: the number of positions of its largest partition.
        """
        lists = [queued.reading_bytes() for queued in self._lists_of(level)]
        return max([ListCoder.buffer_bytes(largest // 2, self._words), *lists])

    def _write(self, workspace: LevelWorkspace, level: int) -> None:
        """Write a thread's queued positions of a level to disk."""
        if level not in self._lists:
            error = OSError(f"a temporary file in {self._scratch.folder} was damaged")
            lists = QueuedLists(FileArray(self._scratch, np.uint8), self._words, error)
            self._lists.setdefault(level, lists)
        partitions = workspace.partitions.pop(level)
        self._lists[level].write(partitions, workspace.raw_for, workspace.coder)
