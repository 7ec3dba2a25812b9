"""Memory for arrays that grow to gigabytes: touched only where written, in huge pages."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from zermelo._engine.core.ledger import readable
from zermelo.errors import BudgetError

#: Arrays of at least this many bytes come from the system directly rather than from malloc, which
#: may keep what is freed; from the second on they have huge pages.
MAPPED, LARGE = 1 << 17, 1 << 23
#: Bytes of a huge page, and what a solve must be allowed for arrays that grow by such pages.
_HUGE, _GENEROUS = 1 << 21, 1 << 28

#: Options of malloc: from how many bytes on it asks the system for each piece, and from how many
#: free ones on it gives them back; and what it learns to keep in the end.
_MMAP_FROM, _TRIM_FROM, _MOST_HELD = -3, -1, 1 << 25

_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)


@intrinsic
def prefetch(context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Ask the processor to bring ``array[place]`` into its cache; has no other effect."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
        at = target.cast(builder, arguments[1], signature.args[1], types.intp)
        pointer = builder.bitcast(builder.gep(data, [at]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
        for_writing, near, data_cache = (ir.Constant(word, n) for n in (1, 3, 1))
        builder.call(function, [pointer, for_writing, near, data_cache])
        return target.get_dummy_value()

    return types.void(array, place), generate


@intrinsic
def peek(context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return ``array[place]`` as it is now, though another thread may be writing it."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, size = _pointer(target, builder, signature, arguments)
        return builder.load_atomic(pointer, "acquire", size)

    return array.dtype(array, place), generate


@intrinsic
def eight_bytes(context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return the eight bytes from ``array[place]`` on as one number, the first the lowest.

    They must be there. The array is one of bytes.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, _ = _pointer(target, builder, signature, arguments)
        wide = builder.bitcast(pointer, ir.IntType(64).as_pointer())
        word = builder.load(wide, align=1)
        if sys.byteorder == "big":
            word = builder.bswap(word)
        return word

    return types.uint64(array, place), generate


@intrinsic
def put_eight_bytes(context: Any, array: Any, place: Any, word: Any) -> Any:  # noqa: ARG001  # the same
    """Write a number of 64 bits to the eight bytes from ``array[place]`` on, the lowest first.

    They must be there. The array is one of bytes.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, _ = _pointer(target, builder, signature, arguments)
        wide = builder.bitcast(pointer, ir.IntType(64).as_pointer())
        number = arguments[2]
        if sys.byteorder == "big":
            number = builder.bswap(number)
        builder.store(number, wide, align=1)
        return target.get_dummy_value()

    return types.void(array, place, types.uint64), generate


@intrinsic
def exchange(context: Any, array: Any, place: Any, old: Any, new: Any) -> Any:  # noqa: ARG001
    """Put ``new`` in ``array[place]`` if ``old`` is there still; return what was there.

    Whoever finds ``new`` there also finds what this thread wrote before.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, _ = _pointer(target, builder, signature, arguments)
        kind = signature.args[0].dtype
        before, after = (
            target.cast(builder, arguments[n], signature.args[n], kind) for n in (2, 3)
        )
        pair = builder.cmpxchg(pointer, before, after, "acq_rel", "acquire")
        return builder.extract_value(pair, 0)

    return array.dtype(array, place, old, new), generate


@intrinsic
def on_stack(context: Any, count: Any, dtype: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return an array of a few numbers, whatever stands in them, for as long as a kernel runs.

    It is there from the first, and so need not be allocated, counted or freed; a kernel must
    not hand it out. Its length is a constant, and a loop is given the same array each time.
    """
    if not isinstance(count, types.IntegerLiteral):
        return None  # Numba asks with the constant too
    array = types.Array(dtype.instance_type, 1, "C")

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        kind = target.get_data_type(array.dtype)
        length, size = (
            target.get_constant(types.intp, n)
            for n in (count.literal_value, target.get_abi_sizeof(kind))
        )
        made = target.make_array(array)(target, builder)
        data = cgutils.alloca_once(builder, kind, size=length)
        populate_array(made, data, shape=[length], strides=[size], itemsize=size, meminfo=None)
        return made._getvalue()  # noqa: SLF001  # Numba's own call

    return array(count, dtype), generate


def _pointer(target: Any, builder: Any, signature: Any, arguments: Any) -> tuple[Any, int]:
    """Return the address of ``array[place]``, the first two arguments, and an element's bytes."""
    data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
    at = target.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.gep(data, [at]), signature.args[0].dtype.bitwidth // 8


