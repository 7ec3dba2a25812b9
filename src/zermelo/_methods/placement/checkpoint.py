"""Checkpoints of placement games: found and decided levels, saved on disk and restored.

The compressed part of a level is saved: the words of reachable patterns, their values, and the
directory entries of each block and section. The planes that lead to the next level are unpacked
from these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.store.arrays import MemoryArray
from zermelo._engine.store.store import Store
from zermelo._methods.placement.solver import BY_BLOCK, BY_SECTION, directory_arrays
from zermelo.errors import TableWriteError

if TYPE_CHECKING:
    from zermelo._engine.core.scratch import Scratch
    from zermelo._methods.placement.solver import PlacementSolver

#: The record of a solve.
_RECORD = "placement"
#: The arrays that are in files if levels are on disk.
_LEVELS = ("words", "values")


class PlacementCheckpoint:
    """A checkpoint that saves levels as they are found, and their values as they are decided.

    Attributes:
        store: ``words`` and ``values``, and the arrays of the directory.
        found: the number of saved levels.
        decided: the lowest level whose values are saved, or the number of levels.
        on_disk: whether levels were on disk while they were found.
    """

    def __init__(self, scratch: Scratch, size: int, threads: int, allowed: int) -> None:
        """Open the files of an earlier process, for a board of this many cells.

        Args:
            scratch: the folder of files.
            size: the number of cells.
            threads: threads that read files.
            allowed: the most bytes of an array in memory.
        """
        self.on_disk = bool((scratch.checkpoint.note(_RECORD) or [0])[0])
        u64 = np.uint64
        levels = {name: u64 if self.on_disk else MemoryArray(u64, allowed) for name in _LEVELS}
        arrays = {**levels, **directory_arrays(allowed)}
        self.store = Store(scratch, _RECORD, threads, arrays)
        self._scratch = scratch
        self._size = size
        note = self.store.note or [self.on_disk, 0, size + 1, 0, 0]
        self.found: int
        self.decided: int
        _, self.found, self.decided, *self._moved = note

    def move_to_disk(self) -> None:
        """Move the levels that were found in memory to files, as those to come do not fit."""
        for name in _LEVELS:
            self.store.move_to_file(name)
        # The figures of a solve that wrote no words on the way.
        self._scratch.written, self._scratch.read = 8 * len(self.store["words"]), 0

    def begin_on_disk(self) -> None:
        """Discard levels that were found in memory; those to come are on disk."""
        if not self.on_disk:
            self.store.drop()
            for name in self.store:
                self.store[name].close()
            self.move_to_disk()
            self.on_disk, self.found, self.decided = True, 0, self._size + 1

    # -- saving ----------------------------------------------------------------------------------

    def save(
        self, work: PlacementSolver, found: int, decided: int, *, needed: bool = False
    ) -> None:
        """Save what was found and decided since the last save, if there is enough of it.

        Args:
            work: the solve.
            found: the number of levels found.
            decided: the lowest decided level, or the number of levels.
            needed: whether other processes will read the levels, so that they must be saved.

        Raises:
            TableWriteError: a save was needed, and failed.
        """
        sections = _span(work.level_section, self.found, found)
        spans = {
            "words": _span(work.words, *sections),
            **dict.fromkeys(BY_BLOCK, _span(work.level_block, self.found, found)),
            **dict.fromkeys(BY_SECTION, sections),
        }
        if decided < self.decided:
            below = _span(work.level_section, decided, self.decided)
            spans["values"] = _span(work.value, *below)
        note = [self.on_disk, found, decided, self._scratch.written, self._scratch.read]
        if self.store.save(note, spans=spans, needed=needed):
            self.found, self.decided = found, decided
        elif needed:
            message = (
                f"levels cannot be written to {str(self._scratch.folder)!r}, where the workers "
                "read them; free some space there, and run the same command again to resume"
            )
            raise TableWriteError(message)

    # -- restoring -------------------------------------------------------------------------------

    def restore_levels(self, work: PlacementSolver) -> int:
        """Restore the levels that were found; return their number."""
        if self.found:
            work.report.resume(f"{self.found} of {self._size + 1} levels were found")
            self._scratch.written, self._scratch.read = self._moved
            work.place_words(0, int(work.level_section[self.found]))
            if self.found <= self._size:
                work.restore_live(self.found - 1, values=False)
        return self.found

    def restore_values(self, work: PlacementSolver) -> int:
        """Restore the values that were found; return the lowest level that has them."""
        if self.decided <= self._size:
            decided = self._size + 1 - self.decided
            work.report.resume(f"{decided} of {self._size + 1} levels were decided")
            self._scratch.written, self._scratch.read = self._moved
            if self.decided:
                work.restore_live(self.decided, values=True)
        return self.decided


def _span(array: npt.NDArray[np.int64], begin: int, end: int) -> tuple[int, int]:
    return int(array[begin]), int(array[end])
