"""A sampled estimate of the positions of a placement game, for boards too large to solve."""

from __future__ import annotations

import random
from math import comb
from typing import TYPE_CHECKING

from zermelo.game.placement import MarkingGame, PlacementGame

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The sample size: fillings of the board for each number of marks.
_SAMPLES = 60


def estimated_positions(game: PlacementGame) -> int | None:
    """Return the approximate number of positions without a line; None for games of shared marks.

    For each number of marks, the fillings of the board are counted, and the divisions of the marks
    between the players. A random sample gives the share without a line. The estimate takes a
    fraction of a second on a board of any size.
    """
    if isinstance(game, MarkingGame):
        return None
    stacks = _stacks(game)
    fillings = _filling_counts([len(stack) for stack in stacks])
    generator = random.Random(0)  # noqa: S311  # a sample, not a secret
    total = 0
    for marks, count in enumerate(fillings):
        first = (marks + 1) // 2
        divisions = comb(marks, first)
        valid = 0
        for _ in range(_SAMPLES):
            cells, orders = _random_filling(stacks, marks, generator)
            generator.shuffle(cells)
            players = (sum(1 << bit for bit in part) for part in (cells[:first], cells[first:]))
            if not any(
                mask & player_cells == mask
                for player_cells, masks in zip(players, game.masks_by_player, strict=True)
                for mask in masks
            ):
                valid += min(divisions, orders)  # in a single stack, the players alternate
        total += count * valid // _SAMPLES
    return total


def _stacks(game: PlacementGame) -> list[list[int]]:
    """Return the bits of each stack of cells, in the order in which they are filled."""
    columns = [[game.bit(x, y) for y in range(game.height)] for x in range(game.width)]
    return columns if game.gravity else [[bit] for column in columns for bit in column]


def _filling_counts(heights: Sequence[int]) -> list[int]:
    """Return the number of ways to fill stacks, by the number of marks."""
    counts = [1]
    for height in heights:
        extended = [0] * (len(counts) + height)
        for marks, count in enumerate(counts):
            for added in range(height + 1):
                extended[marks + added] += count
        counts = extended
    return counts


def _random_filling(
    stacks: Sequence[Sequence[int]], marks: int, generator: random.Random
) -> tuple[list[int], int]:
    """Place marks in random stacks one by one.

    Returns:
        The bits of their cells, and the number of orders in which the cells can be filled.
    """
    heights = [0] * len(stacks)
    cells = []
    for _ in range(marks):
        free = [n for n, stack in enumerate(stacks) if heights[n] < len(stack)]
        n = generator.choice(free)
        cells.append(stacks[n][heights[n]])
        heights[n] += 1
    orders, remaining = 1, marks
    for height in heights:
        orders *= comb(remaining, height)
        remaining -= height
    return cells, orders
