"""Games in which every move raises a level: solved level by level, without storing moves.

Upward, each level's positions are expanded and their children queued for their levels, which are
deduplicated later. Downward, each level is expanded again and every child looked up in the levels
above, which are finished. Moves are never stored, because running the rules again costs less than
reading moves back. A ``Storage`` manages the levels.
"""

from __future__ import annotations

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
        storage: the storage of levels.
        starts: the packed starting positions, shape (k, words), the game's own first.
        report: receives the number of finished positions.
        checkpoint: saves finished work.

    Returns:
        The table.

    Raises:
        LevelNotRaisedError: a move does not raise the level.
        BudgetError: the positions do not fit in memory, or on disk.
    """
    with storage.pool:
        foresight = SizeEstimator(storage.expand, starts, storage.allowed, report)
        work = _LevelWork(storage, report, checkpoint, foresight)
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
    """One solve in progress."""

    def __init__(
        self,
        storage: Storage,
        report: Reporter,
        checkpoint: LevelCheckpoint,
        foresight: SizeEstimator,
    ) -> None:
        self.storage = storage
        self.expand = storage.expand
        self.report = report
        self.checkpoint = checkpoint
        self.foresight = foresight
        #: The highest level that moves from each level lead to.
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
            while waiting := storage.waiting_levels():
                level = min(waiting)
                storage.collect(level)
                checkpoint.save_levels(self.tops)
                self._expand(level)
            checkpoint.save_levels(self.tops, complete=True)
        storage.release_climb_memory()

    def _begin(self, starts: npt.NDArray[np.uint64], found: int | None) -> None:
        """Queue the starts, and the children above the levels that were restored."""
        packed = np.ascontiguousarray(starts).reshape(-1)
        count = len(starts)
        levels = np.empty(count, np.int64)
        self.expand.levels(packed, count, levels)
        for level in np.unique(levels).tolist():
            if found is None or level > found:
                rows = packed.reshape(count, -1)[levels == level]
                self.storage.add_starts(level, rows.reshape(-1))
        if found is not None:
            for level in sorted(self.storage.levels):
                if level == found or self.tops[level] > found:
                    self._expand(level, found)

    def _expand(self, level: int, beyond: int | None = None) -> None:
        """Expand a level; queue its children, or those of them above ``beyond``."""
        self.tops[level] = level
        for top in self.storage.expand_level(level, beyond):
            self.tops[level] = max(self.tops[level], top)
            self.report.advance(self.storage.known)
            self.foresight.sample_if_due(self.storage.found_count(), self.storage.most_positions)

    # -- the way down ---------------------------------------------------------------------------

    def descend(self) -> bool:
        """Decide the levels from the highest down; return whether all values fit their type."""
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
            for count in storage.decide_level(level, self.tops[level]):
                decided += count
                self.report.advance(decided)
            checkpoint.save_values(level, self.tops)
        storage.finish()
