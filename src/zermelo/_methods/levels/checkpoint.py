"""Checkpoints of levels: what is found and decided, saved on disk and restored."""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.scratch import Scratch
from zermelo._engine.store.store import Store, array_file
from zermelo._methods.levels.storage import Level, Storage

#: The record of values.
_DECIDED = "levels-decided"
#: The name of the file of values, for ``Checkpoint.file``.
VALUES_FILE = array_file(_DECIDED, "values")


class LevelCheckpoint:
    """A checkpoint that saves levels on the way up, and their values on the way down.

    Attributes:
        complete: whether all levels are saved.
    """

    def __init__(self, scratch: Scratch, store: Store, storage: Storage) -> None:
        """Store the parts of the checkpoint.

        Args:
            scratch: the folder of files.
            store: the arrays of levels, with what an earlier process saved.
            storage: the levels.
        """
        self.store = store
        self.complete = False
        self._scratch = scratch
        self._storage = storage
        self._values: Store | None = None
        self._saved_begin = 0

    # -- up -------------------------------------------------------------------------------------

    def restore(self, tops: dict[int, int]) -> int | None:
        """Restore the saved levels; return the highest, or None if none were saved.

        Args:
            tops: receives the highest level that moves from each level lead to.
        """
        storage = self._storage
        if self.store.note is None:
            return None
        self.complete = bool(self.store.note[0])
        for level, top, *location in self.store.found["levels"].tolist():
            storage.levels[level] = Level(*location)
            tops[level] = top
        storage.known = sum(level.count for level in storage.levels.values())
        return max(storage.levels)

    def save_levels(self, tops: dict[int, int], *, complete: bool = False) -> None:
        """Save the levels found since the last save, if enough were found.

        Args:
            tops: the highest level that moves from each level lead to.
            complete: whether all levels are found; otherwise the last is not expanded yet.
        """
        if not self.store.saves:  # the list would take longer than a small level
            return
        rows = [
            (level, tops.get(level, level), row.begin, row.end, row.count, row.bits, row.first)
            for level, row in self._storage.levels.items()
        ]
        saved = self.store.save([complete], arrays={"levels": np.array(rows, np.int64)})
        self.complete |= saved and complete

    # -- down -----------------------------------------------------------------------------------

    def begin_values(self) -> list[int]:
        """Open and restore the array of values; return the levels without values."""
        storage = self._storage
        if not self.complete:
            self._scratch.checkpoint.drop(_DECIDED)
        threads, array = len(storage.workspaces), storage.new_values()
        self._values = Store(self._scratch, _DECIDED, threads, {"values": array})
        self._saved_begin = max(level.end for level in storage.levels.values())
        if self._values.note is not None:
            self._saved_begin, storage.parts = self._values.note
        storage.begin_values(self._values["values"])
        return [n for n in sorted(storage.levels) if storage.levels[n].begin < self._saved_begin]

    def save_values(self, level: int, tops: dict[int, int]) -> None:
        """Save the values found since the last save, down to those of a level."""
        if not self.complete:
            self.save_levels(tops, complete=True)
        if self._values is None or not self.complete:
            return
        begin, parts = self._storage.levels[level].begin, self._storage.parts
        if self._values.save([begin, parts], spans={"values": (begin, self._saved_begin)}):
            self._saved_begin = begin

    # -- both -----------------------------------------------------------------------------------

    def drop(self) -> None:
        """Delete the checkpoint, as another storage will be used."""
        self.store.drop()
        self.drop_values()

    def drop_values(self) -> None:
        """Delete the saved values, as they will be computed again."""
        if self._values is not None:
            self._values.drop()
