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
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.checkpoint import Keeper
from zermelo._engine.core.ledger import over_budget
from zermelo._engine.core.memory import Arena, resident
from zermelo._engine.core.threads import in_any_order, in_order
from zermelo._engine.expand.expander import ROOM, buffer_bytes, chunk_within
from zermelo._engine.index.hashed import MOST_POSITIONS
from zermelo._engine.sort.buckets import WIDE, Piles, bucket_bits, pile_within
from zermelo._methods.levels.checkpoint import LevelStages
from zermelo._methods.levels.index import LevelTable
from zermelo._methods.levels.kernels import least_and_most, settle
from zermelo._methods.levels.workspace import Bench, Levelled
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: Levels may span this much; a wider range is no use for an array.
MOST_LEVELS = 1 << 20
#: With at most this many levels a value fits a byte.
_NARROW = 60
#: Bytes of every solve that no array says.
SMALL = 1 << 16


class FlatMoveError(Exception):
    """A move does not raise the level, so that levels cannot be solved one by one.

    Attributes:
        packed: the position from which it leads.
        lowered: whether the level even falls, which the contract does not allow.
    """

    def __init__(self, packed: npt.NDArray[np.uint64], *, lowered: bool) -> None:
        """Keep the position."""
        super().__init__(packed)
        self.packed = packed
        self.lowered = lowered


class Climb:
    """The way up: finds every position, level by level."""

    kind: type[Bench] = Bench
    #: What says how far arrays are filled.
    counters: tuple[str, ...] = ("known", "buckets")

    def __init__(self, expand: Levelled, allowed: int, threads: int, report: Reporter) -> None:
        self.expand = expand
        self.allowed = allowed
        self.report = report
        each = buffer_bytes(expand) + 16 * ROOM
        self.chunk = chunk_within(allowed, each * threads)
        self.pile = pile_within(allowed, expand.words, threads)
        self.benches = [self.kind(expand, self.chunk) for _ in range(threads)]
        self.collecting: list[Piles] = []
        self._checking = Lock()
        self.keys = Arena(np.uint64, allowed)
        self.offsets = Arena(np.uint32, allowed)
        self.turns = Arena(np.uint8, allowed)
        self.known = 0
        self.buckets = 0
        self.spans: dict[int, tuple[int, int, int, int]] = {}
        self.ends: dict[int, int] = {}
        #: The highest level that a move from each level leads to.
        self.tops: dict[int, int] = {}
        self.pile_bits: dict[int, int] = {}
        self.peak = 0

    def growing(self) -> dict[str, tuple[Arena, int, int]]:
        """Return the arrays that levels stand in, how far each is filled, and room behind that."""
        words = self.expand.words
        keys = (self.keys, self.known * words, WIDE * words)
        return {"keys": keys, "offsets": (self.offsets, self.buckets, 1)}

    def values_in(self, table: Any) -> npt.NDArray[Any]:
        """Return the array of a table that has values, by place."""
        return table.stored  # type: ignore[no-any-return]

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
        while waiting := [level for bench in self.benches for level in bench.piles]:
            level = min(waiting)
            begin = self.known
            self.collect(pool, level)
            self.ends[level] = self.known
            if kept is not None:
                kept.found(level)
            self._expand(pool, level, self.known - begin)
        if kept is not None:
            kept.found(max(self.spans), complete=True)

    def go_on(self, pool: ThreadPoolExecutor, highest: int) -> None:
        """Put on piles what the levels that were found before lead to beyond them."""
        before = 0
        for level in sorted(self.spans):
            if level == highest or self.tops[level] > highest:
                self._expand(pool, level, self.ends[level] - before, highest)
            before = self.ends[level]

    def _piles(self, bench: Bench, level: int, expected: int) -> Piles:
        if level not in bench.piles:
            piles = bench.spare.pop() if bench.spare else self.new_piles()
            bits = self.pile_bits.setdefault(level, self.bits_for(expected))
            piles.begin(bits)
            bench.piles[level] = piles
        return bench.piles[level]

    def new_piles(self) -> Piles:
        """Return piles for positions, none of them there yet."""
        return Piles(self.expand.words, self.allowed)

    def bits_for(self, expected: int) -> int:
        """Return the logarithm of the number of piles for about so many positions."""
        return Piles.bits_for(expected, self.pile)

    def span_of(self, level: int) -> tuple[int, int]:
        """Return where a level begins and ends."""
        return self.spans[level][0], self.ends[level]

    def expanded(
        self,
        bench: Bench,
        level: int,  # noqa: ARG002  # see slots
        span: tuple[int, int],
    ) -> Iterator[tuple[int, int, int]]:
        """Expand a part of a level; see ``Bench.expanded``."""
        return bench.expanded(self.keys.array, *span)

    def note_turns(self, bench: Bench, first: int, done: int) -> None:
        """Keep whose turn it is in positions that have been expanded."""
        self.turns.array[first : first + done] = bench.buffers.owners[:done]

    def _expand(
        self, pool: ThreadPoolExecutor, level: int, count: int, beyond: int | None = None
    ) -> None:
        """Strew the children of a level of ``count`` over piles, or those beyond some level."""
        expected = 3 * count
        self.tops[level] = level
        self.pile_bits.setdefault(level + 1, self.bits_for(expected))
        span = self.span_of(level)
        if not self.expand.alternate:
            self.turns.ensure(span[1], span[0])

        def strew(bench: Bench, span: tuple[int, int]) -> int:
            top = level
            for first, done, made in self.expanded(bench, level, span):
                if not self.expand.alternate:
                    self.note_turns(bench, first, done)
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
            with self._checking:  # each thread for itself, as this one may be held up
                self.check()
            return top

        for _, top in in_any_order(pool, self.benches, strew, chunks(*span, self.chunk)):
            self.tops[level] = max(self.tops[level], top)
            self.report.advance(self.known)

    def collect(self, pool: ThreadPoolExecutor, level: int) -> None:
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

        def thinned(bench: Bench, pile: int) -> tuple[int, npt.NDArray[np.uint32], Any]:
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
            self.check()
        self.buckets = at + 1
        self.collected(heaps)

    def collected(self, heaps: list[Piles]) -> None:
        """Keep the piles of a level that has been made, or give them back."""
        self.collecting = []
        # Piles are used again, since fresh memory costs time, and no larger than they were for this
        # level: later on their memory would be more than is needed, just when the positions
        # themselves need the most.
        for bench in self.benches:
            bench.spare.clear()
        for heap, bench in zip(heaps, self.benches, strict=False):
            heap.trim()
            bench.spare.append(heap)
        self.check()

    def check(self) -> None:
        """Raise BudgetError where the memory so far is more than is allowed."""
        kept = self.kept()
        needed = kept + sum(piles.bytes for piles in self._all_piles())
        if needed > self.allowed:
            for bench in self.benches:
                bench.spare.clear()
            needed = kept + sum(piles.bytes for piles in self._all_piles())
        needed = max(needed, kept + resident(self.to_come(), self.allowed))
        self.peak = max(self.peak, needed)
        if needed > self.allowed:
            raise over_budget(needed, self.allowed, self.known)

    def _all_piles(self) -> Iterator[Piles]:
        yield from self.collecting
        for bench in self.benches:
            yield from list(bench.piles.values())
            yield from bench.spare

    @property
    def value_bytes(self) -> int:
        """Bytes a value will take."""
        return 1 if len(self.spans) <= _NARROW else 4

    def to_come(self) -> int:
        """Return the bytes that values will take besides."""
        return self.known * self.value_bytes

    def kept(self) -> int:
        """Return the bytes of what stays until the end, and of the threads' benches."""
        sizes = [8 * self.expand.words * self.known, 4 * self.buckets]
        if not self.expand.alternate:
            sizes.append(self.known)
        benches = sum(bench.bytes for bench in self.benches)
        return sum(resident(size, self.allowed) for size in sizes) + benches + SMALL

    def _flat(
        self, bench: Bench, first: int, done: int, level: int, *, lowered: bool
    ) -> FlatMoveError:
        edge = int(np.argmax(bench.child_levels <= level))
        i = int(np.searchsorted(bench.buffers.ends[:done], edge, side="right"))
        return FlatMoveError(self.key_at(bench, first + i), lowered=lowered)

    def key_at(self, bench: Bench, at: int) -> npt.NDArray[np.uint64]:  # noqa: ARG002  # see slots
        """Return a packed position that the bench has just expanded."""
        words = self.expand.words
        return self.keys.array[at * words : (at + 1) * words].copy()

    def table(self) -> LevelTable:
        """Return the table of what has been found, to be decided."""
        return LevelTable.of_spans(
            self.expand,
            self.keys.array,
            self.offsets.array,
            self.turns.array,
            self.spans,
            self.known,
            narrow=self.value_bytes == 1,
        )

    def decide(self, table: Any, bench: Bench, level: int, span: tuple[int, int]) -> int:
        """Decide a part of a level from the levels above; return how many positions it has."""
        for first, done, made in self.expanded(bench, level, span):
            buffers = bench.buffers
            table.look(buffers.children, bench.child_levels, made, bench.numbers)
            settle(
                first, done, buffers.ends, buffers.values, bench.numbers, table.turns, table.stored
            )
        return span[1] - span[0]


