"""Base class of games in which coloured cells bar the cells beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from zermelo.games._grids import Sides, SidesGame


class ColouringGame(SidesGame):
    """Colour a cell, but none beside cells of one colour. Whoever cannot colour one loses.

    A cell that both players have is out of the game, and bars none. There is none at the start
    unless ``setup`` has some, and in components.

    Attributes:
        others_repel: whether the other player's cells bar those beside them; if not, one's own do.
    """

    others_repel: ClassVar[bool]

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each empty cell that the player may colour."""
        free = self.allowed(p.mine, p.theirs)
        for cell in range(self.rows * self.columns):
            if free >> cell & 1:
                yield cell

    def play(self, p: Sides, cell: int) -> Sides:
        """Return the board with the cell coloured, as the other player sees it."""
        return Sides(p.theirs, p.mine | 1 << cell, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of coloured cells."""
        return (p.mine | p.theirs).bit_count()

    def allowed(self, mine: int, theirs: int) -> int:
        """Return the empty cells that the player of the first ones may colour."""
        repelling = theirs & ~mine if self.others_repel else mine & ~theirs
        return self.board & ~(mine | theirs | self.around(repelling))

    def split(self, p: Sides) -> Iterator[Sides]:
        """Yield each set of cells in which a move can bar another.

        A cell that both players may colour has no coloured cell beside it. One that a single player
        may colour has cells of one colour beside it, and loses nothing if all cells beside it that
        are not in its component get that colour, unless they are beside another cell of it as well.
        All other cells are out of the game. A set that is not at the edge of the board goes to the
        top left with the cells beside it.
        """
        own, other = self.allowed(p.mine, p.theirs), self.allowed(p.theirs, p.mine)
        barred_by_own, barred_by_other = (other, own) if self.others_repel else (own, other)
        left = own | other
        while left:
            group, grown = left & -left, 0
            while grown != group:
                grown = group
                group |= self.around(group & own) & barred_by_own
                group |= self.around(group & other) & barred_by_other
            left &= ~group
            beside = self.around(group) & ~group
            beside_own = self.around(group & ~other)
            beside_other = self.around(group & ~own)
            mixed = beside & (self.around(group & own & other) | beside_own & beside_other)
            mine, theirs = beside & beside_own & ~mixed, beside & beside_other & ~mixed
            if not self.others_repel:
                mine, theirs = theirs, mine
            shifts = (
                not group & (self.top | self.bottom),
                not group & (self.left | self.right),
            )
            where, mine, theirs = self.normal(
                group | beside, mine | mixed, theirs | mixed, shifts=shifts, turns=True
            )
            out = self.board & ~where
            yield Sides(mine | out, theirs | out, p.player)

    def space(self) -> Sides:
        """Return the range of each field; both may have a cell, which is out of the game."""
        cells: Any = range(1 << self.cells)
        player: Any = range(2)
        return Sides(cells, cells, player)

    def rows_of_sides(self, p: Sides) -> list[str]:
        """Return each row as text, ``#`` for a cell that is out of the game."""
        first, second = self.colours(p)
        return self.rows_of(("#", p.mine & p.theirs), ("X", first), ("O", second))

    def svg(self, p: Sides) -> str:
        """Draw the board."""
        rows = self.rows_of_sides(p)
        title = f"{' / '.join(rows)}, {self.players[p.player]} to move"
        return self.picture(rows, discs=self.symbols, filled="#", title=title)

    def parse(self, text: str) -> Sides:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, player = self.read_turn(text)
        first, second, out = self.read_cells(board, f"{self.symbols}#")
        first, second = first | out, second | out
        return Sides(second, first, 1) if player else Sides(first, second, 0)
