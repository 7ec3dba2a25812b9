"""Certifying a placement game's table 64 positions at a time: what its kernels share.

What they share with the solver is what a table of such a game means: which tier and which bit a
position is, whose wins a plane holds; and ``bits``, one-instruction helpers and masks of places.
How lines are found, which tiers a move leads to and where in them, is worked out here.

A level is held as rows of words, one bit a pattern: what is there and has not ended, and the
planes. ``shape`` holds the board: (heights, radices, cells, lines, marks). A *stretch* is what the
table counts positions by, up to 64 blocks of 64 words; kernels are given stretches from ``begin``
to ``end`` of a level and say of each what is wrong with it in ``wrong``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.bits import ODD, ones
from zermelo._engine.core.jit import inlined

#: What may be wrong with a stretch: a value, a position that moves of the level before lead to and
#: that is not there, one that they do not lead to, how the table counts, or a value that planes
#: cannot say.
VALUE, LACKING, ENTERED_BY_NONE, MISCOUNTED, STRANGE = 1, 2, 4, 8, 16
#: Whose marks: each player's own, crosses alone, or either mark by either player.
OWN, CROSSES = 0, 1
#: Words of a block, and of a stretch.
BLOCK_WORDS, STRETCH_WORDS = 64, 4096

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@inlined
def pattern_bits(level: int, marks: int) -> Any:
    """Return how long patterns are: the mark of the highest cell is told by how many there are."""
    return level - 1 if marks == OWN and level > 0 else level


@inlined
def row_words(bits: int) -> Any:
    """Return how many words the patterns of a tier take."""
    return 1 << (bits - 6) if bits > 6 else 1


@inlined
def filled_in(tier: Any, shape: Any) -> Any:
    """Return the cells that are filled in a tier."""
    heights, radices, cells = shape[0], shape[1], shape[2]
    filled = ZERO
    for stack in range(heights.size):
        for row in range((tier // radices[stack]) % (heights[stack] + 1)):
            filled |= ONE << np.uint64(cells[stack, row])
    return filled


@inlined
def cells_below(cell: Any, filled: Any) -> Any:
    """Return how many filled cells have lower numbers than a cell."""
    return ones(filled & ((ONE << np.uint64(cell)) - ONE))


@inlined
def highest_is_first(level: int, word: Any) -> Any:
    """Return the patterns of a word whose highest cell, which they leave out, is the first's."""
    crosses = (level + 1) // 2
    return ODD if (crosses + ones(word)) % 2 == 0 else ~ODD
