"""Placement games larger than memory: each level is compressed, written to disk and read back.

Only the words and values of reachable patterns of a level are stored, in files that are written
sequentially. A slice, which is a tier or a part of a large one, is unpacked from them when the next
level needs it, into one of a number of *frames*. If there are too few frames for all slices of a
level, the slice that will be needed last is evicted (Belady, "A study of replacement algorithms for
a virtual-storage computer", IBM Systems Journal 5(2), 1966). A level is scanned in groups of slices
whose neighbours fit in the frames together, so that all future needs are known in advance.
"""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue

import numpy as np

from zermelo import limits
from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint64Array
from zermelo._engine.core.ledger import readable
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch
from zermelo._methods.placement.disk.kernels import group
from zermelo._methods.placement.disk.slices import neighbours
from zermelo._methods.placement.solver import DIRECTORY, PlacementSolver, TierGroup, Words
from zermelo._methods.placement.tiers import BLOCK, IN_BLOCK, SECTION
from zermelo.errors import BudgetError

#: Links between slices that are planned in one batch, and the bytes that planning one takes.
LINKS, LINK_BYTES = 1 << 17, 48
#: The shares of the memory for a group's own data, and for threads' input buffers, as divisors.
_GROUP_SHARE, _LOAD_SHARE = 8, 16
#: The most words of a thread's input buffer, unless a tier takes more.
_LOAD = 1 << 22
_NEVER = np.iinfo(np.int64).max
#: Bytes of the index of each tier in its level, and of its frame.
_FRAME_BYTES = 8


