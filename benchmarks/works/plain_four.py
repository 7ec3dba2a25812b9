"""Connect Four as somebody writes it who knows nothing of searches: no hooks, no symmetries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from zermelo import DRAW, LOSS, Game
from zermelo.values.outcomes import Outcome


class Discs(NamedTuple):
    """The discs of the player to move, and of the other: a column's bits, and one that stays 0."""

    mine: int
    theirs: int


@dataclass(frozen=True)
class PlainFour(Game):
    """Four in a row, discs dropped into columns."""

    width: int = 7
    height: int = 6

    no_moves = DRAW

    def start(self) -> Discs:
        """Return the empty board."""
        return Discs(0, 0)

    def outcome(self, discs: Discs) -> Outcome | None:
        """Return a loss where the other player has four in a row."""
        for step in (1, self.height, self.height + 1, self.height + 2):
            pairs = discs.theirs & discs.theirs >> step
            if pairs & pairs >> 2 * step:
                return LOSS
        return None

    def moves(self, discs: Discs) -> Iterator[int]:
        """Yield the columns that are not full."""
        taken = discs.mine | discs.theirs
        for column in range(self.width):
            if not taken >> column * (self.height + 1) + self.height - 1 & 1:
                yield column

    def play(self, discs: Discs, column: int) -> Discs:
        """Return the board after a disc has been dropped."""
        taken = discs.mine | discs.theirs
        disc = taken + (1 << column * (self.height + 1)) & ~taken
        return Discs(discs.theirs, discs.mine | disc)
