"""Solving a placement game: reachable patterns forward, values backward, two levels at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.budget import readable
from zermelo._engine.codes import UNTIMED
from zermelo._engine.memory import zeros
from zermelo._engine.placement_reach import keep_words, reach
from zermelo._engine.placement_sweep import solve
from zermelo._engine.placement_table import Directory, Fields, PlacementTable, Planes
from zermelo._engine.placement_tiers import BLOCK, IN_BLOCK, OWN, SECTION
from zermelo.errors import BudgetError

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: Bytes of a block and of a section in the directory, and of a tier.
_BLOCK_BYTES, _SECTION_BYTES, _TIER_BYTES = 16, 40, 12
#: A level of fewer blocks is not worth another thread.
_WORTH_SHARING = 64


@dataclass(frozen=True)
class Board:
    """A placement game as the engine sees it.

    Attributes:
        heights: how many cells each stack has.
        cells: the number of each stack's cells from its foot up, -1 where it has no more.
        lines: masks of cells.
        marks: OWN, SHARED or EITHER.
        line_loses: whether who makes a line loses.
        full: who wins on a full board without a line: 1 the first player, 0 the second, -1 nobody.
    """

    heights: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    lines: tuple[int, ...]
    marks: int
    line_loses: bool
    full: int

    @property
    def size(self) -> int:
        """How many cells there are."""
        return sum(self.heights)

    @property
    def patterns(self) -> int:
        """How many patterns there are in all tiers."""
        total = 1
        for height in self.heights:
            total *= (1 << (height + 1)) - 1
        return total

    @property
    def tiers(self) -> int:
        """How many tiers there are."""
        total = 1
        for height in self.heights:
            total *= height + 1
        return total

    def by_level(self) -> list[int]:
        """Return how many tiers each level has."""
        found = [1]
        for height in self.heights:
            longer = [0] * (len(found) + height)
            for level, tiers in enumerate(found):
                for more in range(height + 1):
                    longer[level + more] += tiers
            found = longer
        return found

    def shape(self) -> tuple[Any, ...]:
        """Return the board as kernels know it."""
        heights = np.array(self.heights, np.int64)
        radices = np.concatenate(([1], np.cumprod(heights + 1)[:-1])).astype(np.int64)
        cells = np.array(self.cells, np.int64)
        return heights, radices, cells, np.array(self.lines, np.uint64), self.marks

    def winner(self, ply: int) -> int:
        """Return who wins by a line made at this ply: 1 for the first player."""
        return (ply % 2) ^ self.line_loses

    def planes(self, *, remoteness: bool) -> list[list[tuple[int, int]]]:
        """Return the (whose, ply) of each plane of each level."""
        shortest = min((line.bit_count() for line in self.lines), default=self.size + 1)
        first = 2 * shortest - 1 if self.marks == OWN else shortest
        all_planes = {(self.winner(ply), ply) for ply in range(first, self.size + 1)}
        if self.full >= 0:
            all_planes.add((self.full, self.size))
        if not remoteness:
            latest: dict[int, int] = {}
            for whose, ply in all_planes:
                latest[whose] = max(ply, latest.get(whose, 0))
            all_planes = set(latest.items())
        ordered = sorted(all_planes)
        return [[p for p in ordered if p[1] >= level] for level in range(self.size + 1)]


def run(
    board: Board,
    fields: Fields,
    allowed: int,
    threads: int,
    report: Reporter,
    *,
    remoteness: bool = True,
) -> tuple[PlacementTable, int]:
    """Solve a placement game.

    Args:
        board: the game.
        fields: how its positions are packed.
        allowed: bytes the solve may take.
        threads: threads to use at the most.
        report: is told of phases, and how many patterns are done.
        remoteness: whether to find by which ply a position is won, or only that it is.

    Returns:
        The solved positions, and the bytes its arrays took at the peak.

    Raises:
        BudgetError: it needs more memory than is allowed; found out before it is taken.
    """
    work = _Work(board, allowed, threads, report, timed=remoteness)
    try:
        with report.phase("reach", board.patterns):
            work.reach()
        with report.phase("sweep", board.patterns):
            work.sweep()
    finally:
        work.pool.shutdown(wait=True, cancel_futures=True)
    return work.table(fields), work.peak


class _Work:
    """One solve under way."""

    def __init__(
        self,
        board: Board,
        allowed: int,
        threads: int,
        report: Reporter,
        *,
        timed: bool,
    ) -> None:
        self.board = board
        self.allowed = allowed
        self.threads = threads
        self.report = report
        self.timed = timed
        self.planes = planes = board.planes(remoteness=timed)
        self.size = board.size
        self.shape = board.shape()
        counts = board.by_level()
        self.bits = [max(n - 1, 0) if board.marks == OWN else n for n in range(self.size + 1)]
        blocks = [1 << max(0, bits - IN_BLOCK) for bits in self.bits]
        self.level_bytes = [8 * BLOCK * c * b for c, b in zip(counts, blocks, strict=True)]
        self.sections = [c * max(1, b // SECTION) for c, b in zip(counts, blocks, strict=True)]
        self.level_tier = sums(counts)
        self.level_block = sums([c * b for c, b in zip(counts, blocks, strict=True)])
        self.level_section = sums(self.sections)
        self.fixed = (
            _BLOCK_BYTES * int(self.level_block[-1])
            + _SECTION_BYTES * int(self.level_section[-1])
            + _TIER_BYTES * board.tiers
        )
        self.peak = 0
        evens, odds = self._largest([1] * (self.size + 1))
        self.forward = evens + odds + max(self.level_bytes)
        evens, odds = self._largest([len(p) for p in planes])
        self.backward = evens + odds
        self._need(max(self.forward, self.backward) + self.fixed)
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-placement")

    def reach(self) -> None:
        """Find what the start can reach."""
        levels = levels_of(self.board)
        self.tiers = np.argsort(levels, kind="stable")
        self.slots = np.empty(self.board.tiers, np.int32)
        for n in range(self.size + 1):
            ids = self.tiers[self.level_tier[n] : self.level_tier[n + 1]]
            self.slots[ids] = np.arange(len(ids), dtype=np.int32)
        self.present = zeros(int(self.level_block[-1]), np.uint64)
        self.first = zeros(int(self.level_block[-1]), np.uint32)
        self.rank = zeros(int(self.level_block[-1]), np.uint32)
        self.in_section = np.zeros(int(self.level_section[-1]), np.int64)
        self.words = np.zeros(int(self.level_section[-1]) + 1, np.int64)
        self.places = np.zeros(int(self.level_section[-1]) + 1, np.int64)
        stored = zeros(self.board.patterns // 64 + self.board.tiers, np.uint64)
        # The same for both phases: memory that was touched once is not asked for again.
        both = self._largest([max(1, len(p)) for p in self.planes])
        self.live = live = [zeros(max(most // 8, 1), np.uint64) for most in both]
        reached = zeros(max(self.level_bytes) // 8, np.uint64)
        kept = done = 0
        for n in range(self.size + 1):
            begin, end = int(self.level_section[n]), int(self.level_section[n + 1])

            def explore(low: int, high: int, n: int = n, begin: int = begin) -> None:
                reach(
                    n,
                    self.tiers[self.level_tier[n] : self.level_tier[n + 1]],
                    low,
                    high,
                    self.shape,
                    self.slots,
                    live[1 - n % 2],
                    live[n % 2],
                    reached,
                    int(self.level_block[n]),
                    self.present,
                    self.first,
                    self.rank,
                    begin,
                    self.in_section,
                    self.places[1:],
                )

            def keep(low: int, high: int, n: int = n, begin: int = begin) -> None:
                keep_words(
                    self.bits[n],
                    low,
                    high,
                    reached,
                    int(self.level_block[n]),
                    self.present,
                    begin,
                    self.words,
                    stored,
                )

            self._share(n, explore)
            np.cumsum(self.in_section[begin:end], out=self.words[begin + 1 : end + 1])
            self.words[begin + 1 : end + 1] += kept
            kept = int(self.words[end])
            self._need(self.forward + self.fixed + 8 * kept)
            self._share(n, keep)
            done += (1 << n) * (self.level_tier[n + 1] - self.level_tier[n])
            self.report.advance(int(done))
        self.stored = stored[:kept]
        counts = self.places[1:].copy()
        np.cumsum(counts, out=self.places[1:])
        groups = (counts + 63) // 64
        each = np.repeat([len(p) for p in self.planes], self.sections)
        self.value = sums(groups * each)

    def sweep(self) -> None:
        """Find the values of a level from those of the next, from the full board on."""
        board = self.board
        kept = 8 * (int(self.value[-1]) + len(self.stored))
        self._need(self.backward + self.fixed + kept)
        self.values = zeros(int(self.value[-1]), np.uint64)
        live = self.live
        done = 0
        for n in reversed(range(self.size + 1)):
            after = self.planes[n + 1] if n < self.size else []
            here = self.planes[n]
            origin = np.array([after.index(p) if p in after else -1 for p in here], np.int64)
            whose = np.array([p[0] for p in here], np.int64)
            at_full = np.array([p == (board.full, board.size) for p in here], np.uint8)

            def back(
                low: int,
                high: int,
                n: int = n,
                planes_after: int = len(after),
                whose: npt.NDArray[np.int64] = whose,
                origin: npt.NDArray[np.int64] = origin,
                at_full: npt.NDArray[np.uint8] = at_full,
            ) -> None:
                solve(
                    n,
                    self.tiers[self.level_tier[n] : self.level_tier[n + 1]],
                    low,
                    high,
                    self.shape,
                    self.slots,
                    live[1 - n % 2],
                    live[n % 2],
                    planes_after,
                    whose,
                    origin,
                    at_full,
                    board.winner(n),
                    int(self.level_block[n]),
                    self.present,
                    int(self.level_section[n]),
                    self.words,
                    self.stored,
                    self.value,
                    self.values,
                )

            self._share(n, back)
            done += (1 << n) * (self.level_tier[n + 1] - self.level_tier[n])
            self.report.advance(int(done))

    def table(self, fields: Fields) -> PlacementTable:
        """Return the solved positions."""
        directory = Directory(
            self.tiers,
            self.slots,
            self.level_tier,
            self.level_block,
            self.level_section,
            self.present,
            self.first,
            self.rank,
            self.places,
            self.words,
            self.value,
        )
        flat = [p for planes in self.planes for p in planes]
        said = Planes(
            sums([len(p) for p in self.planes]),
            np.array([p[0] for p in flat], np.int64),
            np.array([p[1] if self.timed else UNTIMED for p in flat], np.int64),
        )
        table = PlacementTable(fields, self.shape, directory, self.stored, said, self.values)
        table.board = self.board
        return table

    def _largest(self, planes: list[int]) -> tuple[int, int]:
        """Return the most bytes that an even level, and an odd one, needs."""
        sizes = [size * p for size, p in zip(self.level_bytes, planes, strict=True)]
        return max(sizes[::2]), max(sizes[1::2], default=0)

    def _share(self, level: int, job: Callable[[int, int], None]) -> None:
        """Run a job over the sections of a level, on several threads where it is large."""
        sections = self.sections[level]
        blocks = int(self.level_block[level + 1] - self.level_block[level])
        if self.threads == 1 or blocks < _WORTH_SHARING or sections == 1:
            step = max(1, sections // 16) if blocks > _WORTH_SHARING**2 else sections
            for low in range(0, sections, step):
                job(low, min(low + step, sections))
            return
        step = -(-sections // (8 * self.threads))
        parts = range(0, sections, step)
        futures = [self.pool.submit(job, low, min(low + step, sections)) for low in parts]
        for future in futures:
            future.result()

    def _need(self, needed: int) -> None:
        self.peak = max(self.peak, needed)
        if needed > self.allowed:
            message = (
                f"solving all {self.board.patterns:,} patterns at once needs {readable(needed)}, "
                f"and {readable(self.allowed)} are allowed; allow more memory, leave out "
                "remoteness, or make the board smaller"
            )
            raise BudgetError(message, needed, self.allowed)


def levels_of(board: Board) -> npt.NDArray[np.int16]:
    """Return how many cells are occupied in each tier."""
    levels = np.zeros(1, np.int16)
    for height in board.heights:
        levels = (np.arange(height + 1, dtype=np.int16)[:, None] + levels[None, :]).reshape(-1)
    return levels


def sums(counts: Any) -> npt.NDArray[np.int64]:
    """Return how much there is before each of some things, and at the end of all."""
    return np.concatenate(([0], np.cumsum(np.asarray(counts, np.int64)))).astype(np.int64)
