"""Levels that were found and decided, kept on disk and found again.

What is kept is cut where there was time to write: each stage has the levels since the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Keeper
    from zermelo._methods.levels.driver import Climb

#: The records of levels that were found on disk, and of values (``level_columns``).
FOUND, DECIDED = "disk-found", "disk-decided"


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
        self.ends = dict.fromkeys(climb.growing(), 0)
        self.parts = self.turned = self.levels = 0
        self.complete = False
        self.first: npt.NDArray[Any] | None = None
        self.values = 0
        self.above = -1

    # -- up -----------------------------------------------------------------------------------

    def restore(self) -> int | None:
        """Put the levels back that were kept; return the highest of them, if there are any."""
        climb = self.climb
        while not self.complete and self.stages.has(f"up-{self.parts:05}"):
            kept = self.stages.read(f"up-{self.parts:05}")
            counts = kept["counts"].tolist()
            *numbers, turned, complete = counts
            for name, number in zip(climb.counters, numbers, strict=True):
                setattr(climb, name, number)
            for name, (arena, end, more) in climb.growing().items():
                begin = self.ends[name]
                arena.ensure(end + more, begin)[begin:end] = kept[name]
            if not climb.expand.alternate:
                climb.turns.ensure(turned, self.turned)[self.turned : turned] = kept["turns"]
            for level, end, *span in kept["spans"].tolist():
                climb.spans[level] = tuple(span)
                climb.ends[level] = end
            climb.tops.update(map(tuple, kept["tops"].tolist()))
            self.first = kept.get("values")
            self._note(turned, complete=bool(complete))
        return max(climb.spans) if climb.spans else None

    def found(self, level: int, *, complete: bool = False) -> None:
        """Keep the levels found since the last time, if that is worth it.

        Args:
            level: the last of them.
            complete: whether all is found; the last is not expanded yet if not.
        """
        if self.stages.worth(self._waiting):
            self._keep(self.climb.span_of(level)[complete], complete=complete)

    @property
    def _waiting(self) -> int:
        """Bytes of what is found and not kept."""
        growing = self.climb.growing()
        each = ((end - self.ends[name], arena) for name, (arena, end, _) in growing.items())
        return sum(count * arena.dtype.itemsize for count, arena in each)

    def _keep(self, turned: int, *, complete: bool, **values: npt.NDArray[Any]) -> bool:
        climb = self.climb
        spans = [(level, climb.ends[level], *span) for level, span in climb.spans.items()]
        turns = climb.turns.array[: 0 if climb.expand.alternate else turned]
        numbers = [getattr(climb, name) for name in climb.counters]
        arrays: dict[str, Any] = {
            name: arena.array[self.ends[name] : end]
            for name, (arena, end, _) in climb.growing().items()
        }
        kept = self.stages.put(
            f"up-{self.parts:05}",
            **arrays,
            **values,
            turns=turns[self.turned :],
            spans=np.array(spans[self.levels :], np.int64).reshape(-1, 6),
            tops=np.array(list(climb.tops.items()), np.int64).reshape(-1, 2),
            counts=np.array([*numbers, turned, complete], np.int64),
        )
        if kept:
            self._note(turned, complete=complete)
        return kept

    def _note(self, turned: int, *, complete: bool) -> None:
        self.parts += 1
        self.ends = {name: end for name, (_, end, _) in self.climb.growing().items()}
        self.turned = turned
        self.complete = complete
        self.levels = len(self.climb.spans)

    # -- down ---------------------------------------------------------------------------------

    def restore_values(self, table: Any) -> int:
        """Put the values back that were kept; return the first place whose value is known."""
        stored = self.climb.values_in(table)
        self.above = len(stored)
        if self.first is not None:
            self._restore_some(stored, self.first)
        while self.complete and self.stages.has(f"down-{self.values:05}"):
            self._restore_some(stored, self.stages.read(f"down-{self.values:05}")["values"])
            self.values += 1
        return self.above

    def _restore_some(self, stored: npt.NDArray[Any], values: npt.NDArray[Any]) -> None:
        stored[self.above - len(values) : self.above] = values
        self.above -= len(values)

    def decided(self, table: Any, level: int) -> None:
        """Keep the values found since the last time, down to those of a level."""
        begin = self.climb.span_of(level)[0]
        values = self.climb.values_in(table)[begin : self.above]
        waiting = 0 if self.complete else self._waiting
        if not self.stages.worth(values.nbytes + waiting):
            return
        if not self.complete:
            # In one stage, as values may stand among what is found.
            last = self.climb.span_of(max(self.climb.spans))[1]
            if self._keep(last, complete=True, values=values):
                self.above = begin
        elif self.stages.put(f"down-{self.values:05}", values=values):
            self.values += 1
            self.above = begin
