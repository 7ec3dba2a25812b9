"""Tables of placement games: bits say which patterns of a tier are there, and values follow.

The words of bits that are not empty are written, those of a few blocks together, and of each block
which words those are and how many positions they hold. Both are small and are read at once; where
everything else is follows from them and from the board. How values are written, ``levelled`` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.file.format import Stored
from zermelo._engine.file.paged import Paged
from zermelo._engine.file.reader import Reader
from zermelo._methods.placement.board import Board
from zermelo._methods.placement.filed import Skeleton, blocks_of, unpack, unpack_blocks
from zermelo._methods.placement.index import Directory, Fields
from zermelo._methods.placement.lookup import find, whereabouts, write
from zermelo._methods.placement.squeezed import (
    find_squeezed,
    holds,
    unsqueeze,
    unsqueeze_groups,
)
from zermelo._methods.placement.tiers import BLOCK
from zermelo._store.columns.levelled import PER_BLOCK, Levelled
from zermelo._store.columns.valued import Places, ValuedTable
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS

#: Blocks of patterns whose words are compressed together, and the bytes of those at the most.
_GROUP = 16
_GROUP_BYTES = 8 * BLOCK * _GROUP


def grouped(blocks: int) -> npt.NDArray[np.int64]:
    """Return the block that each group begins with, and their number at the end."""
    return np.minimum(np.arange(0, blocks + _GROUP, _GROUP), blocks)


class TierTable(ValuedTable):
    """A placement game on disk; see ``Table``."""

    per_block = PER_BLOCK

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
        self._begins = grouped(skeleton.blocks)
        self._group_words = words[self._begins]
        self.typed("patterns", np.uint8)
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
    def opened_bytes(self) -> int:
        """The bytes that it takes before anything is asked: where everything is."""
        arrays = [*vars(self.directory).values(), self._words, self._places, self._held_by_block]
        here: int = sum(array.nbytes for array in (*arrays, self._begins, self._group_words))
        return here + self._levelled.bytes + self.reader.opened_bytes

    @property
    def palette(self) -> npt.NDArray[Any]:
        """The values that occur, ascending."""
        return self._palette

    def fits(self, stored: Stored) -> bool:
        """Whether the array of values has the blocks that the header makes of it."""
        if self._turns or self.kind not in (WIN_DRAW_LOSS, OUTCOME_ALONE):
            return False
        at = self.directory
        self._levelled = Levelled(self._palette.tolist(), at.place[at.level_section])
        listed, sizes = self._levelled.listed, self._levelled.sizes
        self._meant: list[list[int]] = [self._palette[some].tolist() for some in listed]
        blocks = (stored.per_block, stored.length, stored.blocks)
        return stored.dtype == np.uint8 and blocks == (0, int(sizes.sum()), len(sizes))

    def blocks_of(self, numbers: Places) -> Places:
        """Return the block of values that has each place."""
        return self._levelled.blocks_of(numbers)

    @property
    def stored(self) -> npt.NDArray[np.uint64]:
        """The words that are not empty, once the table is loaded."""
        return self.held()["patterns"].array

    def parts(self) -> dict[str, Paged]:
        """Return the arrays of the file, of which nothing has been read."""
        words, held = self._words, self._held_by_block
        begins, at = self._begins, self.directory
        rest = (begins, words, held, at.present, at.level_block, self.board.marks)

        def unpacked(group: int, data: Any, out: npt.NDArray[Any]) -> bool:
            begin, end = begins[group], begins[group + 1]
            if not self._unpack_words(group, group + 1, data, out):
                return False
            return bool(holds(out, words[begin:end] - words[begin], len(out), held[begin:end]))

        def all_unpacked(groups: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:
            return int(unsqueeze_groups(data, ends, groups, *rest, out))

        def all_listed(blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:
            return int(unpack_blocks(data, ends, blocks, *self._levelled.arrays, out))

        patterns = (np.uint64, self._group_words, unpacked, all_unpacked)
        values = (np.uint8, self._levelled.bounds, self._listed_in, all_listed)
        given = {"values": values, "patterns": patterns}
        return {name: Paged(self.reader, name, *how) for name, how in given.items()}

    def _listed_in(self, block: int, data: Any, out: npt.NDArray[Any]) -> bool:
        """Write the places in the palette that a block of values has; return whether it has any."""
        level, some = self._levelled.level_of(block), np.frombuffer(data, np.uint8)
        return bool(unpack(some, self._levelled.widths[level], self._levelled.listed[level], out))

    def value(self, place: int) -> int:
        """Return the value at one place."""
        values, levelled = self.held()["values"], self._levelled
        level, block, at = levelled.found(place)
        data = values.glance(block)
        if data is None:
            return self._listed[int(values.array[place])]
        width = levelled.widths[level]
        at *= width
        try:
            return self._meant[level][data[at >> 3] >> (at & 7) & ((1 << width) - 1)]
        except IndexError:  # no such value, or fewer than there should be
            raise self.corrupt("values") from None

    def blocks_of_values(self) -> Iterator[npt.NDArray[Any]]:
        """Go through the blocks of values, and keep none; see ``ValuedTable``."""
        stored, bounds = self.reader.stored("values"), self._levelled.bounds
        for number, data in self.reader.blocks(stored.first, stored.blocks):
            block = number - stored.first
            out = np.empty(bounds.item(block + 1) - bounds.item(block), np.uint8)
            if not self._listed_in(block, data, out):
                raise self.corrupt("values")
            yield out

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
        groups, words = blocks // _GROUP, self.words
        return self.looked_up("patterns", packed, groups, _GROUP_BYTES, out, look, words)

    def asker(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """See ``Table``."""
        within, place = np.empty(3, np.int64), np.empty(1, np.int64)
        at = self.directory
        # Without what is not looked at, as each array takes 50 nanoseconds to be handed over.
        looked_at = (0, at.slots, 0, at.level_block, at.level_section, 0, 0, at.rank, at.place)
        look_up = partial(whereabouts, packed, *self._packing[:-1], looked_at, within)
        blocks = (at.present, self._held_by_block, at.level_block, self.board.marks)
        room = np.zeros(self.reader.largest("patterns") + 8, np.uint8)
        shown = room.data

        def ask() -> int:
            number = look_up()
            if number < 0:
                return codes.UNKNOWN
            group = number // _GROUP
            patterns = self.held()["patterns"]
            data = patterns.glance(group)
            if data is None:
                here = find(packed, 1, *self._packing, patterns.array, place)
                return self.value(place.item()) if here else codes.UNKNOWN
            shown[: len(data)] = data
            found = find_squeezed(number, within, group * _GROUP, *blocks, room, len(data))
            if found < -1:
                raise self.corrupt(f"block {group} of patterns")
            return self.value(found) if found >= 0 else codes.UNKNOWN

        return ask

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

    def groups_between(self, begin: int, end: int) -> tuple[int, int, int, int]:
        """Return which groups have the words from one to another.

        Returns:
            The first group and the one after the last, and where the words of these begin and end.
        """
        bounds = self._group_words
        if begin == end:
            return 0, 0, 0, 0
        first = int(np.searchsorted(bounds, begin, side="right")) - 1
        last = int(np.searchsorted(bounds, end, side="left"))
        return first, last, bounds.item(first), bounds.item(last)

    def write_words(self, begin: int, end: int, less: int, out: npt.NDArray[np.uint64]) -> None:
        """Write the words of some groups, and keep none of them.

        Args:
            begin: the first group.
            end: the group after the last.
            less: the number of the word that comes first in ``out``.
            out: receives the words.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        at = self._group_words[begin : end + 1] - less
        data, _ = self._joined("patterns", np.flatnonzero(np.diff(at)) + begin)
        if not self._unpack_words(begin, end, data, out[at[0] : at[-1]]):
            raise self.corrupt("array 'patterns'")

    def _unpack_words(self, begin: int, end: int, data: Any, out: npt.NDArray[np.uint64]) -> bool:
        """Write the words that groups hold; return whether that is how many there are."""
        at, first = self.directory, self.reader.stored("patterns").first
        ends = np.cumsum(self.reader.entries["raw"][first + begin : first + end], dtype=np.int64)
        given = (np.frombuffer(data, np.uint8), ends, self._begins[begin : end + 1])
        return bool(unsqueeze(*given, at.present, at.level_block, self.board.marks, out))

    def numbered(self, level: int) -> tuple[int, int, npt.NDArray[Any]]:
        """Return how many blocks of values a level has, and what the numbers there stand for.

        Returns:
            The blocks; the bits of a number; and the value that each number stands for.
        """
        levelled = self._levelled
        first, end = levelled.first[level : level + 2]
        return end - first, levelled.widths[level], self._palette[levelled.listed[level]]

    def packed_values(self, level: int, begin: int, end: int) -> npt.NDArray[np.uint64]:
        """Return some blocks of a level's values, numbers side by side, and keep none of them.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        first, width = self._levelled.first[level], self._levelled.widths[level]
        data = self.raw_values(first + begin, first + end)
        out = np.zeros(-(-len(data) // (8 * width)) * width, "<u8")
        out.view(np.uint8)[: len(data)] = data
        return out.astype(np.uint64, copy=False)

    def raw_values(self, begin: int, end: int) -> npt.NDArray[np.uint8]:
        """Return some blocks of values as they are written, and keep none of them.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        data, ends = self._joined("values", np.arange(begin, end))
        if not np.array_equal(ends, np.cumsum(self._levelled.sizes[begin:end])):
            raise self.corrupt("array 'values'")
        return data

    def _joined(self, name: str, blocks: Places) -> tuple[npt.NDArray[np.uint8], Places]:
        """Return what some blocks of an array hold, none of which is empty; see ``Reader``."""
        return self.reader.joined(blocks + self.reader.stored(name).first)
