"""Random-turn Y."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games.connection._triangle import TriangleBoard
from zermelo.games.random_turns._coin import RandomTurnGame
from zermelo.games.random_turns._sources import FILLINGS


@dataclass(frozen=True)
class RandomTurnY(RandomTurnGame, TriangleBoard):
    """A coin is tossed before each stone of Y, and decides whose stone it is.

    Black moves on heads, white on tails. Whoever first joins all three sides of the triangle with
    one group of stones wins, and one of the players always does; a corner touches two sides.

    Attributes:
        side: the number of cells on a side.
        heads: the weight of heads; the coin is fair if both sides have one weight.
        tails: the weight of tails.
    """

    title = "Random-turn Y"

    side: int = 3
    heads: int = 1
    tails: int = 1

    facts = (
        Fact({"side": 2}, probability="1/2", source=FILLINGS),
        Fact({"side": 3}, probability="1/2", source=FILLINGS),
    )

    def has_won(self, cells: int, player: int) -> bool:  # noqa: ARG002  # both have one goal
        """Return whether a group of a player's stones touches all three sides."""
        return self.joined(cells)
