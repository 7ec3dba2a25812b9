"""Checkpoints of levels: what is found and decided, saved on disk and restored.

The finished parts of the levels' columns are saved. Columns that are files are in place already; of
columns in memory, the elements that are new since the last save are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.checkpoint.columns import ColumnCheckpoint, Spans
from zermelo._engine.core.scratch import Scratch, ScratchColumn
from zermelo._methods.levels.storage import Level, Storage

#: The name of the checkpoint of values.
DECIDED = "levels-decided"


def values_file() -> str:
    """Return the name of the file of values; see ``ColumnCheckpoint.file``."""
    return f"{DECIDED}-values"


class LevelCheckpoint:
    """A checkpoint that saves levels on the way up, and their values on the way down.

    Attributes:
        complete: whether all levels are saved.
    """

    def __init__(self, scratch: Scratch, columns: ColumnCheckpoint, storage: Storage) -> None:
        """Store the parts of the checkpoint.

        Args:
            scratch: the folder of columns.
            columns: the columns that an earlier process saved.
            storage: the levels.
        """
        self.columns = columns
        self.complete = False
        self._scratch = scratch
        self._storage = storage
        self._values: ColumnCheckpoint | None = None
        self._above = 0

    # -- up -------------------------------------------------------------------------------------

    def restore(self, tops: dict[int, int]) -> int | None:
        """Restore the saved levels; return the highest, or None if none were saved.

        Args:
            tops: receives the highest level that moves from each level lead to.
        """
        storage = self._storage
        if self.columns.note is None:
            return None
        self.complete = bool(self.columns.note[0])
        for level, top, *where in self.columns.found["levels"].tolist():
            storage.levels[level] = Level(*where)
            tops[level] = top
        storage.known = sum(level.count for level in storage.levels.values())
        storage.restore_columns(self.columns)
        return max(storage.levels)

    def save_levels(self, level: int, tops: dict[int, int], *, complete: bool = False) -> None:
        """Save the levels found since the last save, if there is enough of them.

        Args:
            level: the last level found.
            tops: the highest level that moves from each level lead to.
            complete: whether all levels are found; otherwise the last is not expanded yet.
        """
        if not self.columns.saves:
            return
        spans = self._new(level, complete=complete)
        if self.columns.should_save(self.columns.size(spans)):
            self._save(spans, tops, complete=complete)

    def _new(self, level: int, *, complete: bool) -> dict[str, tuple[int, int]]:
        """Return the finished range of each column since the last save."""
        storage = self._storage
        last = storage.levels[level]
        turned = 0 if storage.expand.alternate else last.end if complete else last.begin
        ends = {**storage.ends(), "turns": turned}
        return {name: (self.columns.end(name), ends[name]) for name in storage.kinds}

    def _save(
        self, spans: dict[str, tuple[int, int]], tops: dict[int, int], *, complete: bool
    ) -> bool:
        rows = [
            (level, tops.get(level, level), here.begin, here.end, here.count, here.bits, here.first)
            for level, here in self._storage.levels.items()
        ]
        arrays = {"levels": np.array(rows, np.int64)}
        new, copies = self._copied(spans), self._storage.in_memory
        saved = self.columns.save(spans, [complete], arrays, new, copies=copies)
        self.complete |= saved and complete
        return saved

    # -- down -----------------------------------------------------------------------------------

    def begin_values(self) -> list[int]:
        """Open and restore the column of values; return the levels without values."""
        storage = self._storage
        if not self.complete:
            self._scratch.checkpoint.drop(DECIDED)
        kind = storage.value_kind
        threads = len(storage.workspaces)
        self._values = ColumnCheckpoint(self._scratch, DECIDED, threads, values=kind)
        if not storage.in_memory:
            storage.columns["values"] = self._values["values"]
        storage.begin_values()
        places = self._above = max(level.end for level in storage.levels.values())
        if self._values.note is not None:
            self._above, storage.parts = self._values.note
            values = storage.columns["values"]
            if not isinstance(values, ScratchColumn):
                self._values["values"].read(self._above, values.array[self._above : places])
        return [n for n in sorted(storage.levels) if storage.levels[n].begin < self._above]

    def save_values(self, level: int, tops: dict[int, int]) -> None:
        """Save the values found since the last save, down to those of a level."""
        storage, values = self._storage, self._values
        if values is None or not values.saves:
            return
        spans = {"values": (storage.levels[level].begin, self._above)}
        new = self._new(max(storage.levels), complete=True)
        size = values.size(spans) + (0 if self.complete else self.columns.size(new))
        if not values.should_save(size):
            return
        if not self.complete and not self._save(new, tops, complete=True):
            return
        begin = spans["values"][0]
        copied, copies = self._copied(spans), storage.in_memory
        if values.save(spans, [begin, storage.parts], None, copied, copies=copies):
            self._above = begin

    # -- both -----------------------------------------------------------------------------------

    def drop(self) -> None:
        """Delete the checkpoint, as another storage will be used."""
        self.columns.drop()
        self.drop_values()

    def drop_values(self) -> None:
        """Delete the saved values, as they will be computed again."""
        if self._values is not None:
            self._values.drop()

    def _copied(self, spans: Spans) -> Iterator[tuple[str, int, npt.NDArray[Any]]]:
        """Yield the ranges of columns that are not in files."""
        for name, (begin, end) in spans.items():
            column = self._storage.columns[name]
            if not isinstance(column, ScratchColumn):
                yield name, begin, column.array[begin:end]
