"""Take-away: a heap of stones, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.games._checks import check_number


@dataclass(frozen=True)
class TakeAway(Game):
    """Two players take stones from a heap, and the one who takes the last stone wins.

    A position is the number of stones left; a move, the number taken.

    Attributes:
        stones: stones in the heap at the start.
        limit: the most stones a move may take; the least is one.
    """

    stones: int
    limit: int = 3

    def start(self) -> int:
        """Return the whole heap."""
        return self.stones

    def moves(self, left: int) -> Iterator[int]:
        """Yield each number of stones that can be taken."""
        for taken in range(1, min(self.limit, left) + 1):
            yield taken

    def play(self, left: int, taken: int) -> int:
        """Return the stones left after a move."""
        return left - taken

    def level(self, left: int) -> int:
        """Return a number that grows as stones go."""
        return -left

    def space(self) -> range:
        """Return the range of a position."""
        return range(self.stones + 1)

    def validate(self) -> None:
        """Raise ParameterError unless there is a heap and a limit."""
        check_number("stones", self.stones, 0)
        check_number("limit", self.limit, 1)

    def show(self, left: int) -> str:
        """Return a phrase such as ``7 stones``."""
        return f"{left} stone{'' if left == 1 else 's'}"

    def svg(self, left: int) -> str:
        """Draw the heap."""
        moves = [self.name(taken) for taken in self.moves(left)]
        return drawing.heap(left, title=self.show(left), moves=moves)

    def name(self, taken: int) -> str:
        """Return what a move is called, such as ``take 2``."""
        return f"take {taken}"

    def parse(self, text: str) -> int:
        """Read a number of stones, with or without the word."""
        number = text.strip().removesuffix("s").removesuffix("stone").strip()
        if not number.isdecimal():
            message = f"{text!r} is not a heap; write a number of stones, such as '7'"
            raise PositionError(message)
        return int(number)
