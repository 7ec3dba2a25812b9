"""The data of a placement game that kernels use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo._methods.placement.tiers import OWN, BoardShape


@dataclass(frozen=True)
class PlacementBoard:
    """A placement game in the form that the engine uses.

    Attributes:
        heights: the number of cells of each stack.
        cells: the number of each stack's cells from its foot up, -1 above its top.
        lines: masks of cells: the lines that the first player makes, and those of the second.
        marks: OWN, SHARED or EITHER.
        winners: the winner by a line made at an even ply, and at an odd one: 1 is the first player.
        full: the winner on a full board without a line: 1 is the first player, -1 neither.
    """

    heights: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[int, ...], tuple[int, ...]]
    marks: int
    winners: tuple[int, int]
    full: int

    @property
    def size(self) -> int:
        """The number of cells."""
        return sum(self.heights)

    @property
    def patterns(self) -> int:
        """The number of patterns in all tiers."""
        total = 1
        for height in self.heights:
            total *= (1 << (height + 1)) - 1
        return total

    @property
    def tiers(self) -> int:
        """The number of tiers."""
        total = 1
        for height in self.heights:
            total *= height + 1
        return total

    def tier_counts(self) -> list[int]:
        """Return the number of tiers of each level."""
        counts = [1]
        for height in self.heights:
            extended = [0] * (len(counts) + height)
            for level, tiers in enumerate(counts):
                for added in range(height + 1):
                    extended[level + added] += tiers
            counts = extended
        return counts

    def shape(self, level: int = 0) -> BoardShape:
        """Return the board in the form of kernels, with the lines of the last mover."""
        heights = np.array(self.heights, np.int64)
        radices = np.concatenate(([1], np.cumprod(heights + 1)[:-1])).astype(np.int64)
        cells = np.array(self.cells, np.int64)
        lines = np.array(self.lines_at_ply(level), np.uint64)
        return BoardShape(heights, radices, cells, lines, self.marks)

    def lines_at_ply(self, ply: int) -> tuple[int, ...]:
        """Return the lines that may be made at a ply."""
        return self.lines[1 - ply % 2]

    def winner(self, ply: int) -> int:
        """Return the winner by a line made at a ply: 1 for the first player."""
        return self.winners[ply % 2]

    def planes(self, *, remoteness: bool) -> list[list[tuple[int, int]]]:
        """Return the (winner, ply) of each plane of each level."""
        all_planes = set()
        for ply in range(1, self.size + 1):
            most = (ply + 1) // 2 if self.marks == OWN else ply
            if any(line.bit_count() <= most for line in self.lines_at_ply(ply)):
                all_planes.add((self.winner(ply), ply))
        if self.full >= 0:
            all_planes.add((self.full, self.size))
        if not remoteness:
            latest: dict[int, int] = {}
            for winner, ply in all_planes:
                latest[winner] = max(ply, latest.get(winner, 0))
            all_planes = set(latest.items())
        ordered = sorted(all_planes)
        return [[p for p in ordered if p[1] >= level] for level in range(self.size + 1)]
