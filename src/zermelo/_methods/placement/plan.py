"""How a level of a placement game on disk is gone through: which tiers are unpacked when.

A level is gone through in groups of tiers whose neighbours fit into the frames together. All are
known beforehand, so what makes room for others is the tier that will be wanted last (Belady, "A
study of replacement algorithms for a virtual-storage computer", IBM Systems Journal 5(2), 1966).
"""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._methods.placement.unpack import group

if TYPE_CHECKING:
    from zermelo._methods.placement.disk import OnDisk

#: Links between tiers that are planned at once, and the bytes that planning one takes.
LINKS, LINK_BYTES = 1 << 17, 48
#: The share of the memory for what a group keeps itself, and for what the threads unpack from.
_GROUP_SHARE, _LOAD_SHARE = 8, 16
#: More than this a thread does not unpack from at once, unless a tier takes more.
_LOAD = 1 << 22
_NEVER = np.iinfo(np.int64).max


class Plan:
    """How one level is gone through: in which groups, and which tiers are unpacked when.

    Attributes:
        frames: where tiers of the other level are unpacked to.
        own: what a group keeps itself.
    """

    def __init__(
        self,
        work: OnDisk,
        level: int,
        source: int,
        frame: int,
        costs: npt.NDArray[np.int64],
        most: int,
        own: int,
    ) -> None:
        """Share out the memory.

        Args:
            work: the solve.
            level: the level to go through.
            source: the level it follows from.
            frame: words of a frame; 0 where there is nothing to follow from.
            costs: words that each tier keeps itself.
            most: the most words that a tier of ``source`` is unpacked from.
            own: the most words that a tier keeps itself.
        """
        self.work = work
        self.level, self.source = level, source
        self.costs = costs
        self.links = len(work.board.heights)
        threads = work.threads
        load = max(most, min(work.room // _LOAD_SHARE // threads, _LOAD)) if frame else 0
        self.limit = max(own, min(int(costs.sum()), work.room // _GROUP_SHARE))
        tiers = len(work.tiers_of(source)) if frame else 0
        least = min(tiers, self.links)
        count = work.carve(frame, tiers, least, load * threads, self.limit)
        memory = work.memory
        at = count * frame
        self.frames = memory[:at]
        self.own = memory[at : at + self.limit]
        at += self.limit
        self.load = load
        self.buffers: SimpleQueue[npt.NDArray[np.uint64]] = SimpleQueue()
        for n in range(threads if frame else 0):
            self.buffers.put(memory[at + n * load : at + (n + 1) * load])
        self.count = count
        self.tiers = tiers
        self.frame_of = np.full(tiers, -1, np.int32)
        self.next_use = np.full(tiers, _NEVER)
        self.free = list(range(count))

    def groups(self) -> Iterator[tuple[int, int]]:
        """Go through the level's tiers in groups, with all unpacked that a group follows from."""
        work = self.work
        own = work.tiers_of(self.level)
        window = max(1, LINKS // self.links)
        seen = np.full(self.tiers, -1, np.int64)
        groups = 0
        for low in range(0, len(own), window):
            part = own[low : low + window]
            if self.tiers:
                needed = work.neighbours(part, above=self.source > self.level)
            else:
                needed = np.full((len(part), 1), -1, np.int32)
            ends = np.empty(len(part), np.int64)
            costs = self.costs[low : low + window]
            most = max(self.count, 1)
            made = int(group(needed, costs, most, self.limit, seen, groups, ends))
            groups += made
            following = _following(needed, ends[:made])
            begin = 0
            for end, (wanted, later) in zip(ends[:made].tolist(), following, strict=True):
                self._fetch(wanted, later)
                yield low + begin, low + end
                begin = end
        if self.tiers:
            work.at[work.tiers_of(self.source)] = -1

    def _fetch(self, wanted: npt.NDArray[np.int64], later: npt.NDArray[np.int64]) -> None:
        """Have tiers unpacked; ``later`` says when each will be wanted again."""
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
        work = self.work
        work.at[work.tiers_of(self.source)[new]] = frames
        list(work.pool.map(self._load, self._runs(new)))

    def _runs(self, slots: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
        """Put tiers together that follow each other and fit a thread's buffer."""
        values = self.source > self.level
        kept = self.work.kept(self.source, values=values)[slots].tolist()
        begin = held = 0
        for i in range(len(slots)):
            if i > begin and (slots[i] != slots[i - 1] + 1 or held + kept[i] > self.load):
                yield int(slots[begin]), i - begin
                begin, held = i, 0
            held += kept[i]
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


def _following(
    needed: npt.NDArray[np.int32], ends: npt.NDArray[np.int64]
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Go through groups; yields the tiers that each needs, and the groups that need them next."""
    tiers, links = needed.shape
    of = np.repeat(np.searchsorted(ends, np.arange(tiers), side="right"), links)
    flat = needed.reshape(-1).astype(np.int64)
    there = flat >= 0
    width = len(ends)
    pairs = np.unique(flat[there] * width + of[there])
    slots, groups = np.divmod(pairs, width)
    later = np.full(len(pairs), _NEVER)
    again = slots[1:] == slots[:-1]
    later[:-1][again] = groups[1:][again]
    order = np.argsort(groups, kind="stable")
    slots, groups, later = slots[order], groups[order], later[order]
    bounds = np.searchsorted(groups, np.arange(width + 1))
    for g in range(width):
        yield slots[bounds[g] : bounds[g + 1]], later[bounds[g] : bounds[g + 1]]
