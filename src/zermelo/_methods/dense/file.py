"""Tables of dense spaces: values only, as each position has its slot in closed form.

A bit for each slot tells whether it holds a position, and values are in the order of those slots.
The number of positions of each block of bits is stored too. So the lookup of a position reads one
block of bits, and its value another block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.palette import number_part, number_parts, slots_within
from zermelo._engine.column.palette_writer import PaletteValues, create_file, table_header
from zermelo._engine.core.array_types import Uint64Array
from zermelo._engine.file.format import Header
from zermelo._engine.file.paged_array import Unpack, UnpackAll
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._engine.file.writer import Blocks, Writer, blocks_of
from zermelo._engine.index.directory import entries_for, find
from zermelo._engine.index.index import Index
from zermelo._engine.index.ranks import Ranking
from zermelo._engine.table import Table
from zermelo._methods.dense.index import DenseIndex

#: Entries of a directory, of 32 slots each, in a block; and blocks that are compressed in one
#: batch.
_ENTRIES = 1024
_BLOCKS_PER_BATCH = 256
#: Values per block.
PER_BLOCK = 4096
_LOW = np.uint64(0xFFFFFFFF)


def write_slots(writer: Writer, table: Table, header: Header, palette: Sequence[int]) -> None:
    """Write which slots of a dense space hold a position, and their values.

    Args:
        writer: the writer of the file.
        table: the positions and their values.
        header: the other entries of the file's header.
        palette: the occurring values, ascending.
    """
    index, turns = cast("DenseIndex", table.index), table.column.turns
    directory = index.directory
    held = np.diff(directory[::_ENTRIES] >> np.uint64(32), append=np.uint64(len(table)))

    def source(begin: int, end: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
        places = np.arange(begin, end)
        return table.values(places), table.owners(places)

    values = PaletteValues(len(table), palette, source, turns=turns, per_block=PER_BLOCK)
    sizes = {
        "held": (np.uint16, len(held), 1 << 14),
        "slots": (np.uint32, len(directory), _ENTRIES),
        "values": values.plan(),
    }
    document = table_header("slots", table, palette, table.starts.tolist(), turns=turns)
    create_file(writer, header, {**document, "slots": index.ranking.slots}, sizes)
    writer.write_array("held", held.astype(np.uint16))

    def part(begin: int, end: int) -> Blocks:
        some = directory[begin * _ENTRIES : end * _ENTRIES] & _LOW
        return blocks_of(some.astype(np.uint32), _ENTRIES)

    writer.write_parts("slots", part, _BLOCKS_PER_BATCH)
    values.write(writer)


class SlotIndex(Index):
    """The slots of a dense space that hold a position, in a file; see ``Index``."""

    saved_as = "slots"

    def __init__(self, pages: TableArrays, ranking: Ranking, count: int) -> None:
        """Read the number of positions of each block.

        Args:
            pages: the file; the array ``slots`` is added to it.
            ranking: the slots of positions.
            count: the number of positions.

        Raises:
            CorruptTableError: the file is damaged, or is of another space.
        """
        self.words = ranking.words
        self.span = count
        self.ranking = ranking
        self._pages = pages
        entries = entries_for(ranking.slots)
        if pages.reader.header["table"].get("slots") != ranking.slots:
            raise pages.part_error("header")
        pages.typed_entry("held", np.uint16)
        held = pages.reader.array("held", -(-entries // _ENTRIES)).astype(np.int64)
        self._before = np.concatenate([[0], np.cumsum(held)])
        if self._before[-1] != count:
            raise pages.part_error("header")
        size = _ENTRIES * pages.typed_entry("slots", np.uint32).dtype.itemsize
        pages.add("slots", size, np.uint64, (_ENTRIES, entries), *self._unpackers())

    def _unpackers(self) -> tuple[Unpack, UnpackAll]:
        """Return the functions that unpack bits into directory entries; see ``PagedArray``."""
        before, past = self._before, self.ranking.slots % 32

        def unpack(block: int, data: Any, out: npt.NDArray[Any]) -> bool:
            some = np.frombuffer(data, "<u4")
            if len(some) != len(out):
                return False
            if past and block == len(before) - 2 and some.item(-1) >> past:
                return False  # slots after the last
            found = number_part(some, before.item(block), out)
            return bool(found == before.item(block + 1) - before.item(block))

        def unpack_all(blocks: Places, data: Any, ends: Places, out: Uint64Array) -> int:
            cut = np.flatnonzero(ends % 4)
            if len(cut):
                return int(cut[0])
            some = data.view("<u4")
            if past and blocks.item(-1) == len(before) - 2 and some.item(-1) >> past:
                return len(blocks) - 1
            return int(number_parts(some, ends // 4, blocks, _ENTRIES, before, out))

        return unpack, unpack_all

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Look up packed positions; see ``Index``."""
        slots = np.empty(count, np.int64)
        self.ranking.rank(packed, count, slots)
        found, blocks = 0, slots // (32 * _ENTRIES)
        for some in self._groups(blocks):
            directory, here = self._pages.cached_array("slots"), blocks[some]
            if not directory.is_complete:
                directory.load_blocks(here)
            if isinstance(some, slice):
                return int(find(directory.array, slots, count, out))
            told = np.empty(len(some), np.int64)
            found += int(find(directory.array, slots[some], len(some), told))
            out[some] = told
        return found

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that looks up one packed position; see ``Index``."""
        slot, place = np.empty(1, np.int64), np.empty(1, np.int64)

        def tell() -> int:
            self.ranking.rank(packed, 1, slot)
            if slot.item() < 0:
                return -1
            directory = self._pages.cached_array("slots")
            directory.load_block(slot.item() // (32 * _ENTRIES))
            find(directory.array, slot, 1, place)
            return place.item()

        return tell

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        blocks = np.searchsorted(self._before, places, side="right") - 1
        slots = np.empty(len(places), np.int64)
        for some in self._groups(blocks):
            directory, here = self._pages.cached_array("slots"), np.ascontiguousarray(blocks[some])
            directory.load_blocks(here)
            told = np.empty(len(here), np.int64)
            slots_within(directory.array, places[some], here, _ENTRIES, told)
            slots[some] = told
        return self.ranking.unranked(slots)

    def _groups(self, blocks: Places) -> Iterator[Any]:
        """Yield positions whose blocks are read together; see ``TableArrays.groups``."""
        return self._pages.groups(blocks, 8 * _ENTRIES)
