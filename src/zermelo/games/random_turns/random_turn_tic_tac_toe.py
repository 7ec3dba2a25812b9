"""Random-turn tic-tac-toe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.game.facts import Fact
from zermelo.games.lines.tic_tac_toe import has_line
from zermelo.games.random_turns._coin import RandomTurnGame
from zermelo.symmetry import Symmetry, grid


@dataclass(frozen=True)
class RandomTurnTicTacToe(RandomTurnGame):
    """A coin is tossed before each mark of tic-tac-toe, and decides whose mark it is.

    X marks a cell on heads, O on tails. Three marks in a row win; a full board without a row is a
    draw.

    Attributes:
        heads: the weight of heads; the coin is fair if both sides have one weight.
        tails: the weight of tails.
    """

    players = ("X", "O")
    rows = 3
    columns = 3

    heads: int = 1
    tails: int = 1

    facts = (
        Fact({}, probability="1/2", source="symmetry: the players differ in their marks alone"),
    )

    def has_won(self, cells: int, player: int) -> bool:  # noqa: ARG002  # both have one goal
        """Return whether three of a player's marks are in a row."""
        return has_line(cells)

    def board_symmetry(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(3, 3), masks=("mine", "theirs"))

    def svg(self, p: Any) -> str:
        """Draw the board."""
        rows = self.rows_of_sides(p)
        return self.picture(rows, title=f"{' / '.join(rows)}, {self.turn_text(p)}")

    def title(self) -> str:
        """Return the name of the game, and the odds of the coin unless it is fair."""
        odds = "" if self.heads == self.tails else f", {self.heads} to {self.tails}"
        return f"Random-turn Tic-tac-toe{odds}"
