"""Take a Sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number

#: The largest total, one more than the most numbers that fit an integer.
MOST = 63
#: The number of columns of the picture.
ACROSS = 10

OEIS = "OEIS A361457 (Robert Israel)"


class Summands(NamedTuple):
    """The numbers that can still be taken.

    Attributes:
        numbers: one bit each; bit n - 1 stands for n.
    """

    numbers: int


@dataclass(frozen=True)
class TakeASum(Game):
    """Take two or three numbers that sum to the total; a player who cannot take any loses.

    The numbers are all those below the total, each of them once. Numbers that are in no sum any
    more are put aside.

    Attributes:
        total: the sum of the numbers that a player takes.
    """

    total: int = 15

    facts = (
        Fact({"total": 6}, "win", 1, source=OEIS),
        Fact({"total": 9}, "loss", source=OEIS),
        Fact({"total": 10}, "win", source=OEIS),
        Fact({"total": 18}, "loss", source=OEIS),
        Fact({"total": 15}, "win", source=OEIS),
    )

    def start(self) -> Summands:
        """Return all numbers that are in a sum."""
        return Summands(self.in_sums((1 << (self.total - 1)) - 1))

    def moves(self, p: Summands) -> Iterator[int]:
        """Yield each pair and each triple of numbers with that sum, as bits."""
        for first in range(1, self.total // 2 + 1):
            if p.numbers >> (first - 1) & 1:
                rest = self.total - first
                if first < rest and p.numbers >> (rest - 1) & 1:
                    yield 1 << (first - 1) | 1 << (rest - 1)
                for second in range(first + 1, (rest + 1) // 2):
                    third = rest - second
                    if p.numbers >> (second - 1) & p.numbers >> (third - 1) & 1:
                        yield 1 << (first - 1) | 1 << (second - 1) | 1 << (third - 1)

    def play(self, p: Summands, taken: int) -> Summands:
        """Return the numbers that can be taken afterwards."""
        return Summands(self.in_sums(p.numbers & ~taken))

    def in_sums(self, numbers: int) -> int:
        """Return those of the numbers that are in a sum."""
        found = 0
        for taken in self.moves(Summands(numbers)):
            found |= taken
        return found

    def pass_turn(self, p: Summands) -> Summands:
        """Return the same position, as both players have the same moves."""
        return p

    def split(self, p: Summands) -> Iterator[Summands]:
        """Yield the smallest sets of numbers such that no sum takes numbers of two sets."""
        left = p.numbers
        while left:
            part, grown = left & -left, True
            while grown:
                grown = False
                for taken in self.moves(Summands(left)):
                    if taken & part and taken & ~part:
                        part |= taken
                        grown = True
            yield Summands(part)
            left &= ~part

    def space(self) -> Summands:
        """Return the range of the field."""
        numbers: Any = range(1 << max(self.total - 1, 0))
        return Summands(numbers)

    def validate(self) -> None:
        """Raise ParameterError unless the total is within its limits."""
        check_number("total", self.total, 1, MOST)

    def show(self, p: Summands) -> str:
        """Return the numbers that can still be taken."""
        words = [str(n) for n in range(1, self.total) if p.numbers >> (n - 1) & 1]
        return f"left: {' '.join(words) or 'none'}"

    def svg(self, p: Summands) -> str:
        """Draw the numbers that can still be taken."""
        numbers = range(1, max(self.total, 2))
        words = [str(n) if p.numbers >> (n - 1) & 1 else "." for n in numbers]
        starts = range(0, len(words), ACROSS)
        rows = [words[first : first + ACROSS] for first in starts]
        moves = [[str(n) for n in numbers[first:][:ACROSS]] for first in starts]
        return drawing.grid(rows, title=self.show(p), moves=moves)

    def name(self, taken: int) -> str:
        """Return the numbers that are taken, such as ``2,5,8``."""
        return ",".join(str(n) for n in range(1, self.total) if taken >> (n - 1) & 1)

    def parse(self, text: str) -> Summands:
        """Read the numbers that can still be taken, as ``show`` writes them."""
        words = text.strip().removeprefix("left:").replace("none", "").split()
        names = {str(n) for n in range(1, self.total)}
        wrong = next((word for word in words if word not in names), None)
        if wrong is not None:
            message = (
                f"{text!r} has {wrong!r}, which is not a number below {self.total}; write them "
                "such as 'left: 1 2 5'"
            )
            raise PositionError(message)
        return Summands(self.in_sums(sum(1 << (int(word) - 1) for word in set(words))))