def chunks(begin: int, end: int, chunk: int) -> Iterator[tuple[int, int]]:
    return ((at, min(at + chunk, end)) for at in range(begin, end, chunk))


def solve(
    expand: Levelled,
    starts: npt.NDArray[np.uint64],
    allowed: int,
    threads: int,
    report: Reporter,
    kind: type[Climb] = Climb,
    stages: Keeper | None = None,
) -> tuple[Any, int]:
    """Find and decide every position that can be reached.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words), the game's own first.
        allowed: bytes the arrays may take.
        threads: threads to use.
        report: is told how many positions are done.
        kind: how levels are kept.
        stages: where to keep what is finished, if that is wanted.

    Returns:
        The table, a ``Table``, and the most bytes its arrays took at once.

    Raises:
        FlatMoveError: a move does not raise the level.
        BudgetError: there are more positions than there is memory for.
    """
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-levels") as pool:
        climb = kind(expand, allowed, threads, report)
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
        table = climb.table()
        with report.phase("descend", climb.known):
            _descend(table, climb, pool, report, kept)
    table.set_starts(starts)
    return table, climb.peak


def _descend(
    table: Any,
    climb: Climb,
    pool: ThreadPoolExecutor,
    report: Reporter,
    kept: LevelStages | None,
) -> None:
    """Decide the levels from the highest down."""
    decided = 0
    known = kept.restore_values(table) if kept is not None else None
    levels = [
        n for n in sorted(climb.spans, reverse=True) if known is None or climb.span_of(n)[0] < known
    ]
    if len(levels) < len(climb.spans):
        report.resume(f"{len(climb.spans) - len(levels)} levels were decided")
        decided = climb.known - climb.ends[levels[0]] if levels else climb.known
    for level in levels:

        def decide(bench: Bench, span: tuple[int, int], level: int = level) -> int:
            return climb.decide(table, bench, level, span)

        parts = chunks(*climb.span_of(level), climb.chunk)
        for _, count in in_any_order(pool, climb.benches, decide, parts):
            decided += count
            report.advance(decided)
        if kept is not None:
            kept.decided(table, level)
