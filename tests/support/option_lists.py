"""Random positions of partizan games, as lists of the positions that moves lead to.

They are as the kernels take them: a game would compile its rules.
"""

from __future__ import annotations

from random import Random

import numpy as np

from zermelo._engine.partizan.position_values import OptionLists


def random_lists(
    random: Random, pairs: int, *, depth: int, most: int, is_split: bool
) -> OptionLists:
    """Return the options of random positions with either player to move, as lists.

    Positions 2i and 2i + 1 differ in the turn alone, and lead to earlier ones.

    Args:
        random: the source of chance.
        pairs: the number of such pairs.
        depth: the most pairs between a position and one that a move leads to.
        most: the most moves of a position.
        is_split: whether a move leads to up to three components.
    """
    first, children, is_last = [0], list[int](), list[bool]()
    for number in range(2 * pairs):
        pair = number // 2
        for _ in range(random.randint(0, most) if pair else 0):
            parts = random.randint(1, 3) if is_split else 1
            for part in range(parts):
                children.append(2 * random.randrange(max(0, pair - depth), pair))
                children[-1] += random.randint(0, 1)
                is_last.append(part == parts - 1)
        first.append(len(children))
    return OptionLists(
        np.array(first),
        np.array(children, np.int64),
        np.array(is_last if is_split else [], np.bool_),
        np.arange(2 * pairs) ^ 1,
    )
