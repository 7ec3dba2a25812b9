"""Arrays of a file whose blocks are read on demand, and then cached.

An array has its full length from the start, in memory that the system provides when it is written;
so kernels use it like any other array, once the blocks they need have been requested. For a single
element the array is not filled: then the bytes of the block are cached, and the element is read
from them. When the cache becomes too large, it is dropped: not by clearing the array, which another
thread may be reading, but by creating a new one.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, Uint8Array
from zermelo._engine.core.memory import in_huge_pages, lazy_zeros
from zermelo._engine.file.reader import Reader
from zermelo.resources import thread_count

#: Bytes of an array that are unpacked in one step, and the steps from which on several threads are
#: used.
_STEP_BYTES, _STEPS_FOR_THREADS = 1 << 19, 64
#: Unpacks a block: takes its number, its bytes and its part of the array; returns False if invalid.
Unpack: TypeAlias = Callable[[int, Any, npt.NDArray[Any]], bool]
#: Unpacks several blocks: takes their numbers, their concatenated bytes, the end of each in these,
#: and the whole array. Returns the index of an invalid block, -1 for none.
UnpackAll: TypeAlias = Callable[[Int64Array, Uint8Array, Int64Array, npt.NDArray[Any]], int]


class ReadCount:
    """The bytes read, of one array or of several that share a cache.

    Attributes:
        bytes: bytes that have been read.
        memory_bytes: an upper bound of the memory that they take, as memory is allocated by pages.
        threads: threads that unpack large amounts.
        generous: whether short peaks of memory, and several threads, are allowed.
    """

    __slots__ = ("bytes", "generous", "memory_bytes", "threads")

    def __init__(self, *, generous: bool = False) -> None:
        """Start with nothing read."""
        self.bytes = 0
        self.memory_bytes = 0
        self.generous = generous
        self.threads = thread_count(None) if generous else 1


class PagedArray:
    """An array of a file, with the requested blocks in memory.

    Attributes:
        array: the array, which contains the blocks that were requested.
        read_count: the bytes read, of this array and of those it shares the cache with.
    """

    def __init__(
        self,
        reader: Reader,
        name: str,
        dtype: npt.DTypeLike,
        bounds: Int64Array | tuple[int, int],
        unpack: Unpack,
        unpack_all: UnpackAll | None = None,
    ) -> None:
        """Create the array without reading a block.

        Args:
            reader: the file.
            name: the name of the array in the file.
            dtype: the type of its elements in memory.
            bounds: the begin of each block's part in the array, and the end of the last; or, if all
                parts but the last have equal length, this length, and that of the array.
            unpack: unpacks a block.
            unpack_all: unpacks several blocks, which is faster than one by one.

        Raises:
            CorruptTableError: the file has another number of blocks.
        """
        stored = reader.array_entry(name)
        if isinstance(bounds, tuple):
            part_length, length = bounds
            ends = np.arange(0, length + part_length, part_length, dtype=np.int64)
            bounds = np.minimum(ends, length)
            bounds = bounds if length else bounds[:1]
        if stored.blocks != len(bounds) - 1:
            raise reader.part_error(f"array {name!r}")
        self.array: npt.NDArray[Any] = lazy_zeros(int(bounds[-1]), dtype)
        self.read_count = ReadCount()
        self._reader = reader
        self._name = name
        self._first = stored.first
        self._bounds = bounds
        self._unpack = unpack
        self._unpack_all = unpack_all
        self._is_loaded = bytearray(stored.blocks)
        self._block_cache: dict[int, bytes] = {}
        self._flags = np.frombuffer(self._is_loaded, np.uint8)
        #: Whether all blocks are in memory, so that callers need not request any.
        self.is_complete = False

    def empty_copy(self) -> PagedArray:
        """Return a copy without any block read."""
        return PagedArray(
            self._reader,
            self._name,
            self.array.dtype,
            self._bounds,
            self._unpack,
            self._unpack_all,
        )

    def load_block(self, block: int) -> None:
        """Read a block, if it is not in memory.

        Raises:
            CorruptTableError: it is damaged.
        """
        if not self._is_loaded[block]:
            self._place(block, self._reader.block(self._first + block))

    def block_bytes(self, block: int) -> bytes | None:
        """Return the bytes of a block, or None if the array contains them.

        For single look-ups: reading an element from the bytes is faster than unpacking a part of
        the array, for which the system must provide memory.

        Raises:
            CorruptTableError: the block is damaged.
        """
        if self._is_loaded[block]:
            return None
        data = self._block_cache.get(block)
        if data is None:
            data = self._block_cache[block] = self._reader.block(self._first + block)
            self.read_count.bytes += len(data)
            self.read_count.memory_bytes += len(data)
        return data

    def load_blocks(self, blocks: Int64Array) -> None:
        """Read blocks that are not in memory; repeated numbers are allowed, and -1 is ignored.

        Raises:
            CorruptTableError: one is damaged.
        """
        is_requested = np.zeros(len(self._flags) + 1, np.bool_)
        is_requested[blocks] = True  # -1 is the extra element after all blocks
        missing = np.flatnonzero(is_requested[:-1] & (self._flags == 0))
        if not len(missing):
            return
        if self._unpack_all is not None:
            self._place_all(missing, self._unpack_all)
            return
        contents = self._reader.iterate_blocks((missing + self._first).tolist())
        for block, data in zip(missing.tolist(), contents, strict=True):
            self._place(block, data)

    def fill(self, threads: int = 1) -> npt.NDArray[Any]:
        """Read all blocks, and return the array.

        Raises:
            CorruptTableError: a block is damaged.
        """
        missing = np.flatnonzero(self._flags == 0)
        if len(missing) and self._unpack_all is not None:
            self._place_all(missing, self._unpack_all)
        elif len(missing):
            for number, data in self._reader.blocks(self._first, len(self._is_loaded), threads):
                self._place(number - self._first, data)
        self.is_complete = True
        return self.array

    def _place_all(self, blocks: Int64Array, unpack: UnpackAll) -> None:
        """Unpack blocks, in steps whose data stays in the processor's cache."""
        sizes = (self._bounds[blocks + 1] - self._bounds[blocks]) * self.array.itemsize
        if self.read_count.generous and 2 * int(sizes.sum()) > self.array.nbytes:
            in_huge_pages(self.array)
        step_numbers = np.cumsum(sizes) // limits.current().batch(_STEP_BYTES)
        parts = np.split(blocks, np.flatnonzero(np.diff(step_numbers)) + 1)

        def place(step: Int64Array) -> None:
            data, ends = self._reader.join_blocks(step + self._first)
            invalid = unpack(step, data, ends, self.array)
            if invalid >= 0:
                raise self._reader.part_error(f"block {step[invalid]} of {self._name}")
            self._flags[step] = 1  # last, as in ``_place``

        if self.read_count.threads == 1 or len(parts) < limits.current().shared(_STEPS_FOR_THREADS):
            for step in parts:
                place(step)
        else:
            with ThreadPoolExecutor(self.read_count.threads, "zermelo-unpack") as pool:
                list(pool.map(place, parts))
        self.read_count.bytes += int(sizes.sum())
        self.read_count.memory_bytes += int(np.maximum(sizes, mmap.PAGESIZE).sum())

    def _place(self, block: int, data: Any) -> None:
        begin, end = self._bounds.item(block), self._bounds.item(block + 1)
        try:
            is_valid = self._unpack(block, data, self.array[begin:end])
        except ValueError:  # the bytes are not a whole number of elements
            is_valid = False
        if not is_valid:
            raise self._reader.part_error(f"block {block} of {self._name}")
        self._is_loaded[block] = 1  # last, as other threads then read the block
        self._block_cache.pop(block, None)
        size = (end - begin) * self.array.itemsize
        self.read_count.bytes += size
        self.read_count.memory_bytes += max(size, mmap.PAGESIZE)


def ascending_order(blocks: Int64Array) -> Int64Array | None:
    """Return the order that makes blocks ascend; None if they do."""
    if len(blocks) < 2 or (blocks[1:] >= blocks[:-1]).all():  # nothing to compare
        return None
    # Sorting numbers whose lower half is the index is many times as fast as a stable argsort.
    tags = (blocks + 1 << 32) + np.arange(len(blocks))
    tags.sort()
    tags &= (1 << 32) - 1
    return tags
