"""What tables on disk have in common: values as places in a palette, read as they are needed."""

from __future__ import annotations

import itertools
import mmap
import struct
from collections.abc import Callable, Iterator
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.palette import copy_below, copy_blocks
from zermelo._engine.file.format import Stored
from zermelo._engine.file.paged import Paged, Read, together
from zermelo._engine.file.reader import Reader
from zermelo._engine.table import PAGE
from zermelo._store.columns import palettes
from zermelo.errors import CorruptTableError
from zermelo.values.kind import Kind
from zermelo.values.kinds import KINDS

Places: TypeAlias = npt.NDArray[np.int64]

#: Bytes that are kept of what was read; when there are more, all is read anew.
_MOST_KEPT = 1 << 30
#: The part of what may be kept that the file itself takes beside it.
_SHOWN = 16
#: How a place in a palette is read from a file, by the bytes that it takes.
_ONE = {1: "<B", 2: "<H", 4: "<I"}


class ValuedTable:
    """A table on disk, apart from how positions have numbers; see ``Table``. Threads may share it.

    A table is used as it is or, where positions are looked up from everywhere, ``loaded``.
    """

    #: Values in a block.
    per_block = 2048

    def __init__(self, reader: Reader) -> None:
        """Open it.

        Raises:
            CorruptTableError: it is not what was written.
        """
        self.reader = reader
        try:
            document = reader.header["table"]
            self.words: int = document["words"]
            self.kind: Kind = KINDS[document["value_kind"]]
            self.reach: str = document["reach"]
            self.count: int = document["positions"]
            self._turns: bool = document["turns"]
            self._listed = palettes.read(document["palette"], self.kind)
            self._palette = np.array(self._listed, self.kind.dtype)
            self.starts: Any = np.array(document["starts"], np.int64)
            stored = reader.stored("values")
            numbers = (self.words, self.count, len(self._palette))
            right = type(self._turns) is bool
            right &= all(type(number) is int and number > 0 for number in numbers)
            right &= self.reach in ("places", "any", "legal") and self.starts.ndim == 1
            right &= len(self.starts) > 0 and self._palette.ndim == 1
            # Nothing is made as long as it says before there are as many blocks.
            right &= self.fits(stored)
            right &= bool(((self.starts >= 0) & (self.starts < self.count)).all())
            self._one = struct.Struct(_ONE[stored.dtype.itemsize])
        except (KeyError, TypeError, ValueError, OverflowError, StopIteration):
            right = False
        if not right:
            raise self.corrupt("header")
        self._shift = int(self._turns)
        self._pinned = False
        self._most = _MOST_KEPT
        self._limited = False
        self._parts = self._begun()

    def fits(self, stored: Stored) -> bool:
        """Whether the array of values is as long, and its elements what, the header makes them."""
        right = stored.length == self.count and stored.blocks == -(-self.count // self.per_block)
        return right and stored.dtype == palettes.narrowest(len(self._palette) << int(self._turns))

    def blocks_of(self, numbers: Places) -> Places:
        """Return the block of values that has each number."""
        return numbers // self.per_block

    def parts(self) -> dict[str, Paged]:
        """Return the arrays of the file, of which nothing has been read."""
        stored = self.reader.stored("values")
        limit = len(self._palette) << int(self._turns)
        dtype = stored.dtype

        def unpack(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # not asked
            some = np.frombuffer(data, dtype)
            return len(some) == len(out) and bool(copy_below(some, limit, out))

        def unpack_all(blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:
            cut = np.flatnonzero(ends % dtype.itemsize)
            if len(cut):
                return int(cut[0])
            some, ends = data.view(dtype), ends // dtype.itemsize
            return int(copy_blocks(some, ends, blocks, self.per_block, limit, out))

        bounds = (self.per_block, self.count)
        native = dtype.newbyteorder("=")
        return {"values": Paged(self.reader, "values", native, bounds, unpack, unpack_all)}

    @property
    def loaded_bytes(self) -> int:
        """The bytes that it takes when it is loaded."""
        return self.unpacked_bytes

    def keep_within(self, room: int) -> None:
        """Keep no more of what is read, in the one thread that reads, than takes so many bytes."""
        self._most, self._limited = room, True
        self._parts = self._begun()
        self.reader.keep_within(room // _SHOWN)

    def keep_as_ever(self) -> None:
        """Keep what is read as if nothing had been said."""
        self._most, self._limited, self._pinned = _MOST_KEPT, False, False
        self.reader.keep_within(None)

    def held(self) -> dict[str, Paged]:
        """Return the arrays, as far as they have been read."""
        parts = self._parts
        # As much as half may be read before somebody asks again.
        if self._limited and parts["values"].read.taken > self._most // 2:
            parts = self._parts = self._begun()
        if parts["values"].read.bytes > _MOST_KEPT and not self._pinned:
            parts = self._parts = self._begun()
        return parts

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

    def _begun(self) -> dict[str, Paged]:
        parts = self.parts()
        read = Read(generous=not (self._limited or self._pinned))
        for part in parts.values():
            part.read = read
        return parts

    def __len__(self) -> int:
        """Return how many positions there are."""
        return self.count

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return self.count

    def numbers(self, places: Places) -> Places:
        """Return where in the array of values those of places stand."""
        return places

    def values(self, places: Places) -> npt.NDArray[Any]:
        """Return the values at places."""
        chosen = self._chosen(places)
        return self._palette.take(chosen >> 1 if self._turns else chosen)

    def value(self, place: int) -> int:
        """Return the value at one place."""
        number = self.number(place)
        values = self.held()["values"]
        block = number // self.per_block
        data = values.glance(block)
        if data is None:
            chosen: int = values.array.item(number)
            return self._listed[chosen >> self._shift]
        try:
            at = self._one.size * (number - block * self.per_block)
            chosen = self._one.unpack_from(data, at)[0]
            return self._listed[chosen >> self._shift]
        except (IndexError, struct.error):  # no such value, or fewer than there should be
            raise self.corrupt("values") from None

    def number(self, place: int) -> int:
        """Return where the value of one place stands."""
        return place

    def owners(self, places: Places) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places."""
        if not self._turns:
            return np.zeros(len(places), np.uint8)
        return (self._chosen(places) & 1).astype(np.uint8)

    def pages(self) -> Iterator[Places]:
        """Go through all places in ascending order."""
        for begin in range(0, self.count, PAGE):
            yield np.arange(begin, min(begin + PAGE, self.count))

    def rank(self, places: Places) -> Places:
        """Return numbers that shrink along every move."""
        return -places

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        size = len(self._palette) << int(self._turns)
        counts = np.zeros(size, np.int64)
        total = 0
        for some in self.blocks_of_values():
            found = np.bincount(some, minlength=size)
            if len(found) > size:
                raise self.corrupt("values")
            counts += found
            total += int(found.sum())
        if total != self.count:
            raise self.corrupt("values")
        if self._turns:
            counts = counts.reshape(-1, 2).sum(1)
        pairs = zip(self._palette.tolist(), counts.tolist(), strict=True)
        return {code: count for code, count in pairs if count}

    def blocks_of_values(self) -> Iterator[npt.NDArray[Any]]:
        """Go through the blocks of values, and keep none."""
        stored = self.reader.stored("values")
        for _, data in self.reader.blocks(stored.first, stored.blocks):
            if len(data) % stored.dtype.itemsize:
                raise self.corrupt("values")
            yield np.frombuffer(data, stored.dtype)

    def loaded(self) -> Any:
        """Return the same table with everything in memory.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        return self.unpacked()

    @property
    def unpacked_bytes(self) -> int:
        """The bytes that all of it takes once it is unpacked."""
        return sum(part.array.nbytes for part in self._parts.values())

    def unpacked(self) -> Self:
        """Unpack all of it, and return it.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        self._pinned = True
        for part in self._parts.values():
            part.fill()
        return self

    def close(self) -> None:
        """Give the file back."""
        self.reader.close()

    def __enter__(self) -> Self:
        """Be open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give the file back."""
        self.close()

    def corrupt(self, what: str) -> CorruptTableError:
        """Return the error that says what is wrong with the file."""
        message = f"{str(self.reader.path)!r} cannot be used: its {what} is wrong; make it again"
        return CorruptTableError(message)

    def typed(self, name: str, dtype: npt.DTypeLike) -> Stored:
        """Return where an array is, which must be of a type.

        Raises:
            CorruptTableError: it is not there, or of another type.
        """
        stored = self.reader.stored(name)
        if stored.dtype != np.dtype(dtype):
            raise self.corrupt(f"array {name!r}")
        return stored

    def _chosen(self, places: Places) -> npt.NDArray[Any]:
        numbers, values = self.numbers(places), self.held()["values"]
        if len(numbers) == 1 and not values.whole:
            values.need(self.blocks_of(numbers).item(0))
        if len(numbers) == 1 or values.whole:
            chosen: npt.NDArray[Any] = values.array.take(numbers)
            return chosen
        each = self.per_block * self.reader.stored("values").dtype.itemsize
        return self.gathered("values", numbers, self.blocks_of(numbers), each)

    def gathered(self, name: str, numbers: Places, blocks: Places, each: int) -> npt.NDArray[Any]:
        """Return what stands at some numbers in an array.

        Args:
            name: the array.
            numbers: the numbers.
            blocks: the block of each.
            each: the bytes of a block.
        """
        found = np.empty(len(numbers), self.held()[name].array.dtype)
        for some in self.groups(blocks, each):
            part = self.held()[name]
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
            part, here = self.held()[name], blocks[some]
            part.need_all(here)
            if isinstance(some, slice):
                return look(part.array, packed, here, out)
            wanted = packed.reshape(-1, words)[some].reshape(-1)
            told = np.empty(len(some), np.int64)
            found += look(part.array, wanted, here, told)
            out[some] = told
        return found
