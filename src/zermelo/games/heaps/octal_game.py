"""Octal games: take-and-break games by their codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from zermelo.errors import ParameterError
from zermelo.game.contract import bag
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games.heaps._heaps import MOST_HEAPS, Heaps, SortedHeapsGame
from zermelo.heaps.codes import NOTHING, ONE, TWO, parse


@dataclass(frozen=True)
class OctalGame(SortedHeapsGame):
    """Take some counters from a heap and leave the rest as its code says; whoever cannot loses.

    Digit k of the code says what a move that takes k counters may leave: nothing (1), one heap (2),
    two heaps (4), or any of those that the digit is the sum of.

    Attributes:
        code: the code of the game, such as ``0.77`` for Kayles.
        heap: the number of counters in the heap at the start.
    """

    title = "Octal Game"

    code: str = "0.137"
    heap: int = 20

    facts = (
        Fact(
            {"code": "0.77", "heap": 72},
            nimber=4,
            note="Kayles: period 12, last exception 70",
            source="OEIS A002186",
        ),
        Fact(
            {"code": "0.137", "heap": 20},
            nimber=0,
            note="Dawson's chess: period 34, last exception 51",
            source="OEIS A002187",
        ),
        Fact(
            {"code": "0.147", "heap": 20},
            nimber=2,
            note="period 8: 1, 1, 1, 2, 2, 2, 4, 4 from heap 9 on",
            source="OEIS A125915",
        ),
        Fact(
            {"code": "4.102", "heap": 20},
            nimber=2,
            note="period 10: 2, 1, 1, 1, 2, 2, 2, 1, 4, 4 from heap 10 on",
            source="OEIS A125938",
        ),
    )

    @cached_property
    def digits(self) -> list[int]:
        """The digit for each number of counters taken."""
        code = parse(self.code)
        return [code.digit(taken) for taken in range(self.heap + 1)]

    def start(self) -> Heaps:
        """Return the one heap, and room for all heaps that can arise."""
        return Heaps(bag((self.heap,), max(1, self.heap)))

    def moves(self, position: Heaps) -> Iterator[tuple[int, int, int]]:
        """Yield each size of a heap with the one or two heaps that a move leaves."""
        for place, heap in enumerate(position.heaps):
            if place == 0 or heap != position.heaps[place - 1]:
                for count in range(heap + 1):
                    left, digit = heap - count, self.digits[count]
                    if (digit & NOTHING and left == 0 < count) or (digit & ONE and left > 0):
                        yield heap, left, 0
                    if digit & TWO:
                        for smaller in range(1, left // 2 + 1):
                            yield heap, left - smaller, smaller

    def name(self, move: tuple[int, int, int]) -> str:
        """Return a heap and the heaps that replace it, such as ``7 to 4 + 0``."""
        heap, left, right = move
        return f"{heap} to {left} + {right}"

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the first part of a move's name: the heap, and the counters left of the click."""
        return f"{heaps[place]} to {counter} "

    def second_click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the last part of a move's name: the counters right of the click."""
        return f"+ {heaps[place] - counter - 1}"

    def validate(self) -> None:
        """Raise ParameterError unless the code is one of an octal game."""
        check_number("heap", self.heap, 0, MOST_HEAPS)
        code = parse(self.code)
        if code.most > 2:  # two heaps
            message = f"code {self.code!r} splits heaps in three; give digits up to 7"
            raise ParameterError(message)
