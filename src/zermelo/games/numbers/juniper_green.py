"""Juniper Green."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED

#: The number of columns of the picture.
ACROSS = 10


class CalledNumbers(NamedTuple):
    """Numbers that have been called.

    Attributes:
        used: the numbers that have been called; bit n - 1 stands for n.
        last: the number called last, or 0 at the start.
    """

    used: int
    last: int


@dataclass(frozen=True)
class JuniperGreen(Game):
    """Call a new multiple or divisor of the last number; whoever cannot loses. The first is even.

    Attributes:
        n: the largest number.
    """

    n: int = 15

    facts = tuple(
        Fact(
            {"n": n},
            value,
            plies,
            positions=wins + losses,
            win=wins,
            loss=losses,
            source=ENUMERATED,
        )
        for n, value, plies, wins, losses in (
            (6, "loss", 6, 25, 29),
            (8, "win", 5, 63, 78),
            (10, "loss", 8, 225, 257),
            (15, "loss", 12, 2733, 3214),
            (20, "win", 13, 34876, 37533),
        )
    )

    def start(self) -> CalledNumbers:
        """Return the position in which no number has been called."""
        return CalledNumbers(0, 0)

    def moves(self, called: CalledNumbers) -> Iterator[int]:
        """Yield each number that may be called."""
        for number in range(1, self.n + 1):
            if not called.used >> (number - 1) & 1 and self.follows(called.last, number):
                yield number

    def follows(self, last: int, number: int) -> bool:
        """Return whether a number may be called after another, or as the first."""
        if last == 0:
            return number % 2 == 0
        return number % last == 0 or last % number == 0

    def play(self, called: CalledNumbers, number: int) -> CalledNumbers:
        """Return the called numbers after a move."""
        return CalledNumbers(called.used | 1 << (number - 1), number)

    def space(self) -> Any:
        """Return the range of each field."""
        return CalledNumbers(range(1 << self.n), range(self.n + 1))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless there are numbers."""
        check_number("n", self.n, 1, 50)

    def show(self, state: CalledNumbers) -> str:
        """Return the numbers not called yet, and the last number: ``1 3 4 after 2``."""
        left = [str(n) for n in range(1, self.n + 1) if not state.used >> (n - 1) & 1]
        return " ".join(left or ["none"]) + (f" after {state.last}" if state.last else "")

    def svg(self, state: CalledNumbers) -> str:
        """Draw the numbers that are left, and the last one in brackets."""
        numbers = range(1, self.n + 1)
        left = [str(n) if not state.used >> (n - 1) & 1 else "." for n in numbers]
        if state.last:
            left[state.last - 1] = f"({state.last})"
        words = [left[first : first + ACROSS] for first in range(0, self.n, ACROSS)]
        moves = [[str(n) for n in numbers[first:][:ACROSS]] for first in range(0, self.n, ACROSS)]
        return drawing.grid(words, title=self.show(state), moves=moves)

    def parse(self, text: str) -> CalledNumbers:
        """Read a position as ``show`` writes it."""
        left_text, _, last_text = text.partition("after")
        words, last = left_text.split(), last_text.strip() or "0"
        left = set() if words == ["none"] else set(words)
        numbers = [str(number) for number in range(1, self.n + 1)]
        called_set = sum(1 << place for place, word in enumerate(numbers) if word not in left)
        if (
            not left <= set(numbers)
            or last not in (numbers if called_set else ["0"])
            or last in left
        ):
            message = (
                f"{text!r} is not numbers up to {self.n} that are left, and the last one called; "
                "write it such as '1 3 4 5 6 after 2'"
            )
            raise PositionError(message)
        return CalledNumbers(called_set, int(last))
