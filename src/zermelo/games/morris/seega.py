"""Seega."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._grids import GridGame
from zermelo.games._sources import GAMESMAN
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, WIN, Outcome

#: The point that a man from the hand comes from.
HAND = -1
CENTRE = 4


class SeegaMen(NamedTuple):
    """Each player's men, one bit per cell from the top left, and the number still to be put.

    Attributes:
        mine: the men of the player to move.
        theirs: the men of the other player.
        hand: the number of men that both players have still to put.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    hand: int
    player: int


@dataclass(frozen=True)
class Seega(GridGame):
    """Put four men each around the centre, then step; enemies between two of yours are taken.

    A man steps along a row or a column to the free cell beside it. It takes each enemy man that
    it holds in a row or a column against another of its side. A player with one man left has lost;
    a player who cannot move has won.
    """

    rows = 3
    columns = 3
    players = ("X", "O")
    no_moves = WIN
    facts = (
        Fact(
            outcome="endless",
            positions=15724,
            win=7448,
            loss=6041,
            tie=0,
            endless=2235,
            longest_win=25,
            longest_loss=24,
            source=GAMESMAN,
        ),
    )

    @cached_property
    def rays_of_two(self) -> list[list[list[int]]]:
        """The two cells in each direction from each cell, if there are two."""
        return [[ray for ray in rays if len(ray) > 1] for rays in self.straights]

    def start(self) -> SeegaMen:
        """Return the empty board."""
        return SeegaMen(0, 0, self.cells - 1, 0)

    def turn(self, p: SeegaMen) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: SeegaMen) -> Outcome | None:
        """Return LOSS if the player to move has one man left."""
        return LOSS if p.hand == 0 and p.mine.bit_count() == 1 else None

    def moves(self, p: SeegaMen) -> Iterator[tuple[int, int]]:
        """Yield the cells for a man from the hand, except the centre, or the steps."""
        empty = self.board & ~(p.mine | p.theirs)
        if p.hand:
            for target in range(self.cells):
                if empty >> target & 1 and target != CENTRE:
                    yield HAND, target
        else:
            for source in range(self.cells):
                if p.mine >> source & 1:
                    free = self.around(1 << source) & empty
                    for target in range(self.cells):
                        if free >> target & 1:
                            yield source, target

    def play(self, p: SeegaMen, move: tuple[int, int]) -> SeegaMen:
        """Return the board after the move, as the other player sees it."""
        source, target = move
        if source == HAND:
            return SeegaMen(p.theirs, p.mine | 1 << target, p.hand - 1, 1 - p.player)
        mine, theirs = p.mine & ~(1 << source) | 1 << target, p.theirs
        for between, far_cell in self.rays_of_two[target]:
            if mine >> far_cell & 1:
                theirs &= ~(1 << between)
        return SeegaMen(theirs, mine, 0, 1 - p.player)

    def space(self) -> SeegaMen:
        """Return the range of each field."""
        men: Any = Disjoint(self.cells, (range(5), range(5)))
        hand: Any = range(self.cells)
        player: Any = range(2)
        return SeegaMen(men, men, hand, player)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(3, 3), masks=("mine", "theirs"))

    # -- text and pictures ----------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return the cell where a man is put, such as ``a1``, or both of a step, ``a1-b1``."""
        return "-".join(self.cell_name(cell) for cell in move if cell != HAND)

    def text_rows(self, p: SeegaMen) -> list[str]:
        """Return each row as text."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        return self.rows_of(("X", first), ("O", second))

    def show(self, p: SeegaMen) -> str:
        """Return a line for each row, the men to be put, and the player to move."""
        rows = [" ".join(row) for row in self.text_rows(p)]
        return "\n".join([*rows, f"{p.hand} to put, {self.players[p.player]} to move"])

    def svg(self, p: SeegaMen) -> str:
        """Draw the board."""
        rows = self.text_rows(p)
        title = " / ".join([*rows, f"{p.hand} to put, {self.players[p.player]} to move"])
        return self.picture(rows, discs="XO", title=title)

    def parse(self, text: str) -> SeegaMen:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        The men to be put may be left out if there are none.
        """
        board, player = self.read_turn(text)
        hand = re.search(r"(\d+) to put,?\s*$", board)
        first, second = self.read_cells(board[: hand.start()] if hand else board, "XO")
        mine, theirs = (second, first) if player else (first, second)
        return SeegaMen(mine, theirs, int(hand[1]) if hand else 0, player)
