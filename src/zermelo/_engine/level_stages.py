"""Levels that were found and decided, kept on disk and found again.

What is kept is cut where there was time to write: each stage has the levels since the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.buckets import WIDE

if TYPE_CHECKING:
    from zermelo._engine.keeping import Keeper
    from zermelo._engine.levels import Climb


class LevelStages:
    """Keeps levels on the way up, and their values on the way down."""

    def __init__(self, stages: Keeper, climb: Climb) -> None:
        """Keep nothing yet.

        Args:
            stages: where.
            climb: the levels that are found.
        """
        self.stages = stages
        self.climb = climb
        self.parts = self.known = self.buckets = self.turned = self.levels = 0
        self.complete = False
        self.values = 0
        self.above = -1

    # -- up -----------------------------------------------------------------------------------

    def restore(self) -> int | None:
        """Put the levels back that were kept; return the highest of them, if there are any."""
        climb = self.climb
        words = climb.expand.words
        while not self.complete and self.stages.has(f"up-{self.parts:05}"):
            kept = self.stages.read(f"up-{self.parts:05}")
            known, buckets, turned, complete = kept["ends"].tolist()
            keys = climb.keys.ensure((known + WIDE) * words, self.known * words)
            keys[self.known * words : known * words] = kept["keys"]
            offsets = climb.offsets.ensure(buckets + 1, self.buckets)
            offsets[self.buckets : buckets] = kept["offsets"]
            if not climb.expand.alternate:
                turns = climb.turns.ensure(known, self.turned)
                turns[self.turned : turned] = kept["turns"]
            for level, *span in kept["spans"].tolist():
                climb.spans[level] = tuple(span)
            climb.tops.update(map(tuple, kept["tops"].tolist()))
            self._note(known, buckets, turned, complete=bool(complete))
            climb.known, climb.buckets = known, buckets
        return max(climb.spans) if climb.spans else None

    def found(self, turned: int, *, complete: bool = False) -> None:
        """Keep the levels found since the last time, if that is worth it.

        Args:
            turned: how many positions are expanded, so that it is known whose turn it is.
            complete: whether there are no more levels.
        """
        if self.stages.worth(self._waiting):
            self._keep(turned, complete=complete)

    @property
    def _waiting(self) -> int:
        """Bytes of what is found and not kept."""
        climb = self.climb
        sizes = 8 * climb.expand.words + (not climb.expand.alternate)
        return (climb.known - self.known) * sizes + 4 * (climb.buckets - self.buckets)

    def _keep(self, turned: int, *, complete: bool) -> bool:
        climb = self.climb
        words = climb.expand.words
        spans = [(level, *span) for level, span in climb.spans.items()][self.levels :]
        turns = [self.turned, turned] if not climb.expand.alternate else [0, 0]
        kept = self.stages.put(
            f"up-{self.parts:05}",
            keys=climb.keys.array[self.known * words : climb.known * words],
            offsets=climb.offsets.array[self.buckets : climb.buckets],
            turns=climb.turns.array[slice(*turns)],
            spans=np.array(spans, np.int64).reshape(-1, 5),
            tops=np.array(list(climb.tops.items()), np.int64).reshape(-1, 2),
            ends=np.array([climb.known, climb.buckets, turned, complete], np.int64),
        )
        if kept:
            self._note(climb.known, climb.buckets, turned, complete=complete)
        return kept

    def _note(self, known: int, buckets: int, turned: int, *, complete: bool) -> None:
        self.parts += 1
        self.known, self.buckets, self.turned = known, buckets, turned
        self.complete = complete
        self.levels = len(self.climb.spans)

    # -- down ---------------------------------------------------------------------------------

    def restore_values(self, stored: npt.NDArray[Any]) -> int:
        """Put the values back that were kept; return the first position whose value is known."""
        self.above = len(stored)
        while self.complete and self.stages.has(f"down-{self.values:05}"):
            values = self.stages.read(f"down-{self.values:05}")["values"]
            stored[self.above - len(values) : self.above] = values
            self.above -= len(values)
            self.values += 1
        return self.above

    def decided(self, stored: npt.NDArray[Any], begin: int) -> None:
        """Keep the values found since the last time, of positions from ``begin`` on."""
        values = stored[begin : self.above]
        waiting = 0 if self.complete else self._waiting
        if not self.stages.worth(values.nbytes + waiting):
            return
        if not self.complete and not self._keep(self.climb.known, complete=True):
            return
        if self.stages.put(f"down-{self.values:05}", values=values):
            self.values += 1
            self.above = begin
