"""Chalkboard xor, LeetCode 810."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_numbers
from zermelo.games._sources import LEETCODE
from zermelo.values.outcomes import LOSS, WIN, Outcome


@dataclass(frozen=True)
class ChalkboardXor(Game):
    """Erase a number, but so that the others have a bitwise xor other than 0; whoever cannot loses.

    A player wins on whose turn it is 0, as it can only be at the start.

    Attributes:
        numbers: the numbers on the board.
    """

    numbers: Sequence[int] = (1, 1, 2)

    players = ("Alice", "Bob")
    no_moves = LOSS

    facts = (Fact({"numbers": [1, 1, 2]}, "loss", source=LEETCODE.format(810)),)

    def start(self) -> int:
        """Return the position in which all numbers are on the board, a bit for each."""
        return (1 << len(self.numbers)) - 1

    def outcome(self, board: int) -> Outcome | None:
        """Return a win if the bitwise xor of the numbers on the board is 0."""
        return WIN if self.xor(board) == 0 else None

    def moves(self, board: int) -> Iterator[int]:
        """Yield the place of each number that may be erased, only the first of equal ones."""
        total, tried = self.xor(board), [-1]
        for place, number in enumerate(self.numbers):
            if board >> place & 1 and number != total and number not in tried:
                tried.append(number)
                yield place

    def xor(self, board: int) -> int:
        """Return the bitwise xor of the numbers on the board."""
        total = 0
        for place, number in enumerate(self.numbers):
            if board >> place & 1:
                total ^= number
        return total

    def play(self, board: int, place: int) -> int:
        """Return the numbers that are left."""
        return board & ~(1 << place)

    def space(self) -> range:
        """Return the range of a position."""
        return range(1 << len(self.numbers))

    def validate(self) -> None:
        """Raise ParameterError unless there are numbers."""
        check_numbers("numbers", self.numbers, 1, (1 << 16) - 1, most_numbers=60)

    def show(self, board: int) -> str:
        """Return the numbers on the board, an erased one as a dot."""
        numbers = enumerate(self.numbers)
        return " ".join(str(number) if board >> place & 1 else "." for place, number in numbers)

    def svg(self, board: int) -> str:
        """Draw the board."""
        moves = [str(number) for number in self.numbers]
        return drawing.grid([self.show(board).split()], title=self.show(board), moves=[moves])

    def name(self, place: int) -> str:
        """Return the number that is erased."""
        return str(self.numbers[place])

    def parse(self, text: str) -> int:
        """Read a position as ``show`` writes it."""
        words = text.split()
        pairs = zip(words, self.numbers, strict=False)
        if len(words) != len(self.numbers) or any(w not in (".", str(n)) for w, n in pairs):
            message = (
                f"{text!r} is not this board; write {self.show(self.start())!r}, erased ones as ."
            )
            raise PositionError(message)
        return sum(1 << place for place, word in enumerate(words) if word != ".")
