"""A sampled estimate of the positions of a placement game, for boards too large to solve."""

from __future__ import annotations

import random
from math import comb
from typing import TYPE_CHECKING

from zermelo.game.placement import MarkingGame, PlacementGame

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Fillings of a board that are sampled for each number of marks.
_DRAWN = 60


def estimated_positions(game: PlacementGame) -> int | None:
    """Return the approximate number of positions without a line; None for games of shared marks.

    For each number of marks, the ways to fill the board are counted. In a sample of these it is
    tested which have no line, and the orders in which the marks can have been placed are counted.
    This takes a fraction of a second whatever the size of the board.
    """
    if isinstance(game, MarkingGame):
        return None
    stacks = _stacks(game)
    ways = _heights([len(stack) for stack in stacks])
    chance = random.Random(0)  # noqa: S311  # a sample, not a secret
    total = 0
    for marks, count in enumerate(ways):
        first = (marks + 1) // 2
        shares = comb(marks, first)
        seen = 0
        for _ in range(_DRAWN):
            cells, orders = _taken(stacks, marks, chance)
            chance.shuffle(cells)
            players = (sum(1 << bit for bit in part) for part in (cells[:first], cells[first:]))
            if not any(
                mask & own == mask
                for own, masks in zip(players, game.masks_by_player, strict=True)
                for mask in masks
            ):
                seen += min(shares, orders)  # in one stack, marks alternate
        total += count * seen // _DRAWN
    return total


def _stacks(game: PlacementGame) -> list[list[int]]:
    """Return the bits of each stack of cells, in the order in which they are filled."""
    columns = [[game.bit(x, y) for y in range(game.height)] for x in range(game.width)]
    return columns if game.gravity else [[bit] for column in columns for bit in column]


def _heights(heights: Sequence[int]) -> list[int]:
    """Return the number of ways to fill stacks, by the number of marks."""
    ways = [1]
    for height in heights:
        longer = [0] * (len(ways) + height)
        for marks, count in enumerate(ways):
            for more in range(height + 1):
                longer[marks + more] += count
        ways = longer
    return ways


def _taken(
    stacks: Sequence[Sequence[int]], marks: int, chance: random.Random
) -> tuple[list[int], int]:
    """Place marks in random stacks one by one.

    Returns:
        The bits of the cells they take, and the number of orders in which they can have got there.
    """
    heights = [0] * len(stacks)
    taken = []
    for _ in range(marks):
        free = [n for n, stack in enumerate(stacks) if heights[n] < len(stack)]
        n = chance.choice(free)
        taken.append(stacks[n][heights[n]])
        heights[n] += 1
    orders, left = 1, marks
    for height in heights:
        orders *= comb(left, height)
        left -= height
    return taken, orders
