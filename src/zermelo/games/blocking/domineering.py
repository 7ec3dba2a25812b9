"""Domineering."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.games._grids import GridGame
from zermelo.games._sources import CGSUITE, ENUMERATED
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, WIN

LACHMANN = "Lachmann, Moore and Rapaport 2000, arXiv:math/0006066; recalled"
BREUKER = "Breuker, Uiterwijk and van den Herik 2000, Solving 8x8 Domineering; recalled"
PYCGT = "its value in CGSuite, as pycgt 0.2.0 tests it"


class Covered(NamedTuple):
    """The covered cells, and the player to move.

    Attributes:
        cells: the covered cells, one bit each: bit 0 is top left, row by row.
        player: the player to move: 0 lays upright, 1 across.
    """

    cells: int
    player: int


@dataclass(frozen=True)
class Domineering(GridGame):
    """One player lays dominoes upright, the other across; whoever cannot lay one loses.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        first: the player who begins, ``vertical`` or ``horizontal``.
        setup: the board at the start, as text, such as ``#../..#``, by default an empty one; a text
            that says whose turn it is overrules ``first``.
    """

    rows: int = 4
    columns: int = 4
    first: str = "vertical"
    setup: str = ""

    players = ("vertical", "horizontal")

    facts = (
        Fact(
            {"rows": 2, "columns": 8},
            "loss",
            8,
            positions=1493,
            partizan="{2Miny(2)|0||-1/2|-2}",
            source="its value in CGSuite, as pycgt tests it; own enumeration",
        ),
        Fact({"rows": 3, "columns": 3}, "loss", 3, positions=46, misere=True, source=ENUMERATED),
        Fact({"rows": 4, "columns": 4}, "win", 8, positions=2443, misere=True, source=ENUMERATED),
        Fact({"rows": 2, "columns": 2}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 3}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 3, "first": "horizontal"}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 4}, "loss", source=LACHMANN),
        Fact({"rows": 2, "columns": 4, "first": "horizontal"}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 5}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 5, "first": "horizontal"}, "loss", source=LACHMANN),
        Fact({"rows": 2, "columns": 6}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 6, "first": "horizontal"}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 7}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 7, "first": "horizontal"}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 8}, "loss", source=LACHMANN),
        Fact({"rows": 2, "columns": 8, "first": "horizontal"}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 9}, "win", source=LACHMANN),
        Fact({"rows": 2, "columns": 9, "first": "horizontal"}, "loss", source=LACHMANN),
        Fact({"rows": 2, "columns": 13}, "loss", source=LACHMANN),
        Fact({"rows": 6, "columns": 2}, "win", partizan="±1 + Tiny(2) + Tiny(2)", source=PYCGT),
        Fact({"rows": 6, "columns": 2, "first": "horizontal"}, "win", source=PYCGT),
        Fact(
            {"rows": 11, "columns": 2},
            "win",
            partizan="{1||{1/2|-1}|{-3/2|-7/2}}",
            source=PYCGT,
        ),
        Fact(
            {"rows": 4, "columns": 4},
            "win",
            partizan="±{0,{{2|0},2Tiny(2)|{2|0},Miny(2)}}",
            source=CGSUITE,
        ),
        Fact({"rows": 3, "columns": 3}, "win", source=LACHMANN),
        Fact({"rows": 4, "columns": 4}, "win", source=BREUKER),
        Fact({"rows": 5, "columns": 5}, "loss", source=BREUKER),
        Fact(
            {"rows": 6, "columns": 6},
            "win",
            checked=False,
            note="more than the tests have time for; proved by search instead",
            source=BREUKER,
        ),
        Fact(
            {"rows": 7, "columns": 7},
            "win",
            checked=False,
            note="more than the tests have time for; proved by search instead",
            source=BREUKER,
        ),
    )

    def start(self) -> Covered:
        """Return the board as it is set up, by default empty."""
        player = self.players.index(self.first)
        if not self.setup:
            return Covered(0, player)
        start = self.parse(self.setup)
        return start if self.setup.endswith("to move") else Covered(start.cells, player)

    def turn(self, p: Covered) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Covered) -> Iterator[int]:
        """Yield the two cells, one bit each, of every domino that can be laid."""
        for cell in range(self.rows * self.columns):
            if p.player == 0:
                domino, fits = 1 | 1 << self.columns, cell // self.columns + 1 < self.rows
            else:
                domino, fits = 3, cell % self.columns + 1 < self.columns
            if fits and not p.cells >> cell & domino:
                yield domino << cell

    def play(self, p: Covered, domino: int) -> Covered:
        """Return the board with the domino on it."""
        return Covered(p.cells | domino, 1 - p.player)

    def split(self, p: Covered) -> Iterator[Covered]:
        """Yield each region of two free cells or more, at the top left, the least of its images.

        On a square board, the image of a region with rows as columns is that of the region.
        """
        free = self.board & ~p.cells
        while free:
            region = self.grown(free & -free, free)
            free &= ~region
            if region & region - 1:
                turned = self.transposed(region) if self.rows == self.columns else region
                region, _, _ = self.normal(region, 0, 0, shifts=(True, True), turns=False)
                turned, _, _ = self.normal(turned, 0, 0, shifts=(True, True), turns=False)
                if turned < region:
                    region = self.transposed(turned)
                yield Covered(self.board & ~region, p.player)

    # -- hints for zermelo.prove ----------------------------------------------------------------

    def promise(self, p: Covered, domino: int) -> int:
        """Return the priority of a move: the lead in dominoes that still fit after it."""
        free = self.board & ~(p.cells | domino)
        own_room, other_room = self.room(free, p.player), self.room(free, 1 - p.player)
        return (
            own_room
            + self.reserved(free, p.player)
            - other_room
            - self.reserved(free, 1 - p.player)
        )

    def bounds(self, p: Covered) -> tuple[int, int]:
        """Return WIN or LOSS if a player has enough moves, whatever the other does."""
        free, mover = self.board & ~p.cells, p.player
        if self.room(free, mover) <= self.sure(free, 1 - mover, 0):
            return LOSS, LOSS
        if self.sure(free, mover, 2) > self.room(free, 1 - mover):
            return WIN, WIN
        return LOSS, WIN

    def sure(self, free: int, player: int, extra: int) -> int:
        """Return a number of moves that the other player cannot prevent.

        Each move of the other player prevents at most two of the dominoes that fit side by side, so
        a third of them is sure; with ``extra`` 2, the player is to move, and the third is rounded
        up. On cells that the other player cannot cover, all are sure.
        """
        safe = self.out_of_reach(free, player)
        return self.room(safe, player) + (self.room(free & ~safe, player) + extra) // 3

    def reserved(self, free: int, player: int) -> int:
        """Return the number of a player's dominoes that fit where the other player's do not."""
        return self.room(self.out_of_reach(free, player), player)

    def out_of_reach(self, free: int, player: int) -> int:
        """Return the free cells that no domino of the other player can cover."""
        if player == 0:
            pairs = free & free >> 1 & ~self.right
            return free & ~(pairs | pairs << 1)
        pairs = free & free >> self.columns
        return free & ~(pairs | pairs << self.columns)

    def room(self, free: int, player: int) -> int:
        """Return the number of a player's dominoes that fit into free cells."""
        count = 0
        if player == 0:
            row = (1 << self.columns) - 1
            for _ in range(self.rows - 1):
                pairs = free & free >> self.columns & row
                count += pairs.bit_count()
                free &= ~(pairs | pairs << self.columns)
                row <<= self.columns
        else:
            column = self.left
            for _ in range(self.columns - 1):
                pairs = free & free >> 1 & column
                count += pairs.bit_count()
                free &= ~(pairs | pairs << 1)
                column <<= 1
        return count

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflections of the board; on a square one, players and axes are exchanged."""
        mirrors = Symmetry(grid(self.columns, self.rows, "mirrors"), masks=("cells",))
        if self.rows != self.columns:
            return (mirrors,)
        turn = grid(self.columns, self.rows, "turns")
        return mirrors, Symmetry(turn, masks=("cells",), flip=("player",), together=True)

    def space(self) -> Covered:
        """Return the range of each field."""
        cells: Any = range(1 << self.cells)
        player: Any = range(2)
        return Covered(cells, player)

    def validate(self) -> None:
        """Raise ParameterError unless the board fits and ``first`` is known."""
        super().validate()
        if self.first not in self.players:
            message = f"first={self.first!r} is not a player; give 'vertical' or 'horizontal'"
            raise ParameterError(message)

    def show(self, p: Covered) -> str:
        """Return a line for each row, ``#`` for a covered cell, and the turn."""
        rows = [" ".join(row) for row in self.rows_of(("#", p.cells))]
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def svg(self, p: Covered) -> str:
        """Draw the board."""
        rows = self.rows_of(("#", p.cells))
        title = f"domineering: {' / '.join(rows)}, {self.players[p.player]} to move"
        return self.picture(rows, filled="#", title=title)

    def name(self, domino: int) -> str:
        """Return both cells of a domino, such as ``a2a1``, the upper or the left one first."""
        first, second = (domino & -domino).bit_length() - 1, domino.bit_length() - 1
        return self.cell_name(first) + self.cell_name(second)

    def parse(self, text: str) -> Covered:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, player = self.read_turn(text)
        (cells,) = self.read_cells(board, "#")
        return Covered(cells, player)
