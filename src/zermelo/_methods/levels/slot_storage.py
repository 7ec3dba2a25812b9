"""Levels in slots, in memory: for games whose positions take few bits (``slots``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import resident, zeros
from zermelo._engine.core.portable import has_instructions
from zermelo._engine.core.threads import OrderedSteps, map_unordered
from zermelo._engine.sort.buckets import Partitions, bucket_bits, partition_within
from zermelo._engine.store.arrays import MemoryArray, StoredArray
from zermelo._engine.table import Table
from zermelo._methods.levels.queue import LevelQueue
from zermelo._methods.levels.slot_index import LevelSlotIndex, SlotLevels, positions_of
from zermelo._methods.levels.slots import (
    LINE,
    SEEN,
    UNFOLDED,
    VALUE_BITS,
    decide_slots,
    deduplicate_remainders,
    gather_rests,
    lines_for,
    lines_taken,
    most_lines,
    place_remainders,
    scatter_remainders,
)
from zermelo._methods.levels.storage import SLOT_KINDS, Level, Span, Storage
from zermelo._methods.levels.values import held_values
from zermelo._methods.levels.workspace import LevelledRules, LevelWorkspace
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: The fewest and the most bits of positions that slots can hold; more would need more partitions.
_LEAST_BITS, _MOST_BITS = 2, 60


class OutsideSlotBitsError(Exception):
    """A position has bits that the game's space does not use."""


def fits_slots(expand: LevelledRules) -> bool:
    """Return whether a game's positions fit in slots."""
    if not held_values(expand.kind).in_slots:
        return False
    bits = expand.used.bit_count()
    return expand.words == 1 and _LEAST_BITS <= bits <= _MOST_BITS and has_instructions()


