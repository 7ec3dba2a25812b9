"""Solving a placement game: reachable patterns forward, values backward, two levels at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import UNTIMED
from zermelo._engine.core.memory import zeros
from zermelo._methods.placement.board import Board
from zermelo._methods.placement.index import Directory, Fields, PlacementTable, Planes
from zermelo._methods.placement.reach import keep_words, reach
from zermelo._methods.placement.sweep import solve
from zermelo._methods.placement.tiers import BLOCK, IN_BLOCK, OWN, SECTION

if TYPE_CHECKING:
    from zermelo._engine.core.scratch import Scratch
    from zermelo._methods.placement.checkpoint import PlacementStages
    from zermelo.progress import Reporter

#: Bytes of a block and of a section in the directory, and of a tier.
_BLOCK_BYTES, _SECTION_BYTES, _TIER_BYTES = 16, 40, 12
#: A level of fewer blocks is not worth another thread.
_WORTH_SHARING = 64


def run(
    board: Board,
    fields: Fields,
    allowed: int,
    threads: int,
    report: Reporter,
    scratch: Scratch,
    *,
    remoteness: bool = True,
) -> tuple[PlacementTable, str, int]:
    """Solve a placement game.

    Args:
        board: the game.
        fields: how its positions are packed.
        allowed: bytes the solve may take.
        threads: threads to use at the most.
        report: is told of phases, and how many patterns are done.
        scratch: where what does not fit goes, and what is finished if it has stages.
        remoteness: whether to find by which ply a position is won, or only that it is.

    Returns:
        The solved positions, what to say where they did not fit, and the bytes its arrays took at
        the peak.

    Raises:
        BudgetError: it needs more memory than is allowed, or more disk than there is.
    """
    stages = _stages(scratch, board.size, threads)
    work = Work(board, allowed, threads, report, stages, timed=remoteness)
    try:
        with report.phase("reach", board.patterns):
            if not (_fits(work.begin) and _fits(work.reach)):
                work = _on_disk(work, scratch)
                work.reach()
        with report.phase("sweep", board.patterns):
            if not _fits(work.sweep):
                work = _on_disk(work, scratch)
                work.sweep()
    finally:
        work.pool.shutdown(wait=True, cancel_futures=True)
    return work.table(fields), work.how(), work.peak


def _fits(step: Callable[[], None]) -> bool:
    """Take a step; return whether there was room for it."""
    try:
        step()
    except NoRoomError:
        return False
    return True


def _stages(scratch: Scratch, size: int, threads: int) -> PlacementStages | None:
    """Return what keeps the levels of a board of so many cells, where they are to be kept."""
    if scratch.stages is None:
        return None
    from zermelo._methods.placement.checkpoint import PlacementStages

    return PlacementStages(scratch, size, threads)


def _on_disk(work: Work, scratch: Scratch) -> Work:
    """Return work that goes on where another ran out of memory."""
    # Not imported until something does not fit: other solves start without these kernels.
    from zermelo._methods.placement.disk import OnDisk

    return OnDisk(work, scratch)


class NoRoomError(Exception):
    """What is to be held at once does not fit."""


class Work:
    """One solve under way, all of it in memory."""

    on_disk = False

    def __init__(
        self,
        board: Board,
        allowed: int,
        threads: int,
        report: Reporter,
        stages: PlacementStages | None,
        *,
        timed: bool,
    ) -> None:
        self.stages = stages
        self.board = board
        self.allowed = allowed
        self.threads = threads
        self.report = report
        self.timed = timed
        self.planes = board.planes(remoteness=timed)
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
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-placement")

    def begin(self) -> None:
        """Make what both phases need.

        Raises:
            NoRoomError: it does not fit.
        """
        evens, odds = self._largest([1] * (self.size + 1))
        self.forward = evens + odds + max(self.level_bytes)
        evens, odds = self._largest([len(p) for p in self.planes])
        self.backward = evens + odds
        self._need(max(self.forward, self.backward) + self.fixed)
        self.direct()

    def direct(self) -> None:
        """Make the directory: where everything will be."""
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

    def reach(self) -> None:
        """Find what the start can reach.

        Raises:
            NoRoomError: it does not fit, or did not when this solve was begun.
        """
        if self.stages is not None and self.stages.on_disk:
            raise NoRoomError
        stored = zeros(self.board.patterns // 64 + self.board.tiers, np.uint64)
        self.stored = stored
        # The same for both phases: memory that was touched once is not asked for again.
        both = self._largest([max(1, len(p)) for p in self.planes])
        self.live = live = [zeros(max(most // 8, 1), np.uint64) for most in both]
        reached = zeros(max(self.level_bytes) // 8, np.uint64)
        first = self.stages.restore_levels(self) if self.stages is not None else 0
        kept = int(self.words[self.level_section[first]])
        done = self.patterns_of(range(first))
        for n in range(first, self.size + 1):
            begin, end = int(self.level_section[n]), int(self.level_section[n + 1])

            def explore(low: int, high: int, n: int = n, begin: int = begin) -> None:
                reach(
                    n,
                    self.tiers_of(n),
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
            done += self.patterns_of([n])
            self.report.advance(done)
            self.keep(n + 1, self.size + 1)
        self.stored = stored[:kept]
        self.number()

    def number(self) -> None:
        """Give what can be reached its places, and say where its values will be."""
        counts = self.places[1:].copy()
        np.cumsum(counts, out=self.places[1:])
        groups = (counts + 63) // 64
        each = np.repeat([len(p) for p in self.planes], self.sections)
        self.value = sums(groups * each)

    def keep(self, found: int, decided: int) -> None:
        """Keep the levels that are found and those decided; see ``PlacementStages.keep``."""
        if self.stages is not None:
            self.stages.keep(self, found, decided)

    def counts(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """Return how many positions some sections have."""
        numbered = hasattr(self, "value")
        return (
            np.diff(self.places[begin : end + 1]) if numbered else self.places[begin + 1 : end + 1]
        )

    def tiers_of(self, level: int) -> npt.NDArray[np.int64]:
        """Return the tiers of a level."""
        return self.tiers[self.level_tier[level] : self.level_tier[level + 1]]

    def patterns_of(self, levels: Iterable[int]) -> int:
        """Return how many patterns some levels have."""
        return sum(int(self.level_tier[n + 1] - self.level_tier[n]) << n for n in levels)

    def how(self) -> str:
        """Return what to say of where it was done."""
        return ""

    def plane_arrays(self, level: int) -> tuple[npt.NDArray[Any], ...]:
        """Return whose each plane of a level is, what it follows from, and it on a full board."""
        after = self.planes[level + 1] if level < self.size else []
        here = self.planes[level]
        return (
            np.array([p[0] for p in here], np.int64),
            np.array([after.index(p) if p in after else -1 for p in here], np.int64),
            np.array([p == (self.board.full, self.size) for p in here], np.uint8),
        )

    def sweep(self) -> None:
        """Find the values of a level from those of the next, from the full board on."""
        board = self.board
        kept = 8 * (int(self.value[-1]) + len(self.stored))
        self._need(self.backward + self.fixed + kept)
        self.values = zeros(int(self.value[-1]), np.uint64)
        live = self.live
        first = self.stages.restore_values(self) if self.stages is not None else self.size + 1
        done = self.patterns_of(range(first, self.size + 1))
        for n in reversed(range(first)):
            after = self.planes[n + 1] if n < self.size else []
            whose, origin, at_full = self.plane_arrays(n)

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
                    self.tiers_of(n),
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
            done += self.patterns_of([n])
            self.report.advance(done)
            self.keep(self.size + 1, n)

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
        """Run a job over the sections of a level."""
        blocks = int(self.level_block[level + 1] - self.level_block[level])
        self.share(self.sections[level], blocks, job)

    def share(self, sections: int, blocks: int, job: Callable[[int, int], None]) -> None:
        """Run a job over sections of so many blocks, on several threads where it is large."""
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
        if needed > self.allowed:
            raise NoRoomError
        self.peak = max(self.peak, needed)


def levels_of(board: Board) -> npt.NDArray[np.int16]:
    """Return how many cells are occupied in each tier."""
    levels = np.zeros(1, np.int16)
    for height in board.heights:
        levels = (np.arange(height + 1, dtype=np.int16)[:, None] + levels[None, :]).reshape(-1)
    return levels


def sums(counts: Any) -> npt.NDArray[np.int64]:
    """Return where each of some things begins, one after the other, and where the last ends."""
    return np.concatenate(([0], np.cumsum(np.asarray(counts, np.int64)))).astype(np.int64)
