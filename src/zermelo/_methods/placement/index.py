"""The solved positions of a placement game: reachable patterns, and their values beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.core.interpreted import for_few
from zermelo._engine.core.scratch import let_go
from zermelo._engine.table import Table
from zermelo._methods.placement.lookup import code_of, count, find, joined, read, write
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Fields:
    """Where a packed position holds the two sets of marks.

    Attributes:
        words: 64-bit words a packed position takes.
        first: (word, shift, bits) of the first field.
        second: likewise of the second.
        bit: the bit of a field that stands for each cell.
    """

    words: int
    first: tuple[int, int, int]
    second: tuple[int, int, int]
    bit: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Directory:
    """Where everything is.

    Attributes:
        tiers: all tiers, level by level.
        slots: the place of each tier in its level.
        level_tier: where each level begins in ``tiers``.
        level_block: and in the arrays by block.
        level_section: and in the arrays by section.
        present: by block: which words are not empty.
        first: by block: how many such words its section has before it.
        rank: by block: how many positions its section has before it.
        place: by section: the place of its first position, and at the end the number of all.
        word: by section: where its words are in ``stored``.
        value: by section: where its values are in ``values``.
    """

    tiers: npt.NDArray[np.int64]
    slots: npt.NDArray[np.int32]
    level_tier: npt.NDArray[np.int64]
    level_block: npt.NDArray[np.int64]
    level_section: npt.NDArray[np.int64]
    present: npt.NDArray[np.uint64]
    first: npt.NDArray[np.uint32]
    rank: npt.NDArray[np.uint32]
    place: npt.NDArray[np.int64]
    word: npt.NDArray[np.int64]
    value: npt.NDArray[np.int64]

    @property
    def searched(self) -> tuple[npt.NDArray[Any], ...]:
        """What a kernel needs to find a pattern, or the pattern of a place."""
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
    """What the planes say, by level.

    Attributes:
        begin: where each level's planes begin in the arrays here, and their number at the end.
        whose: whose wins a plane holds: 1 for the first player's.
        ply: the ply by which they are won, or UNTIMED.
    """

    begin: npt.NDArray[np.int64]
    whose: npt.NDArray[np.int64]
    ply: npt.NDArray[np.int64]


class PlacementTable(Table):
    """Reachable positions level by level, tier by tier, in the order of their patterns."""

    reachability_evidence = "places"
    saved_as = "tiers"
    #: The board, a ``PlacementBoard``.
    board: Any

    def __init__(
        self,
        fields: Fields,
        shape: tuple[Any, ...],
        directory: Directory,
        stored: npt.NDArray[np.uint64],
        planes: Planes,
        values: npt.NDArray[np.uint64],
    ) -> None:
        """Keep the arrays.

        Args:
            fields: how a position is packed.
            shape: the board, as kernels know it.
            directory: where everything is.
            stored: the words of reachable patterns that are not empty.
            planes: what the planes say.
            values: for each 64 positions of a section, one word a plane.
        """
        self.kind: Kind = OUTCOME_ALONE if (planes.ply == codes.UNTIMED).any() else WIN_DRAW_LOSS
        self.words = fields.words
        self.starts = np.zeros(1, np.int64)
        self.fields = fields
        self.shape = shape
        self.directory = directory
        self.stored = stored
        self.planes = planes
        self.kept = values
        self._packing = (
            fields.words,
            np.array(fields.first),
            np.array(fields.second),
            fields.bit,
            shape,
            directory.searched,
            stored,
        )

    def __len__(self) -> int:
        """Return how many positions there are."""
        return int(self.directory.place[-1])

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Table``."""
        return int(for_few(find, count)(packed, count, *self._packing, out))

    def prober(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the code of one packed position; see ``Table``."""
        at, planes, fields = self.directory, self.planes, self.fields
        heights, radices, cells, _, marks = self.shape
        packing = (np.array(fields.first), np.array(fields.second), fields.bit)
        levels = (at.level_block, at.level_section)
        said = (planes.begin, planes.whose, planes.ply)
        small = joined(heights, radices, cells, *packing, *levels, *said)
        where = (at.slots, at.present, at.first, at.rank, at.place, at.word, self.stored)
        return partial(code_of, packed, marks, small, *where, at.value, self.kept)

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Return the codes at places."""
        out = np.empty(len(places), np.int32)
        at, planes = self.directory, self.planes
        for_few(read, len(places))(
            np.ascontiguousarray(places),
            at.level_section,
            at.place,
            at.value,
            self.kept,
            planes.begin,
            planes.whose,
            planes.ply,
            out,
        )
        return out

    def value(self, place: int) -> int:
        """Return the code at one place."""
        return int(self.values(np.array([place]))[0])

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return anything: the players strictly alternate."""
        return np.zeros(len(places), np.uint8)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        out = np.empty(len(places) * self.words, np.uint64)
        write(np.ascontiguousarray(places), *self._packing, out)
        return out

    def potential(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along every move."""
        return -places

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        at, planes = self.directory, self.planes
        found: dict[int, int] = {}
        full = len(at.level_section) - 2
        for level in range(full + 1):
            begin, end = int(at.level_section[level]), int(at.level_section[level + 1])
            first, last = int(planes.begin[level]), int(planes.begin[level + 1])
            held = np.zeros(last - first, np.int64)
            if last > first:
                count(begin, end, at.value, self.kept, last - first, held)
                let_go(self.kept)
            draws = int(at.place[end] - at.place[begin])
            for whose in (0, 1):
                sooner = 0
                for p in np.flatnonzero(planes.whose[first:last] == whose).tolist():
                    outcome = 1 if whose != level % 2 else -1
                    ply = int(planes.ply[first + p])
                    code = codes.encode(outcome, None if ply == codes.UNTIMED else ply - level)
                    exactly = int(held[p]) - sooner
                    found[code] = found.get(code, 0) + exactly
                    draws -= exactly
                    sooner = int(held[p])
            tie = codes.encode(0, full - level)
            found[tie] = found.get(tie, 0) + draws
        return {code: often for code, often in found.items() if often}
