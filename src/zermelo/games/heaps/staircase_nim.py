"""Staircase Nim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.game.contract import put
from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED
from zermelo.games.heaps._heaps import Heaps, HeapsGame, check_heaps

_SOURCE = f"folklore: odd steps are heaps of Nim; lengths and counts: {ENUMERATED}"


@dataclass(frozen=True)
class StaircaseNim(HeapsGame):
    """Move any number of coins from one step to the step below; a player who cannot move loses.

    Coins that come down from the first step are out of play.

    Attributes:
        steps: the number of coins on each step at the start, the lowest step first.
    """

    steps: Sequence[int] = (1, 2, 3)

    facts = tuple(
        Fact({"steps": steps}, value, plies, nimber=nimber, positions=positions, source=_SOURCE)
        for steps, value, plies, nimber, positions in (
            ([1, 2, 3], "win", 13, 2, 70),
            ([0, 5, 0, 2], "loss", 18, 0, 155),
            ([3, 1, 3], "loss", 14, 0, 76),
        )
    )

    def start(self) -> Heaps:
        """Return the coins on each step."""
        return Heaps(tuple(self.steps))

    def moves(self, position: Heaps) -> Iterator[tuple[int, int]]:
        """Yield each step with each number of coins to move down."""
        for step, coins in enumerate(position.heaps):
            for number in range(1, coins + 1):
                yield step, number

    def play(self, position: Heaps, move: tuple[int, int]) -> Heaps:
        """Return the coins after a move."""
        step, number = move
        steps = put(position.heaps, step, position.heaps[step] - number)
        if step > 0:
            steps = put(steps, step - 1, steps[step - 1] + number)
        return Heaps(steps)

    def space(self) -> Any:
        """Return the range of a step."""
        return Heaps(range(sum(self.steps) + 1))  # type: ignore[arg-type]  # of each

    def validate(self) -> None:
        """Raise ParameterError unless there are steps."""
        check_heaps("steps", self.steps)

    def name(self, move: tuple[int, int]) -> str:
        """Return a move in words, such as ``2 from step 3``."""
        step, number = move
        return f"{number} from step {step + 1}"

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the name of the move that takes a coin and those to its right down."""
        return self.name((place, heaps[place] - counter))
