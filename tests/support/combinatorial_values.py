"""Random values of partizan games."""

from __future__ import annotations

from random import Random

from zermelo import CombinatorialValue


def random_values(
    seed: int, count: int, *, most: int = 3, is_all_small: bool = False
) -> list[CombinatorialValue]:
    """Return different values whose options are earlier ones, mostly the first.

    Args:
        seed: of the random numbers.
        count: how many.
        most: the most options of a player.
        is_all_small: whether in each position both players can move, or neither.
    """
    random = Random(seed)
    values = [CombinatorialValue.of_number(0)]
    if not is_all_small:
        values += [CombinatorialValue.of_number(number) for number in (1, -1, 3, -4)]
    found = set(values)
    while len(values) < count:
        last = min(len(values), random.choice((4, 12, 30, 60, 200)))
        left, right = (
            random.choices(values[:last], k=random.randint(is_all_small, most)) for _ in range(2)
        )
        value = CombinatorialValue.of_options(left, right)
        if value not in found:
            found.add(value)
            values.append(value)
    return values
