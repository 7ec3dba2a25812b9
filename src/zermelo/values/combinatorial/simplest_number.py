"""The simplest number between two bounds, which decides the value of a game that is a number."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction


def simplest_number(
    lower: Fraction | None, upper: Fraction | None, *, has_lower: bool, has_upper: bool
) -> Fraction:
    """Return the number of least birthday between two bounds (the simplicity theorem, ONAG).

    The bounds must leave a number. Time grows with the logarithm of their denominators.

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

    def least(digits: int) -> int:
        """Return the least multiple of 2 to the power -digits above the lower bound."""
        multiple, rest = divmod(lower.numerator << digits, lower.denominator)
        return multiple if has_lower and not rest else multiple + 1

    def fits(digits: int) -> bool:
        """Return whether that multiple is below the upper bound."""
        if upper is None:
            return True
        product, bound = least(digits) * upper.denominator, upper.numerator << digits
        return product < bound or (product == bound and has_upper)

    # If a number of some digits fits, one of more digits does.
    bounds = (lower, upper or lower)
    most = max(bound.denominator.bit_length() for bound in bounds)
    digits = bisect_left(range(most), x=True, key=fits)
    return Fraction(least(digits), 1 << digits)
