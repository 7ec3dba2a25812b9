"""Solving a placement game: reachable patterns forward, values backward, two levels at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.index import Fields, PlacementTable
from zermelo._methods.placement.reach import keep_words, reach
from zermelo._methods.placement.sweep import solve
from zermelo._methods.placement.tiers import workspace
from zermelo._methods.placement.work import Work

if TYPE_CHECKING:
    from zermelo._engine.core.scratch import Scratch
    from zermelo._methods.placement.checkpoint import PlacementCheckpoint
    from zermelo._methods.placement.disk import OnDisk
    from zermelo.progress import Reporter


def run(
    board: PlacementBoard,
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
        scratch: where what does not fit goes, and what is finished if it has a checkpoint.
        remoteness: whether to find by which ply a position is won, or only that it is.

    Returns:
        The solved positions, what to say where they did not fit, and the bytes its arrays took at
        the peak.

    Raises:
        BudgetError: it needs more memory than is allowed, or more disk than there is.
    """
    from zermelo._methods.placement.checkpoint import PlacementCheckpoint

    checkpoint = PlacementCheckpoint(scratch, board.size, threads)
    work: InMemoryWork | OnDisk = InMemoryWork(
        board, allowed, threads, report, checkpoint, timed=remoteness
    )
    try:
        with report.phase("reach", board.patterns):
            if not _fits(work.reach):
                work = _on_disk(work, scratch, checkpoint)
                work.reach()
        with report.phase("sweep", board.patterns):
            if not _fits(work.sweep):
                work = _on_disk(work, scratch, checkpoint)
                work.sweep()
    finally:
        work.pool.shutdown(wait=True, cancel_futures=True)
    return work.table(fields), work.how(), work.peak


def _fits(step: Callable[[], None]) -> bool:
    """Take a step; return whether there was room for it."""
    try:
        step()
    except DoesNotFitError:
        return False
    return True


def _on_disk(work: Work, scratch: Scratch, checkpoint: PlacementCheckpoint) -> OnDisk:
    """Return work that goes on where another ran out of memory."""
    # Not imported until something does not fit: other solves start without these kernels.
    from zermelo._methods.placement.disk import OnDisk

    return OnDisk(work, scratch, checkpoint)


class DoesNotFitError(Exception):
    """What is to be held at once does not fit."""


class InMemoryWork(Work):
    """A solve that holds two levels, and what is kept of the others, in memory."""

    on_disk = False

    def __init__(
        self,
        board: PlacementBoard,
        allowed: int,
        threads: int,
        report: Reporter,
        checkpoint: PlacementCheckpoint,
        *,
        timed: bool,
    ) -> None:
        """Begin; ``checkpoint`` keeps what is finished."""
        super().__init__(board, allowed, threads, report, timed=timed)
        self.checkpoint = checkpoint

    def _begin(self) -> None:
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

    def reach(self) -> None:
        """Find what the start can reach.

        Raises:
            NoRoomError: it does not fit, or did not when this solve was begun.
        """
        self._begin()
        if self.checkpoint.on_disk:
            raise DoesNotFitError
        stored = zeros(self.board.patterns // 64 + self.board.tiers, np.uint64)
        self.stored = stored
        # The same for both phases: memory that was touched once is not asked for again.
        both = self._largest([max(1, len(p)) for p in self.planes])
        self.live = live = [zeros(max(most // 8, 1), np.uint64) for most in both]
        reached = zeros(max(self.level_bytes) // 8, np.uint64)
        first = self.checkpoint.restore_levels(self)
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
                    workspace(self.shape),
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
            self.checkpoint.keep(self, n + 1, self.size + 1)
        self.stored = stored[:kept]
        self.number()

    def sweep(self) -> None:
        """Find the values of a level from those of the next, from the full board on."""
        board = self.board
        kept = 8 * (int(self.value[-1]) + len(self.stored))
        self._need(self.backward + self.fixed + kept)
        self.values = zeros(int(self.value[-1]), np.uint64)
        live = self.live
        first = self.checkpoint.restore_values(self)
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
                    workspace(self.shape, len(whose)),
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
            self.checkpoint.keep(self, self.size + 1, n)

    def _largest(self, planes: list[int]) -> tuple[int, int]:
        """Return the most bytes that an even level, and an odd one, needs."""
        sizes = [size * p for size, p in zip(self.level_bytes, planes, strict=True)]
        return max(sizes[::2]), max(sizes[1::2], default=0)

    def _share(self, level: int, job: Callable[[int, int], None]) -> None:
        """Run a job over the sections of a level."""
        blocks = int(self.level_block[level + 1] - self.level_block[level])
        self.share(self.sections[level], blocks, job)

    def _need(self, needed: int) -> None:
        if needed > self.allowed:
            raise DoesNotFitError
        self.peak = max(self.peak, needed)
