"""Othello, of any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides, SidesGame
from zermelo.games._sources import ENUMERATED

MOST_SQUARES = 62
PASS = -1


@dataclass(frozen=True)
class Othello(SidesGame):
    """Two players put discs on a board and turn those that they enclose; more discs win.

    A move puts a disc on an empty square so that at least one straight row of the other player's
    discs lies between it and another of the player's own; all such rows are turned over. A player
    who has no such move passes. The game ends when neither has one. The score is the difference in
    discs; squares that stay empty count for nobody.

    Attributes:
        rows: the number of rows, which is even.
        columns: the number of columns, which is even.
        parallel: whether the four discs at the start stand side by side, black's above, instead of
            crosswise with black's on the rising diagonal.
        fewest: whether fewer discs win.
    """

    rows: int = 4
    columns: int = 4
    parallel: bool = False
    fewest: bool = False

    players = ("black", "white")

    facts = (
        Fact(
            outcome="loss",
            score=-8,
            positions=62_789,
            note="3 discs to 11; a forced pass is a move",
            source=ENUMERATED,
        ),
        Fact(
            {"parallel": True},
            "loss",
            score=-3,
            positions=64_541,
            win=30_943,
            loss=28_142,
            tie=5456,
            note="empty squares count for nobody",
            source=ENUMERATED,
        ),
        Fact(
            {"fewest": True},
            "win",
            positions=62_789,
            win=30_232,
            loss=25_278,
            tie=7279,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 6, "columns": 6},
            "loss",
            score=-4,
            checked=False,
            note="16 discs to 20; far too many positions",
            source="Feinstein 1993",
        ),
    )

    def start(self) -> Sides:
        """Return the four discs in the middle, black to move."""
        corner = (self.rows // 2 - 1) * self.columns + self.columns // 2 - 1
        upper, lower = 0b01 << corner, 0b01 << corner + self.columns
        if self.parallel:
            return Sides(upper * 0b11, lower * 0b11, 0)
        return Sides(upper << 1 | lower, upper | lower << 1, 0)

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each square on which a disc turns others, or a pass if there is none."""
        squares = self.open_squares(p.mine, p.theirs)
        if not squares and self.open_squares(p.theirs, p.mine):
            yield PASS
        while squares:
            yield (squares & -squares).bit_length() - 1
            squares &= squares - 1

    def play(self, p: Sides, square: int) -> Sides:
        """Return the discs after a move, as the other player sees them."""
        if square == PASS:
            return Sides(p.theirs, p.mine, 1 - p.player)
        turned = self.turned(p.mine, p.theirs, square)
        return Sides(p.theirs & ~turned, p.mine | turned | 1 << square, 1 - p.player)

    def score(self, p: Sides) -> int:
        """Return the discs by which the player to move is ahead, once the game is over."""
        margin = p.mine.bit_count() - p.theirs.bit_count()
        return -margin if self.fewest else margin

    def open_squares(self, mine: int, theirs: int) -> int:
        """Return the squares on which a disc of the owner of ``mine`` turns discs of ``theirs``."""
        inner = theirs & ~(self.left | self.right)
        squares, wide = 0, self.columns
        for step, turnable in ((1, inner), (wide, theirs), (wide - 1, inner), (wide + 1, inner)):
            up, down = mine << step & self.board & turnable, mine >> step & turnable
            turned = 0
            while up | down != turned:
                turned = up | down
                up |= up << step & self.board & turnable
                down |= down >> step & turnable
            squares |= (up << step | down >> step) & self.board
        return squares & ~(mine | theirs)

    def turned(self, mine: int, theirs: int, square: int) -> int:
        """Return the discs that a disc on a square turns; none if the square is not empty."""
        discs = 0
        if not (mine | theirs) >> square & 1:
            for ray in self.rays[square]:
                row = 0
                for cell in ray:
                    if not theirs >> cell & 1:
                        if mine >> cell & 1:
                            discs |= row
                        break
                    row |= 1 << cell
        return discs

    # -- hints for zermelo.prove ----------------------------------------------------------------

    def promise(self, p: Sides, square: int) -> int:
        """Return the priority of a move: the fewer squares it leaves the other player, the higher.

        A corner, whose disc is never turned, counts as much as four squares.
        """
        if square == PASS:
            return 0
        turned = self.turned(p.mine, p.theirs, square)
        mine, theirs = p.mine | turned | 1 << square, p.theirs & ~turned
        left = self.open_squares(theirs, mine).bit_count()
        return 4 * (1 << square & self.corners != 0) - left

    def bounds(self, p: Sides) -> tuple[int, int]:
        """Return bounds of the score by discs that are never turned."""
        smallest = 2 * self.stable(p.mine).bit_count() - self.cells
        greatest = self.cells - 2 * self.stable(p.theirs).bit_count()
        return (-greatest, -smallest) if self.fewest else (smallest, greatest)

    def stable(self, discs: int) -> int:
        """Return discs of one colour that nothing can turn.

        In each direction, such a disc has the edge or another such disc on one side.
        """
        left, right, wide = self.left, self.right, self.columns
        ends = self.first_row | self.first_row << (self.rows - 1) * wide
        fixed, fixed_before = discs & self.corners, 0
        while fixed != fixed_before:
            fixed_before = fixed
            rows_fixed = (left | right | fixed << 1 | fixed >> 1) & self.board
            columns_fixed = (ends | fixed << wide | fixed >> wide) & self.board
            rising = (left | right | ends | fixed << wide - 1 | fixed >> wide - 1) & self.board
            falling = (left | right | ends | fixed << wide + 1 | fixed >> wide + 1) & self.board
            fixed |= discs & rows_fixed & columns_fixed & rising & falling
        return fixed

    @property
    def first_row(self) -> int:
        """The squares of the first row."""
        return (1 << self.columns) - 1

    @cached_property
    def corners(self) -> int:
        """The four corners."""
        return (self.left | self.right) & (
            self.first_row | self.first_row << (self.rows - 1) * self.columns
        )

    def validate(self) -> None:
        """Raise ParameterError unless the board has a middle and fits."""
        for name in ("rows", "columns"):
            number = getattr(self, name)
            check_number(name, number, 2, MOST_SQUARES)
            if number % 2:
                message = f"{name} must be even, not {number!r}; give an even number"
                raise ParameterError(message)
        if self.rows * self.columns > MOST_SQUARES:
            message = (
                f"{self.rows!r} rows of {self.columns!r} squares are more than the "
                f"{MOST_SQUARES} that fit; use a smaller board"
            )
            raise ParameterError(message)

    def svg(self, p: Sides) -> str:
        """Draw the board."""
        rows = self.rows_of_sides(p)
        title = f"othello: {' / '.join(rows)}, {self.players[p.player]} to move"
        return self.picture(rows, discs="XO", title=title, aside="pass")

    def cell_name(self, cell: int) -> str:
        """Return the name of a square, its column and row, such as ``d3``; row 1 is above."""
        row, column = divmod(cell, self.columns)
        return f"{ascii_lowercase[column]}{row + 1}"

    def name(self, square: int) -> str:
        """Return the name of the square on which a disc is put, or ``pass``."""
        return "pass" if square == PASS else self.cell_name(square)
