"""The L game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import PositionError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._grids import GridGame
from zermelo.symmetry import Symmetry, grid

#: The cells of an L, as rows and columns.
ELL = ((0, 0), (1, 0), (2, 0), (2, 1))
SIZE = 4


class Ells(NamedTuple):
    """The covered cells, one bit per cell, from the top left, row by row.

    Attributes:
        mine: the four cells of the L of the player to move.
        theirs: the four cells of the L of the other player.
        neutral: the two cells of the neutral squares.
    """

    mine: int
    theirs: int
    neutral: int


@dataclass(frozen=True)
class LGame(GridGame):
    """Put your L elsewhere, and then a neutral square if you like; whoever cannot move the L loses.

    The board has four by four cells. The L may be turned over, and may cover some of the cells
    that it has covered, but not all of them. Afterwards one of the two neutral squares may be put
    on any free cell.
    """

    rows = SIZE
    columns = SIZE
    players = ("first", "second")
    facts = (
        Fact(
            outcome="endless",
            positions=18368,
            loss=232,
            note="up to the eight symmetries 2,296, of which 29 are lost",
            source="Wikipedia, L game; Winning Ways, volume 2",
        ),
    )

    @cached_property
    def places(self) -> list[int]:
        """The 48 ways to lay an L on the board."""
        masks = set()
        for down in range(SIZE):
            for right in range(SIZE):
                for turned in _images(ELL):
                    cells = [(row + down, column + right) for row, column in turned]
                    if all(row < SIZE and column < SIZE for row, column in cells):
                        masks.add(sum(1 << SIZE * row + column for row, column in cells))
        return sorted(masks)

    def start(self) -> Ells:
        """Return the Ls in the middle, and the neutral squares in two corners."""
        return self.parse("#xx. / .ox. / .ox. / .oo#")

    def moves(self, p: Ells) -> Iterator[tuple[int, ...]]:
        """Yield the cells of the L, alone or with a neutral square's cells before and after."""
        for place in self.places:
            if place != p.mine and not place & (p.theirs | p.neutral):
                yield (place,)
                free = self.board & ~(place | p.theirs | p.neutral)
                for source in range(16):
                    if p.neutral >> source & 1:
                        for target in range(16):
                            if free >> target & 1:
                                yield place, source, target

    def play(self, p: Ells, move: tuple[int, ...]) -> Ells:
        """Return the board after the move, as the other player sees it."""
        place, *moved = move
        neutral = p.neutral
        for cell in moved:
            neutral ^= 1 << cell
        return Ells(p.theirs, place, neutral)

    def space(self) -> Ells:
        """Return the range of each field: the pieces share no cell, and cover a fixed number."""
        cells: Any = Disjoint(SIZE * SIZE, (4, 4, 2))
        return Ells(cells, cells, cells)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(SIZE, SIZE), masks=("mine", "theirs", "neutral"))

    # -- text and pictures ----------------------------------------------------------------------

    def name(self, move: tuple[int, ...]) -> str:
        """Return the cells of the L, and the move of a neutral square, if any."""
        place, *moved = move
        cells = "".join(self.cell_name(cell) for cell in range(16) if place >> cell & 1)
        return f"{cells},{'-'.join(self.cell_name(cell) for cell in moved) or 'stay'}"

    def text_rows(self, p: Ells) -> list[str]:
        """Return the rows: ``x`` is the L of the player to move, ``o`` the other, ``#`` neutral."""
        return self.rows_of(("x", p.mine), ("o", p.theirs), ("#", p.neutral))

    def show(self, p: Ells) -> str:
        """Return a line for each row; the L of the player to move is ``x``."""
        return "\n".join(" ".join(row) for row in self.text_rows(p))

    def svg(self, p: Ells) -> str:
        """Draw the board; the L of the player to move has full discs."""
        rows = self.text_rows(p)
        rows_shown = [row.replace("#", "\u25a0") for row in rows]
        title = f"{' / '.join(rows)}, x to move"
        return self.picture(rows_shown, discs="xo", title=title, aside="stay")

    def parse(self, text: str) -> Ells:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: it is not such a board with two Ls and two neutral squares.
        """
        mine, theirs, neutral = self.read_cells(text, "xo#")
        if not {mine, theirs} <= set(self.places) or neutral.bit_count() != 2:
            message = f"{text!r} must have an L of x, an L of o, and two # for the neutral squares"
            raise PositionError(message)
        return Ells(mine, theirs, neutral)


def _images(cells: Any) -> Iterator[list[tuple[int, int]]]:
    """Yield the rotations and reflections of a shape, moved to row 0 and column 0."""
    for _ in range(2):
        for _ in range(4):
            cells = [(column, -row) for row, column in cells]
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            yield [(row - top, column - left) for row, column in cells]
        cells = [(row, -column) for row, column in cells]
