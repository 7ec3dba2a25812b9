"""Lasker's Nim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.errors import ParameterError
from zermelo.game.contract import bag
from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED, WINNING_WAYS
from zermelo.games.heaps._heaps import MOST_HEAPS, Heaps, SortedHeapsGame, check_heaps

_SOURCE = f"{WINNING_WAYS}; lengths and counts: {ENUMERATED}"


@dataclass(frozen=True)
class LaskersNim(SortedHeapsGame):
    """Take any number of counters from a heap, or split it in two; a player who cannot move loses.

    Attributes:
        heaps: the number of counters in each heap at the start.
    """

    title = "Lasker's Nim"

    heaps: Sequence[int] = (2, 5, 7)

    facts = (
        Fact({"heaps": [3, 4]}, "win", 9, nimber=7, positions=38, source=_SOURCE),
        Fact({"heaps": [2, 5, 7]}, "win", 19, nimber=15, positions=393, source=_SOURCE),
        Fact({"heaps": [3, 3]}, "loss", 8, nimber=0, positions=22, source=_SOURCE),
    )

    def start(self) -> Heaps:
        """Return the full heaps, and room for all heaps that can arise."""
        return Heaps(bag(self.heaps, max(1, sum(self.heaps))))

    def moves(self, position: Heaps) -> Iterator[tuple[int, int, int]]:
        """Yield each size of a heap with the one or two heaps that a move leaves."""
        for place, heap in enumerate(position.heaps):
            if place == 0 or heap != position.heaps[place - 1]:
                for left in range(heap):
                    yield heap, left, 0
                for smaller in range(1, heap // 2 + 1):
                    yield heap, heap - smaller, smaller

    def validate(self) -> None:
        """Raise ParameterError unless there are heaps, and room for all that can arise."""
        check_heaps("heaps", self.heaps)
        if sum(self.heaps) > MOST_HEAPS:
            message = (
                f"heaps {list(self.heaps)!r} have {sum(self.heaps)} counters; use {MOST_HEAPS} or "
                "fewer, as each can become a heap by itself"
            )
            raise ParameterError(message)

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the name of the move that takes a counter and those to its right."""
        return self.name((heaps[place], counter, 0))

    def split_click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the name of the move that splits a heap before a counter."""
        left, right = counter, heaps[place] - counter
        return self.name((heaps[place], max(left, right), min(left, right)))
