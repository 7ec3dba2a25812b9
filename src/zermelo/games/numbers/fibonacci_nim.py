"""Fibonacci Nim."""

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

_SOURCE = f"Whinihan 1963, Fibonacci numbers lose; lengths and counts: {ENUMERATED}"


class Limited(NamedTuple):
    """A heap, and the most that may be taken from it.

    Attributes:
        stones: the number of stones that are left.
        most: the most that a move may take.
    """

    stones: int
    most: int


@dataclass(frozen=True)
class FibonacciNim(Game):
    """Take up to twice what the last move took, but not all at first; whoever cannot move loses.

    Attributes:
        stones: the number of stones in the heap at the start.
    """

    stones: int = 20

    facts = tuple(
        Fact({"stones": stones}, value, plies, positions=positions, source=_SOURCE)
        for stones, value, plies, positions in (
            (5, "loss", 4, 7),
            (10, "win", 7, 20),
            (13, "loss", 10, 31),
            (20, "win", 15, 67),
            (21, "loss", 16, 73),
            (34, "loss", 26, 181),
            (50, "win", 27, 380),
        )
    )

    def start(self) -> Limited:
        """Return the full heap, of which one stone has to stay."""
        return Limited(self.stones, self.stones - 1)

    def moves(self, heap: Limited) -> Iterator[int]:
        """Yield each number of stones that may be taken."""
        for count in range(1, heap.most + 1):
            yield count

    def play(self, heap: Limited, taken: int) -> Limited:
        """Return the heap after a move."""
        left = heap.stones - taken
        return Limited(left, min(left, 2 * taken))

    def space(self) -> Any:
        """Return the range of each field."""
        return Limited(range(self.stones + 1), range(self.stones))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless there is a heap that can be played."""
        check_number("stones", self.stones, 1, 100_000)

    def show(self, heap: Limited) -> str:
        """Return the heap in words, such as ``20 stones, take up to 4``."""
        return f"{heap.stones} stone{'' if heap.stones == 1 else 's'}, take up to {heap.most}"

    def svg(self, heap: Limited) -> str:
        """Draw the heap; a click takes stones from its top."""
        moves = [self.name(taken) for taken in self.moves(heap)]
        return drawing.heap(heap.stones, title=self.show(heap), moves=moves)

    def name(self, count: int) -> str:
        """Return a move in words, such as ``take 2``."""
        return f"take {count}"

    def parse(self, text: str) -> Limited:
        """Read a heap as ``show`` writes it, or two numbers with a comma or slash between."""
        words = text.replace(",", " ").replace("/", " ").split()
        numbers = [int(word) for word in words if word.isdecimal()]
        if len(numbers) != 2 or not numbers[1] <= numbers[0] <= self.stones:
            message = f"{text!r} is not a heap and a limit; write {self.show(self.start())!r}"
            raise PositionError(message)
        return Limited(*numbers)
