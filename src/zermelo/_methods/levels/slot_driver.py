"""Games with levels whose positions take few bits: their levels are kept in slots (``slots``)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.bits import has_instructions
from zermelo._engine.core.checkpoint import Keeper
from zermelo._engine.core.memory import Arena, resident, zeros
from zermelo._engine.core.threads import OneByOne, in_any_order
from zermelo._engine.index.hashed import MOST_POSITIONS
from zermelo._engine.sort.buckets import Piles, bucket_bits
from zermelo._methods.levels import driver as levels
from zermelo._methods.levels.driver import SMALL, Climb
from zermelo._methods.levels.slot_index import SlotLevels, SlotTable
from zermelo._methods.levels.slot_kernels import SEEN, settle_slots
from zermelo._methods.levels.slot_lookup import positions_of
from zermelo._methods.levels.slots import (
    LINE,
    VALUE_BITS,
    gather_rests,
    lines_for,
    lines_taken,
    most_lines,
    place_rests,
    strew_rests,
    thin_rests,
)
from zermelo._methods.levels.workspace import Bench, Levelled
from zermelo.errors import BudgetError

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: The fewest and the most bits of positions that slots hold. More would need more piles.
_LEAST_BITS, _MOST_BITS = 2, 60
#: Positions, duplicates counted, whose piles are thinned at once.
_WORTH_SHARING = 1 << 14
_NOTHING = np.empty(0, np.uint8)


class OutsideError(Exception):
    """A position has bits that are not among those the game's space takes."""


def suits(expand: Levelled) -> bool:
    """Return whether a game's positions fit slots."""
    bits = expand.used.bit_count()
    return expand.words == 1 and _LEAST_BITS <= bits <= _MOST_BITS and has_instructions()


def solve(
    expand: Levelled,
    starts: npt.NDArray[np.uint64],
    allowed: int,
    threads: int,
    report: Reporter,
    stages: Keeper | None = None,
) -> tuple[Any, int]:
    """Do as ``levels.solve``, with levels in slots where positions fit them."""
    if suits(expand):
        try:
            return levels.solve(expand, starts, allowed, threads, report, SlotClimb, stages)
        except OutsideError:  # what a game declares is not always what its moves lead to
            stages = None  # as what was kept is of slots
    return levels.solve(expand, starts, allowed, threads, report, stages=stages)


class SlotPiles(Piles):
    """Piles of what slots hold of positions."""

    def __init__(self, limit: int, used: int) -> None:
        """Begin with nothing; ``used`` has the bits of positions."""
        super().__init__(1, limit)
        self._used = np.uint64(used)

    def strew(
        self,
        children: npt.NDArray[np.uint64],
        child_levels: npt.NDArray[np.int64],
        count: int,
        level: int,
        pool: npt.NDArray[np.uint64],
        links: npt.NDArray[np.int64],
    ) -> int:
        """Put positions on piles."""
        self._blocks, added, inside = strew_rests(
            children,
            child_levels,
            count,
            level,
            self._used,
            self.bits,
            pool,
            links,
            self._next,
            self._blocks,
        )
        if not inside:
            raise OutsideError
        return int(added)

    def gather_into(self, pile: int, bench: SlotBench, at: int, inner: int) -> int:
        """Copy a pile behind the first ``at`` of ``bench.raw``, counted; return the new end."""
        return int(
            gather_rests(
                pile,
                self._pool.array,
                self._links.array,
                self._next,
                bench.raw,
                at,
                inner,
                bench.places,
            )
        )


