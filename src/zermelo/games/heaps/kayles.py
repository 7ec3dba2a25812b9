"""Kayles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.game.contract import bag
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.heaps._heaps import MOST_HEAPS, Heaps, SortedHeapsGame


@dataclass(frozen=True)
class Kayles(SortedHeapsGame):
    """Knock down one pin of a row, or two side by side; a player who cannot move loses.

    Rows of pins are written as their lengths.

    Attributes:
        pins: the number of pins in the row at the start.
    """

    pins: int = 15

    facts = (
        *(
            Fact({"pins": pins}, value, plies, positions=count, misere=True, source=ENUMERATED)
            for pins, value, plies, count in (
                (5, "win", 4, 11),
                (9, "loss", 7, 42),
                (10, "win", 8, 56),
                (12, "loss", 9, 101),
                (15, "win", 12, 231),
            )
        ),
        *(
            Fact({"pins": pins}, "win", nimber=nimber, source="OEIS A002186")
            for pins, nimber in ((5, 4), (11, 6), (15, 7))
        ),
        Fact(
            {"pins": 84},
            nimber=4,
            note="period 12, last exception 70: every row is won",
            source="Guy and Smith 1956; OEIS A002186",
        ),
    )

    def start(self) -> Heaps:
        """Return the one row, and room for all rows that can arise."""
        return Heaps(bag((self.pins,), self.pins // 2 + 1))

    def moves(self, position: Heaps) -> Iterator[tuple[int, int, int]]:
        """Yield each length of a row with the two rows that a ball can leave."""
        for place, row in enumerate(position.heaps):
            if place == 0 or row != position.heaps[place - 1]:
                for hit in range(1, min(row, 2) + 1):
                    for shorter in range((row - hit) // 2 + 1):
                        yield row, row - hit - shorter, shorter

    def validate(self) -> None:
        """Raise ParameterError unless there is room for the rows."""
        check_number("pins", self.pins, 0, 2 * MOST_HEAPS)

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the name of the move that knocks one pin down."""
        left, right = counter, heaps[place] - counter - 1
        return self.name((heaps[place], max(left, right), min(left, right)))

    def split_click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the name of the move that knocks down a pin and the one before it."""
        left, right = counter - 1, heaps[place] - counter - 1
        return self.name((heaps[place], max(left, right), min(left, right)))
