"""Levels for look-ups, all in memory or read from arrays, whole or part by part.

Whole levels with positions of a word and values of a byte are put into slots, where a child is
looked up with one access to memory. A position is in the home line of its bucket or, if that is
full, in the next lines. A slot contains its value and all of its hash except the first bits, which
are given by the segment that it is in. As ``hash_of`` maps one word to another one to one, that is
the position. ``slots`` has the levels of a solve in memory, whose hashes have as many bits as a
game's positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint32Array, Uint64Array
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import prefetch, resident, zeros
from zermelo._engine.core.threads import map_unordered
from zermelo._engine.sort.buckets import WIDE, bucket_of, look_up
from zermelo._methods.levels.kernels import leave_part
from zermelo._methods.levels.slots import LINE, LINE_BITS, lines_for, probe_lines
from zermelo._methods.levels.storage import Level

_PerLevel: TypeAlias = Int64Array
#: The most parts that are tried.
_MOST_PARTS = 1 << 10
#: Positions from which on whole levels are put into slots; smaller levels stay in a core's caches.
_LARGE = 1 << 20
#: Bits of a slot for the value and the player to move; as many first bits of the hash are left out.
VALUE_BITS = 9
#: Logarithm of the buckets of a segment, which should fit in a core's cache.
_SEGMENT = 13
#: The spare lines after a segment.
_BEHIND = 8
#: Bytes in which a thread loads a segment.
_LOADING = 10 << (_SEGMENT + 3)
_BATCH = 128
_ONE, _VALUE = np.uint64(1), np.uint64((1 << VALUE_BITS) - 1)


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

    keys: Uint64Array
    values: npt.NDArray[Any]
    turns: Uint8Array
    offsets: Uint32Array
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

    def look_up_children(self, workspace: Any, child_count: int) -> tuple[Any, Any, Any]:
        """Look up the children in a workspace; return the arguments of ``raise_values`` about them.

        Args:
            workspace: the workspace of a thread, which has just expanded positions.
            child_count: the number of children.

        Returns:
            The number of each child, or -1 if it is not in this part; the player to move by number,
            or empty; and the values by number.
        """
        children, levels = workspace.buffers.children, workspace.child_levels
        words = workspace.words
        if self.lows is not None and self.highs is not None:
            leave_part(
                children, levels, child_count, words, self.lowest, self.bits, self.lows, self.highs
            )
        look_up(children, levels, child_count, words, *self.shape, workspace.numbers)  # type: ignore[call-arg]  # a kernel
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
    """A reader of levels that are in arrays.

    Attributes:
        levels: the place of each level.
    """

    def __init__(
        self, levels: dict[int, Level], arrays: Mapping[str, Any], words: int, *, turned: bool
    ) -> None:
        """Store the arrays.

        Args:
            levels: the place of each level that moves lead to.
            arrays: the arrays of these levels and of their values.
            words: words per position.
            turned: whether there is an array of players to move.
        """
        self.levels = dict(sorted(levels.items()))
        self._arrays, self._words, self._turned = arrays, words, turned

    def bytes(self, allowed: int, part: int = 0, parts: int = 1) -> int:
        """Return the bytes that a part of the levels takes of ``allowed`` bytes."""
        value = self._arrays["values"].dtype.itemsize
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
        return int(self._arrays["offsets"].read(level.first + bucket, one)[0])

    def read(self, part: int, parts: int) -> Window:
        """Load a part of the levels into memory."""
        words, arrays, cuts = self._words, self._arrays, list(self._cuts(part, parts))
        count = sum(cut.end - cut.begin for cut in cuts)
        keys = zeros((count + WIDE) * words, np.uint64)
        values = zeros(count, arrays["values"].dtype)
        turns = zeros(count if self._turned else 0, np.uint8)
        offsets = zeros(sum(cut.high - cut.low + 1 for cut in cuts), np.uint32)
        lowest = min(self.levels, default=0)
        span = max(self.levels) - lowest + 1 if self.levels else 0
        bits = np.full(span, -1, np.int64)
        starts, lows, highs = (np.zeros(span, np.int64) for _ in range(3))
        at = place = 0
        for (level, here), cut in zip(self.levels.items(), cuts, strict=True):
            size = cut.end - cut.begin
            arrays["keys"].read(cut.begin * words, keys[at * words : (at + size) * words])
            arrays["values"].read(cut.begin, values[at : at + size])
            if self._turned:
                arrays["turns"].read(cut.begin, turns[at : at + size])
            buckets = offsets[place : place + cut.high - cut.low + 1]
            arrays["offsets"].read(here.first + cut.low, buckets)
            buckets -= np.uint32(cut.begin)
            buckets += np.uint32(at)
            n = level - lowest
            bits[n], starts[n] = here.bits, place - cut.low
            lows[n], highs[n] = cut.low, cut.high
            at += size
            place += len(buckets)
        window = Window(keys, values, turns, offsets, lowest, bits, starts)
        return window if parts == 1 else replace(window, lows=lows, highs=highs, first=part == 0)


def suits_slots(levels: dict[int, Level], words: int, dtype: np.dtype[Any]) -> bool:
    """Return whether levels fit slots, and are so large that look-ups in slots are faster.

    Positions have to fit in a word, values in a byte, and no level may be tiny.
    """
    large = sum(n.count for n in levels.values()) >= limits.current().shared(_LARGE)
    fits = words == 1 and dtype == np.uint8 and all(n.bits >= VALUE_BITS for n in levels.values())
    return large and fits


def slot_bytes(levels: dict[int, Level], threads: int) -> int:
    """Return the bytes that levels take in slots, and what it takes to load them."""
    lines = sum(_lines(n.count) + (1 + _BEHIND) * (1 << _segment_bits(n)) for n in levels.values())
    buckets = max((1 << n.bits for n in levels.values()), default=0)
    return int(8 * LINE * lines) + 4 * buckets + threads * _LOADING


def _lines(count: Any) -> Any:
    return lines_for(count) + 1


def _segment_bits(level: Level) -> int:
    """Return the logarithm of the number of a level's segments."""
    return max(VALUE_BITS, level.bits - _SEGMENT)


