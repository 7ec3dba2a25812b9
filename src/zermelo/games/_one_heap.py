"""Base class of games of one heap."""

from __future__ import annotations

from typing import ClassVar

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game


class OneHeapGame(Game):
    """A game of one heap; a position is the number of things left in it."""

    #: The unit of the heap, in the plural.
    counted: ClassVar[str] = "stone"

    def space(self) -> range:
        """Return the range of the heap."""
        return range(self.start() + 1)

    def show(self, heap: int) -> str:
        """Return the heap in words, such as ``20 stones``."""
        return f"{heap} {self.counted}{'' if heap == 1 else 's'}"

    def svg(self, heap: int) -> str:
        """Draw the heap; a click takes stones from its top."""
        moves = [self.name(taken) for taken in range(1, min(heap, drawing.MOST_STONES) + 1)]
        return drawing.heap(heap, title=self.show(heap), moves=moves)

    def name(self, count: int) -> str:
        """Return a move in words, such as ``take 2``."""
        return f"take {count}"

    def parse(self, text: str) -> int:
        """Read the number of things in the heap, with or without their name."""
        word = text.strip().removesuffix("s").removesuffix(self.counted).strip()
        if not word.isdecimal():
            message = f"{text!r} is not a heap; write a number of {self.counted}s, such as '7'"
            raise PositionError(message)
        return int(word)
