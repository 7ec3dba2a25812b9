"""Tables that hold their positions: sorted, each as its distance from the one before.

A block holds ``BLOCK`` positions, and the block of the same number their values, as places in a
palette of the values that occur. Of each block the first position is held in memory, so a probe
unpacks two blocks, if they have not been unpacked before, and adds distances up to the position it
looks for. Where many are looked for at once, all of a block is turned into positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from zstandard import ZstdCompressionParameters

from zermelo._engine.filed import find_within
from zermelo._engine.index import Index, entries_for
from zermelo._engine.ordered import (
    at_or_before,
    decode,
    decode_blocks,
    find_one,
    last_before,
    seek,
)
from zermelo._engine.table import HashedTable, Table
from zermelo._store.folded import folds_from, masks_of
from zermelo._store.paged import Paged
from zermelo._store.reader import Reader
from zermelo._store.valued import Places, ValuedTable
from zermelo._store.writer import Blocks, Levels, ends_of

#: Positions in a block: more take less room, and longer to unpack for one of them.
BLOCK = 1024
#: Bytes that a position takes in a table that has been loaded, besides 16 for each word.
_LOADED = 72
_ALL = (1 << 64) - 1
#: The types that ranks may have.
_RANKS = (np.dtype("<u1"), np.dtype("<u2"), np.dtype("<u4"))
_WORD = 64


class ListedTable(ValuedTable):
    """A table on disk that holds its positions; see ``Table``. Threads may share it."""

    per_block = BLOCK

    def __init__(self, reader: Reader) -> None:
        """Open it.

        Raises:
            CorruptTableError: it is not what was written.
        """
        super().__init__(reader)
        blocks = -(-self.count // BLOCK)
        if self.typed("first", np.uint64).length != blocks * self.words:
            raise self.corrupt("header")
        self._first = reader.array("first")
        document = reader.header["table"]
        masks = masks_of(document.get("varying"), self.words)
        folds = folds_from(document.get("folds"), self.words)
        if masks is None or folds is None:
            raise self.corrupt("header")
        #: How positions are changed; those in the file, and in the arrays made of it, are.
        self._folds, self._folded = folds, (folds.under, folds.by)
        #: Which bits of a packed position vary, and what all others are in each position.
        self._varying = masks, self._first[: self.words] & ~masks
        self._numbered = sum(map(int.bit_count, masks.tolist())) <= _WORD
        self.bounds = np.minimum(np.arange(0, self.count + BLOCK, BLOCK), self.count)

    def parts(self) -> dict[str, Paged]:
        """Return the arrays of the file, of which nothing has been read."""
        words = self.words
        bounds = np.arange(0, self.count + BLOCK, BLOCK, dtype=np.int64) * words
        np.minimum(bounds, self.count * words, out=bounds)

        def unpack(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # not asked
            some = np.frombuffer(data, np.uint8)
            return bool(decode(some, len(out) // words, *self._varying, out))

        def unpack_all(blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:
            return int(decode_blocks(data, ends, blocks, BLOCK, *self._varying, out))

        def add_up(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # not asked
            steps = np.frombuffer(data, out.dtype.newbyteorder("<"))
            np.cumsum(steps, dtype=out.dtype, out=out)
            return True

        parts = super().parts()
        if "ranks" in self.reader.arrays:
            stored = self.reader.stored("ranks")
            if stored.dtype not in _RANKS:
                raise self.corrupt("array 'ranks'")
            kind = stored.dtype.newbyteorder("=")
            parts["ranks"] = Paged(self.reader, "ranks", kind, (BLOCK, self.count), add_up)
        some = (self.reader, "positions", np.uint64, bounds, unpack, unpack_all)
        return {**parts, "positions": Paged(*some)}

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find packed positions; see ``Table``."""
        if count == 1 and self.words == 1:
            out[0] = self._place(packed)
            return int(out.item(0) >= 0)
        folded = self._folds.of(packed[: count * self.words])
        blocks = self._blocks_of(folded, count)
        if count != 1:
            return self._places_in(folded, blocks, out)
        positions, block = self.held()["positions"], blocks.item(0)
        data = positions.glance(block) if block >= 0 and self._numbered else None
        if data is not None:
            out[0] = self._sought(block, data, packed)
            return int(out.item(0) >= 0)
        if block >= 0:
            positions.need(block)
        return self._look(positions.array, folded, blocks, out)

    def _place(self, packed: npt.NDArray[np.uint64]) -> int:
        """Return the place of one packed position, of one word, or -1."""
        block: int = last_before(packed, *self._folded, self._first)
        if block < 0:
            return -1
        positions = self.held()["positions"]
        data = positions.glance(block)
        if data is not None:
            return self._sought(block, data, packed)
        begin = block * BLOCK
        count = min(BLOCK, self.count - begin)
        return int(find_one(packed, *self._folded, positions.array, begin, count))

    def unpack(self, blocks: Places) -> None:
        """Unpack some blocks of positions together, with what is said of them."""
        for part in self.held().values():
            part.need_all(blocks)

    def blocks_for(self, packed: npt.NDArray[np.uint64], count: int) -> Places:
        """Return the block that would hold each packed position, -1 for none."""
        return self._blocks_of(self._folds.of(packed[: count * self.words]), count)

    def _blocks_of(self, packed: npt.NDArray[np.uint64], count: int) -> Places:
        blocks, words = np.empty(count, np.int64), self.words
        at_or_before(packed, count, words, self._first, len(self._first) // words, blocks)
        return blocks

    def places_in(
        self,
        packed: npt.NDArray[np.uint64],
        count: int,
        blocks: Places,
        out: Places,
    ) -> int:
        """Find packed positions, of which the blocks are known; see ``places``."""
        return self._places_in(self._folds.of(packed[: count * self.words]), blocks, out)

    def _places_in(self, packed: npt.NDArray[np.uint64], blocks: Places, out: Places) -> int:
        each = 8 * self.words * BLOCK
        return self.looked_up("positions", packed, blocks, each, out, self._look)

    def _look(
        self,
        keys: npt.NDArray[Any],
        wanted: npt.NDArray[np.uint64],
        blocks: Places,
        out: Places,
    ) -> int:
        return int(find_within(wanted, self.words, keys, self.count, blocks, BLOCK, out))

    def _sought(self, block: int, data: bytes, packed: npt.NDArray[np.uint64]) -> int:
        """Return the place of a position, of which the block is known, or -1."""
        begin = block * BLOCK
        some = np.frombuffer(data, np.uint8)
        at: int = seek(some, min(BLOCK, self.count - begin), packed, *self._folded, *self._varying)
        if at < -1:
            raise self.corrupt(f"block {block} of positions")
        return begin + at if at >= 0 else -1

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        words = self.words
        each = 8 * words * BLOCK
        return self._folds.of(self.gathered("positions", places, places // BLOCK, each, words))

    def rank(self, places: Places) -> Places:
        """Return, in a score game, numbers that shrink along every move."""
        if "ranks" not in self.held():
            raise self.corrupt("header")
        each = self.held()["ranks"].array.itemsize * BLOCK
        return self.gathered("ranks", places, places // BLOCK, each).astype(np.int64)

    @property
    def block_bytes(self) -> int:
        """The bytes that a block takes once it is unpacked, with its values, and as it is read."""
        unpacked = sum(part.array.itemsize for part in self._parts.values()) * BLOCK
        unpacked += 8 * (self.words - 1) * BLOCK
        return unpacked + sum(self.reader.largest(name) for name in self._parts)

    @property
    def loaded_bytes(self) -> int:
        """The bytes that it takes when it is loaded, with its index."""
        return self.count * (16 * self.words + _LOADED)

    def loaded(self) -> HashedTable:
        """Return the same table in memory, where any position is found at once.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        count, words = self.count, self.words
        parts = self.parts()
        keys, chosen = parts["positions"].fill(), parts["values"].fill()
        turns = (chosen & 1).astype(np.uint8) if self._turns else np.empty(0, np.uint8)
        values = self._palette[chosen >> int(self._turns)]
        keys = self._folds.of(keys)
        starts, ranks, reach = self.starts, None, self.reach
        if "ranks" in self.reader.arrays:
            ranks = parts["ranks"].fill()
        if self.scored:
            reach = "places"  # for which ranks vouch, in whatever order
        elif ranks is not None:
            # In the order of ranks every move leads to a greater place, which vouches for both.
            order = np.argsort(-ranks.astype(np.int64), kind="stable")
            keys = np.ascontiguousarray(keys.reshape(-1, words)[order]).reshape(-1)
            values, ranks = values[order], ranks[order]
            turns = turns[order] if self._turns else turns
            places = np.empty(count, np.int64)
            places[order] = np.arange(count)
            starts, reach = places[starts], "places"
        index = Index(words, int(np.bitwise_or.reduce(keys)) if words == 1 else _ALL)
        size = entries_for(count)
        direct = words == 1 and index.direct_entries <= size
        index.grow(size, keys, count, direct=direct)
        table = HashedTable(words, keys, index, values, turns, 0, ranks)
        table.starts, table.reach = starts, reach
        return table


def blocks_of(array: npt.NDArray[Any]) -> Blocks:
    """Return the bytes of an array, and where its blocks end."""
    some = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return some.view(np.uint8), ends_of(some.nbytes, BLOCK * some.itemsize)


def differences(ranks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return how far each rank is from the one before, and the first of each block as it is."""
    found = ranks.copy()
    found[1:] -= ranks[:-1]
    found[::BLOCK] = ranks[::BLOCK]
    return found


def pressed(table: Table, dtype: np.dtype[Any]) -> Levels:
    """Return how much positions, values and ranks are compressed.

    Distances at level -1 take a fifth more bytes than at level 1, and less than half of the time.
    Nothing shorter than seven bytes is looked for in what came before, which is quicker, to unpack
    as well, and hardly larger. Margins of two bytes hardly shrink at all.
    """
    distances = ZstdCompressionParameters(compression_level=-1, min_match=7)
    values = ZstdCompressionParameters(compression_level=1, min_match=7)
    return distances, -1 if table.scored and dtype.itemsize > 1 else values, -1
