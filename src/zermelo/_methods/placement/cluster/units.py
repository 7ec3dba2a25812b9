"""A unit of a placement game: some slices of a level."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TierUnit:
    """Some slices of a level to work on: tiers, or parts of large ones.

    Attributes:
        values: whether their values are wanted, or what can be reached of them.
        level: the level.
        begin: the first of them in their level.
        end: the slice after the last.
    """

    values: bool
    level: int
    begin: int
    end: int
