"""Put or take a square, Epstein's game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

from zermelo import drawing
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._one_heap import OneHeapGame
from zermelo.values.outcomes import DRAW, LOSS, Outcome


@dataclass(frozen=True)
class PutOrTakeASquare(OneHeapGame):
    """Add the largest square not above the heap to it, or take it; whoever takes all wins.

    The heap can grow for ever, so a heap above a limit ends the game in a tie. Wins and losses are
    those of the game without a limit, as nobody who can win or draw here needs a heap so large;
    a tie may be decided by a larger limit.

    Attributes:
        stones: the number of stones in the heap at the start.
        limit: the largest heap with which the game goes on.
    """

    stones: int = 29
    limit: int = 1000

    facts = tuple(
        Fact({"stones": stones}, "loss", source="Guy, Unsolved Problems, E26; OEIS A005240")
        for stones in (5, 20, 29, 80)
    )

    def start(self) -> int:
        """Return the heap."""
        return self.stones

    def outcome(self, heap: int) -> Outcome | None:
        """Return the outcome: a loss for an empty heap, a tie for one above the limit."""
        if heap == 0:
            return LOSS
        if heap > self.limit:
            return DRAW
        return None

    def moves(self, heap: int) -> Iterator[int]:
        """Yield the number to add: the square, or minus the square."""
        square = isqrt(heap) ** 2
        if square:
            yield -square
            yield square

    def play(self, heap: int, added: int) -> int:
        """Return the heap after a move."""
        return heap + added

    def space(self) -> range:
        """Return the range of the heap."""
        return range(2 * self.limit + 1)

    def validate(self) -> None:
        """Raise ParameterError unless the heap is within the limit."""
        check_number("limit", self.limit, 1, 1_000_000)
        check_number("stones", self.stones, 0, self.limit)

    def svg(self, heap: int) -> str:
        """Draw the number of stones, and the two moves."""
        moves = [self.name(added) for added in self.moves(heap)]
        return drawing.number(heap, title=self.show(heap), moves=moves)

    def name(self, added: int) -> str:
        """Return a move in words, such as ``take 25`` or ``put 25``."""
        return f"put {added}" if added > 0 else f"take {-added}"
