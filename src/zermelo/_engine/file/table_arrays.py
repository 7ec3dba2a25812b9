"""The arrays of an open table, whose blocks are decompressed on demand."""

from __future__ import annotations

import itertools
import mmap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.file.format import Stored
from zermelo._engine.file.paged_array import PagedArray, ReadCount, ascending_order
from zermelo._engine.file.reader import Reader

if TYPE_CHECKING:
    from zermelo.errors import CorruptTableError

Places: TypeAlias = npt.NDArray[np.int64]

#: The part of the cache limit that reading the file may take in addition, as a divisor.
_SHOWN = 16


class TableArrays:
    """The arrays of a table's file, as far as they have been read. Threads may share them.

    Attributes:
        reader: the file.
    """

    def __init__(self, reader: Reader) -> None:
        """Start without arrays."""
        self.reader = reader
        self._most = limits.current().file_cache
        self._limited = self._pinned = False
        self._read = ReadCount(generous=True)
        self._parts: dict[str, PagedArray] = {}

    def add(self, name: str, most: int, *how: Any) -> None:
        """Register an array whose blocks are decompressed on demand.

        Args:
            name: its name in the file.
            most: the most bytes of a valid block. A block that claims more is rejected, as memory
                is allocated for its claimed size before it is decompressed.
            how: the further arguments of ``PagedArray``.

        Raises:
            CorruptTableError: the file has another number of blocks, or longer ones.
        """
        if self.reader.largest(name) > most:
            raise self.part_error(f"array {name!r}")
        part = self._parts[name] = PagedArray(self.reader, name, *how)
        part.read = self._read

    def __contains__(self, name: str) -> bool:
        """Whether there is an array of this name."""
        return name in self._parts

    def cached_array(self, name: str) -> PagedArray:
        """Return an array, after dropping the cache if it has become too large."""
        parts = self._parts
        part = parts[name]
        # Before the next call, up to half of the limit may be read.
        if self._limited and part.read.taken > self._most // 2:
            parts = self._parts = self._begun()
        if part.read.bytes > limits.current().file_cache and not self._pinned:
            parts = self._parts = self._begun()
        return parts[name]

    def limit_cache(self, capacity: int) -> None:
        """Limit the block cache of the one thread that reads to ``capacity`` bytes."""
        self._most, self._limited = min(capacity, limits.current().file_cache), True
        self._parts = self._begun()
        self.reader.limit_cache(capacity // _SHOWN)

    def reset_cache_limit(self) -> None:
        """Restore the default limit of the block cache."""
        self._most, self._limited, self._pinned = limits.current().file_cache, False, False
        self.reader.limit_cache(None)

    def fill(self) -> None:
        """Decompress all arrays, and keep them in memory.

        Raises:
            CorruptTableError: a block is damaged.
        """
        self._pinned = True
        for part in self._parts.values():
            part.fill()

    @property
    def bytes(self) -> int:
        """The bytes of all arrays once they are decompressed."""
        return sum(part.array.nbytes for part in self._parts.values())

    def join_blocks(self, name: str, blocks: Places) -> tuple[npt.NDArray[np.uint8], Places]:
        """Return the concatenated contents of non-empty blocks of an array; see ``Reader``."""
        return self.reader.join_blocks(blocks + self.reader.array_entry(name).first)

    def gather(self, name: str, numbers: Places, blocks: Places, each: int) -> npt.NDArray[Any]:
        """Return the elements of an array at ``numbers``.

        Args:
            name: the array.
            numbers: the indices.
            blocks: the block of each.
            each: the bytes of a block.
        """
        part = self.cached_array(name)
        if part.whole or len(numbers) == 1:
            if not part.whole:
                part.load_block(blocks.item(0))
            one: npt.NDArray[Any] = part.array.take(numbers)
            return one
        found = np.empty(len(numbers), part.array.dtype)
        for some in self.groups(blocks, each):
            part = self.cached_array(name)
            part.load_blocks(blocks[some])
            if isinstance(some, slice):
                chosen: npt.NDArray[Any] = part.array[numbers]
                return chosen
            found[some] = part.array[numbers[some]]
        return found

    def find_positions(
        self,
        name: str,
        packed: npt.NDArray[np.uint64],
        blocks: Places,
        each: int,
        out: Places,
        look: Callable[[npt.NDArray[Any], npt.NDArray[np.uint64], Places, Places], int],
        words: int,
    ) -> int:
        """Find packed positions in an array of positions; return the number found.

        Args:
            name: the array.
            packed: the positions; there may be more than are wanted.
            blocks: the block of the array that would contain each wanted one, -1 for none.
            each: the bytes of a block.
            out: receives the index of each.
            look: finds some positions whose blocks are loaded, those of a block one after another.
                It takes the array, the positions, their blocks and an output array, and returns the
                number found.
            words: words of a position.
        """
        found = 0
        for some in self.groups(blocks, each, ordered=True):
            part, here = self.cached_array(name), blocks[some]
            part.load_blocks(here)
            if isinstance(some, slice):
                return look(part.array, packed, here, out)
            wanted = packed.reshape(-1, words)[some].reshape(-1)
            told = np.empty(len(some), np.int64)
            found += look(part.array, wanted, here, told)
            out[some] = told
        return found

    def groups(self, blocks: Places, each: int, *, ordered: bool = False) -> Iterator[Any]:
        """Yield groups of items whose blocks fit in the cache together.

        Args:
            blocks: the block of each item.
            each: the bytes of a block.
            ordered: whether the items of a block must be consecutive.

        Yields:
            The indices of the items of a group; all indices if the cache is not limited.
        """
        if not self._limited:
            order = ascending_order(blocks) if ordered else None
            yield slice(None) if order is None else order
            return
        most = max(1, self._most // 2 // max(each, mmap.PAGESIZE))
        few = blocks.max(initial=0) < np.iinfo(np.uint16).max
        # Sorting 16-bit numbers is many times as fast.
        order = np.argsort(blocks.astype(np.uint16) if few else blocks, kind="stable")
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

    def part_error(self, what: str) -> CorruptTableError:
        """Return the error that ``what`` is wrong in the file."""
        return self.reader.part_error(what)

    def _begun(self) -> dict[str, PagedArray]:
        parts = {name: part.empty_copy() for name, part in self._parts.items()}
        read = ReadCount(generous=not (self._limited or self._pinned))
        for part in parts.values():
            part.read = read
        return parts
