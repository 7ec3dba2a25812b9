"""Two pieces that never return to a square: each move burns the square it goes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.errors import PositionError
from zermelo.games._grids import GridGame


class Trodden(NamedTuple):
    """The squares of the two pieces, and the squares they have visited.

    Attributes:
        mine: the square of the player to move.
        theirs: the square of the other player.
        used: the squares that have been visited, including these two, one bit per square.
    """

    mine: int
    theirs: int
    used: int


class TrailGame(GridGame):
    """Each player has a piece, which moves to squares never visited; whoever cannot move loses."""

    @property
    def reach(self) -> list[list[int]]:
        """The squares that a move may lead to from each square."""
        raise NotImplementedError

    def moves(self, p: Trodden) -> Iterator[int]:
        """Yield each square to move to."""
        for target in self.reach[p.mine]:
            if not p.used >> target & 1:
                yield target

    def play(self, p: Trodden, there: int) -> Trodden:
        """Return the board after the move, as the other player sees it."""
        return Trodden(p.theirs, there, p.used | 1 << there)

    def level(self, p: Trodden) -> int:
        """Return the number of visited squares."""
        return p.used.bit_count()

    def pass_turn(self, p: Trodden) -> Trodden:
        """Return the same board with the other player to move."""
        return Trodden(p.theirs, p.mine, p.used)

    def space(self) -> Trodden:
        """Return the range of each field."""
        square: Any = range(self.cells)
        visited: Any = range(1 << self.cells)
        return Trodden(square, square, visited)

    # -- text and pictures ----------------------------------------------------------------------

    def name(self, target: int) -> str:
        """Return the name of the square to move to, such as ``c2``."""
        return self.cell_name(target)

    def text_rows(self, p: Trodden) -> list[str]:
        """Return the board: ``X`` and ``O`` for the players, and ``#`` for a visited square."""
        ends = (1 << p.mine, 1 << p.theirs)
        first, second = ends if p.used.bit_count() % 2 == 0 else ends[::-1]
        return self.rows_of(("X", first), ("O", second), ("#", p.used))

    def show(self, p: Trodden) -> str:
        """Return a line for each row."""
        return "\n".join(" ".join(row) for row in self.text_rows(p))

    def svg(self, p: Trodden) -> str:
        """Draw the board."""
        rows = self.text_rows(p)
        rows_shown = [row.replace("#", "\u2022") for row in rows]
        return self.picture(rows_shown, discs="XO", title=" / ".join(rows))

    def parse(self, text: str) -> Trodden:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        first, second, burnt = self.read_cells(text, "XO#")
        if first.bit_count() != 1 or second.bit_count() != 1:
            message = f"{text!r} must have one X and one O; the squares visited are #"
            raise PositionError(message)
        visited = first | second | burnt
        ends = (first.bit_length() - 1, second.bit_length() - 1)
        mine, theirs = ends if visited.bit_count() % 2 == 0 else ends[::-1]
        return Trodden(mine, theirs, visited)
