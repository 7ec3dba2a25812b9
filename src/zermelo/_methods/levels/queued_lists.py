"""Queued positions in coded lists, with a part of every partition, in memory or in a file.

If partitions exceed their share of memory, a thread writes them to disk as lists, and starts again
with empty ones. When the level is created, each partition is read from all lists and from memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.sort.buckets import Partitions
from zermelo._engine.sort.position_lists import MOST, SLACK, ListCoder, unpack_list


class QueuedLists:
    """Lists of the positions of one level, with the interface of queued ``Partitions``.

    Attributes:
        count: the number of positions, duplicates included.
    """

    def __init__(self, column: Any, words: int, error: Exception, first: int = 0) -> None:
        """Create a queue without lists.

        Args:
            column: the bytes of lists, with ``SLACK`` more behind the last: a column in memory or
                in a file.
            words: words per position.
            error: the error to raise if a list is damaged.
            first: the first partition that lists have a part of.
        """
        self.count = 0
        self._column = column
        self._words, self._error, self._first = words, error, first
        self._begins: list[npt.NDArray[np.int64]] = []
        self._counts: list[npt.NDArray[np.int64]] = []
        self._lock = threading.Lock()

    def add(self, begins: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> None:
        """Add a list in the column.

        Args:
            begins: the first byte of each part, and the end of the last one.
            counts: the number of positions of each part.
        """
        self._begins.append(begins)
        self._counts.append(counts)
        self.count += int(counts.sum())

    def write(
        self,
        partitions: Partitions,
        raw_for: Callable[[int], npt.NDArray[np.uint64]],
        coder: ListCoder,
    ) -> None:
        """Append partitions to the column as a list.

        Args:
            partitions: the partitions.
            raw_for: a function that returns an array for a number of positions.
            coder: the thread's buffers for lists.
        """
        with self._lock:
            counts = np.zeros(1 << partitions.bits, np.int64)
            begins = np.full(len(counts) + 1, len(self._column), np.int64)
            for partition in range(len(counts)):
                count = partitions.size(partition)
                if count:
                    raw = raw_for(count)
                    partitions.gather(partition, raw, 0)
                    counts[partition], data = coder.list_positions(raw[: count * self._words])
                    self._column.append(data)
                begins[partition + 1] = len(self._column)
            self._column.append(np.zeros(SLACK, np.uint8))
            self.add(begins, counts)

    @property
    def bytes(self) -> int:
        """The bytes of the column."""
        return len(self._column)

    def size(self, partition: int) -> int:
        """Return the number of positions in a partition, duplicates included."""
        return sum(int(counts[partition - self._first]) for counts in self._counts)

    def reading_bytes(self) -> int:
        """Return the most bytes that it takes to read a part of a list."""
        most = max((int(counts.max(initial=0)) for counts in self._counts), default=0)
        return MOST * self._words * most + SLACK

    def gather(self, partition: int, into: npt.NDArray[np.uint64], at: int) -> int:
        """Append a partition to the first ``at`` positions of ``into``; return the new count."""
        part, words = partition - self._first, self._words
        for begins, counts in zip(self._begins, self._counts, strict=True):
            count = int(counts[part])
            if count:
                begin, end = begins[part : part + 2].tolist()
                end += SLACK
                data = self._column.elements(begin, end, np.empty(end - begin, np.uint8))
                if unpack_list(data, count, words, into[at * words :]) != len(data) - SLACK:
                    raise self._error
                at += count
        return at

    def close(self) -> None:
        """Close the column."""
        self._column.close()
