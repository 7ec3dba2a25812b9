"""Tables of placement games: bits say which patterns of a tier are there, and values follow.

The words of bits that are not empty are written, those of a few blocks together, and of each block
which words those are and how many positions they hold. Both are small and are read at once; where
everything else is follows from them and from the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.placement_board import Board
from zermelo._engine.placement_filed import Skeleton, blocks_of, holds
from zermelo._engine.placement_lookup import find, write
from zermelo._engine.placement_table import Directory, Fields, PlacementTable
from zermelo._engine.placement_tiers import BLOCK
from zermelo._engine.scratch import let_go
from zermelo._store.described import Values, begun, described, palette_of
from zermelo._store.paged import Paged
from zermelo._store.reader import Reader
from zermelo._store.valued import Places, ValuedTable
from zermelo._store.writer import Blocks, Writer

#: Blocks of patterns whose words are compressed together, and the bytes of those at the most.
_GROUP = 8
_GROUP_BYTES = 8 * BLOCK * _GROUP
_TOGETHER = 512
_PER_BLOCK = 1 << 14


def write_tiers(writer: Writer, table: PlacementTable | TierTable, header: dict[str, Any]) -> None:
    """Write the patterns of a placement game and their values."""
    palette = palette_of(table)
    if isinstance(table, TierTable):
        table = table.loaded()
    skeleton = Skeleton(table.board)
    directory, stored = table.directory, table.stored
    # What is read of them is not to stay in memory, where they are on disk.
    files = [stored] if isinstance(table, TierTable) else [stored, table.kept]
    held = skeleton.held(directory)
    _, words, _ = skeleton.directory(directory.present, held)
    groups = words[_grouped(skeleton.blocks)]

    def source(begin: int, end: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
        found = table.values(np.arange(begin, end))
        let_go(*files)
        return found, np.empty(0, np.uint8)

    values = Values(len(table), palette, source, turns=False, per_block=TierTable.per_block)
    sizes = {
        "present": (np.uint64, len(held), _PER_BLOCK),
        "held": (np.uint16, len(held), _PER_BLOCK),
        "patterns": (np.uint64, len(stored), 0, len(groups) - 1),
        "values": values.plan(),
    }
    starts = table.starts.tolist()
    begun(writer, header, described("tiers", table, palette, starts, turns=False), sizes)
    writer.write_array(directory.present, _PER_BLOCK)
    writer.write_array(held.astype(np.uint16), _PER_BLOCK)

    def part(begin: int) -> Blocks:
        here = groups[begin : begin + _TOGETHER + 1]
        some = stored[here[0] : here[-1]].astype("<u8")
        let_go(*files)
        return some.view(np.uint8), 8 * (here[1:] - here[0])

    writer.write_parts(part, range(0, len(groups) - 1, _TOGETHER))
    values.write(writer)


def _grouped(blocks: int) -> npt.NDArray[np.int64]:
    """Return the block that each group begins with, and their number at the end."""
    return np.minimum(np.arange(0, blocks + _GROUP, _GROUP), blocks)


class TierTable(ValuedTable):
    """A placement game on disk; see ``Table``."""

    per_block = 2048

    def __init__(self, reader: Reader, board: Board, fields: Fields) -> None:
        """Open it.

        Args:
            reader: the file.
            board: the game.
            fields: how its positions are packed.

        Raises:
            CorruptTableError: it is not what was written, or of another board.
        """
        self.reader = reader
        self.board = board
        self.fields = fields
        skeleton = Skeleton(board)
        self.typed("present", np.uint64)
        self.typed("held", np.uint16)
        # What may not be written would have kernels compiled once more.
        arrays = (reader.array("present").copy(), reader.array("held"))
        if any(len(array) != skeleton.blocks for array in arrays):
            raise self.corrupt("header")
        self.directory: Directory
        self._held_by_block = arrays[1].astype(np.int64)
        self.directory, words, places = skeleton.directory(arrays[0], self._held_by_block)
        self._words, self._places = words, places
        super().__init__(reader)
        if int(places[-1]) != self.count or self.words != fields.words:
            raise self.corrupt("header")
        self._packing = (
            fields.words,
            np.array(fields.first),
            np.array(fields.second),
            fields.bit,
            board.shape(),
            self.directory.searched,
        )

    @property
    def stored(self) -> npt.NDArray[np.uint64]:
        """The words that are not empty, once the table is loaded."""
        return self.held()["patterns"].array

    def parts(self) -> dict[str, Paged]:
        """Return the arrays of the file, of which nothing has been read."""
        self.typed("patterns", np.uint64)
        words, held = self._words, self._held_by_block
        begins = _grouped(len(held))

        def unpack(group: int, data: Any, out: npt.NDArray[Any]) -> bool:
            if len(data) != out.nbytes:
                return False
            out[:] = np.frombuffer(data, "<u8")
            begin, end = begins[group], begins[group + 1]
            return bool(holds(out, words[begin:end] - words[begin], len(out), held[begin:end]))

        patterns = Paged(self.reader, "patterns", np.uint64, words[begins], unpack)
        return {**super().parts(), "patterns": patterns}

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find packed positions; see ``Table``."""
        blocks = np.empty(count, np.int64)
        blocks_of(packed, count, *self._packing, blocks)

        def look(
            words: npt.NDArray[Any], wanted: npt.NDArray[np.uint64], blocks: Places, out: Places
        ) -> int:
            return int(find(wanted, len(blocks), *self._packing, words, out))

        if count == 1:
            patterns = self.held()["patterns"]
            if blocks.item(0) >= 0:
                patterns.need(blocks.item(0) // _GROUP)
            return look(patterns.array, packed, blocks, out)
        return self.looked_up("patterns", packed, blocks // _GROUP, _GROUP_BYTES, out, look)

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        groups = (np.searchsorted(self._places, places, side="right") - 1) // _GROUP
        out = np.empty((len(places), self.words), np.uint64)
        for some in self.groups(groups, _GROUP_BYTES):
            patterns, here = self.held()["patterns"], np.ascontiguousarray(places[some])
            patterns.need_all(groups[some])
            told = np.empty(len(here) * self.words, np.uint64)
            write(here, *self._packing, patterns.array, told)
            out[some] = told.reshape(-1, self.words)
        return out.reshape(-1)

    def words_between(self, begin: int, end: int, threads: int) -> npt.NDArray[np.uint64]:
        """Return words that are not empty, from one to another, and keep none of them.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        bounds = self._words[_grouped(len(self._held_by_block))]
        return self._between("patterns", np.dtype("<u8"), bounds, (begin, end), threads)

    def listed_between(
        self, begin: int, end: int, threads: int
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the values of some places as places in the palette, and the palette.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        bounds = np.arange(0, self.count + self.per_block, self.per_block)
        bounds = np.minimum(bounds, self.count)
        dtype = self.reader.stored("values").dtype
        chosen = self._between("values", dtype, bounds, (begin, end), threads)
        if len(chosen) and int(chosen.max()) >= len(self._palette):
            raise self.corrupt("array 'values'")
        return chosen, self._palette

    def _between(
        self,
        name: str,
        dtype: np.dtype[Any],
        bounds: npt.NDArray[np.int64],
        wanted: tuple[int, int],
        threads: int,
    ) -> npt.NDArray[Any]:
        """Return part of an array whose blocks begin at ``bounds``."""
        begin, end = wanted
        first = int(np.searchsorted(bounds, begin, side="right")) - 1
        last = int(np.searchsorted(bounds, end, side="left"))
        if begin == end:
            return np.empty(0, dtype.newbyteorder("="))
        # Blocks of nothing cannot be unpacked together with others.
        blocks = np.flatnonzero(np.diff(bounds[first : last + 1])) + first
        numbers = (blocks + self.reader.stored(name).first).tolist()
        data = bytearray().join(self.reader.some(numbers, threads))
        if len(data) != int(bounds[last] - bounds[first]) * dtype.itemsize:
            raise self.corrupt(f"array {name!r}")
        some = np.frombuffer(data, dtype)[begin - bounds[first] : end - bounds[first]]
        return some.astype(dtype.newbyteorder("="), copy=False)
