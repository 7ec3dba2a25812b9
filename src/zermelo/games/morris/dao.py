"""Dao."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._grids import Sides, SidesGame
from zermelo.values.outcomes import LOSS, WIN, Outcome

_STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def _ray(cell: int, x: int, y: int) -> tuple[int, ...]:
    column, row, cells = cell % 4 + x, cell // 4 + y, []
    while 0 <= column < 4 and 0 <= row < 4:
        cells.append(4 * row + column)
        column, row = column + x, row + y
    return tuple(cells)


def _mask(cells: Any) -> int:
    return sum(1 << cell for cell in cells)


#: The cells in each direction from each cell, nearest first.
RAYS = tuple(tuple(_ray(cell, x, y) for x, y in _STEPS) for cell in range(16))
#: Four cells that win: a row, a column, a square, the corners.
GOALS = (
    *(tuple(range(4 * n, 4 * n + 4)) for n in range(4)),
    *(tuple(range(n, 16, 4)) for n in range(4)),
    *((n, n + 1, n + 4, n + 5) for n in range(11) if n % 4 < 3),
    (0, 3, 12, 15),
)
#: Each corner, and the three cells around it.
CORNERS = ((0, 1, 4, 5), (3, 2, 6, 7), (12, 8, 9, 13), (15, 10, 11, 14))
GOAL_MASKS = tuple(_mask(goal) for goal in GOALS)
CORNER_MASKS = tuple((1 << corner, _mask(near)) for corner, *near in CORNERS)

_GAMESMAN = "GamesCrafters' GamesmanClassic, the game mdao; own enumeration"


@dataclass(frozen=True)
class Dao(SidesGame):
    """Slide a piece as far as it goes; four in a row, in a square or in the corners win.

    Attributes:
        shut_in: whether a player also wins with a piece in a corner that three of the other
            player's pieces shut in.
    """

    shut_in: bool = True

    facts = (
        Fact(
            outcome="endless",
            positions=1_768_108,
            win=333_720,
            loss=47_256,
            tie=0,
            endless=1_387_132,
            longest_win=11,
            longest_loss=10,
            source=_GAMESMAN,
        ),
        Fact(
            {"shut_in": False},
            "endless",
            positions=1_783_948,
            win=321_384,
            loss=47_392,
            endless=1_415_172,
            source=_GAMESMAN,
        ),
    )
    rows = 4
    columns = 4

    def start(self) -> Sides:
        """Return the board with each player's pieces on a diagonal."""
        return Sides(_mask((0, 5, 10, 15)), _mask((3, 6, 9, 12)), 0)

    def outcome(self, p: Sides) -> Outcome | None:
        """Return LOSS if the last move made a goal, WIN if it shut in a corner."""
        if any(p.theirs == goal for goal in GOAL_MASKS):
            return LOSS
        if self.shut_in and any(
            p.mine & corner and p.theirs & near == near for corner, near in CORNER_MASKS
        ):
            return WIN
        return None

    def moves(self, p: Sides) -> Iterator[tuple[int, int]]:
        """Yield each slide: from a cell to the last free cell in a direction."""
        occupied = p.mine | p.theirs
        for cell in range(16):
            if p.mine >> cell & 1:
                for ray in RAYS[cell]:
                    end = cell
                    for target in ray:
                        if occupied >> target & 1:
                            break
                        end = target
                    if end != cell:
                        yield cell, end

    def play(self, p: Sides, move: tuple[int, int]) -> Sides:
        """Return the board with the piece moved, as the other player sees it."""
        cell, end = move
        return Sides(p.theirs, p.mine ^ 1 << cell ^ 1 << end, 1 - p.player)

    def space(self) -> Sides:
        """Return the range of each field; each player has four pieces."""
        pieces: Any = Disjoint(16, (4, 4))
        player: Any = range(2)
        return Sides(pieces, pieces, player)
