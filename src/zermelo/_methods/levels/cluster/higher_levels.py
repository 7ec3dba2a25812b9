"""Higher levels loaded into memory from files: one word for each position and its value.

The children of a level are looked up in them with one access to memory each. Levels are read bucket
by bucket, in the order of hashes, and put into lines of eight slots: a position is in the home line
of its bucket or, if that is full, in the next lines. A slot contains its value and all of its hash
except the first bits, which are given by the segment that it is in. As ``hash_of`` maps one word to
another one to one, that is the position. See ``levels.slots`` for a similar layout with a hash of
fewer bits.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch, zeros
from zermelo._engine.core.threads import map_unordered
from zermelo._engine.sort.buckets import bucket_of
from zermelo.errors import ClusterError

if TYPE_CHECKING:
    from zermelo._methods.levels.storage import Level

#: Bits of a slot for the value and the player to move; as many first bits of the hash are left out.
VALUE_BITS = 9
#: Logarithm of the buckets of a segment, which should fit in a core's cache.
_SEGMENT = 13
#: Slots per line, the spare lines after a segment, and how full lines are.
_LINE, _LINE_BITS, _BEHIND = 8, 3, 8
_SLOTS, _FILLED = 40, 32
_BATCH = 128
_ONE, _VALUE = np.uint64(1), np.uint64((1 << VALUE_BITS) - 1)


def fits_layout(levels: dict[int, Level], words: int, dtype: np.dtype[Any]) -> bool:
    """Return whether levels fit this layout: positions in a word, values in a byte, not tiny."""
    return words == 1 and dtype == np.uint8 and all(n.bits >= VALUE_BITS for n in levels.values())


def levels_bytes(levels: dict[int, Level]) -> int:
    """Return the bytes that levels take."""
    lines = sum(_lines(n.count) + (1 + _BEHIND) * (1 << _segment_bits(n)) for n in levels.values())
    return int(8 * _LINE * lines)


def _lines(count: Any) -> Any:
    return count * _SLOTS // (_FILLED * _LINE) + 1


def _segment_bits(level: Level) -> int:
    """Return the logarithm of the number of a level's segments."""
    return max(VALUE_BITS, level.bits - _SEGMENT)


class ValuesAbove:
    """Higher levels in memory, with values in a byte and positions in a word."""

    #: The levels are whole.
    first = True

    def __init__(
        self,
        levels: dict[int, Level],
        columns: dict[str, Any],
        pool: ThreadPoolExecutor,
        workspaces: list[Any],
        *,
        turned: bool,
    ) -> None:
        """Load levels.

        Args:
            levels: the place of each level.
            columns: the columns of levels and values.
            pool: threads.
            workspaces: the workspace of each thread.
            turned: whether there is a column of players to move.
        """
        self._lowest = min(levels, default=0)
        span = max(levels, default=0) + 1 - self._lowest if levels else 0
        self._bits = np.full(span, -1, np.int64)
        self._firsts = np.zeros(span, np.int64)
        self._turned = turned
        segments: list[tuple[Level, int, int, int]] = []
        begins = [0]
        for n, here in sorted(levels.items()):
            self._bits[n - self._lowest] = here.bits
            self._firsts[n - self._lowest] = len(begins) - 1
            bits = _segment_bits(here)
            offsets = columns["offsets"].read(here.first, np.empty((1 << here.bits) + 1, np.uint32))
            ends = offsets[:: 1 << (here.bits - bits)].astype(np.int64)
            for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
                segments.append((here, begin, end, len(begins) - 1))
                begins.append(begins[-1] + _lines(end - begin) + _BEHIND)
        self._directory = np.array(begins, np.int64)
        self._slots = zeros(begins[-1] * _LINE, np.uint64)
        self.fits = True
        most = max((end - begin for _, begin, end, _ in segments), default=0)

        def put(_: Any, segment: tuple[Level, int, int, int]) -> None:
            here, begin, end, place = segment
            size = end - begin
            keys = columns["keys"].read(begin, np.empty(most, np.uint64)[:size])
            values = columns["values"].read(begin, np.empty(most, np.uint8)[:size])
            turns = np.empty(most if turned else 0, np.uint8)[:size]
            if turned:
                columns["turns"].read(begin, turns)
            shape = here.bits, _segment_bits(here), int(self._directory[place]), _lines(size)
            if not put_in_slots(keys, size, *shape, values, turns, self._slots):
                self.fits = False

        for _ in map_unordered(pool, workspaces, put, segments):
            pass

    @property
    def bytes(self) -> int:
        """The bytes of its arrays."""
        return int(self._slots.nbytes + self._directory.nbytes)

    def look_up_children(self, workspace: Any, made: int) -> tuple[Any, Any, Any]:
        """Return the indices of the children's values, the player to move by index, and the values.

        Args:
            workspace: the workspace of a thread, which has expanded positions.
            made: the number of children.

        Raises:
            ClusterError: a child is absent.
        """
        values = np.empty(made, np.uint8)
        turns = np.empty(made if self._turned else 0, np.uint8)
        shape = self._lowest, self._bits, self._firsts, self._directory
        wanted, levels = workspace.buffers.children, workspace.child_levels
        if not find_in_slots(wanted, levels, made, *shape, self._slots, turns, values):
            message = (
                "a move leads to a position that is not among those of its level, as they are in "
                "the shared folder; check that folder, delete the unfinished solve, and solve again"
            )
            raise ClusterError(message)
        workspace.numbers[:made] = np.arange(made)
        return workspace.numbers, turns, values


