"""Levels for look-ups, all in memory or read part by part from columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.memory import resident, zeros
from zermelo._engine.sort.buckets import WIDE, look_up
from zermelo._methods.levels.kernels import leave_part
from zermelo._methods.levels.storage import Level

_PerLevel: TypeAlias = npt.NDArray[np.int64]
#: The most parts that are tried.
_MOST_PARTS = 1 << 10


@dataclass(frozen=True)
class Window:
    """Levels in memory, or a part of each; arrays by level have an entry for each level.

    Attributes:
        keys: their packed positions.
        values: the stored forms of their values.
        turns: the player to move in each, or empty if the players strictly alternate.
        offsets: the first position of each bucket.
        lowest: the level of the first entry of the arrays by level.
        bits: logarithm of the number of buckets of each level, -1 if the level is empty.
        starts: the index of each level's first bucket in ``offsets``.
        lows: each level's first bucket in this part; None if the levels are whole.
        highs: the bucket after each level's last in this part.
        first: whether this is the first part.
    """

    keys: npt.NDArray[np.uint64]
    values: npt.NDArray[Any]
    turns: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.uint32]
    lowest: int
    bits: _PerLevel
    starts: _PerLevel
    lows: _PerLevel | None = None
    highs: _PerLevel | None = None
    first: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether the window contains the whole levels."""
        return self.lows is None

    @property
    def bytes(self) -> int:
        """The bytes of its arrays."""
        return sum(each.nbytes for each in (self.keys, self.values, self.turns, self.offsets))

    @property
    def shape(self) -> tuple[Any, ...]:
        """The arguments of ``look_up`` that describe the window."""
        return self.lowest, self.bits, self.starts, self.offsets, self.keys

    def look_up_children(self, workspace: Any, made: int) -> tuple[Any, Any, Any]:
        """Look up the children in a workspace; return the arguments of ``raise_values`` about them.

        Args:
            workspace: the workspace of a thread, which has just expanded positions.
            made: the number of children.

        Returns:
            The number of each child, or -1 if it is not in this part; the player to move by number,
            or empty; and the values by number.
        """
        children, levels = workspace.buffers.children, workspace.child_levels
        words = workspace.words
        if not self.is_whole:
            cut = self.lowest, self.bits, self.lows, self.highs
            leave_part(children, levels, made, words, *cut)
        look_up(children, levels, made, words, *self.shape, workspace.numbers)  # type: ignore[call-arg]  # a kernel
        return workspace.numbers, self.turns, self.values


class _Cut(NamedTuple):
    """A part of a level.

    Attributes:
        low: its first bucket.
        high: the bucket after its last.
        begin: its first position.
        end: the position after its last.
    """

    low: int
    high: int
    begin: int
    end: int


class LevelReader:
    """A reader of levels that are in columns.

    Attributes:
        levels: the place of each level.
    """

    def __init__(
        self, levels: dict[int, Level], columns: Mapping[str, Any], words: int, *, turned: bool
    ) -> None:
        """Store the columns.

        Args:
            levels: the place of each level that moves lead to.
            columns: the columns of these levels and of their values.
            words: words per position.
            turned: whether there is a column of players to move.
        """
        self.levels = dict(sorted(levels.items()))
        self._columns, self._words, self._turned = columns, words, turned

    def bytes(self, allowed: int, part: int = 0, parts: int = 1) -> int:
        """Return the bytes that a part of the levels takes of ``allowed`` bytes."""
        value = self._columns["values"].dtype.itemsize
        each, size = 8 * self._words + value + self._turned, 0
        for cut in self._cuts(part, parts):
            buckets = cut.high - cut.low + 1
            size += resident((cut.end - cut.begin + WIDE) * each + 4 * buckets, allowed)
        return size

    def parts_within(self, left: int, allowed: int) -> tuple[int, int]:
        """Return the number of parts in which levels fit in ``left`` bytes, and the largest."""
        parts = limits.current().windows
        while True:
            most = max(self.bytes(allowed, part, parts) for part in range(parts))
            if most <= left or parts == _MOST_PARTS:
                return parts, most
            # Buckets are about equally full, but not exactly.
            parts = min(max(parts + 1, parts * most // max(left, 1)), _MOST_PARTS)

    def _cuts(self, part: int, parts: int) -> Iterator[_Cut]:
        """Yield a part of each level."""
        for level in self.levels.values():
            buckets = 1 << level.bits
            low, high = part * buckets // parts, (part + 1) * buckets // parts
            yield _Cut(low, high, self._start(level, low), self._start(level, high))

    def _start(self, level: Level, bucket: int) -> int:
        """Return the first position of a bucket."""
        one = np.empty(1, np.uint32)
        return int(self._columns["offsets"].read(level.first + bucket, one)[0])

    def read(self, part: int, parts: int) -> Window:
        """Load a part of the levels into memory."""
        words, columns, cuts = self._words, self._columns, list(self._cuts(part, parts))
        count = sum(cut.end - cut.begin for cut in cuts)
        keys = zeros((count + WIDE) * words, np.uint64)
        values = zeros(count, columns["values"].dtype)
        turns = zeros(count if self._turned else 0, np.uint8)
        offsets = zeros(sum(cut.high - cut.low + 1 for cut in cuts), np.uint32)
        lowest = min(self.levels, default=0)
        span = max(self.levels) - lowest + 1 if self.levels else 0
        bits = np.full(span, -1, np.int64)
        starts, lows, highs = (np.zeros(span, np.int64) for _ in range(3))
        at = place = 0
        for (level, here), cut in zip(self.levels.items(), cuts, strict=True):
            size = cut.end - cut.begin
            columns["keys"].read(cut.begin * words, keys[at * words : (at + size) * words])
            columns["values"].read(cut.begin, values[at : at + size])
            if self._turned:
                columns["turns"].read(cut.begin, turns[at : at + size])
            buckets = offsets[place : place + cut.high - cut.low + 1]
            columns["offsets"].read(here.first + cut.low, buckets)
            buckets -= np.uint32(cut.begin)
            buckets += np.uint32(at)
            n = level - lowest
            bits[n], starts[n] = here.bits, place - cut.low
            lows[n], highs[n] = cut.low, cut.high
            at += size
            place += len(buckets)
        arrays = (keys, values, turns, offsets, lowest, bits, starts)
        return Window(*arrays) if parts == 1 else Window(*arrays, lows, highs, part == 0)
