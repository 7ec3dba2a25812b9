"""Base class of games of pawns that only go ahead."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides, SidesGame
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, Outcome

#: The fewest rows; with fewer, nothing would lie between the two sides.
LEAST_ROWS = 3
STRAIGHT = 1


class PawnGame(SidesGame):
    """Pawns go ahead and take at a slant; whoever reaches the last row has won.

    The first player begins at the bottom and moves up. A player who has lost all pawns, or cannot
    move, has lost.

    Attributes:
        slides: whether a pawn may also go ahead at a slant to an empty cell.
    """

    slides: ClassVar[bool] = False
    no_moves: ClassVar[Outcome] = LOSS
    players: ClassVar[tuple[str, str]] = ("white", "black")

    @property
    def depth(self) -> int:
        """The number of full rows of pawns that each side begins with."""
        return 1

    @cached_property
    def homes(self) -> list[int]:
        """The row that each player's pawns come from: the first player's is at the bottom."""
        row = (1 << int(self.columns)) - 1
        return [row << (self.rows - 1) * self.columns, row]

    @cached_property
    def ahead(self) -> list[list[list[int]]]:
        """The three cells ahead for each player and cell, from left to right; -1 off the board."""
        return [
            [[self._cell(cell, step, side) for side in (-1, 0, 1)] for cell in range(self.cells)]
            for step in (-1, 1)
        ]

    def start(self) -> Sides:
        """Return the board with all pawns at home, and the first player to move."""
        mine, theirs = self.homes
        for _ in range(self.depth - 1):
            mine, theirs = mine | mine >> self.columns, theirs | theirs << self.columns
        return Sides(mine, theirs, 0)

    def outcome(self, p: Sides) -> Outcome | None:
        """Return LOSS if a pawn of the other player is across, or the player to move has none."""
        if p.mine == 0 or p.theirs & self.homes[p.player]:
            return LOSS
        return None

    def moves(self, p: Sides) -> Iterator[tuple[int, int]]:
        """Yield each step: from one place, to another."""
        for source in range(self.cells):
            if p.mine >> source & 1:
                for direction in range(3):
                    target = self.ahead[p.player][source][direction]
                    if target >= 0 and self.may_enter(p, target, direction):
                        yield source, target

    def may_enter(self, p: Sides, target: int, direction: int) -> bool:
        """Return whether a pawn may go to a cell ahead of it, straight or at a slant."""
        if p.mine >> target & 1:
            return False
        if p.theirs >> target & 1:
            return direction != STRAIGHT
        return direction == STRAIGHT or self.slides

    def play(self, p: Sides, move: tuple[int, int]) -> Sides:
        """Return the board after a step, which takes a man on its target."""
        source, target = move
        mine = p.mine & ~(1 << source) | 1 << target
        return Sides(p.theirs & ~(1 << target), mine, 1 - p.player)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflection, and the exchange of the players with the board upside down."""
        masks = ("mine", "theirs")
        upturned = grid(self.columns, self.rows, "rows")
        return (
            Symmetry(grid(self.columns, self.rows, "columns"), masks=masks),
            Symmetry(upturned, masks=masks, flip=("player",), together=True),
        )

    def space(self) -> Sides:
        """Return the range of each field; no cell has both players, and no pawn is ever added."""
        pawns = range(self.depth * self.columns + 1)
        cells: Any = Disjoint(self.cells, (pawns, pawns))
        player: Any = range(2)
        return Sides(cells, cells, player)

    def validate(self) -> None:
        """Raise ParameterError unless the board is one on which the two sides have room."""
        super().validate()
        check_number("rows", self.rows, LEAST_ROWS)

    def _cell(self, cell: int, down: int, right: int) -> int:
        row, column = divmod(cell, self.columns)
        row, column = row + down, column + right
        is_inside = 0 <= row < self.rows and 0 <= column < self.columns
        return int(row * self.columns + column) if is_inside else -1
