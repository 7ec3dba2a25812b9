"""What one thread works with where a game is solved level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.expander import ROOM, Buffers, Expand, run_expand
from zermelo._engine.sort.buckets import Piles
from zermelo._engine.sort.deduplicate import table_room, thin, thin_short


class Levelled(Expand, Protocol):
    """Compiled rules that know levels."""

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions."""

    def leveller(
        self, packed: npt.NDArray[np.uint64], out: npt.NDArray[np.int64]
    ) -> Callable[[], object]:
        """Return what writes the level of one packed position each time it is called."""


class Bench:
    """What one thread works with."""

    def __init__(self, expand: Levelled, chunk: int) -> None:
        room = ROOM * chunk
        self.expand = expand
        self.buffers = Buffers.for_rules(expand, chunk, room)
        self.child_levels = zeros(room, np.int64)
        self.numbers = zeros(room, np.int64)
        self.piles: dict[int, Piles] = {}
        self.spare: list[Piles] = []
        self.begin_thinning()

    def begin_thinning(self) -> None:
        """Have no room for thinning, or give it back."""
        self.raw = np.empty(0, np.uint64)
        self.spread = np.empty(0, np.uint64)
        self.slots = np.empty(0, np.uint32)
        self.places = np.empty(0, np.uint32)
        self.out = np.empty(0, np.uint64)

    @property
    def bytes(self) -> int:
        """Bytes of its arrays, piles apart."""
        thinning = (self.raw, self.out, self.spread, self.slots, self.places)
        buffers = (self.buffers.children, self.child_levels, self.numbers, self.buffers.values)
        return sum(array.nbytes for array in (*thinning, *buffers))

    def expanded(
        self, keys: npt.NDArray[np.uint64], begin: int, end: int
    ) -> Iterator[tuple[int, int, int]]:
        """Expand positions; yields where each part begins, how many it is, and its children."""
        while begin < end:
            done, made = run_expand(self.expand, keys, begin, end, self.buffers)
            if len(self.child_levels) < made:
                self.child_levels = zeros(len(self.buffers.children), np.int64)
                self.numbers = zeros(len(self.buffers.children), np.int64)
            self.expand.levels(self.buffers.children, made, self.child_levels)
            yield begin, done, made
            begin += done

    def room_for(self, count: int) -> None:
        """Make room to thin a pile of so many positions."""
        words = self.expand.words
        if len(self.raw) < count * words:
            size = count + count // 8
            self.begin_thinning()
            self.raw = zeros(size * words, np.uint64)
            self.out = zeros(size * words, np.uint64)
            room = size if words == 1 else table_room(size)
            self.spread = zeros(room, np.uint64)
            self.slots = zeros(room, np.uint32)

    def thin(self, count: int, pile_bits: int, bits: int, ends: npt.NDArray[np.uint32]) -> int:
        """Leave each of the first ``count`` positions of ``raw`` once, in ``out``; see ``thin``."""
        words = self.expand.words
        slots, spread = self.slots, self.spread
        if words > 1:
            return int(thin(self.raw, count, words, pile_bits, bits, spread, slots, ends, self.out))
        if len(self.places) <= len(ends):
            self.places = np.empty(len(ends) + 1, np.uint32)
        return int(
            thin_short(self.raw, count, pile_bits, bits, slots, self.places, spread, ends, self.out)
        )
