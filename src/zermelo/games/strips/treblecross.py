"""Treblecross."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import drawing
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.strips._strip import MOST_SQUARES, bits, letters, read, written
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, Outcome


@dataclass(frozen=True)
class Treblecross(Game):
    """Both players write crosses on a strip; whoever makes three in a row wins.

    Attributes:
        cells: the number of cells of the strip.
    """

    cells: int = 12

    facts = tuple(
        Fact(
            {"cells": cells},
            value,
            plies,
            positions=wins + losses,
            win=wins,
            loss=losses,
            source=ENUMERATED,
        )
        for cells, value, plies, wins, losses in (
            (5, "win", 3, 20, 12),
            (10, "win", 5, 479, 443),
            (12, "loss", 6, 1652, 1806),
            (13, "win", 7, 3061, 3611),
        )
    )

    def start(self) -> int:
        """Return the empty strip."""
        return 0

    def outcome(self, crosses: int) -> Outcome | None:
        """Return a loss if the other player has just made three in a row."""
        return LOSS if crosses & crosses >> 1 & crosses >> 2 else None

    def moves(self, crosses: int) -> Iterator[int]:
        """Yield each empty cell."""
        for cell in range(self.cells):
            if not crosses >> cell & 1:
                yield cell

    def play(self, crosses: int, cell: int) -> int:
        """Return the strip with one more cross."""
        return crosses | 1 << cell

    def space(self) -> range:
        """Return the range of a position."""
        return range(1 << self.cells)

    def symmetries(self) -> Symmetry:
        """Return the half-turn of the strip."""
        return Symmetry(grid(self.cells, 1, "columns"), masks=("position",))

    def validate(self) -> None:
        """Raise ParameterError unless three cells fit into the strip."""
        check_number("cells", self.cells, 3, MOST_SQUARES)

    def show(self, crosses: int) -> str:
        """Return the strip as text, such as ``..X..``."""
        return written(crosses, self.cells, "X.")

    def svg(self, crosses: int) -> str:
        """Draw the strip."""
        names, strip = letters(self.cells), self.show(crosses)
        return drawing.grid([strip], title=strip, below=names, moves=[names])

    def name(self, cell: int) -> str:
        """Return the letter of a cell."""
        return letters(self.cells)[cell]

    def parse(self, text: str) -> int:
        """Read a strip as ``show`` writes it."""
        return bits(read(text, self.cells, "X."), "X")
