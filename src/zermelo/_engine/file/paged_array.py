"""Arrays of a file that are read block by block, as blocks are needed, and then kept.

An array has its whole length from the first, in memory that is the system's until it is written;
so kernels take it as they take any other, once the blocks they will look at have been asked for.
For one element it is not filled: then the bytes of the block are kept, and looked into.
Where all that has been read becomes too much, it is forgotten: not by emptying the array, which
another thread may be looking at, but by beginning a new one.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.memory import in_huge_pages, lazy_zeros
from zermelo._engine.file.reader import Reader
from zermelo.resources import thread_count

#: Bytes of an array that are made together, and from how many times that on by several threads.
_AT_ONCE, _MANY = 1 << 19, 64
#: Makes part of an array of the bytes of a block, whose number it is given; False if it cannot.
Unpack: TypeAlias = Callable[[int, Any, npt.NDArray[Any]], bool]
#: Does it for some blocks at once: their numbers, what they hold one behind another, where each
#: ends in that, and all of the array. Returns which of them it cannot, -1 for none.
UnpackAll: TypeAlias = Callable[
    [npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[Any]], int
]


class ReadCount:
    """How much has been read, of one array or of several together.

    Attributes:
        bytes: bytes that have been read.
        taken: the bytes of memory that they take at most, which is shared out by pages.
        threads: threads that read where there is much to be read.
        generous: whether there may be more memory for a moment, and several threads.
    """

    __slots__ = ("bytes", "generous", "taken", "threads")

    def __init__(self, *, generous: bool = False) -> None:
        """Begin with nothing."""
        self.bytes = 0
        self.taken = 0
        self.generous = generous
        self.threads = thread_count(None) if generous else 1


class PagedArray:
    """An array of a file, in memory as far as it has been needed.

    Attributes:
        array: the array, which holds what stands in the blocks that were asked for.
        read: how much of it, and of those it shares this with, has been filled.
    """

    def __init__(
        self,
        reader: Reader,
        name: str,
        dtype: npt.DTypeLike,
        bounds: npt.NDArray[np.int64] | tuple[int, int],
        unpack: Unpack,
        unpack_all: UnpackAll | None = None,
    ) -> None:
        """Read nothing yet.

        Args:
            reader: the file.
            name: the array there.
            dtype: what its elements are in memory.
            bounds: where the part begins that each block makes, and the end of the last; or, where
                all but the last are alike, how long one is, and the length of all.
            unpack: makes a part of the bytes of a block.
            unpack_all: makes parts of the bytes of several, which is quicker than one by one.

        Raises:
            CorruptTableError: the file has another number of blocks.
        """
        stored = reader.stored(name)
        if isinstance(bounds, tuple):
            each, length = bounds
            bounds = np.minimum(np.arange(0, length + each, each, dtype=np.int64), length)
            bounds = bounds if length else bounds[:1]
        if stored.blocks != len(bounds) - 1:
            raise reader.wrong(f"array {name!r}")
        self.array: npt.NDArray[Any] = lazy_zeros(int(bounds[-1]), dtype)
        self.read = ReadCount()
        self._given = (reader, name, dtype, bounds, unpack, unpack_all)
        self._reader = reader
        self._name = name
        self._first = stored.first
        self._bounds = bounds
        self._unpack = unpack
        self._unpack_all = unpack_all
        self._here = bytearray(stored.blocks)
        self._seen: dict[int, bytes] = {}
        self._flags = np.frombuffer(self._here, np.uint8)
        #: Whether all of it is there, so that nobody has to ask which block is needed.
        self.whole = False

    def anew(self) -> PagedArray:
        """Return the same array, of which nothing has been read."""
        return PagedArray(*self._given)

    def need(self, block: int) -> None:
        """See that a block is there.

        Raises:
            CorruptTableError: it is damaged.
        """
        if not self._here[block]:
            self._place(block, self._reader.block(self._first + block))

    def glance(self, block: int) -> bytes | None:
        """Return what a block holds in the file, or None where the array has it.

        For questions one by one: to look into the bytes takes less than to make a part of the
        array of them, for which the system has to find memory.

        Raises:
            CorruptTableError: it is damaged.
        """
        if self._here[block]:
            return None
        data = self._seen.get(block)
        if data is None:
            data = self._seen[block] = self._reader.block(self._first + block)
            self.read.bytes += len(data)
            self.read.taken += len(data)
        return data

    def need_all(self, blocks: npt.NDArray[np.int64]) -> None:
        """See that blocks are there, each of which may be named more than once; -1 is none.

        Raises:
            CorruptTableError: one is damaged.
        """
        wanted = np.zeros(len(self._flags) + 1, np.bool_)
        wanted[blocks] = True  # -1 is the last, behind all blocks
        missing = np.flatnonzero(wanted[:-1] & (self._flags == 0))
        if not len(missing):
            return
        if self._unpack_all is not None:
            self._place_all(missing, self._unpack_all)
            return
        found = self._reader.some((missing + self._first).tolist())
        for block, data in zip(missing.tolist(), found, strict=True):
            self._place(block, data)

    def fill(self, threads: int = 1) -> npt.NDArray[Any]:
        """See that all of it is there, and return it.

        Raises:
            CorruptTableError: a block is damaged.
        """
        if not self._flags.all():
            for number, data in self._reader.blocks(self._first, len(self._here), threads):
                self._place(number - self._first, data)
        self.whole = True
        return self.array

    def _place_all(self, blocks: npt.NDArray[np.int64], unpack: UnpackAll) -> None:
        """Make parts of blocks, as many at a time as stay in the processor's cache meanwhile."""
        sizes = (self._bounds[blocks + 1] - self._bounds[blocks]) * self.array.itemsize
        if self.read.generous and 2 * int(sizes.sum()) > self.array.nbytes:
            in_huge_pages(self.array)
        marks = np.cumsum(sizes) // limits.current().batch(_AT_ONCE)
        parts = np.split(blocks, np.flatnonzero(np.diff(marks)) + 1)

        def place(some: npt.NDArray[np.int64]) -> None:
            data, ends = self._reader.joined(some + self._first)
            wrong = unpack(some, data, ends, self.array)
            if wrong >= 0:
                raise self._reader.wrong(f"block {some[wrong]} of {self._name}")
            self._flags[some] = 1  # only now, as in ``_place``

        if self.read.threads == 1 or len(parts) < limits.current().shared(_MANY):
            for some in parts:
                place(some)
        else:
            with ThreadPoolExecutor(self.read.threads, "zermelo-unpack") as pool:
                list(pool.map(place, parts))
        self.read.bytes += int(sizes.sum())
        self.read.taken += int(np.maximum(sizes, mmap.PAGESIZE).sum())

    def _place(self, block: int, data: Any) -> None:
        begin, end = self._bounds.item(block), self._bounds.item(block + 1)
        try:
            right = self._unpack(block, data, self.array[begin:end])
        except ValueError:  # too few bytes for whole numbers
            right = False
        if not right:
            raise self._reader.wrong(f"block {block} of {self._name}")
        self._here[block] = 1  # only now: what is here is looked at by other threads
        self._seen.pop(block, None)
        size = (end - begin) * self.array.itemsize
        self.read.bytes += size
        self.read.taken += max(size, mmap.PAGESIZE)


def together(blocks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
    """Return in which order those of a block follow one another; None where they do already."""
    if len(blocks) < 2 or (blocks[1:] >= blocks[:-1]).all():  # nothing to compare
        return None
    # Sorted as one number, of which the lower half is where each stands: many times as quick.
    tags = (blocks + 1 << 32) + np.arange(len(blocks))
    tags.sort()
    tags &= (1 << 32) - 1
    return tags
