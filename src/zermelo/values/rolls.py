"""The choice among results of chance: the likeliest one, or a roll of dice."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar


class ResultOfChance(Protocol):
    """A result of chance with its odds, such as an option of a solution."""

    @property
    def odds(self) -> tuple[int, int] | None:
        """The weight, and the sum of the weights; None for a move."""


AnyResult = TypeVar("AnyResult", bound=ResultOfChance)


def likeliest(results: Sequence[AnyResult]) -> AnyResult:
    """Return the likeliest result of chance, the first of several."""
    return max(results, key=_weight)


def roll(results: Sequence[AnyResult], dice: Random) -> AnyResult:
    """Return a result of chance that is drawn by its weight."""
    return dice.choices(results, list(map(_weight, results)))[0]


def _weight(result: ResultOfChance) -> int:
    return 0 if result.odds is None else result.odds[0]
