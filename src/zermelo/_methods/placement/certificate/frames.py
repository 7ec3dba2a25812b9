"""Certifying a placement game's table of which two levels do not fit into memory, tier by tier.

A tier follows from few: those of the level before that lead to it, and those of the next that it
leads to. What is asked of these, what goes on there or which planes there are, can be laid out from
the table whenever it is wanted. So a level is gone through in groups of tiers whose neighbours fit
into a number of *frames*, each of which holds one; the tiers of a group are read part by part, laid
out, compared with both sides, and let go. As tiers come in the order of their numbers, it is known
of each when it will be wanted again, and what makes room is the one that will be wanted last
(Belady, "A study of replacement algorithms for a virtual-storage computer", IBM Systems Journal
5(2), 1966).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import zeros
from zermelo._methods.placement.certificate.levels import Words
from zermelo._methods.placement.certificate.plan import Part, Parts, Plan, Tiers
from zermelo._methods.placement.certificate.tiers import STRETCH_WORDS
from zermelo._methods.placement.certificate.walk import NOTHING, Level, Rows, Walk

#: Bytes for each tier of the board: of its frame, of the group it was last wanted in, of a sample;
#: and for each neighbour of a level's tiers as frames are chosen.
_TIER, _NEIGHBOUR = 24, 40
#: Bytes for each stretch of a level: what is wrong, and which positions are the first.
_STRETCH = 40
#: The share of the memory that threads take, if they can do with that.
_DESKS = 8
#: Stands for no group, or no tier any more.
_NEVER = np.iinfo(np.int64).max


@kernel
def _group(tiers: Any, begin: int, shape: Any, most: Any, seen: Any, group: int) -> Any:
    """Return where a group of tiers has to end, so that its neighbours fit into the frames.

    Args:
        tiers: a level's tiers.
        begin: the first of the group.
        shape: the board.
        most: how many frames there are for tiers of the level before, and of the next.
        seen: by tier: the group in which it was last wanted; is written.
        group: the number of this group.
    """
    heights, radices = shape[0], shape[1]
    held = np.zeros(2, np.int64)
    for i in range(begin, tiers.size):
        for stack in range(heights.size):
            high = (tiers[i] // radices[stack]) % (heights[stack] + 1)
            if high and seen[tiers[i] - radices[stack]] != group:
                seen[tiers[i] - radices[stack]] = group
                held[0] += 1
            if high < heights[stack] and seen[tiers[i] + radices[stack]] != group:
                seen[tiers[i] + radices[stack]] = group
                held[1] += 1
        if i > begin and (held[0] > most[0] or held[1] > most[1]):
            return i
    return tiers.size


class _Frames:
    """Tiers of one level that are laid out for those of the level before, or the next."""

    def __init__(
        self, walk: InFrames, level: int, step: int, memory: Words, size: int, count: int
    ) -> None:
        """Have no tier laid out.

        Args:
            walk: the pass.
            level: their level.
            step: 1 if those that ask are of the level before, -1 if they are of the next.
            memory: what the frames are in.
            size: words of a frame.
            count: how many there are.
        """
        self.walk = walk
        self.level = level
        self.step = step
        self.memory = memory
        self.tiers = walk.plan.tiers[level] if size else np.empty(0, np.int64)
        self.free = list(range(count))

    def fetch(self, asking: npt.NDArray[np.int64]) -> list[Part]:
        """Give frames to the neighbours of some tiers; return what has to be laid out for that."""
        walk = self.walk
        if not len(self.tiers):
            return []
        at = walk.at
        wanted = np.unique(self._neighbours(asking, self.step))
        new = wanted[at[wanted] < 0]
        lacking = len(new) - len(self.free)
        if lacking > 0:
            there = self.tiers[at[self.tiers] >= 0]
            idle = np.setdiff1d(there, wanted, assume_unique=True)
            later = self._later(idle, asking.item(-1))
            out = idle[np.argsort(-later, kind="stable")[:lacking]]
            self.free.extend(at[out].tolist())
            at[out] = -1
        at[new] = [self.free.pop() for _ in range(len(new))]
        slots = np.searchsorted(self.tiers, new)
        runs = np.split(slots, np.flatnonzero(np.diff(slots) != 1) + 1)
        return [
            part
            for run in runs
            if len(run)
            for part in walk.parts.of(self.level, run.item(0), run.item(-1) + 1)
        ]

    def lay_out(self, part: Part, desk: Any) -> None:
        """Write a part of tiers that have been given frames."""
        walk, plan, n = self.walk, self.walk.plan, self.level
        of = walk.at[plan.tiers[n][part.slot : part.slot + part.tiers]]
        live, planes = (NOTHING, self.memory) if self.step > 0 else (self.memory, NOTHING)
        rows = Rows(of, plan.words[n], 0, live, planes)
        walk.enter(n, part, desk, rows, (walk.at, NOTHING), None)

    def let_go(self) -> None:
        """Have no tier laid out any more."""
        self.walk.at[self.tiers] = -1

    def _later(self, tiers: npt.NDArray[np.int64], now: int) -> npt.NDArray[np.int64]:
        """Return the next tier after one that each of some will be wanted for."""
        every = self._neighbours(tiers, -self.step, absent=_NEVER).reshape(len(tiers), -1)
        every[every <= now] = _NEVER
        least: npt.NDArray[np.int64] = every.min(axis=1)
        return least

    def _neighbours(
        self, tiers: npt.NDArray[np.int64], step: int, absent: int | None = None
    ) -> npt.NDArray[np.int64]:
        """Return the tiers with a cell more or less than each has; without one leave it out."""
        heights, radices = self.walk.shape[0], self.walk.shape[1]
        high = tiers[:, None] // radices % (heights + 1)
        there = high < heights if step > 0 else high > 0
        found: npt.NDArray[np.int64] = tiers[:, None] + step * radices
        if absent is None:
            left: npt.NDArray[np.int64] = found[there]
            return left
        return np.where(there, found, absent)


class InFrames(Walk):
    """A pass over all levels in which some tiers of three are held at a time."""

    def __init__(self, *given: Any) -> None:
        """Make room; see ``Walk``."""
        super().__init__(*given)
        tiers = len(self.plan.slots)
        self.at = np.full(tiers, -1, np.int32)
        self._seen = np.full(tiers, -1, np.int32)
        self._groups = 0
        most = max(_all_frames(self.plan, n) for n in range(self.plan.size + 1))
        room = self.room - _fixed(self.table, self.parts, self.threads)
        self._memory = zeros(max(min(room // 8, most), 1), np.uint64)

    @staticmethod
    def least(table: Tiers, plan: Plan) -> int:
        """Return the bytes that one thread takes with parts as small as can be."""
        *_, smallest = Parts.sizes(plan, 1)
        return _fixed(table, smallest, 1) + _frames(plan)

    @staticmethod
    def within(table: Tiers, plan: Plan, threads: int, room: int) -> tuple[Parts, int]:
        """Return how large parts may be, and for how many threads there is room."""
        count = threads
        while True:
            *larger, smallest = Parts.sizes(plan, count)
            fitting = (p for p in larger if count * _desk(table, p) <= room // _DESKS)
            parts = next(fitting, smallest)
            if count == 1 or _fixed(table, parts, count) + _frames(plan) <= room:
                return parts, count
            count -= 1

    def desk(self) -> Any:
        """Return what a thread works with: what it reads with, and where it lays its part out."""
        live, planes = self.parts.laid_out()
        return super().desk(), np.empty(live, np.uint64), np.empty(planes, np.uint64)

    def look_at(self, level: Level) -> None:
        """Take up a level, and compare it with the one before and the next."""
        n, tiers = level.number, self.plan.tiers[level.number]
        before, after = self._frames(n)
        most = np.array([_room_of(side, self.plan) for side in (before, after)])

        def work(part: Part) -> None:
            with self.at_desk() as (desk, live, planes):
                rows = self._rows(n, part, live, planes)
                self.enter(n, part, desk, rows, (self.at, before.memory), level)
                if n < self.plan.size:
                    self.follow(level, part, rows, (self.at, after.memory))

        def lay_out(some: tuple[_Frames, Part]) -> None:
            with self.at_desk() as (desk, _, _):
                some[0].lay_out(some[1], desk)

        begin = 0
        while begin < len(tiers):
            self._groups += 1
            end = int(_group(tiers, begin, self.shape, most, self._seen, self._groups))
            asking = tiers[begin:end]
            both = [(side, part) for side in (before, after) for part in side.fetch(asking)]
            self.shared(both, lay_out)
            self.shared(self.parts.of(n, begin, end), work)
            begin = end
        before.let_go()
        after.let_go()

    def look_back(self, level: Level) -> None:
        """Do nothing: it has been done."""

    def _frames(self, n: int) -> tuple[_Frames, _Frames]:
        """Share out the memory among tiers of the level before, and of the next."""
        (small, few), (large, many) = _sides(self.plan, n)
        room, (least, most) = len(self._memory), _least(self.plan, n)
        count = others = 0
        if small:
            share = min(1.0, room / _all_frames(self.plan, n))
            count = min(max(int(share * few), least // small), (room - most) // small)
        if large:
            others = min(many, (room - small * count) // large)
        cut = small * count
        # Nothing leads to the first level, and all the same somebody has to be asked.
        below, above = self._memory[: max(cut, 1)], self._memory[cut : cut + large * others]
        before = _Frames(self, n - 1, -1, below, small, count)
        return before, _Frames(self, n + 1, 1, above, large, others)

    def _rows(self, n: int, part: Part, live: Words, planes: Words) -> Rows:
        """Return where a part is laid out at a desk."""
        of = np.arange(part.tiers, dtype=np.int32)
        if self.plan.in_tier[n] <= self.parts.together[n]:
            return Rows(of, self.plan.words[n], 0, live, planes)
        row = self.parts.together[n] * STRETCH_WORDS
        return Rows(of, row, part.begin * STRETCH_WORDS, live, planes)


def _sides(plan: Plan, n: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the words of a frame, and how many tiers, of the level before and of the next."""
    before = (plan.words[n - 1], len(plan.tiers[n - 1])) if n else (0, 0)
    if n == plan.size or not plan.planes[n + 1]:
        return before, (0, 0)
    return before, (plan.words[n + 1] * len(plan.planes[n + 1]), len(plan.tiers[n + 1]))


