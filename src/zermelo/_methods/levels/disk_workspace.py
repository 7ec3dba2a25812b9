"""What one thread works with while levels are on disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Column
from zermelo._engine.expand.expander import ROOM, Buffers, run_expand
from zermelo._engine.sort.buckets import Piles
from zermelo._engine.sort.deduplicate import table_room, thin, thin_short
from zermelo._methods.levels.runs import Packing
from zermelo._methods.levels.workspace import Levelled


class DiskBench:
    """What one thread works with."""

    def __init__(self, expand: Levelled, chunk: int) -> None:
        """Make room to expand so many positions at once."""
        self.expand = expand
        self.words = expand.words
        self.buffers = Buffers.for_rules(expand, chunk, ROOM * chunk)
        self.keys = zeros(chunk * expand.words, np.uint64)
        self.levels = zeros(ROOM * chunk, np.int64)
        self.numbers = zeros(ROOM * chunk, np.int64)
        self.heaps: dict[int, Piles] = {}
        self.packing = Packing()
        self.clear()

    def clear(self) -> None:
        """Have no room for making levels."""
        nothing = np.empty(0, np.uint64)
        self.raw = self.out = self.spread = nothing
        self.slots = np.empty(0, np.uint32)
        self.places = np.empty(0, np.uint32)
        self.packing.clear()

    @property
    def bytes(self) -> int:
        """Bytes of its arrays, heaps apart."""
        making = (self.raw, self.out, self.spread, self.slots, self.places)
        buffers = (self.buffers.children, self.buffers.values, self.keys, self.levels, self.numbers)
        return sum(array.nbytes for array in (*making, *buffers)) + self.packing.bytes

    def expanded(self, keys: Column, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Expand positions; yields where each part begins, how many it is, and its children."""
        words = self.words
        here = keys.read(begin * words, self.keys[: (end - begin) * words])
        at = 0
        while at < end - begin:
            done, made = run_expand(self.expand, here, at, end - begin, self.buffers)
            if len(self.levels) < made:
                self.levels = zeros(len(self.buffers.children), np.int64)
                self.numbers = zeros(len(self.buffers.children), np.int64)
            self.expand.levels(self.buffers.children, made, self.levels)
            yield at, done, made
            at += done

    def waiting(self) -> int:
        """Return the bytes of its heaps, and of what writing one of them out takes."""
        piles = max((heap.count >> heap.bits for heap in self.heaps.values()), default=0)
        writing = max(25 * self.words * (piles + piles // 2), self.raw.nbytes + self.packing.bytes)
        return writing + sum(heap.bytes for heap in self.heaps.values())

    def raw_for(self, count: int) -> npt.NDArray[np.uint64]:
        """Return room for so many positions."""
        if len(self.raw) < count * self.words:
            self.raw = np.empty(0, np.uint64)
            self.raw = zeros((count + count // 8) * self.words, np.uint64)
        return self.raw

    def making(self, count: int) -> int:
        """Return the bytes that it takes to thin so many positions."""
        size = count + count // 8
        room = size if self.words == 1 else table_room(size)
        return 16 * size * self.words + 12 * room + 4 * count

    def thinned(self, count: int, pile_bits: int, bits: int, ends: Any) -> int:
        """Leave each of the first ``count`` positions of ``raw`` once, in ``out``."""
        words = self.words
        size = len(self.raw) // words
        if len(self.out) < len(self.raw):
            room = size if words == 1 else table_room(size)
            self.out = self.spread = np.empty(0, np.uint64)
            self.slots = np.empty(0, np.uint32)
            self.out = zeros(size * words, np.uint64)
            self.spread, self.slots = zeros(room, np.uint64), zeros(room, np.uint32)
        spread, slots = self.spread, self.slots
        if words > 1:
            return int(thin(self.raw, count, words, pile_bits, bits, spread, slots, ends, self.out))
        if len(self.places) <= len(ends):
            self.places = np.empty(len(ends) + 1, np.uint32)
        arrays = (slots, self.places, spread, ends, self.out)
        return int(thin_short(self.raw, count, pile_bits, bits, *arrays))
