"""Checkpoints of rounds of a pursuit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.checkpoint.columns import ColumnCheckpoint, Spans

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zermelo._engine.core.checkpoint import Arrays
    from zermelo._engine.core.scratch import Scratch
    from zermelo._methods.pursuit.round_log import PursuitRoundLog
    from zermelo._methods.pursuit.turns import Turn

#: The name of the checkpoint of what is decided so far, and of round logs if there are any.
ROUNDS = "rounds"
#: Arrays that rounds change in place, and arrays that are replaced by others.
_CHANGED = ("closed", "changed", "touched", "win", "lose", "fresh_win", "fresh_lose", "good", "bad")
_EXCHANGED = ("narrow", "wide", "listed")


class PursuitCheckpoint:
    """A checkpoint that saves the state after a round.

    Marks on disk are in trails, which are files already; the checkpoint saves all other arrays.

    Attributes:
        saves: whether anything is saved.
        columns: for each turn, the column of its trail, if it has one.
        spoiled: whether the restored arrays of turns cannot be used, because their trails are lost.
    """

    def __init__(self, scratch: Scratch, turns: list[Turn], threads: int, *, trails: bool) -> None:
        """Open the checkpoint of an earlier process, and restore its arrays."""
        self._scratch = scratch
        kinds = {f"trail{u}": np.uint64 for u in range(len(turns) if trails else 0)}
        self.saves = scratch.checkpoint.saves
        known = _turn_arrays(turns) if self.saves else {}
        self._columns = ColumnCheckpoint(scratch, ROUNDS, threads, known, **kinds)
        self.spoiled = self._columns.lost
        self.columns = {name: self._columns[name] for name in kinds}

    def restore(self, turns: list[Turn]) -> list[int] | None:
        """Restore the turns, if a state was saved; return its numbers, or None."""
        if self._columns.note is None:
            return None
        _restore_turns(turns, self._columns.found)
        *numbers, self._scratch.written, self._scratch.read = self._columns.note
        return numbers

    def save(self, turns: list[Turn], trails: list[PursuitRoundLog], numbers: list[int]) -> None:
        """Save the state after a round, if there is enough of it; ``numbers`` are its note."""
        known = _turn_arrays(turns)
        size = sum(array.nbytes for array in known.values())
        new = self._columns.size(self._spans())
        if self._scratch.checkpoint.should_save(size) and self._columns.should_save(new):
            for trail in trails:
                trail.flush()
            note = [*numbers, self._scratch.written, self._scratch.read]
            self._columns.save(self._spans(), note, known)

    def _spans(self) -> Spans:
        """Return the range of each trail that was written since the last save."""
        return {
            name: (self._columns.end(name), len(column)) for name, column in self.columns.items()
        }


def _turn_arrays(turns: list[Turn]) -> Arrays:
    """Return the arrays of turns by name."""
    names = (*_CHANGED, *_EXCHANGED)
    return {f"{name}{u}": getattr(turn, name) for u, turn in enumerate(turns) for name in names}


def _restore_turns(turns: list[Turn], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Restore the arrays of turns."""
    for u, turn in enumerate(turns):
        for name in _CHANGED:
            # Turns share arrays with each other, so these are overwritten in place.
            getattr(turn, name)[...] = arrays[f"{name}{u}"]
        for name in _EXCHANGED:
            setattr(turn, name, arrays[f"{name}{u}"])
