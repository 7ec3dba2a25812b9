"""Games with levels that are larger than memory: levels in files, of which few are held at once.

As ``levels``, with every level written to disk as it is made, and read back where it is needed: to
be expanded, from one end to the other; and, on the way down, to be looked up in. If what can be
looked up from a level is too large for that, it is taken a part at a time, by buckets, and the
level is expanded once for each part: a value is the greatest of what its children are worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import over_budget, readable
from zermelo._engine.core.memory import resident
from zermelo._engine.core.scratch import Column, Scratch
from zermelo._engine.core.threads import in_order
from zermelo._engine.expand.expander import ROOM, buffer_bytes, chunk_within
from zermelo._engine.index.hashed import MOST_POSITIONS
from zermelo._engine.sort.buckets import WIDE, Piles, bucket_bits, pile_within
from zermelo._methods.levels.above import Above
from zermelo._methods.levels.disk_checkpoint import LevelColumns
from zermelo._methods.levels.disk_workspace import DiskBench
from zermelo._methods.levels.driver import FlatMoveError
from zermelo._methods.levels.index import LevelTable
from zermelo._methods.levels.kernels import least_and_most
from zermelo._methods.levels.runs import Runs, bits_within
from zermelo._methods.levels.workspace import Levelled
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: With at most this many levels a value fits a byte.
_NARROW = 60
#: Bytes of every solve that no array says.
_SMALL = 1 << 16
#: What a thread's piles may take, of its share, before they are written out: the children of
#: another chunk have to find room.
_FULL, _OF = 7, 8
#: More parts than this are not worth trying.
_MOST_PARTS = 1 << 10


@dataclass(frozen=True)
class Level:
    """Where a level is: its positions, the logarithm of its buckets, and where those are."""

    begin: int
    count: int
    bits: int
    buckets: int


class OnDisk:
    """One solve under way."""

    def __init__(
        self, expand: Levelled, allowed: int, threads: int, report: Reporter, scratch: Scratch
    ) -> None:
        self.expand = expand
        self.words = expand.words
        self.allowed = allowed
        self.threads = threads
        self.report = report
        self.scratch = scratch
        each = buffer_bytes(expand) + 16 * ROOM + 8 * expand.words
        self.chunk = chunk_within(allowed, each * threads)
        self.pile = pile_within(allowed, expand.words, threads)
        self.benches = [DiskBench(expand, self.chunk) for _ in range(threads)]
        self.stages = LevelColumns(scratch, threads) if scratch.stages is not None else None
        if self.stages is None:
            self.keys = Column(scratch, np.uint64)
            self.offsets = Column(scratch, np.uint32)
            self.turns = Column(scratch, np.uint8)
        else:
            columns = self.stages.columns
            self.keys, self.offsets = columns["keys"], columns["offsets"]
            self.turns = columns["turns"]
        self.known = 0
        self.levels: dict[int, Level] = {}
        self.reach: dict[int, int] = {}
        self.pile_bits: dict[int, int] = {}
        self.runs: dict[int, Runs] = {}
        self.parts = 1
        self.peak = 0
        held = sum(bench.bytes for bench in self.benches) + _SMALL
        self.take(held)
        self.share = (allowed - held) // threads

    def take(self, needed: int) -> None:
        """Note that so many bytes are needed.

        Raises:
            BudgetError: they are too many.
        """
        self.peak = max(self.peak, needed)
        if needed > self.allowed:
            raise over_budget(needed, self.allowed, self.known)

    def held(self) -> int:
        """Return the bytes that are held at the moment."""
        heaps = sum(heap.bytes for bench in self.benches for heap in bench.heaps.values())
        return heaps + sum(bench.bytes for bench in self.benches) + _SMALL

    # -- the way up -----------------------------------------------------------------------------

    def climb(self, starts: npt.NDArray[np.uint64], pool: ThreadPoolExecutor) -> None:
        """Find every level that has positions, from the lowest."""
        highest = self.stages.restore(self) if self.stages is not None else None
        if self.stages is None or not self.stages.complete:
            self._begin(starts, pool, highest)
            while waiting := [n for bench in self.benches for n in bench.heaps] + [*self.runs]:
                level = min(waiting)
                self._collect(pool, level)
                if self.stages is not None:
                    self.stages.found(self, level)
                self._expand(pool, level)
        self.keys.append(np.zeros(WIDE * self.words, np.uint64))  # which look-ups may read
        for bench in self.benches:
            bench.clear()

    def _begin(
        self, starts: npt.NDArray[np.uint64], pool: ThreadPoolExecutor, highest: int | None
    ) -> None:
        """Put on piles the starts, and what the levels lead to that were found before."""
        packed = np.ascontiguousarray(starts).reshape(-1)
        levels = np.empty(len(starts), np.int64)
        self.expand.levels(packed, len(starts), levels)
        for level in np.unique(levels).tolist():
            if highest is None or level > highest:
                heap = self._heap(self.benches[0], level, len(starts))
                heap.add(packed, levels, len(starts), level)
        if highest is not None:
            for level in sorted(self.levels):
                if level == highest or self.reach[level] > highest:
                    self._expand(pool, level, highest)

    def put_back(
        self, level: int, reach: int, begin: int, count: int, bits: int, buckets: int
    ) -> None:
        """Note a level that was found before, and the highest that its moves lead to."""
        self.levels[level] = Level(begin, count, bits, buckets)
        self.reach[level] = reach

    def _heap(self, bench: DiskBench, level: int, expected: int) -> Piles:
        if level not in bench.heaps:
            bits = self.pile_bits.setdefault(level, self._bits_for(expected))
            bench.heaps[level] = heap = Piles(self.words, self.allowed)
            heap.begin(bits)
        return bench.heaps[level]

    def _bits_for(self, expected: int) -> int:
        return bits_within(expected, self.pile, self.share, self.words)

    def _collect(self, pool: ThreadPoolExecutor, level: int) -> None:
        """Make a level of what is on its piles."""
        heaps = [b.heaps[level] for b in self.benches if level in b.heaps]
        pile_bits = self.pile_bits[level]
        runs = self.runs.get(level)
        parts: list[Piles | Runs] = [*heaps, *([runs] if runs else [])]
        raw = sum(part.count for part in parts)
        bits = max(bucket_bits(raw), pile_bits)
        buckets = 1 << (bits - pile_bits)
        begin = self.known
        largest = max(sum(part.size(p) for part in parts) for p in range(1 << pile_bits))
        making = self.benches[0].making(largest) + 4 * buckets
        making += 17 * self.words * max(runs.largest() if runs else 0, largest // 2)
        waiting = sum(heap.bytes for bench in self.benches for heap in bench.heaps.values())
        for bench in self.benches:
            bench.clear()
        fixed = self.held() - waiting
        # Where heaps leave too little room for making the level, they go to disk too.
        if fixed + waiting + self.threads * making > self.allowed:
            for bench in self.benches:
                for other in list(bench.heaps):
                    self._write(bench, other)
                bench.clear()
            heaps, runs, waiting = [], self.runs[level], 0
        self.take(fixed + waiting + self.threads * making)
        first = len(self.offsets)

        def made(bench: DiskBench, pile: int) -> tuple[int, npt.NDArray[np.uint32], Any]:
            count = 0
            raw = bench.raw_for(max(largest, 1))
            for heap in heaps:
                count = heap.gather(pile, raw, count)
            if runs:
                count = runs.gather(pile, raw, count, bench.packing)
            ends = np.empty(buckets, np.uint32)
            return bench.thinned(count, pile_bits, bits, ends), ends, bench.out

        for _, (kept, ends, out) in in_order(pool, self.benches, made, range(1 << pile_bits)):
            if self.known + kept > MOST_POSITIONS:
                message = "there are more than 4,294,967,294 positions; make the game smaller"
                raise BudgetError(message, self.allowed, self.allowed)
            if len(self.offsets) == first:
                self.offsets.append(np.array([self.known], np.uint32))
            self.keys.append(out[: kept * self.words])
            self.offsets.append(ends + np.uint32(self.known))
            self.known += kept
        self.levels[level] = Level(begin, self.known - begin, bits, first)
        for bench in self.benches:
            bench.heaps.pop(level, None)
            bench.clear()
        if level in self.runs:
            self.runs.pop(level).close()

    def _expand(self, pool: ThreadPoolExecutor, level: int, beyond: int | None = None) -> None:
        """Strew the children of one level over piles, or those of them beyond another."""
        here = self.levels[level]
        expected = 3 * here.count
        self.pile_bits.setdefault(level + 1, self._bits_for(expected))

        def strew(bench: DiskBench, span: tuple[int, int]) -> int:
            highest = level
            for first, done, made in bench.expanded(self.keys, *span):
                if not self.expand.alternate:
                    self.turns.write(span[0] + first, bench.buffers.owners[:done])
                if not made:
                    continue
                least, most = least_and_most(bench.levels, made)
                if least <= level:
                    raise self._flat(bench, first, done, level, lowered=least < level)
                highest = max(highest, int(most))
                found = np.unique(bench.levels[:made]).tolist() if least < most else [least]
                for above in found:
                    if beyond is not None and above <= beyond:
                        continue
                    heap = self._heap(bench, above, expected)
                    heap.add(bench.buffers.children, bench.levels, made, above)
            while bench.heaps and bench.waiting() * _OF > self.share * _FULL:
                self._write(bench, max(bench.heaps, key=lambda n: bench.heaps[n].bytes))
            return highest

        self.reach[level] = level
        spans = _chunks(here.begin, here.begin + here.count, self.chunk)
        for (_, end), highest in in_order(pool, self.benches, strew, spans):
            self.reach[level] = max(self.reach[level], highest)
            self.report.advance(end)
        self.take(self.held())

    def _write(self, bench: DiskBench, level: int) -> None:
        """Write what a thread has of a level to disk."""
        if level not in self.runs:
            self.runs.setdefault(level, Runs(self.scratch, self.words))
        self.runs[level].write(bench.heaps.pop(level), bench.raw_for, bench.packing)

    def _flat(
        self, bench: DiskBench, first: int, done: int, level: int, *, lowered: bool
    ) -> FlatMoveError:
        edge = int(np.argmax(bench.levels <= level))
        i = int(np.searchsorted(bench.buffers.ends[:done], edge, side="right"))
        at = (first + i) * self.words
        return FlatMoveError(bench.keys[at : at + self.words].copy(), lowered=lowered)

    # -- the way down ---------------------------------------------------------------------------

    def descend(self, pool: ThreadPoolExecutor) -> None:
        """Decide the levels from the highest down."""
        self.kind = np.dtype(np.uint8 if len(self.levels) <= _NARROW else np.int32)
        left = self.known
        if self.stages is None:
            self.values = Column(self.scratch, self.kind)
        else:
            self.values = self.stages.values(self.kind)
            left = self.stages.restore_values(self)
        self.scratch.need(left * self.kind.itemsize)
        fixed = self.held() + self.threads * self.chunk * self.kind.itemsize
        decided = self.known - left
        for level in sorted(self.levels, reverse=True):
            here = self.levels[level]
            if here.begin >= left:
                continue
            window = [n for n in sorted(self.levels) if level < n <= self.reach[level]]
            parts = self._parts(window, self.allowed - fixed)
            self.parts = max(self.parts, parts)
            for part in range(parts):
                above = Above(self, window, part, parts)
                self.take(fixed + above.bytes)
                spans = _chunks(here.begin, here.begin + here.count, self.chunk)
                for (begin, end), _ in in_order(pool, self.benches, above.decide, spans):
                    if part == parts - 1:
                        decided += end - begin
                        self.report.advance(decided)
                del above  # before there is another
            if self.stages is not None:
                self.stages.decided(self, level)

    def _parts(self, window: list[int], room: int) -> int:
        """Return in how many parts some levels fit into so much memory."""
        parts = 1
        while True:
            most = max(sum(s for _, _, s in self.cut(window, n, parts)) for n in range(parts))
            if most <= room:
                return parts
            if parts == _MOST_PARTS:
                self.take(self.allowed - room + most)
            # Buckets are about equally full, but not quite.
            parts = min(max(parts + 1, parts * most // max(room, 1)), _MOST_PARTS)

    def cut(self, window: list[int], part: int, parts: int) -> list[tuple[int, int, int]]:
        """Return, for each level, which buckets are in a part, from and to, and their bytes."""
        found = []
        for level in window:
            buckets = 1 << self.levels[level].bits
            low, high = part * buckets // parts, (part + 1) * buckets // parts
            begin, end = self.bounds(level, low, high)
            each = 8 * self.words + self.kind.itemsize + (not self.expand.alternate)
            size = resident((end - begin + WIDE) * each + 4 * (high - low + 1), self.allowed)
            found.append((low, high, size))
        return found

    def bounds(self, level: int, low: int, high: int) -> tuple[int, int]:
        """Return the numbers of the first position of a bucket and of another."""
        at = self.levels[level].buckets
        one = np.empty(1, np.uint32)
        begin = int(self.offsets.read(at + low, one)[0])
        return begin, int(self.offsets.read(at + high, one)[0])

    def table(self) -> LevelTable:
        """Return the table of what is on disk."""
        lowest, bits, starts = self._by_level()
        return LevelTable(
            self.expand,
            self.keys.mapped(),
            self.offsets.mapped(),
            self.turns.mapped(),
            self.values.mapped(),
            lowest,
            bits,
            starts,
        )

    def _by_level(self) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        lowest, highest = min(self.levels), max(self.levels)
        bits = np.full(highest - lowest + 1, -1, np.int64)
        starts = np.zeros(highest - lowest + 1, np.int64)
        for level, here in self.levels.items():
            bits[level - lowest] = here.bits
            starts[level - lowest] = here.buckets
        return lowest, bits, starts


def _chunks(begin: int, end: int, chunk: int) -> Iterator[tuple[int, int]]:
    return ((at, min(at + chunk, end)) for at in range(begin, end, chunk))


def solve(
    expand: Levelled,
    starts: npt.NDArray[np.uint64],
    allowed: int,
    threads: int,
    report: Reporter,
    scratch: Scratch,
) -> tuple[LevelTable, str, int]:
    """Find and decide every position that can be reached, with levels on disk.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words), the game's own first.
        allowed: bytes the arrays may take.
        threads: threads to use.
        report: is told how many positions are done.
        scratch: where levels go, and are found again if it has stages.

    Returns:
        The table, what to say of how it was made, and the most bytes its arrays took at once.

    Raises:
        FlatMoveError: a move does not raise the level.
        BudgetError: there is too little memory even so, or too little disk.
    """
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-levels") as pool:
        work = OnDisk(expand, allowed, threads, report, scratch)
        with report.phase("climb"):
            work.climb(starts, pool)
        with report.phase("descend", work.known):
            work.descend(pool)
    table = work.table()
    table.set_starts(starts)
    # No figures with stages: a solve that was gone on with says what an undisturbed one says.
    said = scratch.said(work.known) if work.stages is None else "on disk"
    if work.parts > 1:
        said += f", and levels looked up in up to {work.parts} parts"
    # Before it came to this, another way was tried, and took what there was.
    peak = max(work.peak, allowed)
    return table, f"{said}, as {readable(allowed)} do not hold all levels", peak