class SlotWindow:
    """Whole levels in slots, with values in a byte and positions in a word.

    Attributes:
        fits: whether all positions fitted; otherwise nothing can be looked up.
    """

    #: The window is the first of its level, and the only one.
    first = is_whole = True

    def __init__(
        self,
        levels: dict[int, Level],
        arrays: Mapping[str, Any],
        pool: ThreadPoolExecutor,
        workspaces: list[Any],
        *,
        turned: bool,
        error: Exception,
    ) -> None:
        """Load levels.

        Args:
            levels: the place of each level.
            arrays: the arrays of levels and values.
            pool: threads.
            workspaces: the workspace of each thread.
            turned: whether there is an array of players to move.
            error: the error to raise if a position is absent.
        """
        self._lowest = min(levels, default=0)
        span = max(levels, default=0) + 1 - self._lowest if levels else 0
        self._bits = np.full(span, -1, np.int64)
        self._firsts = np.zeros(span, np.int64)
        self._turned, self._error = turned, error
        segments: list[tuple[Level, int, int, int]] = []
        begins = [0]
        for n, here in sorted(levels.items()):
            self._bits[n - self._lowest] = here.bits
            self._firsts[n - self._lowest] = len(begins) - 1
            bits = _segment_bits(here)
            offsets = arrays["offsets"].read(here.first, np.empty((1 << here.bits) + 1, np.uint32))
            ends = offsets[:: 1 << (here.bits - bits)].astype(np.int64)
            for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
                segments.append((here, begin, end, len(begins) - 1))
                begins.append(begins[-1] + _lines(end - begin) + _BEHIND)
        self._directory = np.array(begins, np.int64)
        self._slots = zeros(begins[-1] * LINE, np.uint64)
        self.fits = True
        most = max((end - begin for _, begin, end, _ in segments), default=0)

        def put(_: Any, segment: tuple[Level, int, int, int]) -> None:
            here, begin, end, place = segment
            size = end - begin
            keys = arrays["keys"].read(begin, np.empty(most, np.uint64)[:size])
            values = arrays["values"].read(begin, np.empty(most, np.uint8)[:size])
            turns = np.empty(most if turned else 0, np.uint8)[:size]
            if turned:
                arrays["turns"].read(begin, turns)
            shape = here.bits, _segment_bits(here), int(self._directory[place]), _lines(size)
            if not put_in_slots(keys, size, *shape, values, turns, self._slots):
                self.fits = False

        for _ in map_unordered(pool, workspaces, put, segments):
            pass

    @property
    def bytes(self) -> int:
        """The bytes of its arrays."""
        return int(self._slots.nbytes + self._directory.nbytes)

    def look_up_children(self, workspace: Any, child_count: int) -> tuple[Any, Any, Any]:
        """Return the indices of the children's values, the player to move by index, and the values.

        Args:
            workspace: the workspace of a thread, which has expanded positions.
            child_count: the number of children.

        Raises:
            OSError: a child is absent.
        """
        values = np.empty(child_count, np.uint8)
        turns = np.empty(child_count if self._turned else 0, np.uint8)
        shape = self._lowest, self._bits, self._firsts, self._directory
        keys, levels = workspace.buffers.children, workspace.child_levels
        if not find_in_slots(keys, levels, child_count, *shape, self._slots, turns, values):
            raise self._error
        workspace.numbers[:child_count] = np.arange(child_count)
        return workspace.numbers, turns, values


