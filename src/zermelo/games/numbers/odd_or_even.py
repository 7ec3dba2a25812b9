"""Odd or even."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.values.outcomes import LOSS, WIN, Outcome

PARITIES = ("even", "odd")


class Parity(NamedTuple):
    """A heap, and the parity of the stones that the player to move has taken.

    Attributes:
        stones: the number of stones that are left.
        mine: 1 if the player to move has taken an odd number so far, or 0.
    """

    stones: int
    mine: int


@dataclass(frozen=True)
class OddOrEven(Game):
    """Take one to three stones from an odd heap; whoever has an even number in the end wins.

    Attributes:
        stones: the number of stones in the heap at the start.
        limit: the most stones that a move may take.
        wins: the parity that wins, ``even`` or ``odd``.
    """

    stones: int = 15
    limit: int = 3
    wins: str = "even"

    facts = (
        Fact(
            {"stones": 15},
            "win",
            8,
            positions=30,
            win=22,
            loss=8,
            source="GamesCrafters' GamesmanClassic, the game mooe, run by us",
        ),
        Fact({"stones": 9}, "loss", 5, positions=18, win=13, loss=5, source=ENUMERATED),
        Fact({"stones": 11}, "win", 6, positions=22, win=16, loss=6, source=ENUMERATED),
    )

    def start(self) -> Parity:
        """Return the full heap."""
        return Parity(self.stones, 0)

    def outcome(self, heap: Parity) -> Outcome | None:
        """Return the outcome once all stones are taken: the right parity wins."""
        if heap.stones > 0:
            return None
        return WIN if heap.mine == (self.wins == "odd") else LOSS

    def moves(self, heap: Parity) -> Iterator[int]:
        """Yield each number of stones that can be taken."""
        for count in range(1, min(self.limit, heap.stones) + 1):
            yield count

    def play(self, heap: Parity, taken: int) -> Parity:
        """Return the heap after a move; the other player's parity follows from all stones taken."""
        theirs = (self.stones - heap.stones - heap.mine) % 2
        return Parity(heap.stones - taken, theirs)

    def space(self) -> Any:
        """Return the range of each field."""
        return Parity(range(self.stones + 1), range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless exactly one player can end with the right parity."""
        check_number("stones", self.stones, 1, 1_000_000)
        check_number("limit", self.limit, 1)
        if self.stones % 2 == 0:
            message = f"stones must be an odd number, not {self.stones!r}; give one more"
            raise ParameterError(message)
        if self.wins not in PARITIES:
            message = f"wins must be 'even' or 'odd', not {self.wins!r}; give one of them"
            raise ParameterError(message)

    def show(self, heap: Parity) -> str:
        """Return the heap in words, such as ``15 stones, even`` for the mover's parity."""
        stones = f"{heap.stones} stone{'' if heap.stones == 1 else 's'}"
        return f"{stones}, {PARITIES[heap.mine]}"

    def svg(self, heap: Parity) -> str:
        """Draw the heap; a click takes stones from its top."""
        moves = [self.name(taken) for taken in self.moves(heap)]
        return drawing.heap(heap.stones, title=self.show(heap), moves=moves)

    def name(self, count: int) -> str:
        """Return a move in words, such as ``take 2``."""
        return f"take {count}"

    def parse(self, text: str) -> Parity:
        """Read a heap as ``show`` writes it; ``stones`` and ``,`` may be left out."""
        words = [word for word in text.replace(",", " ").split() if not word.startswith("stone")]
        if len(words) != 2 or not words[0].isdecimal() or words[1] not in PARITIES:
            message = f"{text!r} is not a heap and a parity; write one such as '7 stones, even'"
            raise PositionError(message)
        return Parity(int(words[0]), PARITIES.index(words[1]))
