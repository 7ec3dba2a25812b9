"""Games in which every move raises a level: solved level by level, without storing a move.

Upward, each level's positions are expanded and their children strewn over piles, which become the
next level once duplicates are gone. Downward, each level is expanded again and every child looked
up in the levels above it, which are finished. What is held is eight bytes a word for the position,
one for its value and about one for finding it; the moves are never held, since running the rules
again costs less than reading them back.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.buckets import (
    WIDE,
    Piles,
    bucket_bits,
    pile_within,
)
from zermelo._engine.budget import over_budget
from zermelo._engine.explore import ROOM, Buffers, buffer_bytes, chunk_within, run_expand
from zermelo._engine.index import MOST_POSITIONS
from zermelo._engine.keeping import Keeper
from zermelo._engine.level_settle import least_and_most, settle
from zermelo._engine.level_stages import LevelStages
from zermelo._engine.level_table import LevelTable
from zermelo._engine.level_terms import FlatMoveError, Levelled
from zermelo._engine.memory import Arena, resident, zeros
from zermelo._engine.sharing import in_order
from zermelo._engine.thinning import table_room, thin, thin_short
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: Levels may span this much; a wider range is no use for an array.
MOST_LEVELS = 1 << 20
#: With at most this many levels a value fits a byte.
_NARROW = 60
#: Bytes of every solve that no array says.
_SMALL = 1 << 16


class _Bench:
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


class Climb:
    """The way up: finds every position, level by level."""

    def __init__(self, expand: Levelled, allowed: int, threads: int, report: Reporter) -> None:
        self.expand = expand
        self.allowed = allowed
        self.report = report
        each = buffer_bytes(expand) + 16 * ROOM
        self.chunk = chunk_within(allowed, each * threads)
        self.pile = pile_within(allowed, expand.words, threads)
        self.benches = [_Bench(expand, self.chunk) for _ in range(threads)]
        self.collecting: list[Piles] = []
        self.keys = Arena(np.uint64, allowed)
        self.offsets = Arena(np.uint32, allowed)
        self.turns = Arena(np.uint8, allowed)
        self.known = 0
        self.buckets = 0
        self.spans: dict[int, tuple[int, int, int, int]] = {}
        self.tops: dict[int, int] = {}
        self.pile_bits: dict[int, int] = {}
        self.peak = 0
        self.widest = 0

    def start(self, starts: npt.NDArray[np.uint64], beyond: int | None = None) -> None:
        """Put the starts on their piles, or those of them that are beyond a level."""
        packed = np.ascontiguousarray(starts).reshape(-1)
        levels = np.empty(len(starts), np.int64)
        self.expand.levels(packed, len(starts), levels)
        for level in np.unique(levels).tolist():
            if beyond is not None and level <= beyond:
                continue
            self._piles(self.benches[0], level, len(starts)).add(packed, levels, len(starts), level)

    def run(self, pool: ThreadPoolExecutor, kept: LevelStages | None = None) -> None:
        """Find and expand every level that has positions, from the lowest."""
        while True:
            waiting = [level for bench in self.benches for level in bench.piles]
            if not waiting:
                break
            level = min(waiting)
            begin = self.known
            self._collect(pool, level)
            if kept is not None:
                kept.found(begin)
            self._expand(pool, level, (begin, self.known))
        if kept is not None and not kept.complete:
            kept.found(self.known, complete=True)

    def go_on(self, pool: ThreadPoolExecutor, highest: int) -> None:
        """Put on piles what the levels that were found before lead to beyond them."""
        spans = sorted((span[0], level) for level, span in self.spans.items())
        ends = [begin for begin, _ in spans[1:]] + [self.known]
        for (begin, level), end in zip(spans, ends, strict=True):
            if level == highest or self.tops[level] > highest:
                self._expand(pool, level, (begin, end), highest)

    def _piles(self, bench: _Bench, level: int, expected: int) -> Piles:
        if level not in bench.piles:
            piles = bench.spare.pop() if bench.spare else Piles(self.expand.words, self.allowed)
            bits = self.pile_bits.setdefault(level, Piles.bits_for(expected, self.pile))
            piles.begin(bits)
            bench.piles[level] = piles
        return bench.piles[level]

    def _expand(
        self,
        pool: ThreadPoolExecutor,
        level: int,
        which: tuple[int, int],
        beyond: int | None = None,
    ) -> None:
        """Strew the children of one level over piles, or those that are beyond some level."""
        begin, last = which
        expected = 3 * (last - begin)
        self.tops[level] = level
        self.pile_bits.setdefault(level + 1, Piles.bits_for(expected, self.pile))
        if not self.expand.alternate:
            self.turns.ensure(self.known, begin)
        keys = self.keys.array

        def strew(bench: _Bench, span: tuple[int, int]) -> int:
            top = level
            for first, done, made in bench.expanded(keys, *span):
                if not self.expand.alternate:
                    self.turns.array[first : first + done] = bench.buffers.owners[:done]
                if not made:
                    continue
                least, most = least_and_most(bench.child_levels, made)
                if least <= level:
                    raise self._flat(bench, first, done, level, lowered=least < level)
                top = max(top, most)
                found = np.unique(bench.child_levels[:made]).tolist() if least < most else [least]
                for above in found:
                    if beyond is not None and above <= beyond:
                        continue
                    piles = self._piles(bench, above, expected)
                    piles.add(bench.buffers.children, bench.child_levels, made, above)

            return top

        spans = _chunks(begin, last, self.chunk)
        for (_, end), top in in_order(pool, self.benches, strew, spans):
            self.tops[level] = max(self.tops[level], top)
            self._check()
            self.report.advance(end)

    def _collect(self, pool: ThreadPoolExecutor, level: int) -> None:
        """Make a level of what is on its piles."""
        heaps = [bench.piles.pop(level) for bench in self.benches if level in bench.piles]
        self.collecting = heaps
        raw = sum(heap.count for heap in heaps)
        pile_bits = heaps[0].bits
        bits = max(bucket_bits(raw), pile_bits)
        words = self.expand.words
        begin = self.known
        buckets = 1 << (bits - pile_bits)
        offsets = self.offsets.ensure(self.buckets + (1 << bits) + 1, self.buckets)
        self.spans[level] = (begin, raw, bits, self.buckets)

        def thinned(bench: _Bench, pile: int) -> tuple[int, npt.NDArray[np.uint32], Any]:
            bench.room_for(sum(heap.size(pile) for heap in heaps))
            count = 0
            for heap in heaps:
                count = heap.gather(pile, bench.raw, count)
            ends = np.empty(buckets, np.uint32)
            kept = bench.thin(count, pile_bits, bits, ends)
            return kept, ends, bench.out

        at = self.buckets
        for _, (kept, ends, out) in in_order(pool, self.benches, thinned, range(1 << pile_bits)):
            if self.known + kept > MOST_POSITIONS:
                message = "there are more than 4,294,967,294 positions; make the game smaller"
                raise BudgetError(message, self.allowed, self.allowed)
            keys = self.keys.ensure((self.known + kept + WIDE) * words, self.known * words)
            keys[self.known * words : (self.known + kept) * words] = out[: kept * words]
            offsets[at] = self.known
            place = at + 1
            offsets[place : place + buckets] = ends + np.uint32(self.known)
            at += buckets
            self.known += kept
            self._check()
        self.buckets = at + 1
        self.collecting = []
        # Piles are used again while levels grow. After that their memory would be more than is
        # needed, just when the positions themselves need the most.
        if raw >= self.widest:
            self.widest = raw
            for heap, bench in zip(heaps, self.benches, strict=False):
                bench.spare.append(heap)
        else:
            for bench in self.benches:
                bench.spare.clear()
        self._check()

    def _check(self) -> None:
        """Raise BudgetError where the memory so far is more than is allowed."""
        kept = self.kept()
        needed = kept + sum(piles.bytes for piles in self._all_piles())
        if needed > self.allowed:
            for bench in self.benches:
                bench.spare.clear()
            needed = kept + sum(piles.bytes for piles in self._all_piles())
        needed = max(needed, kept + resident(self.known * self.value_bytes, self.allowed))
        self.peak = max(self.peak, needed)
        if needed > self.allowed:
            raise over_budget(needed, self.allowed, self.known)

    def _all_piles(self) -> Iterator[Piles]:
        yield from self.collecting
        for bench in self.benches:
            yield from bench.piles.values()
            yield from bench.spare

    @property
    def value_bytes(self) -> int:
        """Bytes a value will take."""
        return 1 if len(self.spans) <= _NARROW else 4

    def kept(self) -> int:
        """Return the bytes of what stays until the end, and of the threads' benches."""
        sizes = [8 * self.expand.words * self.known, 4 * self.buckets]
        if not self.expand.alternate:
            sizes.append(self.known)
        benches = sum(bench.bytes for bench in self.benches)
        return sum(resident(size, self.allowed) for size in sizes) + benches + _SMALL

    def _flat(
        self, bench: _Bench, first: int, done: int, level: int, *, lowered: bool
    ) -> FlatMoveError:
        edge = int(np.argmax(bench.child_levels <= level))
        i = int(np.searchsorted(bench.buffers.ends[:done], edge, side="right"))
        words = self.expand.words
        at = (first + i) * words
        return FlatMoveError(self.keys.array[at : at + words].copy(), lowered=lowered)


