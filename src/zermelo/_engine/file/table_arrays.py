"""The arrays of an open table, whose blocks are decompressed on demand."""

from __future__ import annotations

import itertools
import mmap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, IntArray, Uint8Array, Uint64Array
from zermelo._engine.file.format import Stored
from zermelo._engine.file.paged_array import (
    PagedArray,
    ReadCount,
    Unpack,
    UnpackAll,
    ascending_order,
)
from zermelo._engine.file.reader import Reader

if TYPE_CHECKING:
    from zermelo.errors import CorruptTableError

Places: TypeAlias = Int64Array

#: The part of the cache limit that reading the file may take in addition, as a divisor.
_READING_SHARE = 16


class TableArrays:
    """The arrays of a table's file, as far as they have been read. Threads may share them.

    Attributes:
        reader: the file.
    """

    def __init__(self, reader: Reader) -> None:
        """Start without arrays."""
        self.reader = reader
        self._cache_limit = limits.current().file_cache
        self._is_limited = self._is_pinned = False
        self._read_count = ReadCount(generous=True)
        self._arrays: dict[str, PagedArray] = {}

    def add(
        self,
        name: str,
        most: int,
        dtype: npt.DTypeLike,
        bounds: Int64Array | tuple[int, int],
        unpack: Unpack,
        unpack_all: UnpackAll | None = None,
    ) -> None:
        """Register an array whose blocks are decompressed on demand.

        Args:
            name: the name of the array in the file.
            most: the most bytes of a valid block. A block that claims more is rejected, as memory
                is allocated for its claimed size before it is decompressed.
            dtype: the type of its elements; this and the other arguments are those of
                ``PagedArray``.
            bounds: the begin of each block's part in the array, and the end of the last.
            unpack: unpacks a block.
            unpack_all: unpacks several blocks.

        Raises:
            CorruptTableError: the file has another number of blocks, or longer ones.
        """
        if self.reader.largest(name) > most:
            raise self.part_error(f"array {name!r}")
        part = self._arrays[name] = PagedArray(self.reader, name, dtype, bounds, unpack, unpack_all)
        part.read_count = self._read_count

    def __contains__(self, name: str) -> bool:
        """Return whether there is an array of this name."""
        return name in self._arrays

    def cached_array(self, name: str) -> PagedArray:
        """Return an array, after dropping the cache if it has become too large."""
        parts = self._arrays
        part = parts[name]
        # Before the next call, up to half of the limit may be read.
        if self._is_limited and part.read_count.memory_bytes > self._cache_limit // 2:
            parts = self._arrays = self._empty_copies()
        if part.read_count.bytes > limits.current().file_cache and not self._is_pinned:
            parts = self._arrays = self._empty_copies()
        return parts[name]

    def limit_cache(self, capacity: int) -> None:
        """Limit the block cache of the one thread that reads to ``capacity`` bytes."""
        self._cache_limit, self._is_limited = min(capacity, limits.current().file_cache), True
        self._arrays = self._empty_copies()
        self.reader.limit_cache(capacity // _READING_SHARE)

    def reset_cache_limit(self) -> None:
        """Restore the default limit of the block cache."""
        self._cache_limit, self._is_limited, self._is_pinned = (
            limits.current().file_cache,
            False,
            False,
        )
        self.reader.limit_cache(None)

    def fill(self) -> None:
        """Decompress all arrays, and keep them in memory.

        Raises:
            CorruptTableError: a block is damaged.
        """
        self._is_pinned = True
        for part in self._arrays.values():
            part.fill()

    @property
    def bytes(self) -> int:
        """The bytes of all arrays once they are decompressed."""
        return sum(part.array.nbytes for part in self._arrays.values())

    def join_blocks(self, name: str, blocks: Places) -> tuple[Uint8Array, Places]:
        """Return the concatenated contents of non-empty blocks of an array; see ``Reader``."""
        return self.reader.join_blocks(blocks + self.reader.array_entry(name).first)

    def gather(self, name: str, numbers: Places, blocks: Places, block_bytes: int) -> IntArray:
        """Return the elements of an array at ``numbers``.

        Args:
            name: the array.
            numbers: the indices.
            blocks: the block of each.
            block_bytes: the bytes of a block.
        """
        part = self.cached_array(name)
        if part.is_complete or len(numbers) == 1:
            if not part.is_complete:
                part.load_block(blocks.item(0))
            return part.array.take(numbers)
        elements = np.empty(len(numbers), part.array.dtype)
        for group in self.groups(blocks, block_bytes):
            part = self.cached_array(name)
            part.load_blocks(blocks[group])
            if isinstance(group, slice):
                return part.array[numbers]
            elements[group] = part.array[numbers[group]]
        return elements

    def find_positions(
        self,
        name: str,
        packed: Uint64Array,
        blocks: Places,
        block_bytes: int,
        out: Places,
        find: Callable[[npt.NDArray[Any], Uint64Array, Places, Places], int],
        words: int,
    ) -> int:
        """Find packed positions in an array of positions; return the number found.

        Args:
            name: the array.
            packed: the positions; there may be more than are wanted.
            blocks: the block of the array that would contain each wanted one, -1 for none.
            block_bytes: the bytes of a block.
            out: receives the index of each.
            find: finds some positions whose blocks are loaded, those of a block one after another.
                It takes the array, the positions, their blocks and an output array, and returns the
                number found.
            words: words of a position.
        """
        found_count = 0
        for group in self.groups(blocks, block_bytes, ordered=True):
            part, group_blocks = self.cached_array(name), blocks[group]
            part.load_blocks(group_blocks)
            if isinstance(group, slice):
                return find(part.array, packed, group_blocks, out)
            group_positions = packed.reshape(-1, words)[group].reshape(-1)
            group_indices = np.empty(len(group), np.int64)
            found_count += find(part.array, group_positions, group_blocks, group_indices)
            out[group] = group_indices
        return found_count

    def groups(self, blocks: Places, block_bytes: int, *, ordered: bool = False) -> Iterator[Any]:
        """Yield groups of items whose blocks fit in the cache together.

        Args:
            blocks: the block of each item.
            block_bytes: the bytes of a block.
            ordered: whether the items of a block must be consecutive.

        Yields:
            The indices of the items of a group; all indices if the cache is not limited.
        """
        if not self._is_limited:
            order = ascending_order(blocks) if ordered else None
            yield slice(None) if order is None else order
            return
        most = max(1, self._cache_limit // 2 // max(block_bytes, mmap.PAGESIZE))
        are_small = blocks.max(initial=0) < np.iinfo(np.uint16).max
        # Sorting 16-bit numbers is many times as fast.
        order = np.argsort(blocks.astype(np.uint16) if are_small else blocks, kind="stable")
        begins = np.flatnonzero(np.diff(blocks[order])) + 1
        cuts = [0, *begins[most - 1 :: most].tolist(), len(blocks)]
        for begin, end in itertools.pairwise(cuts):
            yield order[begin:end]

    def typed_entry(self, name: str, dtype: npt.DTypeLike) -> Stored:
        """Return the description of an array, whose type must be ``dtype``.

        Raises:
            CorruptTableError: it is missing, or of another type.
        """
        stored = self.reader.array_entry(name)
        if stored.dtype != np.dtype(dtype):
            raise self.part_error(f"array {name!r}")
        return stored

    def part_error(self, part: str) -> CorruptTableError:
        """Return the error that ``part`` is wrong in the file."""
        return self.reader.part_error(part)

    def _empty_copies(self) -> dict[str, PagedArray]:
        parts = {name: part.empty_copy() for name, part in self._arrays.items()}
        read_count = ReadCount(generous=not (self._is_limited or self._is_pinned))
        for part in parts.values():
            part.read_count = read_count
        return parts
