"""Can I Win: numbers are chosen once each, up to a total."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import LEETCODE
from zermelo.values.outcomes import DRAW, LOSS, Outcome


@dataclass(frozen=True)
class CanIWin(Game):
    """Choose numbers that nobody has chosen; whoever brings their sum to the total wins.

    The position has bit n - 1 set if n has been chosen.

    Attributes:
        largest: the largest number; the smallest is 1.
        total: the sum to reach. If all numbers together are less, it is a tie.
    """

    title = "Can I Win"

    largest: int = 10
    total: int = 40

    no_moves = DRAW
    facts = (Fact({"largest": 10, "total": 11}, "loss", source=LEETCODE.format(464)),)

    def start(self) -> int:
        """Return that no number has been chosen."""
        return 0

    def outcome(self, chosen: int) -> Outcome | None:
        """Return LOSS if the total has been reached."""
        total = 0
        for place in range(self.largest):
            if chosen >> place & 1:
                total += place + 1
        return LOSS if total >= self.total else None

    def moves(self, chosen: int) -> Iterator[int]:
        """Yield each number that has not been chosen."""
        for place in range(self.largest):
            if not chosen >> place & 1:
                yield place + 1

    def play(self, chosen: int, number: int) -> int:
        """Return the chosen numbers after a move."""
        return chosen | 1 << (number - 1)

    def space(self) -> range:
        """Return the range of positions."""
        return range(1 << self.largest)

    def validate(self) -> None:
        """Raise ParameterError unless there are numbers, and the total is not reached yet."""
        check_number("largest", self.largest, 1, 30)
        check_number("total", self.total, 1)

    def words(self, chosen: int) -> list[str]:
        """Return the numbers, with a dot for each that has been chosen."""
        return ["." if chosen >> place & 1 else str(place + 1) for place in range(self.largest)]

    def show(self, chosen: int) -> str:
        """Return the numbers that are left, with a dot for each that has been chosen."""
        return " ".join(self.words(chosen))

    def svg(self, chosen: int) -> str:
        """Draw the numbers that are left."""
        numbers = [str(number + 1) for number in range(self.largest)]
        return drawing.grid([self.words(chosen)], title=self.show(chosen), moves=[numbers])

    def parse(self, text: str) -> int:
        """Read a position as ``show`` writes it.

        Raises:
            PositionError: the text is not such a row.
        """
        words = text.split()
        chosen = sum(1 << place for place, word in enumerate(words) if word == ".")
        if len(words) != self.largest or self.words(chosen) != words:
            message = f"{text!r} is not a row of {self.largest} numbers; write . for those chosen"
            raise PositionError(message)
        return chosen
