"""Chance: positions at which nobody chooses, as dice or coins decide what follows."""

from __future__ import annotations

from typing import NamedTuple

#: The greatest sum of the weights at a position. A sum of products of weights and bounds of values
#: then fits in 64 bits.
MOST_WEIGHT = 1 << 16


class Face(NamedTuple):
    """One of the results of chance at a position, in the place of a move.

    Attributes:
        number: its number, in the order of ``chance``, from 0 on.
        weight: its weight; it has the probability ``weight / total``.
        total: the sum of the weights at the position.
    """

    number: int
    weight: int
    total: int

    @property
    def probability(self) -> float:
        """The probability of the result."""
        return self.weight / self.total

    def __str__(self) -> str:
        """Return its number, counted from 1, and its probability: ``3 (1/6)``."""
        return f"{self.number + 1} ({self.weight}/{self.total})"
