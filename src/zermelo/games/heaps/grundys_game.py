"""Grundy's game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.game.contract import bag
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.heaps._heaps import Heaps, SortedHeapsGame


@dataclass(frozen=True)
class GrundysGame(SortedHeapsGame):
    """Split a heap into two of unlike sizes; a player who cannot move loses.

    Heaps of one and two can never be split, so they are left out of positions.

    Attributes:
        heap: the number of counters in the heap at the start.
    """

    title = "Grundy's Game"

    heap: int = 20

    facts = (
        *(
            Fact({"heap": heap}, value, plies, positions=count, misere=True, source=ENUMERATED)
            for heap, value, plies, count in (
                (7, "win", 4, 8),
                (10, "win", 6, 19),
                (12, "loss", 7, 32),
                (20, "win", 12, 239),
            )
        ),
        *(
            Fact({"heap": heap}, nimber=nimber, source="OEIS A002188")
            for heap, nimber in ((10, 0), (13, 3), (18, 4), (20, 0), (50, 0))
        ),
    )

    def start(self) -> Heaps:
        """Return the one heap, and room for all heaps of three or more that can arise."""
        return Heaps(bag((self.whole(self.heap),), max(1, self.heap // 3)))

    def moves(self, position: Heaps) -> Iterator[tuple[int, int, int]]:
        """Yield each size of a heap with the two heaps that it can be split into."""
        for place, heap in enumerate(position.heaps):
            if place == 0 or heap != position.heaps[place - 1]:
                for smaller in range(1, (heap + 1) // 2):
                    yield heap, heap - smaller, smaller

    def play(self, position: Heaps, move: tuple[int, int, int]) -> Heaps:
        """Return the heaps after a move, without those that cannot be split."""
        heap, larger, smaller = move
        return super().play(position, (heap, self.whole(larger), self.whole(smaller)))

    def whole(self, heap: int) -> int:
        """Return a heap, or 0 if it cannot be split."""
        return heap if heap > 2 else 0  # a heap of two splits into equal ones

    def validate(self) -> None:
        """Raise ParameterError unless the heap is a number that fits."""
        check_number("heap", self.heap, 1, 120)

    def split_click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the name of the move that splits a heap before a counter."""
        left, right = counter, heaps[place] - counter
        return self.name((heaps[place], max(left, right), min(left, right)))
