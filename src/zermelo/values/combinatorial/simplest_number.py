"""The simplest number between two bounds, which decides the value of a game that is a number."""

from __future__ import annotations

from fractions import Fraction
from math import ceil


def simplest_number(
    lower: Fraction | None, upper: Fraction | None, *, has_lower: bool, has_upper: bool
) -> Fraction:
    """Return the number of least birthday between two bounds (the simplicity theorem, ONAG).

    The bounds must leave a number. The search takes a step for each digit of its denominator.

    Args:
        lower: the lower bound; None for none.
        upper: the upper bound; None for none.
        has_lower: whether the lower bound itself is allowed.
        has_upper: whether the upper bound itself is allowed.
    """
    above_zero = lower is None or lower < 0 or (lower == 0 and has_lower)
    below_zero = upper is None or upper > 0 or (upper == 0 and has_upper)
    if above_zero and below_zero:
        return Fraction(0)
    if above_zero:
        mirrored = simplest_number(
            None if upper is None else -upper,
            None if lower is None else -lower,
            has_lower=has_upper,
            has_upper=has_lower,
        )
        return -mirrored
    assert lower is not None  # noqa: S101  # as zero is not above it
    scale = 1
    while True:
        scaled = lower * scale
        numerator = ceil(scaled)
        if numerator == scaled and not has_lower:
            numerator += 1
        number = Fraction(numerator, scale)
        if upper is None or number < upper or (number == upper and has_upper):
            return number
        scale *= 2