class SlotPartitions(Partitions):
    """Partitions of the remainders of positions, as slots store them."""

    def __init__(self, limit: int, used: int) -> None:
        """Create empty partitions; ``used`` has the bits that positions use."""
        super().__init__(1, limit)
        self._used = np.uint64(used)

    def scatter(
        self,
        children: npt.NDArray[np.uint64],
        child_levels: npt.NDArray[np.int64],
        count: int,
        level: int,
        pool: npt.NDArray[np.uint64],
        links: npt.NDArray[np.int64],
    ) -> int:
        """Scatter positions into partitions."""
        self._blocks, added, inside = scatter_remainders(
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
            raise OutsideSlotBitsError
        return int(added)

    def gather_into(self, partition: int, workspace: SlotWorkspace, at: int, inner: int) -> int:
        """Append a partition to ``at`` entries of ``workspace.raw``, counted; return the end."""
        return int(
            gather_rests(
                partition,
                self._pool.array,
                self._links.array,
                self._next,
                workspace.raw,
                at,
                inner,
                workspace.places,
            )
        )


class SlotWorkspace(LevelWorkspace):
    """The buffers of one thread while levels are in slots."""

    def __init__(self, expand: LevelledRules, chunk: int) -> None:
        """Allocate buffers to expand ``chunk`` positions in one batch."""
        super().__init__(expand, chunk)
        self.keys = np.empty(chunk + 1, np.uint64)
        self.at = np.empty(chunk + 1, np.int64)
        self.worth = zeros(len(self.child_levels), np.uint8)

    @property
    def bytes(self) -> int:
        """The bytes of its arrays, without partitions."""
        return super().bytes + self.at.nbytes + self.worth.nbytes

    def reserve(self, count: int) -> None:
        """Allocate buffers to deduplicate ``count`` positions."""
        if len(self.raw) < count:
            size = count + count // 8
            self.clear()
            self.raw = zeros(size, np.uint64)
            self.out = zeros(size, np.uint64)
            self.spread = zeros(size, np.uint64)

    def partition_once(
        self, partition: int, waiting: list[SlotPartitions]
    ) -> tuple[int, npt.NDArray[np.uint64]]:
        """Deduplicate and sort a partition; return the number of positions, and their array."""
        size = sum(part.size(partition) for part in waiting)
        self.reserve(size)
        inner = max(1, bucket_bits(size))
        if len(self.places) <= 1 << inner:
            self.places = np.empty((1 << inner) + 1, np.uint32)
        self.places[: (1 << inner) + 1] = 0
        count = 0
        for part in waiting:
            count = part.gather_into(partition, self, count, inner)
        return int(
            deduplicate_remainders(self.raw, count, inner, self.places, self.spread, self.out)
        ), self.out


class SlotStorage(Storage):
    """The storage of levels in slots."""

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        arrays: Mapping[str, Any],
    ) -> None:
        """Create a storage without levels; see ``Storage``."""
        super().__init__(expand, ledger, threads, arrays, SlotWorkspace)
        self.slots, self.directory, self.turns = (arrays[name] for name in SLOT_KINDS)
        self.lines = len(self.slots) // LINE

    # -- up -------------------------------------------------------------------------------------

    def _new_queue(self) -> LevelQueue:
        """Return an empty queue, with enough partitions for a value to fit in a slot."""
        size = partition_within(self.allowed, self.words, len(self.workspaces))
        make = partial(SlotPartitions, self.allowed, self.expand.used)
        least = max(0, self.expand.used.bit_count() + VALUE_BITS - 64)
        return LevelQueue(self.workspaces, size, make, least)

    def note_turns(self, workspace: Any, at: int, done: int) -> None:
        """Write the players to move in positions that were just expanded; see ``Storage``."""
        self.turns.array[workspace.at[at : at + done]] = workspace.buffers.owners[:done]

    def expand_parts(self, workspace: Any, span: Span) -> Iterator[tuple[int, int, int]]:
        """Expand the positions in some slots; parts begin at an entry of ``workspace.at``."""
        level, begin, end = span
        here = self.levels[level]
        count = positions_of(
            self.slots.array,
            begin,
            end,
            self.directory.array,
            here.first,
            here.bits,
            np.uint64(self.expand.used),
            workspace.keys,
            workspace.at,
        )
        return workspace.expand_parts(workspace.keys, int(count))  # type: ignore[no-any-return]

    def collect(self, level: int) -> None:
        """Create a level from its queued positions, without duplicates."""
        waiting = self.queue.take(level)
        bits = waiting[0].bits
        first, before, known = self.lines, len(self.directory) // 2, self.known
        self.directory.extend(2 * (before + (1 << bits)))
        directory = self.directory.array
        # Within the budget, as a reallocation would move the array while other threads use it.
        needed = first + 1 + most_lines(sum(partitions.count for partitions in waiting), 1 << bits)
        most = min(needed, self.allowed // (8 * LINE))
        slots = self.slots.ensure(most * LINE, first * LINE)
        queue = OrderedSteps()

        def create_partition(workspace: SlotWorkspace, partition: int) -> None:
            def deduplicated() -> tuple[int, npt.NDArray[np.uint64], int, int]:
                unique, remainders = workspace.partition_once(partition, waiting)
                lines = lines_for(unique)
                return unique, remainders, lines, int(lines_taken(remainders, unique, lines))

            unique, remainders, lines, at = queue.run_step(partition, deduplicated, reserve_lines)
            directory[2 * (before + partition)] = at
            directory[2 * (before + partition) + 1] = lines
            place_remainders(remainders, unique, lines, slots, at)

        def reserve_lines(
            found: tuple[int, npt.NDArray[np.uint64], int, int],
        ) -> tuple[int, npt.NDArray[np.uint64], int, int]:
            unique, remainders, lines, taken = found
            self._count(unique)
            at = self.lines
            self.lines += taken
            self.check()
            return unique, remainders, lines, at

        for _ in map_unordered(
            self.pool, self.workspaces, create_partition, range(1 << bits), queue.stop
        ):
            pass
        self.slots.extend(self.lines * LINE)
        found = self.known - known
        self.levels[level] = Level(first * LINE, len(self.slots), found, bits, before)
        self.queue.recycle()
        self.check()

    # -- down -----------------------------------------------------------------------------------

    @property
    def value_kind(self) -> np.dtype[Any]:
        """The type of the array of values: that of slots, if slots contain the values."""
        return np.dtype(np.uint64 if self.value_bytes == 1 else np.int32)

    def new_values(self) -> npt.DTypeLike | MemoryArray:
        """Return an array for values: slots, if they contain the values."""
        return self.slots if self.value_bytes == 1 else super().new_values()

    def begin_values(self, values: StoredArray) -> None:
        """Extend the array of values, unless slots contain them."""
        lowest, highest = min(self.levels), max(self.levels)
        bits = np.full(highest - lowest + 1, -1, np.int64)
        partitions = np.zeros(highest - lowest + 1, np.int64)
        for level, here in self.levels.items():
            bits[level - lowest], partitions[level - lowest] = here.bits, here.first
        where = SlotLevels(lowest, bits, partitions, self.directory.mapped(), self.lines)
        self.index = LevelSlotIndex(self.expand, self.slots.mapped(LINE), where)
        if self.value_bytes == 1:
            self.codes: npt.NDArray[Any] = np.empty(0, np.int32)
            stored, meaning = self.index.bytes_in_slots(), UNFOLDED
        else:
            values.extend(len(self.slots))
            self.codes, meaning = values.mapped(), None
            stored = self.codes
        column = ArrayColumn(WIN_DRAW_LOSS, stored, self.turns.mapped(), meaning, self.known)
        self.table = Table(self.index, column, np.empty(0, np.int64), "places")

    def decide_level(self, level: int, top: int) -> Iterator[int]:  # noqa: ARG002  # all levels are in memory
        """Decide a level by the levels above; see ``Storage``."""
        for _, count in map_unordered(self.pool, self.workspaces, self._decide, self.chunks(level)):
            yield count

    def _decide(self, workspace: Any, span: Span) -> int:
        """Decide positions of a level from the levels above; return their number."""
        index, turns, stored, count = self.index, self.turns.mapped(), self.codes, 0
        for first, done, child_count in self.expand_parts(workspace, span):
            if len(workspace.worth) < len(workspace.numbers):
                workspace.worth = zeros(len(workspace.numbers), np.uint8)
            buffers = workspace.buffers
            index.look_up(
                buffers.children,
                workspace.child_levels,
                child_count,
                workspace.numbers,
                workspace.worth,
                where=len(turns) > 0 or len(stored) > 0,
            )
            decide_slots(
                workspace.at,
                first,
                done,
                buffers.ends,
                buffers.values,
                workspace.numbers,
                workspace.worth,
                SEEN,
                turns,
                index.slots,
                stored,
            )
            count += int(done)
        return count

    def finish(self) -> None:
        """Do nothing: the table exists already."""

    # -- memory ---------------------------------------------------------------------------------

    def resident(self) -> int:
        """Return the bytes of memory that levels take."""
        sizes = [8 * LINE * self.lines, 8 * len(self.directory)]
        if not self.expand.alternate:
            sizes.append(LINE * self.lines)
        return sum(resident(size, self.allowed) for size in sizes)

    def additional_value_bytes(self) -> int:
        """Return the bytes that values will take in addition: 0 if slots contain them."""
        return 0 if self.value_bytes == 1 else 4 * LINE * self.lines
