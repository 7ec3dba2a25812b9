"""The layout of a placement game's levels, tiers, blocks and sections.

A table stores for each block of 64 words which of its words are not empty and how many positions
they have. All other arrays of a table's directory follow from this and from the board.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint64Array
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.index import Directory
from zermelo._methods.placement.tiers import IN_BLOCK, OWN, SECTION


class PlacementLayout:
    """The layout of the tiers, blocks and sections of a board.

    Attributes:
        board: the board.
        size: the number of cells.
        level_tiers: the number of tiers of each level.
        bits: by level: the bits of a pattern.
        tier_blocks: by level: the blocks of a tier.
        sections: by level: the number of sections.
        level_tier: the first index of each level in ``tiers``, and the end.
        level_block: the first index of each level in arrays by block, and the end.
        level_section: the first index of each level in arrays by section, and the end.
    """

    def __init__(self, board: PlacementBoard) -> None:
        """Compute the layout; large arrays are created when they are needed."""
        self.level_tiers = counts = board.tier_counts()
        self.board = board
        self.size = board.size
        self.bits = [max(n - 1, 0) if board.marks == OWN else n for n in range(board.size + 1)]
        self.tier_blocks = [1 << max(0, bits - IN_BLOCK) for bits in self.bits]
        pairs = list(zip(counts, self.tier_blocks, strict=True))
        self.sections = [count * max(1, blocks // SECTION) for count, blocks in pairs]
        self.level_tier = sums(counts)
        self.level_block = sums([count * blocks for count, blocks in pairs])
        self.level_section = sums(self.sections)

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return int(self.level_block[-1])

    @cached_property
    def tiers(self) -> Int64Array:
        """All tiers, level by level."""
        levels = np.zeros(1, np.int16)
        for height in self.board.heights:
            levels = (np.arange(height + 1, dtype=np.int16)[:, None] + levels).reshape(-1)
        return np.argsort(levels, kind="stable")

    @cached_property
    def slots(self) -> Int32Array:
        """The index of each tier in its level."""
        slots = np.empty(self.board.tiers, np.int32)
        for level in range(self.size + 1):
            tiers = self.tiers_of(level)
            slots[tiers] = np.arange(len(tiers), dtype=np.int32)
        return slots

    @cached_property
    def section_blocks(self) -> Int64Array:
        """The number of blocks of each section."""
        tier_sections = [min(blocks, SECTION) for blocks in self.tier_blocks]
        return np.repeat(tier_sections, self.sections).astype(np.int64)

    def tiers_of(self, level: int) -> Int64Array:
        """Return the tiers of a level."""
        return self.tiers[self.level_tier[level] : self.level_tier[level + 1]]

    def directory(
        self, present: Uint64Array, block_counts: Int64Array
    ) -> tuple[Directory, Int64Array, Int64Array]:
        """Return the directory of a table.

        Args:
            present: by block: which words are not empty.
            block_counts: by block: the number of its positions.

        Returns:
            The directory; by block the number of words before it, and the number of positions
            before it; both with the total at the end.
        """
        words = sums(np.bitwise_count(present))
        places = sums(block_counts)
        begins = sums(self.section_blocks)
        word, place = words[begins], places[begins]
        first = words[:-1] - np.repeat(word[:-1], self.section_blocks)
        rank = places[:-1] - np.repeat(place[:-1], self.section_blocks)
        numbers = (first.astype(np.uint32), rank.astype(np.uint32), place, word)
        return self.directory_of(present, *numbers, np.zeros(len(place), np.int64)), words, places

    def directory_of(self, *arrays: npt.NDArray[Any]) -> Directory:
        """Return a directory with these arrays by block and by section."""
        levels = (self.level_tier, self.level_block, self.level_section)
        return Directory(self.tiers, self.slots, *levels, *arrays)

    def block_counts(self, directory: Directory) -> Int64Array:
        """Return the number of positions of each block of a table."""
        positions_before = np.repeat(directory.place[:-1], self.section_blocks) + directory.rank
        return np.diff(positions_before, append=directory.place[-1])


def sums(counts: Any) -> Int64Array:
    """Return the cumulative sums of counts, beginning with 0 and ending with the total."""
    return np.concatenate(([0], np.cumsum(np.asarray(counts, np.int64)))).astype(np.int64)
