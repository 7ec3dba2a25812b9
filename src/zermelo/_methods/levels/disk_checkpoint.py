"""Levels on disk that were found and decided, and are found again: their files are the stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.checkpoint.columns import KeptColumns
from zermelo._methods.levels.checkpoint import DECIDED, FOUND

if TYPE_CHECKING:
    from zermelo._engine.core.scratch import Column, Scratch
    from zermelo._methods.levels.disk import OnDisk


class LevelColumns:
    """Keeps levels on the way up, and their values on the way down.

    Attributes:
        columns: the ``keys``, ``offsets`` and ``turns`` of levels.
        complete: whether all levels are kept.
    """

    def __init__(self, scratch: Scratch, threads: int) -> None:
        """Open what an earlier process left."""
        u64, u32, u8 = np.uint64, np.uint32, np.uint8
        self.columns = KeptColumns(scratch, FOUND, threads, keys=u64, offsets=u32, turns=u8)
        assert scratch.stages is not None  # noqa: S101  # for the type checker: or none are kept
        self._stages = scratch.stages
        self._scratch, self._threads = scratch, threads
        self._known = self._offsets = self._turned = 0
        self.complete = False

    # -- up -------------------------------------------------------------------------------------

    def restore(self, work: OnDisk) -> int | None:
        """Put the levels back that were kept; return the highest of them, if there are any."""
        found = self.columns.found
        if found is None:
            return None
        self._known, self._offsets, self._turned, complete = found["said"].tolist()
        self.complete = bool(complete)
        work.known = self._known
        for level, reach, *where in found["levels"].tolist():
            work.put_back(level, reach, *where)
        work.report.resume(f"{len(work.levels)} levels were found")
        return max(work.levels)

    def found(self, work: OnDisk, level: int) -> None:
        """Keep the levels found since the last time, if that is worth it; ``level`` is the last."""
        if self.columns.worth(self._waiting(work)):
            self._keep(work, work.levels[level].begin, complete=False)

    def _waiting(self, work: OnDisk) -> int:
        """Return the bytes of what is found and not kept."""
        each = 8 * work.words + (not work.expand.alternate)
        return each * (work.known - self._known) + 4 * (len(work.offsets) - self._offsets)

    def _keep(self, work: OnDisk, turned: int, *, complete: bool) -> bool:
        turned = 0 if work.expand.alternate else turned
        words, offsets = work.words, len(work.offsets)
        levels = [
            (level, work.reach.get(level, level), here.begin, here.count, here.bits, here.buckets)
            for level, here in work.levels.items()
        ]
        kept = self.columns.keep(
            {
                "keys": (self._known * words, work.known * words),
                "offsets": (self._offsets, offsets),
                "turns": (self._turned, turned),
            },
            levels=np.array(levels, np.int64),
            said=np.array([work.known, offsets, turned, complete], np.int64),
        )
        if kept:
            self._known, self._offsets, self._turned = work.known, offsets, turned
            self.complete = complete
        return kept

    # -- down -----------------------------------------------------------------------------------

    def values(self, kind: npt.DTypeLike) -> Column:
        """Return the column of values, of this type, with those that were kept."""
        if not self.complete:
            self._stages.drop(DECIDED)
        self._decided = KeptColumns(self._scratch, DECIDED, self._threads, values=kind)
        return self._decided["values"]

    def restore_values(self, work: OnDisk) -> int:
        """Return the first place whose value is kept, or the number of all."""
        self._above = work.known
        if self._decided.found is not None:
            self._above, work.parts = self._decided.found["said"].tolist()
            decided = sum(here.begin >= self._above for here in work.levels.values())
            work.report.resume(f"{decided} levels were decided")
        return self._above

    def decided(self, work: OnDisk, level: int) -> None:
        """Keep the values found since the last time, down to those of a level."""
        begin = work.levels[level].begin
        size = (self._above - begin) * self._decided["values"].dtype.itemsize
        waiting = 0 if self.complete else self._waiting(work)
        if not self._decided.worth(size + waiting):
            return
        if not self.complete and not self._keep(work, work.known, complete=True):
            return
        said = np.array([begin, work.parts], np.int64)
        if self._decided.keep({"values": (begin, self._above)}, said=said):
            self._above = begin
