"""Mark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._one_heap import OneHeapGame
from zermelo.games._sources import ENUMERATED

_SOURCE = "Fraenkel 2012; OEIS A171944 and A171945"


@dataclass(frozen=True)
class Mark(OneHeapGame):
    """Take one stone from a heap, or leave half of it, rounded down; whoever cannot move loses.

    Attributes:
        stones: the number of stones in the heap at the start.
    """

    stones: int = 24

    facts = (
        *(Fact({"stones": stones}, "loss", source=ENUMERATED) for stones in (14, 24)),
        *(
            Fact({"stones": stones}, value, misere=True, source=_SOURCE)
            for stones, value in (
                (4, "loss"),
                (16, "loss"),
                (26, "loss"),
                (34, "loss"),
                (32, "win"),
            )
        ),
    )

    def start(self) -> int:
        """Return the full heap."""
        return self.stones

    def moves(self, heap: int) -> Iterator[int]:
        """Yield the number of stones to take: one, or half of them rounded up."""
        if heap > 0:
            yield 1
        if heap > 2:  # half of two is one
            yield heap - heap // 2

    def play(self, heap: int, taken: int) -> int:
        """Return the stones that are left."""
        return heap - taken

    def validate(self) -> None:
        """Raise ParameterError unless there is a heap."""
        check_number("stones", self.stones, 0, 10_000_000)
