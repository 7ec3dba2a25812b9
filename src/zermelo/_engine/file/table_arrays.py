"""The arrays of an open table, decompressed block by block as they are asked for."""

from __future__ import annotations

import itertools
import mmap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.file.format import Stored
from zermelo._engine.file.paged_array import PagedArray, ReadCount, together
from zermelo._engine.file.reader import Reader

if TYPE_CHECKING:
    from zermelo.errors import CorruptTableError

Places: TypeAlias = npt.NDArray[np.int64]

#: The part of what may be kept that the file itself takes beside it.
_SHOWN = 16


class TableArrays:
    """What has been read of a table's file. Threads may share it.

    Attributes:
        reader: the file.
    """

    def __init__(self, reader: Reader) -> None:
        """Read nothing yet."""
        self.reader = reader
        self._most = limits.current().file_cache
        self._limited = self._pinned = False
        self._read = ReadCount(generous=True)
        self._parts: dict[str, PagedArray] = {}

    def add(self, name: str, most: int, *how: Any) -> None:
        """Have one more array read as it is needed.

        Args:
            name: what it is called in the file.
            most: bytes that a block of it holds at most. One that says more is not believed, as
                memory is taken for what blocks say that they hold before it is looked at.
            how: what ``PagedArray`` takes besides.

        Raises:
            CorruptTableError: the file has another number of blocks, or longer ones.
        """
        if self.reader.largest(name) > most:
            raise self.corrupt(f"array {name!r}")
        part = self._parts[name] = PagedArray(self.reader, name, *how)
        part.read = self._read

    def __contains__(self, name: str) -> bool:
        """Whether there is an array of this name."""
        return name in self._parts

    def held(self, name: str) -> PagedArray:
        """Return an array, as far as it has been read; see ``PagedArray``."""
        parts = self._parts
        part = parts[name]
        # As much as half may be read before somebody asks again.
        if self._limited and part.read.taken > self._most // 2:
            parts = self._parts = self._begun()
        if part.read.bytes > limits.current().file_cache and not self._pinned:
            parts = self._parts = self._begun()
        return parts[name]

    def cache_within(self, capacity: int) -> None:
        """Limit the block cache of the one thread that reads to ``capacity`` bytes."""
        self._most, self._limited = min(capacity, limits.current().file_cache), True
        self._parts = self._begun()
        self.reader.cache_within(capacity // _SHOWN)

    def cache_freely(self) -> None:
        """Limit the block cache no more than in the beginning."""
        self._most, self._limited, self._pinned = limits.current().file_cache, False, False
        self.reader.cache_within(None)

    def fill(self) -> None:
        """Decompress all of it, and keep it.

        Raises:
            CorruptTableError: a block is damaged.
        """
        self._pinned = True
        for part in self._parts.values():
            part.fill()

    @property
    def bytes(self) -> int:
        """The bytes that all of it takes once it is decompressed."""
        return sum(part.array.nbytes for part in self._parts.values())

    def joined(self, name: str, blocks: Places) -> tuple[npt.NDArray[np.uint8], Places]:
        """Return what some blocks of an array hold, none of which is empty; see ``Reader``."""
        return self.reader.joined(blocks + self.reader.stored(name).first)

    def gathered(self, name: str, numbers: Places, blocks: Places, each: int) -> npt.NDArray[Any]:
        """Return what stands at some numbers in an array.

        Args:
            name: the array.
            numbers: the numbers.
            blocks: the block of each.
            each: the bytes of a block.
        """
        part = self.held(name)
        if part.whole or len(numbers) == 1:
            if not part.whole:
                part.need(blocks.item(0))
            one: npt.NDArray[Any] = part.array.take(numbers)
            return one
        found = np.empty(len(numbers), part.array.dtype)
        for some in self.groups(blocks, each):
            part = self.held(name)
            part.need_all(blocks[some])
            if isinstance(some, slice):
                chosen: npt.NDArray[Any] = part.array[numbers]
                return chosen
            found[some] = part.array[numbers[some]]
        return found

    def looked_up(
        self,
        name: str,
        packed: npt.NDArray[np.uint64],
        blocks: Places,
        each: int,
        out: Places,
        look: Callable[[npt.NDArray[Any], npt.NDArray[np.uint64], Places, Places], int],
        words: int,
    ) -> int:
        """Find packed positions in an array; ``out`` receives where each is.

        Args:
            name: the array.
            packed: the positions; there may be more than are wanted.
            blocks: the block of the array that each wanted one has to be in, -1 for none.
            each: the bytes of a block.
            out: see above.
            look: finds some, of which the blocks are there, those of a block one after another: it
                is given the array, the positions, their blocks and where to say where they are,
                and returns how many it has found.
            words: words that each of the positions takes.
        """
        found = 0
        for some in self.groups(blocks, each, ordered=True):
            part, here = self.held(name), blocks[some]
            part.need_all(here)
            if isinstance(some, slice):
                return look(part.array, packed, here, out)
            wanted = packed.reshape(-1, words)[some].reshape(-1)
            told = np.empty(len(some), np.int64)
            found += look(part.array, wanted, here, told)
            out[some] = told
        return found

    def groups(self, blocks: Places, each: int, *, ordered: bool = False) -> Iterator[Any]:
        """Return which of some things to look for together, so that their blocks may be kept.

        Args:
            blocks: the block of each.
            each: the bytes of a block.
            ordered: whether those of a block have to follow one another.

        Yields:
            Where they stand among the things, which is everywhere where nothing is limited.
        """
        if not self._limited:
            order = together(blocks) if ordered else None
            yield slice(None) if order is None else order
            return
        most = max(1, self._most // 2 // max(each, mmap.PAGESIZE))
        few = blocks.max(initial=0) < np.iinfo(np.uint16).max
        # Sorting numbers of 16 bits is many times as quick.
        order = np.argsort(blocks.astype(np.uint16) if few else blocks, kind="stable")
        begins = np.flatnonzero(np.diff(blocks[order])) + 1
        cuts = [0, *begins[most - 1 :: most].tolist(), len(blocks)]
        for begin, end in itertools.pairwise(cuts):
            yield order[begin:end]

    def typed(self, name: str, dtype: npt.DTypeLike) -> Stored:
        """Return where an array is, which must be of a type.

        Raises:
            CorruptTableError: it is not there, or of another type.
        """
        stored = self.reader.stored(name)
        if stored.dtype != np.dtype(dtype):
            raise self.corrupt(f"array {name!r}")
        return stored

    def corrupt(self, what: str) -> CorruptTableError:
        """Return the error that says what is wrong with the file."""
        return self.reader.wrong(what)

    def _begun(self) -> dict[str, PagedArray]:
        parts = {name: part.anew() for name, part in self._parts.items()}
        read = ReadCount(generous=not (self._limited or self._pinned))
        for part in parts.values():
            part.read = read
        return parts
