"""Subtract a square."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._one_heap import OneHeapGame


@dataclass(frozen=True)
class SubtractASquare(OneHeapGame):
    """Take a square number of stones from a heap; a player who cannot move loses.

    Attributes:
        stones: the number of stones in the heap at the start.
    """

    stones: int = 57

    facts = tuple(
        Fact({"stones": stones}, value, source="Golomb 1966; OEIS A030193")
        for stones, value in ((20, "loss"), (34, "loss"), (57, "loss"), (100, "win"), (197, "loss"))
    )

    def start(self) -> int:
        """Return the full heap."""
        return self.stones

    def moves(self, heap: int) -> Iterator[int]:
        """Yield each square that the heap has enough stones for."""
        for root in range(1, isqrt(heap) + 1):
            yield root * root

    def play(self, heap: int, square: int) -> int:
        """Return the stones that are left."""
        return heap - square

    def validate(self) -> None:
        """Raise ParameterError unless there is a heap."""
        check_number("stones", self.stones, 0, 10_000_000)
