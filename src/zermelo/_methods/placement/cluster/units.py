"""The unit of a placement game: some slices of a level."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TierUnit:
    """Some slices of a level to solve: tiers, or parts of large ones.

    Attributes:
        values: whether to find their values, or their reachable patterns.
        level: the level.
        begin: the index of the first slice in the level.
        end: the index after the last.
    """

    values: bool
    level: int
    begin: int
    end: int