def _chunks(begin: int, end: int, chunk: int) -> Iterator[tuple[int, int]]:
    return ((at, min(at + chunk, end)) for at in range(begin, end, chunk))


def solve(
    expand: Levelled,
    starts: npt.NDArray[np.uint64],
    allowed: int,
    threads: int,
    report: Reporter,
    stages: Keeper | None = None,
) -> tuple[LevelTable, int]:
    """Find and decide every position that can be reached.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words), the game's own first.
        allowed: bytes the arrays may take.
        threads: threads to use.
        report: is told how many positions are done.
        stages: where to keep what is finished, if that is wanted.

    Returns:
        The table, and the most bytes its arrays took at once.

    Raises:
        FlatMoveError: a move does not raise the level.
        BudgetError: there are more positions than there is memory for.
    """
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-levels") as pool:
        climb = Climb(expand, allowed, threads, report)
        kept = LevelStages(stages, climb) if stages is not None else None
        with report.phase("climb"):
            highest = kept.restore() if kept is not None else None
            if highest is not None:
                report.resume(f"{len(climb.spans)} levels were found")
            if kept is None or not kept.complete:
                climb.start(starts, highest)
                if highest is not None:
                    climb.go_on(pool, highest)
                climb.run(pool, kept)
        for bench in climb.benches:
            bench.spare.clear()
            bench.begin_thinning()
        table = LevelTable.of_spans(
            expand,
            climb.keys.array,
            climb.offsets.array,
            climb.turns.array,
            climb.spans,
            climb.known,
            narrow=climb.value_bytes == 1,
        )
        with report.phase("descend", climb.known):
            _descend(table, climb, pool, report, kept)
    table.set_starts(starts)
    return table, climb.peak


def _descend(
    table: LevelTable,
    climb: Climb,
    pool: ThreadPoolExecutor,
    report: Reporter,
    kept: LevelStages | None,
) -> None:
    """Decide the levels from the highest down."""

    def decide(bench: _Bench, span: tuple[int, int]) -> None:
        for first, done, made in bench.expanded(table.keys, *span):
            buffers = bench.buffers
            table.look(buffers.children, bench.child_levels, made, bench.numbers)
            settle(
                first, done, buffers.ends, buffers.values, bench.numbers, table.turns, table.stored
            )

    end = climb.known if kept is None else kept.restore_values(table.stored)
    decided = climb.known - end
    if decided:
        report.resume(f"{decided:,} positions were decided")
    for begin, _, _, _ in sorted(climb.spans.values(), reverse=True):
        if begin >= end:
            continue
        for span, _ in in_order(pool, climb.benches, decide, _chunks(begin, end, climb.chunk)):
            decided += span[1] - span[0]
            report.advance(decided)
        end = begin
        if kept is not None:
            kept.decided(table.stored, begin)