class DiskSolver(PlacementSolver):
    """A solve with its levels in files."""

    on_disk = True

    def __init__(self, work: PlacementSolver, scratch: Scratch) -> None:
        """Continue a solve that ran out of memory: from the beginning, or with reachable patterns.

        Args:
            work: the solve in memory, whose words and values are in files now.
            scratch: the folder of files.

        Raises:
            BudgetError: even then there is too little memory.
        """
        self.__dict__.update(work.__dict__)
        self.scratch = scratch
        reached = hasattr(work, "value")
        self.fixed += _FRAME_BYTES * self.board.tiers
        # The rest of the budget; only the pages that are used take memory.
        self.capacity = (self.allowed - self.fixed) // 8
        links = 2 * len(self.board.heights) * max(map(self.slices, range(self.size + 1)))
        self.capacity -= min(links, LINKS) * LINK_BYTES // 8
        if self.capacity <= 0:
            raise self._refusal(8 - 8 * self.capacity)
        for name in ("live", "_reached", *(() if reached else DIRECTORY)):
            self.__dict__.pop(name, None)
            work.__dict__.pop(name, None)
        if not reached:
            self.direct()
        self.memory = zeros(self.capacity, np.uint64)
        self.touched = 0

    # -- reachable patterns ---------------------------------------------------------------------

    def begin_words(self) -> None:
        """Do nothing: the words are in a file."""

    def groups_with_previous(self, level: int) -> Iterator[TierGroup]:
        """Scan a level in groups, with the data that they follow from in frames."""
        return self.plan_with_previous(level).groups()

    def plan_with_previous(self, level: int) -> LevelPlan:
        """Return the plan of scanning a level, with the data that it follows from in frames."""
        stride, before = self._stride(level), self._stride(level - 1)
        most = self._largest_stored(level - 1, values=False) if level else 0
        costs = np.full(self.slices(level), 2 * stride)
        return LevelPlan(self, level, level - 1, before, costs, most, 2 * stride)

    def words_buffer(self, group: TierGroup, begin: int, end: int) -> Words:
        """Return a buffer after the reachable patterns of the group."""
        at = len(group.own) // 2
        return group.own[at : at + end - begin]

    def put_words(self, stored_words: Words) -> None:
        """Write words of a group."""
        self.arrays["words"].append(stored_words)

    # -- values ---------------------------------------------------------------------------------

    def groups_with_next(self, level: int) -> Iterator[TierGroup]:
        """Scan a level in groups, with the data that they follow from in frames."""
        return self.plan_with_next(level).groups()

    def plan_with_next(self, level: int) -> LevelPlan:
        """Return the plan of scanning a level, with the data that it follows from in frames."""
        planes = len(self.planes[level + 1]) if level < self.size else 0
        most = self._largest_stored(level + 1, values=True) if planes else 0
        costs = self.stored_words(level, values=True)
        after = planes * self._stride(level + 1) if planes else 0
        return LevelPlan(self, level, level + 1, after, costs, most, int(costs.max(initial=1)))

    def values_buffer(
        self, group: TierGroup, first: int, last: int, begin: int, end: int
    ) -> tuple[Words, Words]:
        """Read words of a group; return them, and a buffer for its values."""
        stored = self.arrays["words"].read(first, group.own[: last - first])
        return stored, group.own[last - first : last - first + end - begin]

    def put_values(self, begin: int, values: Words) -> None:
        """Write values of a group."""
        self.arrays["values"].write(begin, values)

    def end_values(self) -> None:
        """Release the memory of frames and buffers."""
        del self.memory

    def description(self) -> str:
        """Return a description of where the solve was done."""
        share = readable(self.allowed)
        said = self.scratch.io_summary(int(self.places[-1]))
        return f"; {said}, because two levels and the others, compressed, do not fit in {share}"

    # -- slices ---------------------------------------------------------------------------------

    def in_slice(self, level: int) -> int:
        """Return the binary logarithm of the blocks of a slice: at most the size allowed."""
        most = max(limits.current().tier, SECTION << IN_BLOCK).bit_length() - 1
        return max(min(self.bits[level], most) - IN_BLOCK, 0)

    def stored_words(self, level: int, *, values: bool) -> Int64Array:
        """Return the stored words of each slice of a level, with or without values."""
        begin, end = int(self.level_section[level]), int(self.level_section[level + 1])
        each = self.sections_each(level)
        stored_words = np.diff(self.words[begin : end + 1 : each])
        return (
            stored_words + np.diff(self.value[begin : end + 1 : each]) if values else stored_words
        )

    def _largest_stored(self, level: int, *, values: bool) -> int:
        return int(self.stored_words(level, values=values).max(initial=0))

    def _stride(self, level: int) -> int:
        """Return the words of a plane of a slice."""
        return BLOCK << self.in_slice(level) if level >= 0 else 0

    def _refusal(self, lacking: int) -> BudgetError:
        work = f"solving {self.board.patterns:,} patterns with levels on disk"
        instead = "leave out remoteness, or make the board smaller"
        return self.ledger.refusal(self.allowed + lacking, work, instead)

    def carve(self, frame: int, frames: int, least: int, load: int, own: int) -> int:
        """Return the number of frames that fit, at most ``frames``.

        Args:
            frame: words per frame.
            frames: the number of frames that would be used.
            least: the least number of frames.
            load: words of all threads' input buffers.
            own: words of a group's own data.

        Raises:
            BudgetError: not even the least number fits.
        """
        left = self.capacity - load - own
        count = min(frames, left // max(frame, 1))
        if count < least:
            raise self._refusal(8 * (least * frame - left))
        self.touched = max(self.touched, load + own + count * frame)
        self.ledger.fits(self.allowed - 8 * (self.capacity - self.touched))
        return count


class LevelPlan:
    """The plan of scanning one level: its groups, and which slices are unpacked when.

    Attributes:
        frames: the frames into which slices of the other level are unpacked.
        own: the buffer of a group's own data.
    """

    def __init__(
        self,
        work: DiskSolver,
        level: int,
        source: int,
        frame: int,
        costs: Int64Array,
        most: int,
        own: int,
    ) -> None:
        """Divide the memory among frames and buffers.

        Args:
            work: the solve.
            level: the level to scan.
            source: the level that it follows from.
            frame: words per frame; 0 without a level to follow from.
            costs: words that each slice takes itself.
            most: the most words that a slice of ``source`` is unpacked from.
            own: the most words that a slice takes itself.
        """
        self.work = work
        self.frames: Uint64Array
        self.own: Uint64Array
        self.level, self.source = level, source
        self.costs = costs
        self.links = len(work.board.heights)
        if frame and work.slices(source) > work.level_tiers[source]:
            self.links *= 2
        threads = work.threads
        load = max(most, min(work.capacity // _LOAD_SHARE // threads, _LOAD)) if frame else 0
        self.limit = max(own, min(int(costs.sum()), work.capacity // _GROUP_SHARE))
        slices = work.slices(source) if frame else 0
        least = min(slices, self.links)
        count = work.carve(frame, slices, least, load * threads, self.limit)
        memory = work.memory
        at = count * frame
        self.frames = memory[:at]
        self.own = memory[at : at + self.limit]
        at += self.limit
        self.load = load
        self.buffers: SimpleQueue[Uint64Array] = SimpleQueue()
        for n in range(threads if frame else 0):
            self.buffers.put(memory[at + n * load : at + (n + 1) * load])
        self.count = count
        self.slices = slices
        self.frame_of = np.full(slices, -1, np.int32)
        self.next_use = np.full(slices, _NEVER)
        self.free = list(range(count))

    def groups(self, begin: int = 0, end: int | None = None) -> Iterator[TierGroup]:
        """Yield slices of the level in groups, whose origins are unpacked.

        Args:
            begin: the index of the first slice in the level.
            end: the index after the last; by default all remaining slices.
        """
        work = self.work
        last = work.slices(self.level) if end is None else end
        window = max(1, LINKS // self.links)
        seen = np.full(self.slices, -1, np.int64)
        nothing = self.own[:0]
        groups = 0
        for low in range(begin, last, window):
            high = min(low + window, last)
            if self.slices:
                needed = neighbours(work, self.level, self.source, low, high)
            else:
                needed = np.full((high - low, 1), -1, np.int32)
            ends = np.empty(high - low, np.int64)
            costs = self.costs[low:high]
            most = max(self.count, 1)
            made = int(group(needed, costs, most, self.limit, seen, groups, ends))
            groups += made
            following = _following(needed, ends[:made])
            at = 0
            for upto, (wanted, later) in zip(ends[:made].tolist(), following, strict=True):
                self._fetch(wanted, later)
                yield TierGroup(low + at, low + upto, self.frame_of, self.frames, nothing, self.own)
                at = upto

    def _fetch(self, wanted: Int64Array, later: Int64Array) -> None:
        """Unpack slices; ``later`` is the group that will need each of them next."""
        self.next_use[wanted] = later
        new = wanted[self.frame_of[wanted] < 0]
        if not len(new):
            return
        lacking = len(new) - len(self.free)
        if lacking > 0:
            there = np.flatnonzero(self.frame_of >= 0)
            idle = np.setdiff1d(there, wanted, assume_unique=True)
            out = idle[np.argsort(-self.next_use[idle], kind="stable")[:lacking]]
            self.free.extend(self.frame_of[out].tolist())
            self.frame_of[out] = -1
        frames = [self.free.pop() for _ in range(len(new))]
        self.frame_of[new] = frames
        list(self.work.pool.map(self._load, self._runs(new)))

    def _runs(self, slots: Int64Array) -> Iterator[tuple[int, int]]:
        """Yield runs of consecutive slices that fit in a thread's buffer."""
        values = self.source > self.level
        stored_words = self.work.stored_words(self.source, values=values)[slots].tolist()
        begin = held = 0
        for i in range(len(slots)):
            if i > begin and (slots[i] != slots[i - 1] + 1 or held + stored_words[i] > self.load):
                yield int(slots[begin]), i - begin
                begin, held = i, 0
            held += stored_words[i]
        yield int(slots[begin]), len(slots) - begin

    def _load(self, run: tuple[int, int]) -> None:
        first, count = run
        buffer = self.buffers.get()
        try:
            where = self.frame_of[first : first + count]
            above = self.source > self.level
            self.work.unpack(self.source, first, count, where, self.frames, buffer, values=above)
        finally:
            self.buffers.put(buffer)


def _following(needed: Int32Array, ends: Int64Array) -> Iterator[tuple[Int64Array, Int64Array]]:
    """Yield the slices that each group needs, and the groups that need them next."""
    slices, links = needed.shape
    of = np.repeat(np.searchsorted(ends, np.arange(slices), side="right"), links)
    flat = needed.reshape(-1).astype(np.int64)
    there = flat >= 0
    width = len(ends)
    pairs = np.unique(flat[there] * width + of[there])
    those, groups = np.divmod(pairs, width)
    later = np.full(len(pairs), _NEVER)
    again = those[1:] == those[:-1]
    later[:-1][again] = groups[1:][again]
    order = np.argsort(groups, kind="stable")
    those, groups, later = those[order], groups[order], later[order]
    bounds = np.searchsorted(groups, np.arange(width + 1))
    for g in range(width):
        yield those[bounds[g] : bounds[g + 1]], later[bounds[g] : bounds[g + 1]]
