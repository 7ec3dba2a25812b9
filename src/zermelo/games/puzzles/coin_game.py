"""The coin game, LeetCode 3222."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.drawing.rows import counters
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number, check_numbers
from zermelo.games._sources import LEETCODE


class Purse(NamedTuple):
    """The coins that are left.

    Attributes:
        x: the number of coins of the first value.
        y: the number of coins of the second value.
    """

    x: int
    y: int


@dataclass(frozen=True)
class CoinGame(Game):
    """Take coins that are worth exactly 115 together; a player who cannot loses.

    Attributes:
        x: the number of coins of the first value at the start.
        y: the number of coins of the second value at the start.
        values: the value of a coin of each kind.
        total: the total value that a move takes.
    """

    x: int = 4
    y: int = 11
    values: Sequence[int] = (75, 10)
    total: int = 115

    players = ("Alice", "Bob")

    facts = (
        Fact({"x": 2, "y": 7}, "win", source=LEETCODE.format(3222)),
        Fact({"x": 4, "y": 11}, "loss", source=LEETCODE.format(3222)),
    )

    def start(self) -> Purse:
        """Return all coins."""
        return Purse(self.x, self.y)

    def moves(self, purse: Purse) -> Iterator[tuple[int, int]]:
        """Yield the numbers of coins of both kinds that make the total."""
        for first in range(min(purse.x, self.total // self.values[0]) + 1):
            remaining = self.total - first * self.values[0]
            if remaining % self.values[1] == 0 and remaining // self.values[1] <= purse.y:
                yield first, remaining // self.values[1]

    def play(self, purse: Purse, move: tuple[int, int]) -> Purse:
        """Return the coins that are left."""
        return Purse(purse.x - move[0], purse.y - move[1])

    def space(self) -> Any:
        """Return the range of each field."""
        return Purse(range(self.x + 1), range(self.y + 1))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless there are coins of two kinds."""
        check_number("x", self.x, 0, 1_000_000)
        check_number("y", self.y, 0, 1_000_000)
        check_number("total", self.total, 1, 1_000_000)
        check_numbers("values", self.values, 1, 1_000_000, least_numbers=2, most_numbers=2)

    def show(self, purse: Purse) -> str:
        """Return the coins as text, such as ``4 x 75, 11 x 10``."""
        return f"{purse.x} x {self.values[0]}, {purse.y} x {self.values[1]}"

    def svg(self, purse: Purse) -> str:
        """Draw the coins of each kind in a row."""
        labels = [str(value) for value in self.values]

        def click(kind: int, coin: int) -> str:
            comma = "" if kind else ", "
            return f"{purse[kind] - coin} x {self.values[kind]}{comma}"

        return counters(purse, title=self.show(purse), labels=labels, moves=[click])

    def name(self, move: tuple[int, int]) -> str:
        """Return a move as text, such as ``1 x 75, 4 x 10``."""
        return self.show(Purse(*move))

    def parse(self, text: str) -> Purse:
        """Read the coins as ``show`` writes them, or only their two numbers."""
        words = [part.split("x")[0].strip() for part in text.replace("/", ",").split(",")]
        if len(words) != 2 or not all(word.isdecimal() for word in words):
            message = f"{text!r} is not two numbers of coins; write {self.show(self.start())!r}"
            raise PositionError(message)
        purse = Purse(*map(int, words))
        if purse.x > self.x or purse.y > self.y:
            message = f"{text!r} has more coins than {self.show(self.start())}; write fewer"
            raise PositionError(message)
        return purse
