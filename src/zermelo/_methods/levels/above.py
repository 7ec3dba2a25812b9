"""A part of the levels that a level leads to, read from disk, and what it decides there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.core.memory import zeros
from zermelo._engine.sort.buckets import WIDE, look_up
from zermelo._methods.levels.disk_workspace import DiskBench
from zermelo._methods.levels.part_kernels import leave_part, settle_part

if TYPE_CHECKING:
    from zermelo._methods.levels.disk import OnDisk


class Above:
    """A part of the levels that a level leads to, in memory.

    Attributes:
        bytes: what it takes.
    """

    def __init__(self, work: OnDisk, window: list[int], part: int, parts: int) -> None:
        """Read it."""
        self.work = work
        self.first, self.all = part == 0, parts == 1
        words = work.words
        cuts = work.cut(window, part, parts)
        bounds = [
            work.bounds(level, low, high)
            for level, (low, high, _) in zip(window, cuts, strict=True)
        ]
        count = sum(end - begin for begin, end in bounds)
        self.bytes = sum(size for _, _, size in cuts)
        self.keys = zeros((count + WIDE) * words, np.uint64)
        self.values = zeros(count, work.kind)
        self.turns = zeros(0 if work.expand.alternate else count, np.uint8)
        self.offsets = zeros(sum(high - low + 1 for low, high, _ in cuts), np.uint32)
        self.lowest = window[0] if window else 0
        span = window[-1] - window[0] + 1 if window else 0
        self.bits = np.full(span, -1, np.int64)
        self.starts, self.lows, self.highs = (np.zeros(span, np.int64) for _ in range(3))
        at = place = 0
        for level, (low, high, _), (begin, end) in zip(window, cuts, bounds, strict=True):
            size = end - begin
            work.keys.read(begin * words, self.keys[at * words : (at + size) * words])
            work.values.read(begin, self.values[at : at + size])
            if len(self.turns):
                work.turns.read(begin, self.turns[at : at + size])
            offsets = self.offsets[place : place + high - low + 1]
            work.offsets.read(work.levels[level].buckets + low, offsets)
            offsets -= np.uint32(begin)
            offsets += np.uint32(at)
            n = level - self.lowest
            self.bits[n], self.starts[n] = work.levels[level].bits, place - low
            self.lows[n], self.highs[n] = low, high
            at += size
            place += len(offsets)

    def decide(self, bench: DiskBench, span: tuple[int, int]) -> None:
        """Decide positions, as far as this part does."""
        work = self.work
        values = np.empty(span[1] - span[0], work.kind)
        if not self.first:
            work.values.read(span[0], values)
        for at, done, made in bench.expanded(work.keys, *span):
            buffers = bench.buffers
            if not self.all:
                where = (self.lowest, self.bits, self.lows, self.highs)
                leave_part(buffers.children, bench.levels, made, work.words, *where)
            look_up(
                buffers.children,
                bench.levels,
                made,
                work.words,
                self.lowest,
                self.bits,
                self.starts,
                self.offsets,
                self.keys,
                bench.numbers,
            )
            settle_part(
                done,
                buffers.ends,
                buffers.values,
                buffers.owners,
                bench.numbers,
                self.turns,
                self.values,
                values[at:],
                self.first,
            )
        work.values.write(span[0], values)
