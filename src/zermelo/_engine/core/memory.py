"""Memory for arrays that grow to gigabytes: touched only where written, in huge pages."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Integer, Uint8Array
from zermelo._engine.core.jit import instruction
from zermelo._engine.core.ledger import readable
from zermelo.errors import BudgetError

#: Arrays of at least MAPPED bytes are mapped by the system rather than allocated by malloc, which
#: may not return freed memory; those of at least LARGE bytes have huge pages.
MAPPED, LARGE = 1 << 17, 1 << 23
#: Bytes of a huge page, and the least budget of a solve whose arrays grow by huge pages.
_HUGE, _GENEROUS = 1 << 21, 1 << 28

#: Options of malloc: the sizes from which it maps a block and returns free memory; and the value
#: of both to which malloc's own adaptation leads.
_MMAP_FROM, _TRIM_FROM, _MOST_HELD = -3, -1, 1 << 25

_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)


@instruction
def prefetch(array: npt.NDArray[Any], place: Integer) -> None:  # it is here already
    """Prefetch ``array[place]`` into the processor's cache."""


@instruction
def peek(array: npt.NDArray[Any], place: Integer) -> Any:
    """Return ``array[place]`` by an atomic read; another thread may write it."""
    return array[place]


@instruction
def eight_bytes(array: Uint8Array, place: Integer) -> np.uint64:
    """Return the eight bytes at ``array[place]`` as one little-endian number.

    The array is one of bytes and must contain all eight.
    """
    return np.uint64(int.from_bytes(array[place : place + 8].tobytes(), "little"))


@instruction
def put_eight_bytes(array: Uint8Array, place: Integer, word: Integer) -> None:
    """Write a 64-bit number, little-endian, to the eight bytes at ``array[place]``.

    The array is one of bytes and must contain all eight.
    """
    array[place : place + 8] = np.frombuffer(int(word).to_bytes(8, "little"), np.uint8)


@instruction
def exchange(array: npt.NDArray[Any], place: Integer, old: Integer, new: Integer) -> Any:
    """Compare and swap: store ``new`` in ``array[place]`` if it holds ``old``.

    Return the old value.

    A thread that reads ``new`` also sees what this thread wrote before.
    """
    there = array[place]
    if there == old:
        array[place] = new
    return there


@instruction
def on_stack(count: int, dtype: type[Any]) -> npt.NDArray[Any]:
    """Return an uninitialised array of a few numbers on the stack of the running kernel.

    It need not be allocated, counted or freed; a kernel must not return it. Its length is a
    constant. In a loop, each iteration gets the first iteration's array.
    """
    return np.empty(count, dtype)


