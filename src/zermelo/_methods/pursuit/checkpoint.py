"""The arrays of turns that a checkpoint of rounds has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Arrays
    from zermelo._methods.pursuit.turns import Turn

#: Arrays that rounds change in place, and arrays that are replaced by others.
_CHANGED = ("closed", "changed", "touched", "win", "lose", "fresh_win", "fresh_lose", "good", "bad")
_EXCHANGED = ("narrow", "wide", "listed")


def turn_arrays(turns: list[Turn]) -> Arrays:
    """Return the arrays of turns by name."""
    names = (*_CHANGED, *_EXCHANGED)
    return {f"{name}{u}": getattr(turn, name) for u, turn in enumerate(turns) for name in names}


def restore_turns(turns: list[Turn], arrays: Arrays) -> None:
    """Restore those arrays of turns that are not read in place, as into ``turn_arrays``."""
    for u, turn in enumerate(turns):
        for name in _EXCHANGED:
            setattr(turn, name, arrays[f"{name}{u}"])
