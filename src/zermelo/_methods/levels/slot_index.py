"""A table of levels whose positions stand in slots, each with its value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.table import PAGE, Scanned, Table
from zermelo._methods.levels.slot_lookup import (
    code_of,
    count_bytes,
    find_slots,
    positions_at,
    positions_of,
)
from zermelo._methods.levels.slots import LINE, ONE_BY_ONE, UNFOLDED, VALUE
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo._methods.levels.workspace import LevelledRules

#: What stands in a slot whose position has no value there: it is not decided, or kept apart.
FILLED = 1


@dataclass
class SlotLevels:
    """Where the levels are.

    Attributes:
        lowest: the level of the first entry of ``bits`` and of ``partitions``.
        bits: logarithm of the number of partitions of each level, -1 where it is empty.
        partitions: the first partition of each level.
        directory: the first line of each partition, and in how many lines its positions are at
            home.
        lines: the end of the lines.
    """

    lowest: int
    bits: npt.NDArray[np.int64]
    partitions: npt.NDArray[np.int64]
    directory: npt.NDArray[np.int64]
    lines: int


class SlotTable(Table):
    """Positions of a game with levels, in slots; a ``Table`` whose places are slots."""

    kind: Kind = WIN_DRAW_LOSS
    reachability_evidence = "places"
    words = 1

    def __init__(
        self,
        expand: LevelledRules,
        slots: npt.NDArray[np.uint64],
        count: int,
        levels: SlotLevels,
        turns: npt.NDArray[np.uint8],
        stored: npt.NDArray[np.int32],
    ) -> None:
        """Keep the arrays.

        Args:
            expand: the compiled rules.
            slots: what stands in slots; see ``slots``.
            count: how many of them are filled.
            levels: where levels are.
            turns: whose turn it is by slot, or empty where the players strictly alternate.
            stored: codes by slot, or empty where values stand in slots.
        """
        self.slots = slots[: levels.lines * LINE]
        self.turns = turns
        self.stored = stored
        self.starts = np.empty(0, np.int64)
        self.levels = levels
        self._count = count
        self._expand = expand
        self._used = np.uint64(expand.used)
        # For each partition of any level, the logarithm of the number of its level's partitions.
        self._first = np.zeros(len(levels.directory) // 2, np.int64)
        self._bits = np.zeros(len(self._first), np.int64)
        for bits, first in zip(levels.bits.tolist(), levels.partitions.tolist(), strict=True):
            if bits >= 0:
                self._first[first : first + (1 << bits)] = first
                self._bits[first : first + (1 << bits)] = bits

    def set_starts(self, starts: npt.NDArray[np.uint64]) -> None:
        """Note where the starts are, the game's own first, each once."""
        places = np.empty(len(starts), np.int64)
        self.places(np.ascontiguousarray(starts).reshape(-1), len(starts), places)
        self.starts = np.array(list(dict.fromkeys(places.tolist())), np.int64)

    def look(
        self,
        packed: npt.NDArray[np.uint64],
        levels: npt.NDArray[np.int64],
        count: int,
        out: npt.NDArray[np.int64],
        values: npt.NDArray[np.uint8],
        *,
        where: bool,
    ) -> int:
        """Find packed positions whose levels are known; see ``find_slots``."""
        levelled = self.levels
        return int(
            find_slots(
                packed,
                levels,
                count,
                levelled.lowest,
                levelled.bits,
                levelled.partitions,
                levelled.directory,
                self._used,
                self.slots,
                where,
                out,
                values,
            )
        )

    def __len__(self) -> int:
        """Return how many positions there are."""
        return self._count

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return len(self.slots)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Table``."""
        levels = np.empty(count, np.int64)
        self._expand.levels(packed, count, levels)
        return self.look(packed, levels, count, out, np.empty(count, np.uint8), where=True)

    def prober(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the code of one packed position; see ``Table``."""
        level, levels = np.empty(1, np.int64), self.levels
        tell_level = self._expand.level_of(packed, level)
        shape = (levels.lowest, levels.bits, levels.partitions, levels.directory, self._used)
        tell = partial(code_of, packed, level, *shape, self.slots, self.stored, UNFOLDED)

        def ask() -> int:
            tell_level()
            code: int = tell()
            return code

        return ask

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Return the codes at places."""
        if len(self.stored):
            return self.stored[places]
        return UNFOLDED[(self.slots[places] & VALUE).astype(np.intp)]

    def value(self, place: int) -> int:
        """Return the code at one place."""
        if len(self.stored):
            stored: int = self.stored.item(place)
            return stored
        return ONE_BY_ONE[self.slots.item(place) & 255]

    @staticmethod
    def wide(stored: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return the codes of values as ``everything`` gives them."""
        return UNFOLDED[stored] if stored.itemsize == 1 else stored

    @property
    def wide_values(self) -> bool:
        """Whether values are stored as codes, and not as a byte each; see ``wide``."""
        return len(self.stored) > 0

    @property
    def used(self) -> int:
        """The bits that packed positions may have."""
        return int(self._used)

    @property
    def bytes(self) -> int:
        """Bytes of its arrays."""
        levels = self.levels.directory, self._first, self._bits
        arrays = (self.slots, self.turns, self.stored, *levels)
        return sum(array.nbytes for array in arrays)

    def scan(self, size: int) -> Iterator[Scanned]:
        """Scan all positions; see ``Table``."""
        keys, places = np.empty(size + 1, np.uint64), np.empty(size + 1, np.int64)
        values, apart = np.empty(size + 1, np.uint8), len(self.stored) > 0
        for first, bits, begin, end in self._spans(size):
            shape = (self.levels.directory, first, bits, self._used)
            count = int(positions_of(self.slots, begin, end, *shape, keys, places, values))
            here = places[:count]
            found = self.stored[here] if apart else UNFOLDED[values[:count]]
            yield keys[:count], found, self.owners(here), here

    def _spans(self, size: int) -> Iterator[tuple[int, int, int, int]]:
        """Scan ``size`` slots at once: first partition of the level, its bits, begin and end."""
        levels, directory = self.levels, self.levels.directory
        for first, bits in zip(levels.partitions.tolist(), levels.bits.tolist(), strict=True):
            if bits < 0:
                continue
            last = first + (1 << bits)
            lines = directory.item(2 * last) if 2 * last < len(directory) else levels.lines
            for begin in range(directory.item(2 * first) * LINE, lines * LINE, size):
                yield first, bits, begin, min(begin + size, lines * LINE)

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places."""
        return self.turns[places] if len(self.turns) else np.zeros(len(places), np.uint8)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        keys = np.empty(len(places), np.uint64)
        directory = self.levels.directory
        positions_at(
            self.slots,
            np.ascontiguousarray(places),
            directory,
            self._first,
            self._bits,
            self._used,
            keys,
        )
        return keys

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all places."""
        for begin in range(0, len(self.slots), PAGE):
            filled = np.flatnonzero(self.slots[begin : begin + PAGE])
            if len(filled):
                yield filled + begin

    def potential(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along every move."""
        return -places

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        if not len(self.stored):
            every = np.zeros(256, np.int64)
            count_bytes(self.slots, every)
            every[0] = 0  # empty slots
            occurring = np.flatnonzero(every)
            return dict(zip(UNFOLDED[occurring].tolist(), every[occurring].tolist(), strict=True))
        found: dict[int, int] = {}
        for begin in range(0, len(self.slots), 1 << 18):  # in parts: NumPy copies what it counts
            part = self.slots[begin : begin + (1 << 18)]
            present = self.stored[begin : begin + (1 << 18)][part != 0]
            values, counts = np.unique(present, return_counts=True)
            for value, count in zip(values.tolist(), counts.tolist(), strict=True):
                found[value] = found.get(value, 0) + count
        return found