def zeros(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros whose pages take memory once they are written."""
    size = count * np.dtype(dtype).itemsize
    if size < MAPPED:
        return np.zeros(count, dtype)
    return np.frombuffer(_mapping(size, huge=size >= LARGE), dtype, count)


def lazy_zeros(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros of which few pages, far apart, will be written: no huge pages."""
    size = count * np.dtype(dtype).itemsize
    if size < MAPPED:
        return np.zeros(count, dtype)
    block = _mapping(size, huge=False)
    _advise(block, "MADV_NOHUGEPAGE", 0, size)
    return np.frombuffer(block, dtype, count)


def in_huge_pages(array: npt.NDArray[Any]) -> None:
    """Switch an ``lazy_zeros`` array to huge pages, as most of it will be written."""
    block = getattr(array.base, "obj", None)
    if array.nbytes >= LARGE and isinstance(block, mmap.mmap):
        _advise(block, "MADV_HUGEPAGE", 0, len(block))


@contextmanager
def eager_free(memory: int | str | None, least: int = MAPPED // 2) -> Iterator[None]:
    """Make malloc return freed memory to the system immediately, where malloc has that option.

    Memory that is free already is returned first. By default malloc adapts to freed sizes and keeps
    ever larger blocks, for each thread: that is fast, but several times the memory in use.
    Afterwards it keeps freed memory again.

    Args:
        memory: the caller's budget; with None, nothing changes.
        least: the size in bytes from which a block is mapped and returned individually.
    """
    system = ctypes.CDLL(None) if os.name == "posix" else None
    set_option = getattr(system, "mallopt", None)
    if memory is None or set_option is None:
        yield
        return
    trim = getattr(system, "malloc_trim", None)
    if trim is not None:
        trim(0)
    for option in (_MMAP_FROM, _TRIM_FROM):
        set_option(option, least)
    try:
        yield
    finally:
        for option in (_MMAP_FROM, _TRIM_FROM):
            set_option(option, _MOST_HELD)


def _mapping(size: int, *, huge: bool) -> mmap.mmap:
    """Return newly mapped pages.

    Raises:
        BudgetError: the system has no memory left.
    """
    flags = getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)
    if not flags:  # Windows has neither the flags nor the advice
        return mmap.mmap(-1, size)
    try:
        block = mmap.mmap(-1, size, flags=flags | _NORESERVE)
    except (OSError, ValueError):
        try:
            block = mmap.mmap(-1, size, flags=flags)
        except OSError:
            message = f"the system has no {readable(size)} of memory left; set a lower memory="
            raise BudgetError(message, size, 0) from None
    if huge:
        _advise(block, "MADV_HUGEPAGE", 0, size)
    return block


def _advise(block: mmap.mmap, advice: str, begin: int, end: int) -> bool:
    """Give the system advice about part of a mapping; return whether the advice was accepted."""
    if not hasattr(mmap, advice) or end <= begin:
        return False
    try:
        block.madvise(getattr(mmap, advice), begin, end - begin)
    except OSError:
        return False
    return True


def forget(array: npt.NDArray[Any], begin: int, end: int) -> None:
    """Free the memory of the elements from ``begin`` to ``end`` of a mapped array, or of a slice.

    Their values are lost. Pages that are only partly in the range stay, and so do arrays that
    neither ``zeros`` nor an ``Arena`` has mapped.
    """
    whole = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    block = getattr(whole.base, "obj", None)
    if isinstance(block, mmap.mmap) and end > begin:
        offset = array.ctypes.data - whole.ctypes.data
        _give_back(block, offset + begin * array.itemsize, offset + end * array.itemsize)


def _give_back(block: mmap.mmap, begin: int, end: int) -> None:
    page = mmap.PAGESIZE
    _advise(block, "MADV_DONTNEED", -(-begin // page) * page, end // page * page)


class Arena:
    """An array that grows cheaply even when it is large. New elements are zeros.

    Attributes:
        array: the array, at least as long as last required.
    """

    def __init__(self, dtype: npt.DTypeLike, limit: int, *, small_pages: bool = False) -> None:
        """Create a small array.

        Args:
            dtype: the type of an element.
            small_pages: whether to avoid huge pages, as parts will be freed one by one.
            limit: the most bytes of the array. Once it is no longer small, addresses for all of
                them are reserved, so that it need not be copied again.
        """
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.limit = limit
        self.array: npt.NDArray[Any] = np.zeros(1 << 10, self.dtype)
        self._block: mmap.mmap | None = None
        self._huge = False
        self._has_huge_pages = not small_pages and has_huge_pages(limit)

    def ensure(self, count: int, used: int) -> npt.NDArray[Any]:
        """Grow the array to at least ``count`` elements, keep the first ``used``, and return it."""
        size = count * self.dtype.itemsize
        grows = count > len(self.array)
        larger = self._larger(max(size, 2 * self.array.nbytes)) if grows else self.array
        if self._block is not None and size >= LARGE and not self._huge:
            self._huge = True
            if self._has_huge_pages:
                _advise(self._block, "MADV_HUGEPAGE", 0, len(self._block))
        if grows:
            larger[:used] = self.array[:used]
            self.array = larger
        return larger

    def _larger(self, size: int) -> npt.NDArray[Any]:
        """Return a new array of at least ``size`` bytes, and of all addresses if it is mapped."""
        if size < MAPPED:
            return np.zeros(size // self.dtype.itemsize, self.dtype)
        # Reserved pages take no memory before they are touched.
        whole = max(size, self.limit) if hasattr(mmap, "MAP_ANONYMOUS") else size
        try:
            self._block = _mapping(whole, huge=False)
        except (OSError, MemoryError, OverflowError, ValueError):
            self._block = _mapping(size, huge=False)
        self._huge = False
        if not self._has_huge_pages:  # some systems use them by default
            _advise(self._block, "MADV_NOHUGEPAGE", 0, len(self._block))
        return np.frombuffer(self._block, self.dtype, len(self._block) // self.dtype.itemsize)

    def clear(self) -> None:
        """Make the array empty and free all memory."""
        self.array = np.empty(0, self.dtype)
        self._block = None
        self._huge = False

    def forget(self, begin: int, end: int) -> None:
        """Free the pages of the elements from ``begin`` to ``end``; their values are lost."""
        if self._block is not None:
            _give_back(self._block, begin * self.dtype.itemsize, end * self.dtype.itemsize)


def has_huge_pages(limit: int) -> bool:
    """Return whether the arrays of a solve with a budget of ``limit`` bytes grow in huge pages.

    A page that is touched takes all its memory, so several arrays growing in pages of two megabytes
    would exceed a small budget.
    """
    return limit >= _GENEROUS


def resident(size: int, limit: int) -> int:
    """Return the most bytes of memory that ``size`` bytes of a growing array occupy."""
    if size < MAPPED:
        return 3 * size // 2  # the array may just have been copied
    if size < LARGE or not has_huge_pages(limit):
        return size + mmap.PAGESIZE
    return size + _HUGE