@kernel
def put_in_slots(
    keys: Any,
    count: int,
    bits: int,
    segment_bits: int,
    first: int,
    lines: int,
    values: Any,
    turns: Any,
    slots: Any,
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
    begin = first << _LINE_BITS
    end = (first + lines + _BEHIND) << _LINE_BITS
    at: Any = np.int64(begin)
    for i in range(count):
        mixed = hash_of(keys, i, 1)
        bucket = bucket_of(mixed, bits) & low
        at = max(at, begin + (((bucket * lines) >> inner) << _LINE_BITS))
        if at >= end - 1:  # the last slot stays empty
            return False
        value = np.uint64(values[i]) + _ONE
        if turns.size > 0:
            value |= np.uint64(turns[i]) << np.uint64(8)
        slots[at] = (mixed << np.uint64(VALUE_BITS)) | value
        at += 1
    return True


@inlined
def _in_line(slots: Any, at: Any, rest: Any) -> Any:
    """Return the value that is stored with a rest in a line, or 0 if the rest is not there.

    All slots are compared, without a branch that could be mispredicted.
    """
    value = np.uint64(0)
    for j in range(_LINE):
        difference = slots[at + np.uint64(j)] ^ rest
        if difference - _ONE < _VALUE:
            value = difference
    return value


@kernel
def find_in_slots(
    wanted: Any,
    levels: Any,
    count: int,
    lowest: int,
    level_bits: Any,
    level_firsts: Any,
    directory: Any,
    slots: Any,
    turns: Any,
    values: Any,
) -> bool:
    """Look up the values of positions, all of which should be present.

    Args:
        wanted: the positions.
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
    lines = np.empty(_BATCH, np.uint64)
    rests = np.empty(_BATCH, np.uint64)
    waiting = np.empty(_BATCH + 1, np.int64)
    missing = 0
    for begin in range(0, count, _BATCH):
        size = min(_BATCH, count - begin)
        for i in range(size):
            level = levels[begin + i] - lowest
            if not 0 <= level < level_bits.size or level_bits[level] < 0:
                return False
            bits = level_bits[level]
            inner = bits - max(VALUE_BITS, bits - _SEGMENT)
            mixed = hash_of(wanted, begin + i, 1)
            bucket = bucket_of(mixed, bits)
            segment = level_firsts[level] + (bucket >> inner)
            first = directory[segment]
            at_home = directory[segment + 1] - first - _BEHIND
            line = first + (((bucket & ((1 << inner) - 1)) * at_home) >> inner)
            rests[i] = mixed << np.uint64(VALUE_BITS)
            lines[i] = np.uint64(line << _LINE_BITS)
            prefetch(slots, line << _LINE_BITS)
        # First the home line of each; then, for positions that are not there, the next lines.
        left = 0
        for i in range(size):
            value = _in_line(slots, lines[i], rests[i])
            rests[i] |= value
            waiting[left] = i
            left += value == np.uint64(0)
        while left > 0:
            still = 0
            for n in range(left):
                lines[waiting[n]] += np.uint64(_LINE)
                prefetch(slots, np.int64(lines[waiting[n]]))
            for n in range(left):
                i = waiting[n]
                if slots[lines[i] - _ONE] == np.uint64(0):  # the last line was not full
                    missing += 1
                    continue
                value = _in_line(slots, lines[i], rests[i])
                rests[i] |= value
                waiting[still] = i
                still += value == np.uint64(0)
            left = still
        for i in range(size):
            values[begin + i] = np.uint8((rests[i] & np.uint64(255)) - _ONE)
        if turns.size > 0:
            for i in range(size):
                turns[begin + i] = np.uint8(rests[i] >> np.uint64(8)) & np.uint8(1)
    return missing == 0
