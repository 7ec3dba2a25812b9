"""A placement game being solved: reachable patterns forward, values backward, level by level.

A level follows from its neighbour: from the one before while reachable patterns are found, and from
the one after while values are found. A level is scanned in *groups* of tiers; in memory all tiers
are one group.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import UNTIMED
from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint64Array
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.store.arrays import MemoryArray
from zermelo._engine.table import Table
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.index import Fields, PlacementColumn, PlacementIndex, Planes
from zermelo._methods.placement.kernels_reach import LevelCounts, reach, store_words
from zermelo._methods.placement.kernels_sweep import LevelPlanes, solve
from zermelo._methods.placement.layout import PlacementLayout, sums
from zermelo._methods.placement.tiers import (
    BLOCK,
    IN_BLOCK,
    SECTION,
    StoredWords,
    TierSource,
    workspace,
)

if TYPE_CHECKING:
    from zermelo.progress import Reporter

Words = Uint64Array
Places = Int64Array

#: The types of the arrays of the directory: by block, as in ``Directory``; and by section, the
#: number of words and the number of positions.
BY_BLOCK = {"present": np.uint64, "first": np.uint32, "rank": np.uint32}
BY_SECTION = {"lengths": np.int64, "counts": np.int64}
DIRECTORY: dict[str, npt.DTypeLike] = {**BY_BLOCK, **BY_SECTION}
#: Bytes per block and per section in the directory, and per tier.
_BLOCK_BYTES, _SECTION_BYTES, _TIER_BYTES = 16, 40, 12
#: A level with fewer blocks is not shared among threads.
_WORTH_SHARING = 64


@dataclass
class TierGroup:
    """Some slices of a level, with the arrays of the work on them.

    Attributes:
        begin: the index of the first slice in the level.
        end: the index after the last.
        frames: by slice of the neighbouring level, its place in ``source``.
        source: the data that the slices follow from.
        out: receives the data that the next level follows from, unless it is empty.
        own: a buffer for the data of the group itself.
    """

    begin: int
    end: int
    frames: Int32Array
    source: Words
    out: Words
    own: Words


def directory_arrays(allowed: int) -> dict[str, MemoryArray]:
    """Return new arrays of a directory, within ``allowed`` bytes."""
    return {name: MemoryArray(kind, allowed) for name, kind in DIRECTORY.items()}


class PlacementSolver(PlacementLayout, ABC):
    """One solve in progress, in memory or on disk."""

    on_disk: bool
    #: The planes of two levels.
    live: list[Words]

    def __init__(
        self,
        board: PlacementBoard,
        ledger: Ledger,
        threads: int,
        report: Reporter,
        arrays: Mapping[str, Any],
        *,
        timed: bool,
    ) -> None:
        """Create a solver that has found no level.

        Args:
            board: the game.
            ledger: the memory that arrays may take.
            threads: threads to use.
            report: receives progress.
            arrays: by name, ``words`` of reachable patterns and their ``values``, in memory or in
                files; and those of the directory, see ``directory_arrays``.
            timed: whether remoteness is found.
        """
        super().__init__(board)
        self.arrays = arrays
        self.ledger, self.allowed = ledger, ledger.allowed
        self.threads = threads
        self.report = report
        self.timed = timed
        self.planes = board.planes(remoteness=timed)
        #: The board with the lines made at an even ply, and at an odd one.
        self.shapes = board.shape(0), board.shape(1)
        self.fixed = (
            _BLOCK_BYTES * self.blocks
            + _SECTION_BYTES * int(self.level_section[-1])
            + _TIER_BYTES * board.tiers
        )
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-placement")

    def direct(self) -> None:
        """Extend the arrays of the directory to all levels."""
        for name, begins in self.directory_begins().items():
            self.arrays[name].extend(int(begins[-1]))
        self.present, self.first, self.rank, self.lengths, self.counts = (
            self.arrays[name].mapped() for name in DIRECTORY
        )
        self.words = np.zeros(len(self.counts) + 1, np.int64)
        self.places = np.zeros(len(self.counts) + 1, np.int64)

    def directory_begins(self) -> dict[str, Places]:
        """Return the first index of each level in the arrays of the directory, by name."""
        blocks = dict.fromkeys(BY_BLOCK, self.level_block)
        return {**blocks, **dict.fromkeys(BY_SECTION, self.level_section)}

    # -- reachable patterns ----------------------------------------------------------------------

    def reach(self, level: int) -> None:
        """Find the reachable patterns of a level, from those of the level before."""
        for group in self.groups_with_previous(level):
            self.reach_group(level, group)

    def reach_group(self, n: int, group: TierGroup) -> None:
        """Find and store the reachable patterns of some tiers of a level."""
        begin, end = self._sections(n, group)
        block, section = int(self.level_block[n]), int(self.level_section[n])
        blocks = 1 << self.in_slice(n)
        start = group.begin * blocks
        reached = group.own[: (group.end - group.begin) * blocks * BLOCK]
        previous = TierSource(
            self.slots, group.frames, self.in_slice(max(n - 1, 0)), group.source, planes=1
        )
        counts = LevelCounts(
            first_block=block,
            present=self.present,
            first=self.first,
            rank=self.rank,
            first_section=section,
            words=self.lengths,
            positions=self.counts,
        )
        tiers, shape = self.tiers_of(n), self.shapes[n % 2]

        def explore(low: int, high: int) -> None:
            work = workspace(shape)
            reach(n, tiers, low, high, shape, work, previous, group.out, reached, start, counts)

        self._share(n, begin, end, explore)
        words = self.place_words(section + begin, section + end)
        buffer = self.words_buffer(group, int(words[0]), int(words[-1]))
        bits = self.bits[n]
        stored = StoredWords(block, self.present, -begin, words - words[0], buffer)

        def store(low: int, high: int) -> None:
            store_words(bits, low, high, reached, start, stored)

        self._share(n, begin, end, store)
        self.put_words(buffer)

    def place_words(self, begin: int, end: int) -> Places:
        """Return the indices of the words of some sections, after those of the sections before."""
        words = self.words[begin : end + 1]
        np.cumsum(self.lengths[begin:end], out=words[1:])
        words[1:] += words[0]
        return words

    @abstractmethod
    def begin_words(self) -> None:
        """Allocate the reachable patterns.

        Raises:
            DoesNotFitError: they do not fit in memory.
        """

    @abstractmethod
    def groups_with_previous(self, level: int) -> Iterator[TierGroup]:
        """Scan a level in groups, with the data that they follow from in the level before."""

    @abstractmethod
    def words_buffer(self, group: TierGroup, begin: int, end: int) -> Words:
        """Return a buffer for words ``begin`` to ``end`` of all, which belong to a group."""

    def put_words(self, words: Words) -> None:
        """Write words of a group to their file, if any; in memory they are in place."""

    def end_words(self) -> None:
        """Release the memory that only finding words takes."""

    # -- values ---------------------------------------------------------------------------------

    def sweep(self, level: int) -> None:
        """Find the values of a level, from those of the level after it."""
        for group in self.groups_with_next(level):
            self.sweep_group(level, group)

    def sweep_group(self, n: int, group: TierGroup) -> None:
        """Find and store the values of some tiers of a level."""
        begin, end = self._sections(n, group)
        section = int(self.level_section[n])
        words = self.words[section + begin : section + end + 1]
        value = self.value[section + begin : section + end + 1]
        first, last = int(value[0]), int(value[-1])
        stored, values = self.values_buffer(group, int(words[0]), int(words[-1]), first, last)
        after = TierSource(
            self.slots,
            group.frames,
            self.in_slice(min(n + 1, self.size)),
            group.source,
            planes=len(self.planes[n + 1]) if n < self.size else 0,
        )
        block = int(self.level_block[n])
        patterns = StoredWords(block, self.present, -begin, words - words[0], stored)
        meaning, starts = self.planes_of(n), value - first
        tiers, shape = self.tiers_of(n), self.shapes[n % 2]

        def back(low: int, high: int) -> None:
            work = workspace(shape, len(self.planes[n]))
            solve(
                n,
                tiers,
                low,
                high,
                shape,
                work,
                after,
                group.out,
                meaning,
                patterns,
                starts,
                values,
            )

        self._share(n, begin, end, back)
        self.put_values(first, values)

    def begin_values(self) -> None:
        """Allocate the values; see ``begin_words``."""
        self.arrays["values"].extend(int(self.value[-1]))

    @abstractmethod
    def groups_with_next(self, level: int) -> Iterator[TierGroup]:
        """Scan a level in groups, with the data that they follow from in the level after."""

    @abstractmethod
    def values_buffer(
        self, group: TierGroup, first: int, last: int, begin: int, end: int
    ) -> tuple[Words, Words]:
        """Return words ``first`` to ``last``, and a buffer for values ``begin`` to ``end``."""

    def put_values(self, begin: int, values: Words) -> None:
        """Write values of a group to their file, if any; in memory they are in place."""

    def end_values(self) -> None:
        """Prepare everything for the table."""

    def restore_live(self, level: int, *, values: bool) -> None:
        """Restore the data of a level that the next level follows from.

        Args:
            level: the level, whose words and values are restored.
            values: whether the next level follows from its values.
        """

    def shares(self, level: int) -> bool:  # noqa: ARG002  # see clusters
        """Return whether other processes solve a level, and so need the levels next to it."""
        return False

    # -- groups ---------------------------------------------------------------------------------

    def in_slice(self, level: int) -> int:
        """Return the binary logarithm of the blocks of a slice: in memory, a whole tier."""
        return max(self.bits[level] - IN_BLOCK, 0)

    def slices(self, level: int) -> int:
        """Return the number of slices of a level."""
        return self.level_tiers[level] * self.tier_blocks[level] >> self.in_slice(level)

    def sections_each(self, level: int) -> int:
        """Return the number of sections of a slice of a level."""
        return max(1, (1 << self.in_slice(level)) // SECTION)

    def _sections(self, level: int, group: TierGroup) -> tuple[int, int]:
        """Return the first section of a group within its level, and the section after its last."""
        each = self.sections_each(level)
        return group.begin * each, group.end * each

    def _share(self, level: int, begin: int, end: int, job: Callable[[int, int], None]) -> None:
        """Run a job over sections of a level, in several threads if it is large."""
        sections = end - begin
        blocks = sections * min(self.tier_blocks[level], SECTION)
        if self.threads == 1 or blocks < _WORTH_SHARING or sections == 1:
            step = max(1, sections // 16) if blocks > _WORTH_SHARING**2 else sections
            for low in range(begin, end, step):
                job(low, min(low + step, end))
            return
        step = -(-sections // (8 * self.threads))
        parts = range(begin, end, step)
        futures = [self.pool.submit(job, low, min(low + step, end)) for low in parts]
        for future in futures:
            future.result()

    def unpack(
        self,
        level: int,
        first: int,
        count: int,
        where: npt.NDArray[np.int32],
        frames: Words,
        buffer: Words,
        *,
        values: bool,
    ) -> None:
        """Unpack consecutive slices of a level into frames.

        Args:
            level: the level.
            first: the first slice.
            count: the number of slices.
            where: the frame of each.
            frames: receives the planes, or the patterns in which the game goes on.
            buffer: a buffer for words and values that are in files.
            values: whether to unpack the planes.
        """
        # Imported here, so that solves in memory that are not resumed start without these kernels.
        from zermelo._methods.placement.disk.kernels import unpack_live, unpack_values

        each = self.sections_each(level)
        low = int(self.level_section[level]) + first * each
        high = low + count * each
        begin, end = int(self.words[low]), int(self.words[high])
        stored = self.arrays["words"].elements(begin, end, buffer)
        if not values:
            unpack_live(
                level,
                self.tiers_of(level),
                first,
                count,
                self.in_slice(level),
                where,
                self.shapes[level % 2],
                int(self.level_block[level]),
                self.present,
                stored,
                frames,
            )
            return
        begin, end = int(self.value[low]), int(self.value[high])
        unpack_values(
            self.bits[level],
            first,
            count,
            self.in_slice(level),
            where,
            int(self.level_block[level]),
            self.present,
            int(self.level_section[level]),
            stored,
            len(self.planes[level]),
            self.value,
            self.arrays["values"].elements(begin, end, buffer[len(stored) :]),
            frames,
        )

    # -- facts about a level ---------------------------------------------------------------------

    def number(self) -> None:
        """Number the reachable positions, and compute the indices of their values."""
        np.cumsum(self.counts, out=self.places[1:])
        groups = (self.counts + 63) // 64
        each = np.repeat([len(p) for p in self.planes], self.sections)
        self.value = sums(groups * each)

    def patterns_of(self, levels: Iterable[int]) -> int:
        """Return the number of patterns of some levels."""
        return sum(int(self.level_tier[n + 1] - self.level_tier[n]) << n for n in levels)

    def description(self) -> str:
        """Return a description of where the solve was done."""
        return ""

    def planes_of(self, level: int) -> LevelPlanes:
        """Return the meaning of the planes of a level."""
        after = self.planes[level + 1] if level < self.size else []
        here = self.planes[level]
        return LevelPlanes(
            winner_of=np.array([p[0] for p in here], np.int64),
            origin=np.array([after.index(p) if p in after else -1 for p in here], np.int64),
            at_full=np.array([p == (self.board.full, self.size) for p in here], np.uint8),
            maker=self.board.winner(level),
        )

    def table(self, fields: Fields) -> Table:
        """Return the table of solved positions."""
        of_blocks = (self.present, self.first, self.rank)
        directory = self.directory_of(*of_blocks, self.places, self.words, self.value)
        flat = [p for planes in self.planes for p in planes]
        said = Planes(
            sums([len(p) for p in self.planes]),
            np.array([p[0] for p in flat], np.int64),
            np.array([p[1] if self.timed else UNTIMED for p in flat], np.int64),
        )
        index = PlacementIndex(fields, self.board, directory, self.arrays["words"].mapped())
        column = PlacementColumn(index, said, self.arrays["values"].mapped())
        return Table(index, column, np.zeros(1, np.int64), "places")


class DoesNotFitError(Exception):
    """The data that must be in memory at the same time does not fit."""


class MemorySolver(PlacementSolver):
    """A solve with two levels, and all others compressed, in memory."""

    on_disk = False

    def begin_words(self) -> None:
        """Allocate the reachable patterns."""
        each = [8 * BLOCK * c * b for c, b in zip(self.level_tiers, self.tier_blocks, strict=True)]
        planes = [len(p) for p in self.planes]
        self._forward = sum(_largest(each, [1] * len(each))) + max(each)
        self._backward = sum(_largest(each, planes))
        self._need(max(self._forward, self._backward) + self.fixed)
        self.direct()
        # Allocated once for both phases, as fresh memory costs time.
        both = _largest(each, [max(1, n) for n in planes])
        self.live = [zeros(max(most // 8, 1), np.uint64) for most in both]
        self._reached: Words = zeros(max(each) // 8, np.uint64)
        self._in_order = np.arange(max(self.level_tiers), dtype=np.int32)

    def _single_group(self, level: int, own: Words) -> Iterator[TierGroup]:
        """Yield a level as one group."""
        here, there = self.live[level % 2], self.live[1 - level % 2]
        yield TierGroup(0, self.level_tiers[level], self._in_order, there, here, own)

    def groups_with_previous(self, level: int) -> Iterator[TierGroup]:
        """Yield a level as one group, with the data that it follows from."""
        return self._single_group(level, self._reached)

    def words_buffer(self, group: TierGroup, begin: int, end: int) -> Words:  # noqa: ARG002  # see files
        """Return the part of ``words`` for the words."""
        self._need(self._forward + self.fixed + 8 * end)
        self.arrays["words"].extend(end)
        return self.arrays["words"].array[begin:end]  # type: ignore[no-any-return]

    def end_words(self) -> None:
        """Release the memory that only finding words takes."""
        del self._reached

    def begin_values(self) -> None:
        """Allocate the values."""
        held = 8 * int(self.value[-1] + self.words[-1])
        self._need(self._backward + self.fixed + held)
        super().begin_values()

    def groups_with_next(self, level: int) -> Iterator[TierGroup]:
        """Yield a level as one group, with the data that it follows from."""
        return self._single_group(level, self.arrays["values"].array)

    def values_buffer(
        self,
        group: TierGroup,  # noqa: ARG002  # see files
        first: int,
        last: int,
        begin: int,
        end: int,
    ) -> tuple[Words, Words]:
        """Return words, and the part of ``values`` for their values."""
        return self.arrays["words"].array[first:last], self.arrays["values"].array[begin:end]

    def restore_live(self, level: int, *, values: bool) -> None:
        """Unpack the planes of a level, or its patterns in which the game goes on; see above."""
        tiers = self.level_tiers[level]
        step = -(-tiers // (8 * self.threads))

        def some(first: int) -> None:
            count = min(step, tiers - first)
            where = np.arange(first, first + count, dtype=np.int32)
            out, nothing = self.live[level % 2], np.empty(0, np.uint64)
            self.unpack(level, first, count, where, out, nothing, values=values)

        list(self.pool.map(some, range(0, tiers, step)))

    def _need(self, needed: int) -> None:
        if not self.ledger.fits(needed):
            raise DoesNotFitError


def _largest(sizes: list[int], planes: list[int]) -> tuple[int, int]:
    """Return the most bytes that an even level, and an odd level, needs."""
    needed = [size * p for size, p in zip(sizes, planes, strict=True)]
    return max(needed[::2]), max(needed[1::2], default=0)
