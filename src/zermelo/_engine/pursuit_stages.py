"""Rounds of a pursuit, kept on disk and found again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from zermelo._engine.keeping import Keeper
    from zermelo._engine.pursuit_turns import Turn

#: The stage that says what is decided so far.
ROUNDS = "rounds"
#: Arrays that rounds change in place, and arrays that are exchanged for others.
_CHANGED = ("closed", "changed", "touched", "win", "lose", "fresh_win", "fresh_lose", "good", "bad")
_EXCHANGED = ("narrow", "wide", "listed")


def keep_rounds(stages: Keeper, turns: list[Turn], numbers: list[int]) -> None:
    """Keep what is known after a round, if that is worth it.

    Args:
        stages: where.
        turns: what is known.
        numbers: where the solve is.
    """
    arrays: dict[str, npt.NDArray[Any]] = {"numbers": np.array(numbers, np.int64)}
    for u, turn in enumerate(turns):
        arrays.update({f"{name}{u}": getattr(turn, name) for name in (*_CHANGED, *_EXCHANGED)})
    stages.keep(ROUNDS, **arrays)


def kept_rounds(stages: Keeper, turns: list[Turn]) -> list[int] | None:
    """Go on from what was kept, if anything was; return where that is."""
    if not stages.has(ROUNDS):
        return None
    kept = stages.read(ROUNDS)
    for u, turn in enumerate(turns):
        for name in _CHANGED:
            # Turns look at arrays of each other, so these stay what they are.
            getattr(turn, name)[...] = kept[f"{name}{u}"]
        for name in _EXCHANGED:
            setattr(turn, name, kept[f"{name}{u}"])
    numbers: list[int] = kept["numbers"].tolist()
    return numbers
