"""Memory for arrays that grow to gigabytes: touched only where written, in huge pages."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

#: Arrays of at least this many bytes come from the system directly rather than from malloc.
LARGE = 1 << 23

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
        return builder.load_atomic(pointer, "monotonic", size)

    return array.dtype(array, place), generate


@intrinsic
def exchange(context: Any, array: Any, place: Any, old: Any, new: Any) -> Any:  # noqa: ARG001
    """Put ``new`` in ``array[place]`` if ``old`` is there still; return what was there."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, _ = _pointer(target, builder, signature, arguments)
        kind = signature.args[0].dtype
        before, after = (
            target.cast(builder, arguments[n], signature.args[n], kind) for n in (2, 3)
        )
        pair = builder.cmpxchg(pointer, before, after, "monotonic", "monotonic")
        return builder.extract_value(pair, 0)

    return array.dtype(array, place, old, new), generate


def _pointer(target: Any, builder: Any, signature: Any, arguments: Any) -> tuple[Any, int]:
    """Return the address of ``array[place]``, the first two arguments, and an element's bytes."""
    data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
    at = target.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.gep(data, [at]), signature.args[0].dtype.bitwidth // 8


def zeros(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros whose pages are the system's until they are written."""
    size = count * np.dtype(dtype).itemsize
    if size < LARGE:
        return np.zeros(count, dtype)
    return np.frombuffer(_mapping(size), dtype, count)


def _mapping(size: int) -> mmap.mmap:
    flags = getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)
    if not flags:  # Windows has neither the flags nor the advice
        return mmap.mmap(-1, size)
    try:
        block = mmap.mmap(-1, size, flags=flags | _NORESERVE)
    except (OSError, ValueError):
        block = mmap.mmap(-1, size, flags=flags)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        try:
            block.madvise(mmap.MADV_HUGEPAGE)
        except OSError:
            return block
    return block


class Arena:
    """One array that grows, cheaply even when it is large.

    Attributes:
        array: the array, at least as long as was last asked for.
    """

    def __init__(self, dtype: npt.DTypeLike, limit: int) -> None:
        """Begin small.

        Args:
            dtype: the type of an element.
            limit: bytes that the array will never pass. Where the array is large this much is
                reserved, though not touched, so that it need not be copied again.
        """
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.limit = limit
        self.array: npt.NDArray[Any] = np.empty(1 << 10, self.dtype)

    def ensure(self, count: int, used: int) -> npt.NDArray[Any]:
        """Make room for ``count`` elements, keeping the first ``used``, and return the array."""
        if count <= len(self.array):
            return self.array
        size = max(count, 2 * len(self.array))
        if size * self.dtype.itemsize < LARGE:
            larger: npt.NDArray[Any] = np.empty(size, self.dtype)
        else:
            try:
                larger = zeros(max(size, self.limit // self.dtype.itemsize), self.dtype)
            except (OSError, MemoryError, OverflowError):
                larger = zeros(size, self.dtype)
        larger[:used] = self.array[:used]
        self.array = larger
        return larger
