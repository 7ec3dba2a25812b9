"""Base class of games in which coloured cells bar the cells beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from zermelo.games._grids import Sides, SidesGame


class ColouringGame(SidesGame):
    """Colour a cell, but none beside cells of one colour. Whoever cannot colour one loses.

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
        repelling = theirs if self.others_repel else mine
        return self.board & ~(mine | theirs | self.around(repelling))

    def split(self, p: Sides) -> Iterator[Sides]:
        """Yield each set of cells in which a move can bar another, all others coloured or barred.

        A cell that both players may colour has no coloured cell beside it. One that a single player
        may colour has cells of one colour beside it, and so loses nothing if all cells beside it
        that are not in its component get that colour. Only a cell between different ones has to
        stay empty, and then the component stays where it is; others go to the top left, as far as
        they do not leave the edges of the board.
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
            theirs = beside & ~mixed & (beside_other if self.others_repel else beside_own)
            if mixed:
                theirs |= p.theirs & self.around(mixed) & ~beside
                where, down, across = self.board, False, False
            else:
                where, across = group | beside, not group & (self.left | self.right)
                down = not group & (self.top | self.bottom)
            _, free, theirs = self.normal(
                where, group | mixed, theirs, shifts=(down, across), turns=True
            )
            yield Sides(self.board & ~(free | theirs), theirs, p.player)
