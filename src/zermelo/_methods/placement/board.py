"""A placement game as the engine sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._methods.placement.tiers import OWN


@dataclass(frozen=True)
class PlacementBoard:
    """A placement game as the engine sees it.

    Attributes:
        heights: how many cells each stack has.
        cells: the number of each stack's cells from its foot up, -1 where it has no more.
        lines: masks of cells.
        marks: OWN, SHARED or EITHER.
        line_loses: whether who makes a line loses.
        full: who wins on a full board without a line: 1 the first player, 0 the second, -1 nobody.
    """

    heights: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    lines: tuple[int, ...]
    marks: int
    line_loses: bool
    full: int

    @property
    def size(self) -> int:
        """How many cells there are."""
        return sum(self.heights)

    @property
    def patterns(self) -> int:
        """How many patterns there are in all tiers."""
        total = 1
        for height in self.heights:
            total *= (1 << (height + 1)) - 1
        return total

    @property
    def tiers(self) -> int:
        """How many tiers there are."""
        total = 1
        for height in self.heights:
            total *= height + 1
        return total

    def by_level(self) -> list[int]:
        """Return how many tiers each level has."""
        found = [1]
        for height in self.heights:
            longer = [0] * (len(found) + height)
            for level, tiers in enumerate(found):
                for more in range(height + 1):
                    longer[level + more] += tiers
            found = longer
        return found

    def shape(self) -> tuple[Any, ...]:
        """Return the board as kernels know it."""
        heights = np.array(self.heights, np.int64)
        radices = np.concatenate(([1], np.cumprod(heights + 1)[:-1])).astype(np.int64)
        cells = np.array(self.cells, np.int64)
        return heights, radices, cells, np.array(self.lines, np.uint64), self.marks

    def winner(self, ply: int) -> int:
        """Return who wins by a line made at this ply: 1 for the first player."""
        return (ply % 2) ^ self.line_loses

    def planes(self, *, remoteness: bool) -> list[list[tuple[int, int]]]:
        """Return the (whose, ply) of each plane of each level."""
        shortest = min((line.bit_count() for line in self.lines), default=self.size + 1)
        first = 2 * shortest - 1 if self.marks == OWN else shortest
        all_planes = {(self.winner(ply), ply) for ply in range(first, self.size + 1)}
        if self.full >= 0:
            all_planes.add((self.full, self.size))
        if not remoteness:
            latest: dict[int, int] = {}
            for whose, ply in all_planes:
                latest[whose] = max(ply, latest.get(whose, 0))
            all_planes = set(latest.items())
        ordered = sorted(all_planes)
        return [[p for p in ordered if p[1] >= level] for level in range(self.size + 1)]
