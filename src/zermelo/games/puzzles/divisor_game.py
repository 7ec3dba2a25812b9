"""The divisor game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import LEETCODE


@dataclass(frozen=True)
class DivisorGame(Game):
    """Subtract from a number one of its proper divisors; a player who cannot move loses.

    Attributes:
        n: the number at the start.
    """

    n: int = 24

    facts = (Fact({"n": 2}, "win", source=LEETCODE.format(1025)),)

    def start(self) -> int:
        """Return the number at the start."""
        return self.n

    def moves(self, number: int) -> Iterator[int]:
        """Yield each divisor that is less than the number."""
        for divisor in range(1, number):
            if number % divisor == 0:
                yield divisor

    def play(self, number: int, divisor: int) -> int:
        """Return the number that is left."""
        return number - divisor

    def space(self) -> range:
        """Return the range of positions."""
        return range(1, self.n + 1)

    def validate(self) -> None:
        """Raise ParameterError unless there is a number."""
        check_number("n", self.n, 1, 100_000)

    def show(self, number: int) -> str:
        """Return the number."""
        return str(number)

    def svg(self, number: int) -> str:
        """Draw the number, with the divisors to click below."""
        return drawing.number(number, title=str(number), moves=[str(d) for d in self.moves(number)])

    def parse(self, text: str) -> int:
        """Read a number.

        Raises:
            PositionError: it is not a number from 1 to the one at the start.
        """
        if not text.strip().isdecimal() or not 1 <= int(text) <= self.n:
            message = f"{text!r} is not a number of this game; write one from 1 to {self.n}"
            raise PositionError(message)
        return int(text)
