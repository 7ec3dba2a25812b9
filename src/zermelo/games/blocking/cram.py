"""Cram."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.game.facts import Fact
from zermelo.games._grids import GridGame
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, WIN

MCGS = "MCGS docs/MCGS-results.html (Lemoine and Viennot)"
BELING = "beling/impartial-games README"


class Dominoes(NamedTuple):
    """The covered cells; both players have the same moves.

    Attributes:
        cells: the covered cells, one bit each: bit 0 is top left, row by row.
    """

    cells: int


@dataclass(frozen=True)
class Cram(GridGame):
    """Both players lay dominoes upright or across; whoever cannot lay one loses.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    rows: int = 4
    columns: int = 4

    facts = (
        Fact(
            {"rows": 2, "columns": 3},
            "win",
            3,
            nimber=1,
            positions=18,
            source="MCGS docs/MCGS-results.html (Lemoine & Viennot); own enumeration",
        ),
        Fact(
            {"rows": 3, "columns": 3},
            "loss",
            4,
            nimber=0,
            positions=98,
            source="MCGS docs/MCGS-results.html (Lemoine & Viennot); own enumeration",
        ),
        Fact({"rows": 4, "columns": 5}, "win", nimber=2, source=BELING),
        Fact({"rows": 5, "columns": 5}, "loss", nimber=0, source=BELING),
        Fact({"rows": 3, "columns": 6}, "win", nimber=4, source=MCGS),
        Fact({"rows": 4, "columns": 6}, "loss", nimber=0, source=BELING),
        Fact({"rows": 3, "columns": 8}, "win", nimber=3, source=MCGS),
        Fact({"rows": 2, "columns": 12}, "loss", nimber=0, source=MCGS),
        Fact({"rows": 2, "columns": 2}, "win", 2, positions=6, misere=True, source=ENUMERATED),
        Fact({"rows": 3, "columns": 4}, "loss", 5, positions=550, misere=True, source=ENUMERATED),
        Fact({"rows": 4, "columns": 4}, "loss", 7, positions=5700, misere=True, source=ENUMERATED),
        Fact({"rows": 3, "columns": 5}, "loss", 7, positions=3054, misere=True, source=ENUMERATED),
        Fact({"rows": 2, "columns": 5}, "win", nimber=1, source=MCGS),
        Fact({"rows": 2, "columns": 9}, "win", nimber=1, source=MCGS),
        Fact({"rows": 2, "columns": 11}, "win", nimber=1, source=MCGS),
        Fact({"rows": 2, "columns": 14}, "loss", nimber=0, source=MCGS),
        Fact(
            {"rows": 2, "columns": 19},
            "win",
            nimber=1,
            checked=False,
            note="too many components for a quick solve",
            source=MCGS,
        ),
        Fact(
            {"rows": 3, "columns": 15},
            "win",
            nimber=1,
            checked=False,
            note="too many components for a quick solve",
            source=MCGS,
        ),
        Fact(
            {"rows": 5, "columns": 6},
            "win",
            nimber=2,
            checked=False,
            note="too many components for a quick solve",
            source=BELING,
        ),
        Fact(
            {"rows": 6, "columns": 6},
            "loss",
            nimber=0,
            checked=False,
            note="too many components for a quick solve",
            source=BELING,
        ),
        Fact(
            {"rows": 7, "columns": 7},
            "win",
            nimber=1,
            checked=False,
            note="too many components for a quick solve",
            source=BELING,
        ),
    )

    def start(self) -> Dominoes:
        """Return the empty board."""
        return Dominoes(0)

    def moves(self, p: Dominoes) -> Iterator[int]:
        """Yield the two cells, one bit each, of every domino that can be laid."""
        across, upright = 3, 1 | 1 << self.columns
        for cell in range(self.rows * self.columns):
            if cell % self.columns + 1 < self.columns and not p.cells >> cell & across:
                yield across << cell
            if cell // self.columns + 1 < self.rows and not p.cells >> cell & upright:
                yield upright << cell

    def play(self, p: Dominoes, domino: int) -> Dominoes:
        """Return the board with the domino on it."""
        return Dominoes(p.cells | domino)

    def pass_turn(self, p: Dominoes) -> Dominoes:
        """Return the same position, as both players have the same moves."""
        return p

    def split(self, p: Dominoes) -> Iterator[Dominoes]:
        """Yield each region of free cells, at the top left and in its smallest image."""
        free = self.board & ~p.cells
        while free:
            region = self.grown(free & -free, free)
            free &= ~region
            if region & region - 1:
                region, _, _ = self.normal(region, 0, 0, shifts=(True, True), turns=True)
                yield Dominoes(self.board & ~region)

    def promise(self, p: Dominoes, domino: int) -> int:
        """Return the priority of a move: the fewer dominoes still fit, the higher."""
        free = self.board & ~p.cells & ~domino
        across, upright = free & free >> 1 & ~self.right, free & free >> self.columns
        return -across.bit_count() - upright.bit_count()

    def bounds(self, p: Dominoes) -> tuple[int, int]:
        """Return LOSS for a board that a half-turn does not change, as every move has its answer.

        The answer is the image of the move. There is none if a domino may lie on the middle of the
        board: it is its own image, or it overlaps its image if the middle is a cell.
        """
        odd = self.rows % 2 == 1 and self.columns % 2 == 1
        if odd and not p.cells >> self.cells // 2 & 1 and self.beside_middle & ~p.cells:
            return LOSS, WIN
        middle = 0
        if self.rows % 2 == 0 and self.columns % 2 == 1:
            middle = self.middle_upright
        elif self.rows % 2 == 1 and self.columns % 2 == 0:
            middle = self.middle_across
        left, image, cells = self.cells, 0, p.cells
        while left:
            image, cells, left = image << 1 | cells & 1, cells >> 1, left - 1
        if image != p.cells:
            return LOSS, WIN
        if middle and not p.cells & middle:
            return WIN, WIN  # a domino on the middle leaves a board of that kind
        return LOSS, LOSS

    @property
    def middle_upright(self) -> int:
        """The two cells in the middle of an even number of rows."""
        cell = max(self.rows // 2 - 1, 0) * self.columns + self.columns // 2
        return 1 << cell | 1 << cell + self.columns

    @property
    def middle_across(self) -> int:
        """The two cells in the middle of an even number of columns."""
        return 3 << self.rows // 2 * self.columns + max(self.columns // 2 - 1, 0)

    @property
    def beside_middle(self) -> int:
        """The cells above, below, left and right of the one in the middle."""
        middle, neighbours = self.cells // 2, 0
        if self.rows > 1:
            neighbours |= 1 << middle - self.columns | 1 << middle + self.columns
        if self.columns > 1:
            neighbours |= 5 << middle - 1
        return neighbours

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.columns, self.rows), masks=("cells",))

    def space(self) -> Dominoes:
        """Return the range of the field."""
        cells: Any = range(1 << self.cells)
        return Dominoes(cells)

    def show(self, p: Dominoes) -> str:
        """Return a line for each row, ``#`` for a covered cell."""
        return "\n".join(" ".join(row) for row in self.rows_of(("#", p.cells)))

    def svg(self, p: Dominoes) -> str:
        """Draw the board."""
        rows = self.rows_of(("#", p.cells))
        return self.picture(rows, filled="#", title=f"cram: {' / '.join(rows)}")

    def name(self, domino: int) -> str:
        """Return both cells of a domino, such as ``a2a1``, the upper or the left one first."""
        first, second = (domino & -domino).bit_length() - 1, domino.bit_length() - 1
        return self.cell_name(first) + self.cell_name(second)

    def parse(self, text: str) -> Dominoes:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        return Dominoes(*self.read_cells(text, "#"))
