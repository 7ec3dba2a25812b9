"""Solving a placement game: reachable patterns forward, values backward, two levels at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.table import Table
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.checkpoint import PlacementCheckpoint
from zermelo._methods.placement.index import Fields
from zermelo._methods.placement.tiers import BLOCK
from zermelo._methods.placement.work import TierGroup, Words, Work

if TYPE_CHECKING:
    from zermelo._engine.core.scratch import Scratch
    from zermelo.progress import Reporter


def run(
    board: PlacementBoard,
    fields: Fields,
    ledger: Ledger,
    threads: int,
    report: Reporter,
    scratch: Scratch,
    *,
    remoteness: bool = True,
) -> tuple[Table, str]:
    """Solve a placement game.

    Args:
        board: the game.
        fields: how its positions are packed.
        ledger: the memory that the solve may take.
        threads: threads to use at most.
        report: is told of phases, and how many patterns are done.
        scratch: where what does not fit goes, and what is finished if it has a checkpoint.
        remoteness: whether to find by which ply a position is won, or only that it is.

    Returns:
        The solved positions, and what to say where they did not fit.

    Raises:
        BudgetError: it needs more memory than is allowed, or more disk than there is.
    """
    checkpoint = PlacementCheckpoint(scratch, board.size, threads)
    work: Work = InMemoryWork(board, ledger, threads, report, timed=remoteness)
    try:
        for name, step in {"reach": _reach, "sweep": _sweep}.items():
            with report.phase(name, board.patterns):
                if not _fits(step, work, checkpoint):
                    # Not imported until something does not fit: other solves start without these
                    # kernels.
                    from zermelo._methods.placement.disk import OnDisk

                    work = OnDisk(work, scratch, checkpoint)
                    step(work, checkpoint)
    finally:
        work.pool.shutdown(wait=True, cancel_futures=True)
    return work.table(fields), work.how()


def _fits(
    step: Callable[[Work, PlacementCheckpoint], None], work: Work, checkpoint: PlacementCheckpoint
) -> bool:
    """Take a step; return whether there was room for it."""
    try:
        step(work, checkpoint)
    except DoesNotFitError:
        return False
    return True


def _reach(work: Work, checkpoint: PlacementCheckpoint) -> None:
    """Find what the start can reach, from the empty board on."""
    work.begin_words()
    if checkpoint.on_disk and not work.on_disk:
        raise DoesNotFitError  # as it did not when this solve was begun
    first = checkpoint.restore_levels(work)
    done = work.patterns_of(range(first))
    for n in range(first, work.size + 1):
        work.reach(n)
        done += work.patterns_of([n])
        work.report.advance(done)
        checkpoint.save(work, n + 1, work.size + 1)
    work.end_words()
    work.number()


def _sweep(work: Work, checkpoint: PlacementCheckpoint) -> None:
    """Find the values of each level from those of the next, from the full board on."""
    work.begin_values()
    first = checkpoint.restore_values(work)
    done = work.patterns_of(range(first, work.size + 1))
    for n in reversed(range(first)):
        work.sweep(n)
        done += work.patterns_of([n])
        work.report.advance(done)
        checkpoint.save(work, work.size + 1, n)
    work.end_values()


class DoesNotFitError(Exception):
    """What is to be held at once does not fit."""


class InMemoryWork(Work):
    """A solve with two levels, and the compressed others, in memory."""

    on_disk = False

    def begin_words(self) -> None:
        """Have room for what can be reached."""
        each = [8 * BLOCK * c * b for c, b in zip(self.level_tiers, self.tier_blocks, strict=True)]
        planes = [len(p) for p in self.planes]
        self._forward = sum(_largest(each, [1] * len(each))) + max(each)
        self._backward = sum(_largest(each, planes))
        self._need(max(self._forward, self._backward) + self.fixed)
        self.direct()
        self.stored = zeros(self.board.patterns // 64 + self.board.tiers, np.uint64)
        # The same for both phases: memory that was touched once is not asked for again.
        both = _largest(each, [max(1, n) for n in planes])
        self.live = [zeros(max(most // 8, 1), np.uint64) for most in both]
        self._reached: Words = zeros(max(each) // 8, np.uint64)

    def _all(self, level: int, own: Words) -> Iterator[TierGroup]:
        """Scan a level at once."""
        here, there = self.live[level % 2], self.live[1 - level % 2]
        yield TierGroup(0, self.level_tiers[level], self.slots, there, here, own)

    def from_below(self, level: int) -> Iterator[TierGroup]:
        """Scan a level at once, with what it follows from."""
        return self._all(level, self._reached)

    def words_buffer(self, group: TierGroup, begin: int, end: int) -> Words:  # noqa: ARG002  # see files
        """Return where words stay."""
        self._need(self._forward + self.fixed + 8 * end)
        return self.stored[begin:end]

    def end_words(self) -> None:
        """Free what only finding words takes."""
        del self._reached
        self.stored = self.stored[: int(self.words[-1])]

    def begin_values(self) -> None:
        """Have room for values."""
        held = 8 * (int(self.value[-1]) + len(self.stored))
        self._need(self._backward + self.fixed + held)
        self.values = zeros(int(self.value[-1]), np.uint64)

    def from_above(self, level: int) -> Iterator[TierGroup]:
        """Scan a level at once, with what it follows from."""
        return self._all(level, self.values)

    def values_buffer(
        self,
        group: TierGroup,  # noqa: ARG002  # see files
        first: int,
        last: int,
        begin: int,
        end: int,
    ) -> tuple[Words, Words]:
        """Return words and where their values stay."""
        return self.stored[first:last], self.values[begin:end]

    def _need(self, needed: int) -> None:
        if not self.ledger.fits(needed):
            raise DoesNotFitError


def _largest(sizes: list[int], planes: list[int]) -> tuple[int, int]:
    """Return the most bytes that an even level, and an odd one, needs."""
    needed = [size * p for size, p in zip(sizes, planes, strict=True)]
    return max(needed[::2]), max(needed[1::2], default=0)
