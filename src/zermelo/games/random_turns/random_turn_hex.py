"""Random-turn Hex."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games.connection._rhombus import RhombusBoard
from zermelo.games.random_turns._coin import RandomTurnGame
from zermelo.games.random_turns._sources import FILLINGS
from zermelo.symmetry import Symmetry


@dataclass(frozen=True)
class RandomTurnHex(RandomTurnGame, RhombusBoard):
    """A coin is tossed before each stone of Hex, and decides whose stone it is.

    Black moves on heads and wants to join the top and the bottom, white moves on tails and wants to
    join the left and the right side. Whoever does it first wins, and one of them always does.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        heads: the weight of heads; the coin is fair if both sides have one weight.
        tails: the weight of tails.
    """

    title = "Random-turn Hex"

    rows: int = 3
    columns: int = 3
    heads: int = 1
    tails: int = 1

    facts = (
        Fact({"rows": 2, "columns": 1}, probability="1/4", source=FILLINGS),
        Fact({"rows": 2, "columns": 2}, probability="1/2", source=FILLINGS),
        Fact({"rows": 3, "columns": 2}, probability="21/64", source=FILLINGS),
        Fact({"rows": 2, "columns": 3}, probability="43/64", source=FILLINGS),
        Fact({"rows": 3, "columns": 3}, probability="1/2", source=FILLINGS),
    )

    def has_won(self, cells: int, player: int) -> bool:
        """Return whether a player's stones reach from one own side to the other."""
        return self.joined(cells, player)

    def exchange(self) -> tuple[Symmetry, ...]:
        """Return the reflection of a square board that exchanges the players, if it is one."""
        if self.rows != self.columns or self.heads != self.tails:
            return ()
        wide = self.columns
        reflected = tuple(cell % wide * wide + cell // wide for cell in range(self.cells))
        masks = ("mine", "theirs")
        return (Symmetry((reflected,), masks=masks, flip=("player",), together=True),)
