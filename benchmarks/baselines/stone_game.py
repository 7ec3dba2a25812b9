"""The stone game by dynamic programming on lists."""

from __future__ import annotations

from collections.abc import Sequence


def solve(piles: Sequence[int]) -> list[list[int]]:
    """Return the margin for the player to move of every stretch of piles.

    The margin of the stretch of ``length`` piles from place ``left`` stands at
    ``[length][left]``.
    """
    margins = [[0] * (len(piles) + 1)]
    for length in range(1, len(piles) + 1):
        shorter = margins[-1]
        longer = []
        for left in range(len(piles) - length + 1):
            take_left = piles[left] - shorter[left + 1]
            take_right = piles[left + length - 1] - shorter[left]
            longer.append(max(take_left, take_right))
        margins.append(longer)
    return margins
