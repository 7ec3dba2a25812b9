"""Cutcake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.game.facts import Fact
from zermelo.games._grids import GridGame
from zermelo.games._sources import CGSUITE, ENUMERATED


class Cuts(NamedTuple):
    """The cuts through a cake, its rim included, and the player to move.

    Attributes:
        upright: the squares with a cut at their right, one bit each: bit 0 is top left, row by row.
        across: the squares with a cut below them.
        player: the player to move: 0 cuts upright, 1 across.
    """

    upright: int
    across: int
    player: int


@dataclass(frozen=True)
class Cutcake(GridGame):
    """One player cuts pieces of a cake upright, the other across; whoever cannot cut one loses.

    A cut goes along a line between squares, from edge to edge of one piece.

    Attributes:
        rows: the number of rows of squares.
        columns: the number of columns of squares.
        setup: the cake at the start and the player to move, as text, such as ``.|./..., vertical to
            move``; by default it is whole.
    """

    rows: int = 3
    columns: int = 4
    setup: str = ""

    players = ("vertical", "horizontal")

    facts = (
        *(
            Fact({"rows": 8, "columns": columns}, partizan=value, source=CGSUITE)
            for columns, value in ((1, "-7"), (2, "-3"), (3, "-3"), (4, "-1"))
        ),
        Fact({"rows": 3, "columns": 3}, "loss", 4, positions=116, source=ENUMERATED),
        Fact({"rows": 3, "columns": 4}, "win", 9, positions=1803, source=ENUMERATED),
        Fact({"rows": 4, "columns": 3}, "loss", 4, positions=502, source=ENUMERATED),
    )

    def start(self) -> Cuts:
        """Return the cake as it is set up, by default whole."""
        return self.parse(self.setup) if self.setup else Cuts(self.right, self.bottom, 0)

    def turn(self, p: Cuts) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Cuts) -> Iterator[int]:
        """Yield the first square beside each cut that can be made: the upper, or the left one."""
        if p.player:
            free, first = self.board & ~p.across, self.left | p.upright << 1
        else:
            free, first = self.board & ~p.upright, self.top | p.across << self.columns
        for square in range(self.rows * self.columns):
            if free & first & 1 << square:
                yield square

    def play(self, p: Cuts, square: int) -> Cuts:
        """Return the cake after a cut from a square on, up to the edge of the piece."""
        across, upright = p.across, p.upright
        if p.player:
            across |= 1 << square
            while not upright >> square & 1:
                square += 1
                across |= 1 << square
            return Cuts(upright, across, 0)
        upright |= 1 << square
        while not across >> square & 1:
            square += self.columns
            upright |= 1 << square
        return Cuts(upright, across, 1)

    def split(self, p: Cuts) -> Iterator[Cuts]:
        """Yield each piece of two squares or more, at the top left among single squares."""
        corners = (self.left | p.upright << 1) & (self.top | p.across << self.columns)
        for square in range(self.rows * self.columns):
            if corners >> square & 1:
                piece, last = 1, square
                while not p.upright >> last & 1:
                    last += 1
                    piece |= piece << 1
                line = piece
                while not p.across >> last & 1:
                    last += self.columns
                    line <<= self.columns
                    piece |= line
                if piece > 1:
                    upright = self.board & ~(piece & piece >> 1) | self.right
                    across = self.board & ~(piece & piece >> self.columns)
                    yield Cuts(upright, across, p.player)

    def space(self) -> Cuts:
        """Return the range of each field."""
        squares: Any = range(1 << self.cells)
        player: Any = range(2)
        return Cuts(squares, squares, player)

    # -- text and pictures ----------------------------------------------------------------------

    def show(self, p: Cuts) -> str:
        """Return a line for each row, and the turn.

        A square with a cut at its right is ``|``, one with a cut below it ``_``, and one with both
        ``J``; the rim is not shown.
        """
        rows = [" ".join(row) for row in self.marks(p)]
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def marks(self, p: Cuts) -> list[str]:
        """Return each row as text."""
        upright, across = p.upright & ~self.right, p.across & ~self.bottom
        return self.rows_of(("J", upright & across), ("|", upright), ("_", across))

    def svg(self, p: Cuts) -> str:
        """Draw the cake with its cuts; click a square to cut beside it, or below it."""
        size, margin = drawing.CELL, drawing.MARGIN
        width, height = size * self.columns, size * self.rows
        squares = [(cell, *divmod(cell, self.columns)) for cell in range(self.cells)]
        faint = [f"M{margin} {margin + size * row}h{width}" for row in range(1, self.rows)]
        faint += [f"M{margin + size * at} {margin}v{height}" for at in range(1, self.columns)]
        cuts = [f"M{margin} {margin}h{width}", f"M{margin} {margin}v{height}"]
        for cell, row, column in squares:
            x, y = margin + size * (column + 1), margin + size * (row + 1)
            if p.upright >> cell & 1:
                cuts.append(f"M{x} {y - size}v{size}")
            if p.across >> cell & 1:
                cuts.append(f"M{x - size} {y}h{size}")
        parts = [
            f'<path opacity=".3" stroke-dasharray="2 4" d="{"".join(faint)}"/>' if faint else "",
            f'<path stroke-width="3" stroke-linecap="round" d="{"".join(cuts)}"/>',
        ]
        for cell, row, column in squares:
            place = (margin + size * column, margin + size * row, size, size)
            parts.append(drawing.clickable(self.name(cell), *place))
        title = f"cutcake: {' / '.join(self.marks(p))}, {self.players[p.player]} to move"
        return drawing.document(parts, (2 * margin + width, 2 * margin + height), title=title)

    def name(self, square: int) -> str:
        """Return the upper or left square beside a cut, such as ``b3``."""
        return self.cell_name(square)

    def parse(self, text: str) -> Cuts:
        """Read a cake as ``show`` writes it; rows may be separated by slashes."""
        cake, player = self.read_turn(text)
        both, upright, across = self.read_cells(cake, "J|_")
        return Cuts(upright | both | self.right, across | both | self.bottom, player)
