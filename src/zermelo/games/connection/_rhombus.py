"""The rhombus of Hex: its sides, chains that join them, and its half-turn."""

from __future__ import annotations

from zermelo.games._hexagons import HexagonBoard
from zermelo.symmetry import Symmetry, grid


class RhombusBoard(HexagonBoard):
    """A rhombus of hexagons on which each player has two opposite sides.

    The top and the bottom are the first player's, the left and the right side the second's.
    """

    goals = True

    def joined(self, stones: int, player: int) -> bool:
        """Return whether a player's stones reach from one own side to the other."""
        side, far_side = self.top, self.top << (self.rows - 1) * self.columns
        if player == 1:
            side, far_side = self.left, self.right
        is_joined: bool = self.grown(stones & side, stones) & far_side != 0
        return is_joined

    @property
    def top(self) -> int:
        """The top row."""
        cells: int = (1 << self.columns) - 1
        return cells

    def symmetries(self) -> Symmetry | tuple[Symmetry, ...]:
        """Return the half-turn of the board."""
        return self.board_symmetry()

    def board_symmetry(self) -> Symmetry:
        """Return the half-turn of the board."""
        return Symmetry(grid(self.columns, self.rows, "half-turn"), masks=("mine", "theirs"))