def _all_frames(plan: Plan, n: int) -> int:
    """Return the words of the frames for all tiers that a level wants, on either side."""
    return sum(size * count for size, count in _sides(plan, n))


def _least(plan: Plan, n: int) -> tuple[int, int]:
    """Return the words of the frames that a single tier of a level may want, on either side."""
    links = len(plan.board.heights)
    (small, few), (large, many) = _sides(plan, n)
    return small * min(links, n, few), large * min(links, plan.size - n, many)


def _frames(plan: Plan) -> int:
    """Return the least bytes that frames take."""
    return 8 * max(sum(_least(plan, n)) for n in range(plan.size + 1))


def _room_of(side: _Frames, plan: Plan) -> int:
    """Return how many tiers there are frames for."""
    return len(side.free) if len(side.tiers) else len(plan.slots)


def _desk(table: Tiers, parts: Parts) -> int:
    """Return the bytes that a thread takes."""
    return parts.reading(table) + 8 * sum(parts.laid_out())


def _fixed(table: Tiers, parts: Parts, threads: int) -> int:
    """Return the bytes that are taken apart from frames."""
    plan = parts.plan
    neighbours = max(map(len, plan.tiers)) * len(plan.board.heights)
    each = _TIER * len(plan.slots) + _NEIGHBOUR * neighbours + _STRETCH * max(plan.stretches)
    return threads * _desk(table, parts) + each