@kernel
def put_in_slots(
    keys: Uint64Array,
    count: int,
    bits: int,
    segment_bits: int,
    first: int,
    lines: int,
    values: Uint8Array,
    turns: Uint8Array,
    slots: Uint64Array,
) -> bool:
    """Store the positions of a segment in empty slots.

    Args:
        keys: the positions, in the order of their buckets.
        count: the number of positions.
        bits: logarithm of the number of their level's buckets.
        segment_bits: logarithm of the number of its segments.
        first: the segment's first line.
        lines: the number of home lines.
        values: the value of each.
        turns: the player to move in each, or empty.
        slots: receives the positions.

    Returns:
        Whether all fitted.
    """
    inner = bits - segment_bits
    low = (1 << inner) - 1
    begin = first << LINE_BITS
    end = (first + lines + _BEHIND) << LINE_BITS
    at: Any = np.int64(begin)
    for i in range(count):
        mixed = hash_of(keys, i, 1)
        bucket = bucket_of(mixed, bits) & low
        at = max(at, begin + (((bucket * lines) >> inner) << LINE_BITS))
        if at >= end - 1:  # the last slot stays empty
            return False
        value = np.uint64(values[i]) + _ONE
        if turns.size > 0:
            value |= np.uint64(turns[i]) << np.uint64(8)
        slots[at] = (mixed << np.uint64(VALUE_BITS)) | value
        at += 1
    return True


@kernel
def find_in_slots(
    keys: Uint64Array,
    levels: Int64Array,
    count: int,
    lowest: int,
    level_bits: Int64Array,
    level_firsts: Int64Array,
    directory: Int64Array,
    slots: Uint64Array,
    turns: Uint8Array,
    values: Uint8Array,
) -> bool:
    """Look up the values of positions, all of which should be present.

    Args:
        keys: the positions.
        levels: the level of each.
        count: the number of positions.
        lowest: the level of the first entry of the next two arrays.
        level_bits: logarithm of the number of buckets of each level, -1 if the level is empty.
        level_firsts: the number of each level's first segment among all segments.
        directory: the first line of each segment, and the end of all lines.
        slots: see ``put_in_slots``.
        turns: receives the player to move in each, unless it is empty.
        values: receives the value of each.

    Returns:
        Whether all were found.
    """
    lines = np.empty(_BATCH, np.int64)
    rests = np.empty(_BATCH, np.uint64)
    waiting = np.empty(_BATCH + 1, np.int64)
    found = np.empty(_BATCH, np.uint64)
    missing = 0
    for begin in range(0, count, _BATCH):
        size = min(_BATCH, count - begin)
        for i in range(size):
            level = levels[begin + i] - lowest
            if not 0 <= level < level_bits.size or level_bits[level] < 0:
                return False
            bits = level_bits[level]
            inner = bits - max(VALUE_BITS, bits - _SEGMENT)
            mixed = hash_of(keys, begin + i, 1)
            bucket = bucket_of(mixed, bits)
            segment = level_firsts[level] + (bucket >> inner)
            first = directory[segment]
            at_home = directory[segment + 1] - first - _BEHIND
            line = first + (((bucket & ((1 << inner) - 1)) * at_home) >> inner)
            rests[i] = mixed << np.uint64(VALUE_BITS)
            lines[i] = line << LINE_BITS
            prefetch(slots, line << LINE_BITS)
        missing += probe_lines(slots, lines, rests, found, waiting, size, _VALUE)
        for i in range(size):
            values[begin + i] = np.uint8((found[i] & np.uint64(255)) - _ONE)
        if turns.size > 0:
            for i in range(size):
                turns[begin + i] = np.uint8(found[i] >> np.uint64(8)) & np.uint8(1)
    return missing == 0
