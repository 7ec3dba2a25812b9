"""Shared code of the certificate's kernels for placement games, 64 positions at a time.

It shares with the solver only the meaning of a table of such a game: the tier and the bit of a
position, and whose wins a plane has; and ``bits``, one-instruction helpers and masks. How lines are
found, which tiers a move leads to, and the index there, is computed independently.

A level is stored as rows of words, one bit per pattern: its positions in which the game goes on,
and the planes. A *stretch* is the unit by which the table counts positions, up to 64 blocks of 64
words. Kernels receive stretches ``begin`` to ``end`` of a level and write the faults of each to
``wrong``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array
from zermelo._engine.core.bits import ODD, ones
from zermelo._engine.core.jit import inlined
from zermelo._methods.placement.tiers import BoardShape

#: Faults of a stretch: a wrong value, an absent position that moves of the level before lead to, a
#: present one that they do not lead to, a wrong count in the table, or a value that planes cannot
#: express.
VALUE, LACKING, ENTERED_BY_NONE, MISCOUNTED, STRANGE = 1, 2, 4, 8, 16
#: Owners of marks: each player has own marks, crosses alone, or either mark by either player.
OWN, CROSSES = 0, 1
#: Words per block, and per stretch.
BLOCK_WORDS, STRETCH_WORDS = 64, 4096

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class LevelTiers(NamedTuple):
    """Consecutive tiers of a level.

    Attributes:
        level: marks on the board.
        tiers: the tiers.
        shape: the board, with the lines of the player who made the last move.
        slots: the index of each tier in its level, and so of its row.
    """

    level: int
    tiers: Int64Array
    shape: BoardShape
    slots: Int32Array


@inlined
def pattern_bits(level: int, marks: int) -> int:
    """Return the number of bits of patterns, which may leave out the highest cell's mark."""
    return level - 1 if marks == OWN and level > 0 else level


@inlined
def row_words(bits: int) -> int:
    """Return the number of words of a tier's patterns."""
    return 1 << (bits - 6) if bits > 6 else 1


@inlined
def filled_in(tier: int, shape: BoardShape) -> np.uint64:
    """Return the filled cells of a tier."""
    heights, radices, cells = shape.heights, shape.radices, shape.cells
    filled = ZERO
    for stack in range(heights.size):
        for row in range((tier // radices[stack]) % (heights[stack] + 1)):
            filled |= ONE << np.uint64(cells[stack, row])
    return filled


@inlined
def cells_below(cell: int, filled: np.uint64) -> Any:
    """Return the number of filled cells with lower numbers than a cell."""
    return ones(filled & ((ONE << np.uint64(cell)) - ONE))


@inlined
def highest_is_first(level: int, word: np.uint64) -> np.uint64:
    """Return the patterns of a word whose left out, highest mark is the first player's."""
    crosses = (level + 1) // 2
    return ODD if (crosses + ones(word)) % 2 == 0 else ~ODD
