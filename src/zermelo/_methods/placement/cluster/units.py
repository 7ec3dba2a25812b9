"""A unit of a placement game: some tiers of a level."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TierUnit:
    """Some tiers of a level to work on.

    Attributes:
        values: whether their values are wanted, or what can be reached of them.
        level: the level.
        begin: the first of them in their level.
        end: the tier after the last.
    """

    values: bool
    level: int
    begin: int
    end: int
