"""Rounds of a pursuit, kept on disk and found again."""

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

#: The record of what is decided so far, and of trails where there are any.
ROUNDS = "rounds"
#: Arrays that rounds change in place, and arrays that are exchanged for others.
_CHANGED = ("closed", "changed", "touched", "win", "lose", "fresh_win", "fresh_lose", "good", "bad")
_EXCHANGED = ("narrow", "wide", "listed")


class PursuitCheckpoint:
    """Keeps what is known after a round.

    Times that are on disk are in trails, which are where they are; the rest is recorded.

    Attributes:
        saves: whether anything is kept.
        columns: of each turn, what its trail is written to, if it has one.
        spoiled: whether what is known of the turns is what was kept, and no trail goes with it.
    """

    def __init__(self, scratch: Scratch, turns: list[Turn], threads: int, *, trails: bool) -> None:
        """Put back what an earlier process left of these turns, if it is kept."""
        self._scratch = scratch
        kinds = {f"trail{u}": np.uint64 for u in range(len(turns) if trails else 0)}
        self.saves = scratch.checkpoint.saves
        known = _known(turns) if self.saves else {}
        self._columns = ColumnCheckpoint(scratch, ROUNDS, threads, known, **kinds)
        self.spoiled = self._columns.lost
        self.columns = {name: self._columns[name] for name in kinds}

    def restore(self, turns: list[Turn]) -> list[int] | None:
        """Resume from what was kept, if anything was; return where that is."""
        if self._columns.note is None:
            return None
        _put_back(turns, self._columns.found)
        *numbers, self._scratch.written, self._scratch.read = self._columns.note
        return numbers

    def save(self, turns: list[Turn], trails: list[PursuitRoundLog], numbers: list[int]) -> None:
        """Keep what is known after a round, if that is worth it; ``numbers`` say where it is."""
        known = _known(turns)
        size = sum(array.nbytes for array in known.values())
        new = self._columns.size(self._spans())
        if self._scratch.checkpoint.worth(size) and self._columns.worth(new):
            for trail in trails:
                trail.flush()
            note = [*numbers, self._scratch.written, self._scratch.read]
            self._columns.save(self._spans(), note, known)

    def _spans(self) -> Spans:
        """Return from where to where each trail has been written since the last time."""
        return {
            name: (self._columns.end(name), len(column)) for name, column in self.columns.items()
        }


def _known(turns: list[Turn]) -> Arrays:
    """Return what is known, as arrays under names."""
    names = (*_CHANGED, *_EXCHANGED)
    return {f"{name}{u}": getattr(turn, name) for u, turn in enumerate(turns) for name in names}


def _put_back(turns: list[Turn], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Put back what is known."""
    for u, turn in enumerate(turns):
        for name in _CHANGED:
            # Turns look at arrays of each other, so these stay what they are.
            getattr(turn, name)[...] = arrays[f"{name}{u}"]
        for name in _EXCHANGED:
            setattr(turn, name, arrays[f"{name}{u}"])
