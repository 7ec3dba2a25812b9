"""Connect Four by negamax with bitboards and a dictionary, as good Python programmers write it."""

from __future__ import annotations

import sys

#: A win in r plies is BEST - r, a loss in r plies r - BEST, and a draw 0.
BEST = 1000


def solve(width: int, height: int) -> dict[int, int]:
    """Return the value for the player to move of every position that can arise.

    Bits count up from the foot of the leftmost column, with one more above each column. A position
    is one number: the stones of the player to move, added to all stones.
    """
    stride = height + 1
    columns = [
        (1 << column * stride, ((1 << height) - 1) << column * stride) for column in range(width)
    ]
    full = sum(squares for _, squares in columns)
    table: dict[int, int] = {}

    def value(mine: int, filled: int) -> int:
        """Return the value of a position that is not in the table yet, and put it there."""
        best = -BEST
        for foot, squares in columns:
            stone = (filled + foot) & squares & ~filled
            if not stone:
                continue
            stones = mine | stone
            after = filled | stone
            theirs = filled ^ mine
            child = theirs + after
            worth = table.get(child)
            if worth is None:
                pair = stones & stones >> 1
                row = pair & pair >> 2
                pair = stones & stones >> stride
                row |= pair & pair >> 2 * stride
                pair = stones & stones >> stride - 1
                row |= pair & pair >> 2 * stride - 2
                pair = stones & stones >> stride + 1
                row |= pair & pair >> 2 * stride + 2
                if row:
                    table[child] = worth = -BEST
                elif after == full:
                    table[child] = worth = 0
                else:
                    worth = value(theirs, after)
            worth = 1 - worth if worth > 0 else -1 - worth if worth < 0 else 0
            best = max(best, worth)
        table[mine + filled] = best
        return best

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * width * height + 1000))
    value(0, 0)
    return table


def tally(table: dict[int, int], width: int, height: int) -> dict[str, int]:
    """Return how many positions there are of each ``outcome:remoteness``."""
    stride = height + 1
    column = (1 << stride) - 1
    counts: dict[str, int] = {}
    for position, value in table.items():
        plies = BEST - abs(value)
        if value == 0:
            # In a column of n stones the number is at least 2**n - 1 and less than twice that + 1.
            stones = sum(
                ((position >> place & column) + 1).bit_length() - 1
                for place in range(0, width * stride, stride)
            )
            plies = width * height - stones
        name = f"{(value > 0) - (value < 0)}:{plies}"
        counts[name] = counts.get(name, 0) + 1
    return counts
