"""Queued positions on disk: runs, each with a part of every partition.

If partitions exceed their share of memory, a thread writes its partitions to disk as a run, and
starts again with empty ones. When the level is created, each partition is read from every run and
from memory.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch, ScratchColumn
from zermelo._engine.sort.buckets import BLOCK, Partitions

#: The fastest compression level, as the data is read only once.
_QUICKLY = 1
#: Bytes that the library takes to compress and to decompress.
_CONTEXT = 3 << 19
#: The share of the memory for partitions that blocks which are not full may take, as a divisor.
_OPEN_SHARE = 4


class Packing:
    """The buffers with which a thread compresses partitions."""

    def __init__(self) -> None:
        """Create empty buffers."""
        self.packer: Any = None
        self.unpacker: Any = None
        self.planes: npt.NDArray[np.uint8] = np.empty(0, np.uint8)
        self.packed: npt.NDArray[np.uint8] = np.empty(0, np.uint8)

    @property
    def bytes(self) -> int:
        """The bytes of the buffers."""
        context = _CONTEXT if self.packer or self.unpacker else 0
        return self.planes.nbytes + self.packed.nbytes + context

    def reserve(self, size: int) -> None:
        """Allocate buffers for ``size`` bytes, compressed and uncompressed."""
        if len(self.planes) < size:
            self.clear()
            self.planes = zeros(size, np.uint8)
            self.packed = zeros(size + size // 128 + 1024, np.uint8)

    def clear(self) -> None:
        """Release the buffers."""
        self.planes = self.packed = np.empty(0, np.uint8)

    def pack(self, raw: npt.NDArray[np.uint64], width: int) -> npt.NDArray[np.uint8]:
        """Return positions of ``width`` bytes each, compressed."""
        if self.packer is None:
            self.packer = zstandard.ZstdCompressor(level=_QUICKLY)
        of_bytes = raw.view(np.uint8)
        self.reserve(len(of_bytes))
        planes = self.planes[: len(of_bytes)]
        # Bytes of equal significance are side by side, so bytes that all positions share compress
        # well.
        planes.reshape(width, -1)[:] = of_bytes.reshape(-1, width).T
        return _read_all(self.packer.stream_reader(planes.data), self.packed)

    def unpack(
        self, packed: npt.NDArray[np.uint8], raw: npt.NDArray[np.uint64], width: int
    ) -> None:
        """Fill an array with the positions that were compressed."""
        if self.unpacker is None:
            self.unpacker = zstandard.ZstdDecompressor()
        planes = self.planes[: 8 * len(raw)]
        _read_all(self.unpacker.stream_reader(packed.data), planes)
        raw.view(np.uint8).reshape(-1, width)[:] = planes.reshape(width, -1).T


def _read_all(reader: Any, into: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Read to the end, and return the bytes read."""
    size = 0
    while got := reader.readinto(into[size:].data):
        size += got
    return into[:size]


def partition_bits(expected: int, size: int, memory: int, words: int) -> int:
    """Return the logarithm of the number of partitions for about ``expected`` positions.

    Each partition has a block that is not full; these may not take most of the memory.
    """
    bits = Partitions.bits_for(expected, size)
    while bits and (BLOCK * 8 * words << bits) * _OPEN_SHARE > memory:
        bits -= 1
    return bits


@dataclass(frozen=True)
class _Run:
    """The place of a run's partitions: partition ``i`` is from ``begin[i]`` to ``begin[i + 1]``."""

    begin: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


class Runs:
    """The runs of one level.

    Attributes:
        count: the number of positions, duplicates included.
    """

    def __init__(self, scratch: Scratch, words: int) -> None:
        """Create an object without runs."""
        self.count = 0
        self._words = words
        self._file = ScratchColumn(scratch, np.uint8)
        self._runs: list[_Run] = []
        self._lock = threading.Lock()

    def write(self, partitions: Partitions, buffer: Any, packing: Packing) -> None:
        """Write partitions to disk as a run.

        Args:
            partitions: the partitions.
            buffer: a function that returns an array for a number of positions.
            packing: the thread's buffers for compression.
        """
        counts = np.array([partitions.size(partition) for partition in range(1 << partitions.bits)])
        with self._lock:
            begin = [len(self._file)]
            for partition, count in enumerate(counts.tolist()):
                if count:
                    raw = buffer(count)
                    partitions.gather(partition, raw, 0)
                    self._file.append(packing.pack(raw[: count * self._words], 8 * self._words))
                begin.append(len(self._file))
            self._runs.append(_Run(np.array(begin), counts))
            self.count += partitions.count

    def size(self, partition: int) -> int:
        """Return the number of positions in a partition, duplicates included."""
        return sum(int(run.counts[partition]) for run in self._runs)

    def largest(self) -> int:
        """Return the greatest number of positions that a partition has in one run."""
        return max((int(run.counts.max(initial=0)) for run in self._runs), default=0)

    def gather(
        self, partition: int, into: npt.NDArray[np.uint64], at: int, packing: Packing
    ) -> int:
        """Append a partition to the first ``at`` positions of ``into``; return the new count."""
        words = self._words
        for run in self._runs:
            count = int(run.counts[partition])
            if not count:
                continue
            low, high = int(run.begin[partition]), int(run.begin[partition + 1])
            packing.reserve(8 * words * count)
            packed = self._file.read(low, packing.packed[: high - low])
            packing.unpack(packed, into[at * words : (at + count) * words], 8 * words)
            at += count
        return at

    def close(self) -> None:
        """Close the file."""
        self._file.close()
