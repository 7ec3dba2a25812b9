"""Isola, also called Isolation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import PositionError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Squares
from zermelo.games._grids import GridGame
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry, grid


class Islands(NamedTuple):
    """The cells of the two men, and the cells that have been removed.

    Attributes:
        mine: the cell of the player to move: 0 is top left, row by row.
        theirs: the cell of the other player.
        gone: the cells that have been removed, one bit each.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    gone: int
    player: int


@dataclass(frozen=True)
class Isola(GridGame):
    """Two men step about a board, and remove a cell after each step; whoever cannot step loses.

    A step goes to any of the eight cells around, if it is there and free. Then the player removes
    any cell that is free, and it stays removed.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    rows: int = 3
    columns: int = 3

    fewest_cells = 2

    facts = (
        Fact({"rows": 2, "columns": 2}, "loss", 2, positions=9, win=4, loss=5, source=ENUMERATED),
        Fact(
            {"rows": 2, "columns": 3},
            "loss",
            4,
            positions=227,
            win=140,
            loss=87,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 2},
            "win",
            3,
            positions=145,
            win=79,
            loss=66,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 3},
            "win",
            5,
            positions=6506,
            win=4820,
            loss=1686,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 4},
            "loss",
            6,
            positions=2122,
            win=1412,
            loss=710,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 5},
            "loss",
            8,
            positions=16_663,
            win=11_616,
            loss=5047,
            source=ENUMERATED,
        ),
    )

    def start(self) -> Islands:
        """Return the men in the middle of the bottom row and of the top row."""
        middle = self.columns // 2
        bottom = (self.rows - 1) * self.columns + middle
        return Islands(bottom, (self.columns - 1) // 2, 0, 0)

    def turn(self, p: Islands) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Islands) -> Iterator[tuple[int, int]]:
        """Yield each step with each cell that can be removed after it."""
        blocked = p.gone | 1 << p.mine | 1 << p.theirs
        for target in self.steps[p.mine]:
            if not blocked >> target & 1:
                blocked_after = p.gone | 1 << target | 1 << p.theirs
                for cell in range(self.rows * self.columns):
                    if not blocked_after >> cell & 1:
                        yield target, cell

    def play(self, p: Islands, move: tuple[int, int]) -> Islands:
        """Return the board after a step and a removal, as the other player sees it."""
        target, removed = move
        return Islands(p.theirs, target, p.gone | 1 << removed, 1 - p.player)

    def level(self, p: Islands) -> int:
        """Return the number of removed cells."""
        return p.gone.bit_count()

    @cached_property
    def steps(self) -> list[list[int]]:
        """The cells around each cell, up to eight."""
        return [[ray[0] for ray in rays if ray] for rays in self.rays]

    def pass_turn(self, p: Islands) -> Islands:
        """Return the same board with the other player to move."""
        return Islands(p.theirs, p.mine, p.gone, 1 - p.player)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        cells = grid(self.columns, self.rows)
        board = Symmetry(cells, masks=("gone",), squares=("mine", "theirs"))
        return board, Symmetry(flip=("player",))

    def space(self) -> Islands:
        """Return the range of each field; the men stand on different cells."""
        man: Any = Squares(self.cells)
        removed_cells: Any = range(1 << self.cells)
        player: Any = range(2)
        return Islands(man, man, removed_cells, player)

    def marked(self, p: Islands) -> list[str]:
        """Return each row as text."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        return self.rows_of(("X", 1 << first), ("O", 1 << second), ("#", p.gone))

    def show(self, p: Islands) -> str:
        """Return a line per row, ``X`` and ``O`` for the men, ``#`` for removed cells; the turn."""
        rows = [" ".join(row) for row in self.marked(p)]
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def svg(self, p: Islands) -> str:
        """Draw the board."""
        rows = self.marked(p)
        title = f"isola: {' / '.join(rows)}, {self.players[p.player]} to move"
        return self.picture(rows, discs="XO", filled="#", title=title)

    def name(self, move: tuple[int, int]) -> str:
        """Return the cell of the step and the removed cell, such as ``b2c3``."""
        target, removed = move
        return self.cell_name(target) + self.cell_name(removed)

    def parse(self, text: str) -> Islands:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, player = self.read_turn(text)
        first, second, removed_cells = self.read_cells(board, "XO#")
        if first.bit_count() != 1 or second.bit_count() != 1:
            message = f"{text!r} has not one X and one O; write both men once"
            raise PositionError(message)
        men = first.bit_length() - 1, second.bit_length() - 1
        mine, theirs = men[::-1] if player else men
        return Islands(mine, theirs, removed_cells, player)
