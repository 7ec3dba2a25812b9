"""Subtraction games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number, is_whole
from zermelo.games._one_heap import OneHeapGame

_SOURCE = "cgt-tools by t4ccer, subtraction.rs"


@dataclass(frozen=True)
class SubtractionGame(OneHeapGame):
    """Take one of certain numbers of stones from a heap; a player who cannot move loses.

    Attributes:
        stones: the number of stones in the heap at the start.
        numbers: the numbers of stones that may be taken.
    """

    stones: int = 20
    numbers: Sequence[int] = (1, 3, 4)

    facts = (
        Fact(
            {"stones": 20, "numbers": [1, 2]},
            nimber=2,
            note="period 3: 0, 1, 2",
            source=_SOURCE,
        ),
        Fact(
            {"stones": 20, "numbers": [2, 3, 5]},
            nimber=3,
            note="period 7: 0, 0, 1, 1, 2, 2, 3",
            source=_SOURCE,
        ),
    )

    def start(self) -> int:
        """Return the full heap."""
        return self.stones

    def moves(self, heap: int) -> Iterator[int]:
        """Yield each number that the heap has enough stones for."""
        for number in self.numbers:
            if number <= heap:
                yield number

    def play(self, heap: int, number: int) -> int:
        """Return the stones that are left."""
        return heap - number

    def validate(self) -> None:
        """Raise ParameterError unless the numbers are different and above 0."""
        check_number("stones", self.stones, 0, 10_000_000)
        numbers = self.numbers
        if not isinstance(numbers, tuple) or not numbers:
            message = f"numbers must be a list, not {numbers!r}; give one such as [1, 3, 4]"
            raise ParameterError(message)
        if not all(is_whole(number) and number > 0 for number in numbers):
            message = f"numbers {list(numbers)!r} must be whole and above 0, so that play ends"
            raise ParameterError(message)
        if len(set(numbers)) < len(numbers):
            message = f"numbers {list(numbers)!r} has a number twice; leave it out"
            raise ParameterError(message)
