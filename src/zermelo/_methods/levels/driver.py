"""Games in which every move raises a level: solved level by level, without storing a move.

Upward, each level's positions are expanded and their children put where they wait for the next
levels, which are made of them once duplicates are gone. Downward, each level is expanded again and
every child looked up in the levels above it, which are finished. Moves are never held, since
running the rules again costs less than reading them back. Where levels are is a ``Storage``'s part.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.expand.size_estimate import SizeEstimator
from zermelo._methods.levels.checkpoint import LevelCheckpoint
from zermelo._methods.levels.storage import Storage
from zermelo._methods.levels.values import WideValueError
from zermelo.progress import Reporter


def solve(
    storage: Storage,
    starts: npt.NDArray[np.uint64],
    report: Reporter,
    checkpoint: LevelCheckpoint,
) -> Any:
    """Find and decide every position that can be reached.

    Args:
        storage: where levels go.
        starts: the packed starting positions, shape (k, words), the game's own first.
        report: is told how many positions are done.
        checkpoint: keeps what is finished.

    Returns:
        The table.

    Raises:
        LevelNotRaisedError: a move does not raise the level.
        BudgetError: there are more positions than there is memory or disk for.
    """
    threads = len(storage.workspaces)
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-levels") as pool:
        foresight = SizeEstimator(storage.expand, starts, storage.allowed, report)
        work = _LevelWork(storage, pool, report, checkpoint, foresight)
        with report.phase("climb"):
            work.climb(starts)
        with report.phase("descend", storage.known):
            while not work.descend():
                checkpoint.drop_values()
                storage.held_values.widen()
    table = storage.table
    table.starts = table.index.starts(starts)
    return table


class _LevelWork:
    """One solve under way."""

    def __init__(
        self,
        storage: Storage,
        pool: ThreadPoolExecutor,
        report: Reporter,
        checkpoint: LevelCheckpoint,
        foresight: SizeEstimator,
    ) -> None:
        self.storage = storage
        self.expand = storage.expand
        self.pool = pool
        self.report = report
        self.checkpoint = checkpoint
        self.foresight = foresight
        #: The highest level that a move from each level leads to.
        self.tops: dict[int, int] = {}

    # -- the way up -----------------------------------------------------------------------------

    def climb(self, starts: npt.NDArray[np.uint64]) -> None:
        """Find every level that has positions, from the lowest."""
        storage, checkpoint = self.storage, self.checkpoint
        found = checkpoint.restore(self.tops)
        if found is not None:
            self.report.resume(f"{len(storage.levels)} levels were found")
        if not checkpoint.complete:
            self._begin(starts, found)
            while waiting := storage.waiting():
                level = min(waiting)
                storage.collect(self.pool, level)
                checkpoint.found(level, self.tops)
                self._expand(level)
            checkpoint.found(max(storage.levels), self.tops, complete=True)
        storage.climbed()

    def _begin(self, starts: npt.NDArray[np.uint64], found: int | None) -> None:
        """Have the starts wait, and what the levels lead to that were found before."""
        packed = np.ascontiguousarray(starts).reshape(-1)
        count = len(starts)
        levels = np.empty(count, np.int64)
        self.expand.levels(packed, count, levels)
        own = self.storage.workspaces[0]
        for level in np.unique(levels).tolist():
            if found is None or level > found:
                self.storage.add(own, level, count, packed, levels, count)
        if found is not None:
            for level in sorted(self.storage.levels):
                if level == found or self.tops[level] > found:
                    self._expand(level, found)

    def _expand(self, level: int, beyond: int | None = None) -> None:
        """Have the children of a level wait for theirs, or those of them beyond another."""
        self.tops[level] = level
        for top in self.storage.expand_level(self.pool, level, beyond):
            self.tops[level] = max(self.tops[level], top)
            self.report.advance(self.storage.known)
            self.foresight.look(self.storage.found(), self.storage.most)

    # -- the way down ---------------------------------------------------------------------------

    def descend(self) -> bool:
        """Decide the levels from the highest down; return whether their values could be held."""
        try:
            self._descend()
        except WideValueError:
            return False
        return True

    def _descend(self) -> None:
        storage, checkpoint = self.storage, self.checkpoint
        left = checkpoint.begin_values()
        if len(left) < len(storage.levels):
            self.report.resume(f"{len(storage.levels) - len(left)} levels were decided")
        decided = storage.known - sum(storage.levels[level].count for level in left)
        for level in reversed(left):
            for count in storage.decide_level(self.pool, level, self.tops[level]):
                decided += count
                self.report.advance(decided)
            checkpoint.decided(level, self.tops)
        storage.finish()
