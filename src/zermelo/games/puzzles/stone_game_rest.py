"""The stone game in which a player scores the stones that are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zermelo.game.facts import Fact
from zermelo.games._sources import LEETCODE
from zermelo.games.heaps.stone_game import TAKE_LEFT, Row, StoneGame


@dataclass(frozen=True)
class StoneGameRest(StoneGame):
    """Take the first or the last pile of a row, and score the stones that are left in the others.

    Attributes:
        piles: the number of stones in each pile, from left to right; a pile may also be 0 or below.
    """

    piles: Sequence[int] = (5, 3, 1, 4, 2)

    facts: ClassVar[tuple[Fact, ...]] = (
        Fact({"piles": [5, 3, 1, 4, 2]}, score=6, source=LEETCODE.format(1690)),
    )

    def gain(self, row: Row, end: int) -> int:
        """Return the stones that are left when the pile at one end is taken."""
        left, right = row
        if end == TAKE_LEFT:
            left += 1
        else:
            right -= 1
        total = 0
        for place in range(left, right):
            total += self.piles[place]
        return total
