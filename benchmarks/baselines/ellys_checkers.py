"""Elly's checkers by a search that remembers what it has seen."""

from __future__ import annotations

import sys


def solve(pieces: int) -> dict[int, int]:
    """Return plies to the end of every position that can arise: odd is a win, even a loss.

    Args:
        pieces: one bit a piece, bit 0 the rightmost square.
    """
    table: dict[int, int] = {}

    def plies(pieces: int) -> int:
        if pieces in table:
            return table[pieces]
        won, lost = None, 0
        for square in range(1, pieces.bit_length()):
            if not pieces >> square & 1:
                continue
            if not pieces >> (square - 1) & 1:
                landing = square - 1
            elif square >= 3 and pieces >> (square - 2) & 1 and not pieces >> (square - 3) & 1:
                landing = square - 3
            else:
                continue
            left = plies((pieces ^ 1 << square | 1 << landing) & ~1)
            if left % 2 == 0:
                won = left + 1 if won is None else min(won, left + 1)
            else:
                lost = max(lost, left + 1)
        table[pieces] = lost if won is None else won
        return table[pieces]

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    plies(pieces & ~1)
    return table