class SlotBench(Bench):
    """What one thread works with."""

    def __init__(self, expand: Levelled, chunk: int) -> None:
        """Make room to expand so many positions at once."""
        super().__init__(expand, chunk)
        self.keys = np.empty(chunk + 1, np.uint64)
        self.at = np.empty(chunk + 1, np.int64)
        self.worth = zeros(len(self.child_levels), np.uint8)

    @property
    def bytes(self) -> int:
        """Bytes of its arrays, piles apart."""
        return super().bytes + self.keys.nbytes + self.at.nbytes + self.worth.nbytes

    def room_for(self, count: int) -> None:
        """Make room to thin a pile of so many positions."""
        if len(self.raw) < count:
            size = count + count // 8
            self.begin_thinning()
            self.raw = zeros(size, np.uint64)
            self.out = zeros(size, np.uint64)
            self.spread = zeros(size, np.uint64)

    def thinned(self, pile: int, heaps: list[SlotPiles]) -> tuple[int, npt.NDArray[np.uint64]]:
        """Leave each position of a pile once, in order; return how many and where they are."""
        size = sum(heap.size(pile) for heap in heaps)
        self.room_for(size)
        inner = max(1, bucket_bits(size))
        if len(self.places) <= 1 << inner:
            self.places = np.empty((1 << inner) + 1, np.uint32)
        self.places[: (1 << inner) + 1] = 0
        count = 0
        for heap in heaps:
            count = heap.gather_into(pile, self, count, inner)
        return int(thin_rests(self.raw, count, inner, self.places, self.spread, self.out)), self.out