def zeros(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros whose pages are the system's until they are written."""
    size = count * np.dtype(dtype).itemsize
    if size < MAPPED:
        return np.zeros(count, dtype)
    return np.frombuffer(_mapping(size, huge=size >= LARGE), dtype, count)


def lazy_zeros(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros of which few pages may ever be touched, and each for little."""
    size = count * np.dtype(dtype).itemsize
    if size < MAPPED:
        return np.zeros(count, dtype)
    block = _mapping(size, huge=False)
    _advise(block, "MADV_NOHUGEPAGE", 0, size)
    return np.frombuffer(block, dtype, count)


def in_huge_pages(array: npt.NDArray[Any]) -> None:
    """Have the rest of an ``lazy_zeros`` array in huge pages, as most of it is to be touched."""
    block = getattr(array.base, "obj", None)
    if array.nbytes >= LARGE and isinstance(block, mmap.mmap):
        _advise(block, "MADV_HUGEPAGE", 0, len(block))


@contextmanager
def eager_free(memory: int | str | None, least: int = MAPPED // 2) -> Iterator[None]:
    """Have malloc give memory back as soon as it is free, as far as the system's malloc can.

    What is free already goes back first. Malloc learns from what is freed to keep ever larger
    pieces for later, each thread its own: that is quick, and many times what is in use. Afterwards
    it keeps them again.

    Args:
        memory: the memory that may be taken, as it was given; where it is None, nothing is done.
        least: the bytes from which on a piece goes back by itself, and not with those around it.
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
    """Return pages of the system.

    Raises:
        BudgetError: it gives no more.
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
    """Tell the system about part of a mapping; return whether it was listened to."""
    if not hasattr(mmap, advice) or end <= begin:
        return False
    try:
        block.madvise(getattr(mmap, advice), begin, end - begin)
    except OSError:
        return False
    return True


def forget(array: npt.NDArray[Any], begin: int, end: int) -> None:
    """Free what memory there is between two elements of an array that ``zeros`` made.

    What stands there is lost. Pages that are only in part between them stay.
    """
    block = getattr(array.base, "obj", None)
    if isinstance(block, mmap.mmap):
        _give_back(block, begin * array.itemsize, end * array.itemsize)


def _give_back(block: mmap.mmap, begin: int, end: int) -> None:
    page = mmap.PAGESIZE
    _advise(block, "MADV_DONTNEED", -(-begin // page) * page, end // page * page)


class Arena:
    """One array that grows, cheaply even when it is large. What is added is zeros.

    Attributes:
        array: the array, at least as long as was last asked for.
    """

    def __init__(self, dtype: npt.DTypeLike, limit: int) -> None:
        """Begin small.

        Args:
            dtype: the type of an element.
            limit: bytes that the array will never pass. Once it is no longer small this much is
                reserved, though not touched, so that it need not be copied again.
        """
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.limit = limit
        self.array: npt.NDArray[Any] = np.zeros(1 << 10, self.dtype)
        self._block: mmap.mmap | None = None
        self._huge = False

    def ensure(self, count: int, used: int) -> npt.NDArray[Any]:
        """Make room for ``count`` elements, keeping the first ``used``, and return the array."""
        size = count * self.dtype.itemsize
        if self._block is not None and size >= LARGE and not self._huge:
            self._huge = True
            if has_huge_pages(self.limit):
                _advise(self._block, "MADV_HUGEPAGE", 0, len(self._block))
        if count <= len(self.array):
            return self.array
        size = max(size, 2 * self.array.nbytes)
        larger: npt.NDArray[Any]
        if size < MAPPED:
            larger = np.zeros(size // self.dtype.itemsize, self.dtype)
        else:
            # Reserving costs nothing where pages are taken when they are first touched.
            whole = max(size, self.limit) if hasattr(mmap, "MAP_ANONYMOUS") else size
            try:
                self._block = _mapping(whole, huge=False)
            except (OSError, MemoryError, OverflowError, ValueError):
                self._block = _mapping(size, huge=False)
            whole = len(self._block)
            if not has_huge_pages(self.limit):  # where the system has them without being asked
                _advise(self._block, "MADV_NOHUGEPAGE", 0, whole)
            larger = np.frombuffer(self._block, self.dtype, whole // self.dtype.itemsize)
        larger[:used] = self.array[:used]
        self.array = larger
        return larger

    def clear(self) -> None:
        """Start again, and free all memory."""
        self.array = np.empty(0, self.dtype)
        self._block = None
        self._huge = False

    def forget(self, begin: int, end: int) -> None:
        """Give the pages between two elements back; what stood there is lost."""
        if self._block is not None:
            _give_back(self._block, begin * self.dtype.itemsize, end * self.dtype.itemsize)


def has_huge_pages(limit: int) -> bool:
    """Whether arrays of a solve that may take this many bytes grow in huge pages.

    A page that is touched is taken whole, so several arrays growing in pages of two megabytes
    would take more than a small budget has.
    """
    return limit >= _GENEROUS


def resident(size: int, limit: int) -> int:
    """Return the most bytes of memory that this many bytes of a growing array occupy."""
    if size < MAPPED:
        return 3 * size // 2  # it may just have been copied
    if size < LARGE or not has_huge_pages(limit):
        return size + mmap.PAGESIZE
    return size + _HUGE
