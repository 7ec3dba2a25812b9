"""The solved positions of a placement game: reachable patterns, and their values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from zermelo._engine.column import codes
from zermelo._engine.column.column import Column
from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint32Array, Uint64Array
from zermelo._engine.core.kernel import interpreted_if_few
from zermelo._engine.core.scratch import memory_of, release_pages
from zermelo._engine.index.index import Index
from zermelo._methods.placement.kernels_lookup import (
    DirectoryArrays,
    code_of,
    concatenate,
    count,
    find,
    read_codes,
    write,
)
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._methods.placement.board import PlacementBoard


#: Words of values that are counted before their memory is released.
_WORDS_PER_BATCH = 1 << 17


@dataclass(frozen=True)
class Fields:
    """The location of the two sets of marks in a packed position.

    Attributes:
        words: 64-bit words per packed position.
        first: (word, shift, bits) of the first field.
        second: (word, shift, bits) of the second field.
        bit: the bit of a field for each cell.
    """

    words: int
    first: tuple[int, int, int]
    second: tuple[int, int, int]
    bit: Int64Array


@dataclass(frozen=True)
class Directory:
    """The offsets of levels, tiers, blocks and sections in arrays.

    Attributes:
        tiers: all tiers, level by level.
        slots: the index of each tier in its level.
        level_tier: the first index of each level in ``tiers``.
        level_block: the first index of each level in arrays by block.
        level_section: the first index of each level in arrays by section.
        present: for each block, the bits of its words that are not empty.
        first: for each block, the number of such words in earlier blocks of its section.
        rank: for each block, the number of positions in earlier blocks of its section.
        place: for each section, the place of its first position; the last entry is the number of
            positions.
        word: for each section, the index of its first word in ``stored``.
        value: for each section, the index of its first value in ``values``.
    """

    tiers: Int64Array
    slots: Int32Array
    level_tier: Int64Array
    level_block: Int64Array
    level_section: Int64Array
    present: Uint64Array
    first: Uint32Array
    rank: Uint32Array
    place: Int64Array
    word: Int64Array
    value: Int64Array

    @property
    def searched(self) -> DirectoryArrays:
        """The arrays with which kernels find a pattern, or the pattern at a place."""
        return (
            self.tiers,
            self.slots,
            self.level_tier,
            self.level_block,
            self.level_section,
            self.present,
            self.first,
            self.rank,
            self.place,
            self.word,
        )


@dataclass(frozen=True)
class Planes:
    """The meaning of the planes, by level.

    Attributes:
        begin: the first index of each level in ``whose`` and ``ply``; the last entry is their
            length.
        whose: the player whose wins a plane has: 1 for the first player.
        ply: the ply by which these positions are won, or UNTIMED.
    """

    begin: Int64Array
    whose: Int64Array
    ply: Int64Array


class PlacementIndex(Index):
    """Reachable positions level by level, tier by tier, in the order of their patterns.

    Attributes:
        fields: the packed form of positions.
        board: the game.
        directory: the places of levels, tiers, blocks and sections.
        stored: the words of reachable patterns that are not empty.
    """

    saved_as = "tiers"

    def __init__(
        self,
        fields: Fields,
        board: PlacementBoard,
        directory: Directory,
        stored: Uint64Array,
    ) -> None:
        """Store the arrays."""
        self.words = fields.words
        self.span = int(directory.place[-1])
        self.fields = fields
        self.board = board
        self.directory = directory
        self.stored = stored
        self._packing = (*packing_of(fields, board, directory), stored)

    @property
    def bytes(self) -> int:
        """The bytes of memory of its arrays."""
        return memory_of(*vars(self.directory).values(), self.stored)

    def places(self, packed: Uint64Array, count: int, out: Int64Array) -> int:
        """Look up packed positions; see ``Index``."""
        return int(interpreted_if_few(find, count)(packed, count, *self._packing, out))

    def finder(self, packed: Uint64Array) -> Callable[[], int]:
        """Return a function that looks up one packed position; see ``Index``."""
        place = np.empty(1, np.int64)

        def find_place() -> int:
            self.places(packed, 1, place)
            return place.item()

        return find_place

    def packed(self, places: Int64Array) -> Uint64Array:
        """Return the packed positions at places."""
        out = np.empty(len(places) * self.words, np.uint64)
        write(np.ascontiguousarray(places), *self._packing, out)
        return out


class PlacementColumn(Column):
    """Values of positions of each level, as planes of bits.

    Attributes:
        directory: the places of levels, tiers, blocks and sections.
        planes: the meaning of the planes.
        stored: for each 64 positions of a section, one word per plane.
    """

    def __init__(self, index: PlacementIndex, planes: Planes, stored: Uint64Array) -> None:
        """Store the arrays."""
        self.kind = OUTCOME_ALONE if (planes.ply == codes.UNTIMED).any() else WIN_DRAW_LOSS
        self.count = index.span
        self.directory = index.directory
        self._index = index
        self.planes = planes
        self.stored = stored

    @property
    def bytes(self) -> int:
        """The bytes of memory of its arrays, without the directory."""
        return memory_of(self.stored, *vars(self.planes).values())

    def prober(
        self,
        find: Callable[[], int],  # noqa: ARG002  # a single kernel call does both
        packed: Uint64Array,
    ) -> Callable[[], int]:
        """Return a function that probes one packed position; see ``Column``."""
        directory, planes, fields = self.directory, self.planes, self._index.fields
        heights, radices, cells, _, marks = self._index.board.shape()
        packing = (np.array(fields.first), np.array(fields.second), fields.bit)
        levels = (directory.level_block, directory.level_section)
        plane_arrays = (planes.begin, planes.whose, planes.ply)
        small = concatenate(heights, radices, cells, *packing, *levels, *plane_arrays)
        directory_arrays = (
            directory.slots,
            directory.present,
            directory.first,
            directory.rank,
            directory.place,
            directory.word,
            self._index.stored,
        )
        return partial(
            code_of, packed, marks, small, *directory_arrays, directory.value, self.stored
        )

    def values(self, numbers: Int64Array) -> Int32Array:
        """Return the values at numbers."""
        out = np.empty(len(numbers), np.int32)
        directory, planes = self.directory, self.planes
        interpreted_if_few(read_codes, len(numbers))(
            np.ascontiguousarray(numbers),
            directory.level_section,
            directory.place,
            directory.value,
            self.stored,
            planes.begin,
            planes.whose,
            planes.ply,
            out,
        )
        return out

    def value(self, number: int) -> int:
        """Return the value at one number."""
        return int(self.values(np.array([number]))[0])

    def tally(self) -> dict[int, int]:
        """Return the number of positions with each code."""
        directory, planes = self.directory, self.planes
        counts: dict[int, int] = {}
        full = len(directory.level_section) - 2
        for level in range(full + 1):
            begin, end = (
                int(directory.level_section[level]),
                int(directory.level_section[level + 1]),
            )
            first, last = int(planes.begin[level]), int(planes.begin[level + 1])
            wins = np.zeros(last - first, np.int64)
            draws = int(directory.place[end] - directory.place[begin])
            while last > first and begin < end:  # part by part, to limit the memory
                stop = int(
                    np.searchsorted(directory.value, directory.value[begin] + _WORDS_PER_BATCH)
                )
                stop = min(max(stop, begin + 1), end)
                count(begin, stop, directory.value, self.stored, last - first, wins)
                release_pages(self.stored)
                begin = stop
            for winner in (0, 1):
                earlier_wins = 0
                for p in np.flatnonzero(planes.whose[first:last] == winner).tolist():
                    outcome = 1 if winner != level % 2 else -1
                    ply = int(planes.ply[first + p])
                    code = codes.encode(outcome, None if ply == codes.UNTIMED else ply - level)
                    new_wins = int(wins[p]) - earlier_wins
                    counts[code] = counts.get(code, 0) + new_wins
                    draws -= new_wins
                    earlier_wins = int(wins[p])
            tie = codes.encode(0, full - level)
            counts[tie] = counts.get(tie, 0) + draws
        return {code: number for code, number in counts.items() if number}


#: The arguments of kernels for the packed form of positions, the board, and the directory.
Packing: TypeAlias = tuple[int, Any, Any, Any, Any, Any]


def packing_of(fields: Fields, board: PlacementBoard, directory: Directory) -> Packing:
    """Return the arguments of kernels for the packed form, the board and the directory."""
    first, second = np.array(fields.first), np.array(fields.second)
    # A plain tuple: Numba looks at a named one for five microseconds in each call.
    shape = tuple(board.shape())
    return fields.words, first, second, fields.bit, shape, directory.searched
