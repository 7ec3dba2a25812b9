"""Tables of placement games: bits for the patterns of tiers that are present, then values.

The words of bits that are not empty are written, those of a few blocks together, and for each block
which words these are and the number of their positions. Both arrays are small and are read when the
table is opened; all other offsets follow from them and from the board. The module ``column``
describes the format of values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.core.scratch import memory_of
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._engine.index.index import Index
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.file.kernels import blocks_of
from zermelo._methods.placement.file.pattern_codec import (
    decode_groups,
    decode_patterns,
    find_encoded,
    has_block_counts,
)
from zermelo._methods.placement.index import Directory, Fields, packing_of
from zermelo._methods.placement.kernels_lookup import find, find_block, write
from zermelo._methods.placement.layout import PlacementLayout
from zermelo._methods.placement.tiers import BLOCK

#: Blocks of patterns whose words are compressed together, and the most bytes of these words.
_GROUP = 16
_GROUP_BYTES = 8 * BLOCK * _GROUP


def group_begins(blocks: int) -> Int64Array:
    """Return the first block of each group, and the number of blocks at the end."""
    return np.minimum(np.arange(0, blocks + _GROUP, _GROUP), blocks)


class TierIndex(Index):
    """The positions of a placement game in its file.

    Attributes:
        board: the game.
        fields: the packed form of positions.
        directory: the places of levels, tiers, blocks and sections.
    """

    saved_as = "tiers"

    def __init__(self, pages: TableArrays, board: PlacementBoard, fields: Fields) -> None:
        """Read the directory.

        Args:
            pages: the file; the array ``patterns`` is added to it.
            board: the game.
            fields: the packed form of positions.

        Raises:
            CorruptTableError: the file is damaged, or is of another board.
        """
        self.board = board
        self.fields = fields
        self.words = fields.words
        self._pages, self._reader = pages, pages.reader
        layout = PlacementLayout(board)
        pages.typed_entry("present", np.uint64)
        pages.typed_entry("held", np.uint16)
        arrays = [pages.reader.array(name, layout.blocks) for name in ("present", "held")]
        self.directory: Directory
        self._block_counts = arrays[1].astype(np.int64)
        self.directory, words, places = layout.directory(arrays[0], self._block_counts)
        self._words, self._places = words, places
        self.span = int(places[-1])
        self._begins = group_begins(layout.blocks)
        self._group_words = words[self._begins]
        pages.typed_entry("patterns", np.uint8)
        group_arguments = (self._group_words, self._unpack_group, self._unpack_groups)
        pages.add("patterns", _GROUP_BYTES, np.uint64, *group_arguments)
        self._packing = packing_of(fields, board, self.directory)

    @property
    def bytes(self) -> int:
        """The initial bytes of memory: the directory."""
        arrays = [*vars(self.directory).values(), self._words, self._places, self._block_counts]
        return memory_of(*arrays, self._begins, self._group_words)

    @property
    def begins(self) -> Int64Array:
        """The first place of each level, and the number of positions at the end."""
        return self.directory.place[self.directory.level_section]

    @property
    def stored(self) -> Uint64Array:
        """The words that are not empty, once the table is loaded."""
        return self._pages.cached_array("patterns").array

    def _unpack_group(self, group: int, data: Any, out: npt.NDArray[Any]) -> bool:
        """Write the words of a group; return whether they are valid."""
        words, counts = self._words, self._block_counts
        begin, end = self._begins[group], self._begins[group + 1]
        if not self._unpack_words(group, group + 1, data, out):
            return False
        return bool(
            has_block_counts(out, words[begin:end] - words[begin], len(out), counts[begin:end])
        )

    def _unpack_groups(self, groups: Places, data: Any, ends: Places, out: Uint64Array) -> int:
        """Write the words of several groups; see ``PagedArray``."""
        directory = self.directory
        layout_arrays = (
            self._begins,
            self._words,
            self._block_counts,
            directory.present,
            directory.level_block,
        )
        return int(decode_groups(data, ends, groups, *layout_arrays, self.board.marks, out))

    def places(self, packed: Uint64Array, count: int, out: Places) -> int:
        """Look up packed positions; see ``Table``."""
        blocks = np.empty(count, np.int64)
        blocks_of(packed, count, *self._packing, blocks)

        def look(words: Uint64Array, targets: Uint64Array, blocks: Places, out: Places) -> int:
            return int(find(targets, len(blocks), *self._packing, words, out))

        if count == 1:
            patterns = self._pages.cached_array("patterns")
            if blocks.item(0) >= 0:
                patterns.load_block(blocks.item(0) // _GROUP)
            return look(patterns.array, packed, blocks, out)
        groups, words = blocks // _GROUP, self.words
        return self._pages.find_positions(
            "patterns", packed, groups, _GROUP_BYTES, out, look, words
        )

    def finder(self, packed: Uint64Array) -> Callable[[], int]:
        """Return a function that looks up one packed position; see ``Index``."""
        location, place = np.empty(3, np.int64), np.empty(1, np.int64)
        directory = self.directory
        # Without the arrays that are not used, as each array argument takes 50 nanoseconds.
        level_arrays = (directory.level_block, directory.level_section)
        directory_arrays = (
            0,
            directory.slots,
            0,
            *level_arrays,
            0,
            0,
            directory.rank,
            directory.place,
        )
        look_up = partial(find_block, packed, *self._packing[:-1], directory_arrays, location)
        blocks = (directory.present, self._block_counts, directory.level_block, self.board.marks)
        buffer = np.zeros(self._reader.largest("patterns") + 8, np.uint8)
        view = buffer.data

        def find_place() -> int:
            number = look_up()
            if number < 0:
                return -1
            group = number // _GROUP
            patterns = self._pages.cached_array("patterns")
            data = patterns.block_bytes(group)
            if data is None:
                present_count = find(packed, 1, *self._packing, patterns.array, place)
                return place.item() if present_count else -1
            view[: len(data)] = data
            found_place: int = find_encoded(
                number, location, group * _GROUP, *blocks, buffer, len(data)
            )
            if found_place < -1:
                raise self._pages.part_error(f"block {group} of patterns")
            return found_place

        return find_place

    def packed(self, places: Places) -> Uint64Array:
        """Return the packed positions at places."""
        groups = (np.searchsorted(self._places, places, side="right") - 1) // _GROUP
        out = np.empty((len(places), self.words), np.uint64)
        for batch in self._pages.groups(groups, _GROUP_BYTES):
            patterns, batch_places = (
                self._pages.cached_array("patterns"),
                np.ascontiguousarray(places[batch]),
            )
            patterns.load_blocks(groups[batch])
            batch_keys = np.empty(len(batch_places) * self.words, np.uint64)
            write(batch_places, *self._packing, patterns.array, batch_keys)
            out[batch] = batch_keys.reshape(-1, self.words)
        return out.reshape(-1)

    def groups_between(self, begin: int, end: int) -> tuple[int, int, int, int]:
        """Return the groups that contain a range of words.

        Returns:
            The first group and the one after the last, and where the words of these begin and end.
        """
        bounds = self._group_words
        if begin == end:
            return 0, 0, 0, 0
        first = int(np.searchsorted(bounds, begin, side="right")) - 1
        last = int(np.searchsorted(bounds, end, side="left"))
        return first, last, bounds.item(first), bounds.item(last)

    def write_words(self, begin: int, end: int, first_word: int, out: Uint64Array) -> None:
        """Write the words of some groups, without caching them.

        Args:
            begin: the first group.
            end: the group after the last.
            first_word: the number of the first word in ``out``.
            out: receives the words.

        Raises:
            CorruptTableError: a block is damaged.
        """
        offsets = self._group_words[begin : end + 1] - first_word
        data, _ = self._pages.join_blocks("patterns", np.flatnonzero(np.diff(offsets)) + begin)
        if not self._unpack_words(begin, end, data, out[offsets[0] : offsets[-1]]):
            raise self._pages.part_error("array 'patterns'")

    def _unpack_words(self, begin: int, end: int, data: Any, out: Uint64Array) -> bool:
        """Write the words of groups; return whether their number is right."""
        directory, first = self.directory, self._reader.array_entry("patterns").first
        ends = np.cumsum(self._reader.entries["raw"][first + begin : first + end], dtype=np.int64)
        packed_arrays = (np.frombuffer(data, np.uint8), ends, self._begins[begin : end + 1])
        return bool(
            decode_patterns(
                *packed_arrays, directory.present, directory.level_block, self.board.marks, out
            )
        )