class SlotClimb(Climb):
    """The way up, with levels in slots."""

    kind = SlotBench
    counters = ("known", "piles", "lines")
    benches: list[Any]

    def __init__(self, expand: Levelled, allowed: int, threads: int, report: Reporter) -> None:
        """Begin with nothing."""
        super().__init__(expand, allowed, threads, report)
        self.slots = Arena(np.uint64, allowed)
        self.directory = Arena(np.int64, allowed)
        self.piles = 0
        self.lines = 0

    def growing(self) -> dict[str, tuple[Arena, int, int]]:
        """Return the arrays that levels stand in, how far each is filled, and room behind that."""
        slots = (self.slots, self.lines * LINE, LINE)
        return {"slots": slots, "directory": (self.directory, 2 * self.piles, 0)}

    def values_in(self, table: Any) -> npt.NDArray[Any]:
        """Return the array of a table that has values, by place; positions may be in it, too."""
        return table.stored if len(table.stored) else table.slots  # type: ignore[no-any-return]

    def new_piles(self) -> SlotPiles:
        """Return piles for what slots hold."""
        return SlotPiles(self.allowed, self.expand.used)

    def bits_for(self, expected: int) -> int:
        """Return the logarithm of the number of piles: as many as leave room for a value."""
        least = self.expand.used.bit_count() + VALUE_BITS - 64
        return max(least, super().bits_for(expected))

    def span_of(self, level: int) -> tuple[int, int]:
        """Return the slots of a level."""
        first, end, _, _ = self.spans[level]
        return first * LINE, end * LINE

    def expanded(
        self, bench: Any, level: int, span: tuple[int, int]
    ) -> Iterator[tuple[int, int, int]]:
        """Expand what stands in some slots of a level; parts begin at an entry of ``bench.at``."""
        _, _, bits, piles = self.spans[level]
        count = positions_of(
            self.slots.array,
            *span,
            self.directory.array,
            piles,
            bits,
            np.uint64(self.expand.used),
            bench.keys,
            bench.at,
            _NOTHING,
        )
        return bench.expanded(bench.keys, 0, int(count))  # type: ignore[no-any-return]

    def note_turns(self, bench: Any, first: int, done: int) -> None:
        """Keep whose turn it is in positions that have been expanded."""
        self.turns.array[bench.at[first : first + done]] = bench.buffers.owners[:done]

    def key_at(self, bench: Any, at: int) -> npt.NDArray[np.uint64]:
        """Return a packed position that the bench has just expanded."""
        return bench.keys[at : at + 1].copy()  # type: ignore[no-any-return]

    def collect(self, pool: ThreadPoolExecutor, level: int) -> None:
        """Make a level of what is on its piles."""
        heaps: list[Any] = [b.piles.pop(level) for b in self.benches if level in b.piles]
        self.collecting = heaps
        bits = heaps[0].bits
        first, before = self.lines, self.piles
        directory = self.directory.ensure(2 * (before + (1 << bits)), 2 * before)
        # No more than there is memory for, as the array would move away under the other threads.
        room = first + 1 + most_lines(sum(heap.count for heap in heaps), 1 << bits)
        most = min(room, self.allowed // (8 * LINE))
        slots = self.slots.ensure(most * LINE, first * LINE)
        queue = OneByOne()

        def made(bench: SlotBench, pile: int) -> None:
            def thinned() -> tuple[int, npt.NDArray[np.uint64], int, int]:
                kept, rests = bench.thinned(pile, heaps)
                lines = lines_for(kept)
                return kept, rests, lines, int(lines_taken(rests, kept, lines))

            kept, rests, lines, at = queue.take(pile, thinned, begun)
            directory[2 * (before + pile)] = at
            directory[2 * (before + pile) + 1] = lines
            place_rests(rests, kept, lines, slots, at)

        def begun(
            found: tuple[int, npt.NDArray[np.uint64], int, int],
        ) -> tuple[int, npt.NDArray[np.uint64], int, int]:
            kept, rests, lines, taken = found
            if self.known + kept > MOST_POSITIONS:
                message = "there are more than 4,294,967,294 positions; make the game smaller"
                raise BudgetError(message, self.allowed, self.allowed)
            at = self.lines
            self.lines += taken
            self.known += kept
            self.check()
            return kept, rests, lines, at

        for _ in in_any_order(pool, self.benches, made, range(1 << bits), queue.stop):
            pass
        self.spans[level] = (first, self.lines, bits, self.piles)
        self.piles = before + (1 << bits)
        self.collected(heaps)

    def to_come(self) -> int:
        """Return the bytes that values will take besides: none where they stand in slots."""
        return 0 if self.value_bytes == 1 else 4 * self.lines * LINE

    def kept(self) -> int:
        """Return the bytes of what stays until the end, and of the threads' benches."""
        sizes = [8 * LINE * self.lines, 16 * self.piles]
        if not self.expand.alternate:
            sizes.append(LINE * self.lines)
        benches = sum(int(bench.bytes) for bench in self.benches)
        return sum(resident(size, self.allowed) for size in sizes) + benches + SMALL

    def table(self) -> Any:
        """Return the table of what has been found, to be decided."""
        lowest, highest = min(self.spans), max(self.spans)
        bits = np.full(highest - lowest + 1, -1, np.int64)
        piles = np.zeros(highest - lowest + 1, np.int64)
        for level, (_, _, level_bits, level_piles) in self.spans.items():
            bits[level - lowest] = level_bits
            piles[level - lowest] = level_piles
        directory = self.directory.array[: 2 * self.piles]
        where = SlotLevels(lowest, bits, piles, directory, self.lines)
        stored = zeros(0 if self.value_bytes == 1 else self.lines * LINE, np.int32)
        turns = self.turns.array[: 0 if self.expand.alternate else self.lines * LINE]
        return SlotTable(self.expand, self.slots.array, self.known, where, turns, stored)

    def decide(self, table: Any, bench: Any, level: int, span: tuple[int, int]) -> int:
        """Decide a part of a level from the levels above; return how many positions it has."""
        count = 0
        for first, done, made in self.expanded(bench, level, span):
            if len(bench.worth) < len(bench.numbers):
                bench.worth = zeros(len(bench.numbers), np.uint8)
            buffers = bench.buffers
            table.look(
                buffers.children,
                bench.child_levels,
                made,
                bench.numbers,
                bench.worth,
                where=len(table.turns) > 0 or len(table.stored) > 0,
            )
            settle_slots(
                bench.at,
                first,
                done,
                buffers.ends,
                buffers.values,
                bench.numbers,
                bench.worth,
                SEEN,
                table.turns,
                table.slots,
                table.stored,
            )
            count += int(done)
        return count
