"""What a placement table needs to be found again in a file: where things are, from the board alone.

Of each block of 64 words it has to be known which of its words are not empty and how many positions
they hold. Everything else in a table's directory follows from that, and from the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.bits import ones
from zermelo._engine.jit import kernel
from zermelo._engine.placement import levels_of, sums
from zermelo._engine.placement_board import Board
from zermelo._engine.placement_lookup import sought
from zermelo._engine.placement_table import Directory
from zermelo._engine.placement_tiers import IN_BLOCK, OWN, SECTION

_0 = np.uint64(0)


class Skeleton:
    """Where the tiers, blocks and sections of a board are.

    Attributes:
        sections: how many blocks each section has.
        blocks: how many blocks there are.
    """

    def __init__(self, board: Board) -> None:
        """Work it out."""
        levels = levels_of(board)
        counts = board.by_level()
        self._tiers = np.argsort(levels, kind="stable")
        self._slots = np.empty(board.tiers, np.int32)
        self._level_tier = sums(counts)
        each = []
        for level, tiers in enumerate(counts):
            here = self._tiers[self._level_tier[level] : self._level_tier[level + 1]]
            self._slots[here] = np.arange(tiers, dtype=np.int32)
            bits = max(level - 1, 0) if board.marks == OWN else level
            each.append(1 << max(0, bits - IN_BLOCK))
        self._level_block = sums([c * b for c, b in zip(counts, each, strict=True)])
        in_tier = [max(1, b // SECTION) for b in each]
        sections = [c * s for c, s in zip(counts, in_tier, strict=True)]
        self._level_section = sums(sections)
        self.sections = np.repeat([min(b, SECTION) for b in each], sections).astype(np.int64)
        self.blocks = int(self._level_block[-1])

    def directory(
        self, present: npt.NDArray[np.uint64], held: npt.NDArray[np.int64]
    ) -> tuple[Directory, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the directory of a table.

        Args:
            present: by block: which words are not empty.
            held: by block: how many positions it has.

        Returns:
            It, and by block how many words, and how many positions, stand before it; and at the
            end how many there are.
        """
        words = sums(np.bitwise_count(present))
        places = sums(held)
        begins = sums(self.sections)
        word, place = words[begins], places[begins]
        first = words[:-1] - np.repeat(word[:-1], self.sections)
        rank = places[:-1] - np.repeat(place[:-1], self.sections)
        made = Directory(
            self._tiers,
            self._slots,
            self._level_tier,
            self._level_block,
            self._level_section,
            present,
            first.astype(np.uint32),
            rank.astype(np.uint32),
            place,
            word,
            np.zeros(len(place), np.int64),
        )
        return made, words, places

    def held(self, directory: Directory) -> npt.NDArray[np.int64]:
        """Return how many positions each block of a table has."""
        before = np.repeat(directory.place[:-1], self.sections) + directory.rank
        return np.diff(before, append=directory.place[-1])


@kernel
def blocks_of(
    packed: Any,
    count: int,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
    out: Any,
) -> None:
    """Write the block in which each packed position would be, -1 where it cannot be anywhere."""
    for i in range(count):
        found = sought(packed, i, words, first_field, second_field, bit, shape, directory)
        out[i] = found[0]


@kernel
def holds(stored: Any, first: Any, last: int, held: Any) -> bool:
    """Whether words hold as many positions as their blocks are said to.

    Args:
        stored: the words.
        first: where each block begins in them.
        last: where the last ends.
        held: how many positions each has.
    """
    for n in range(first.size):
        end = first[n + 1] if n + 1 < first.size else last
        count = 0
        for at in range(first[n], end):
            if stored[at] == _0:
                return False
            count += ones(stored[at])
        if count != held[n]:
            return False
    return True
