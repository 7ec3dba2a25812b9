"""Boards of six-sided cells, which are boards of square cells with one more pair of neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from typing import ClassVar

from zermelo.drawing.hexes import hexes
from zermelo.errors import PositionError
from zermelo.games._grids import Sides, SidesGame


class HexagonBoard(SidesGame):
    """A game on a board of hexagons on which each player has some.

    The cells of a row lie half a cell further to the right than those of the row above. So besides
    those on its left and right, a cell has two neighbours above, in its column and the next, and
    two below, in its column and the one before.

    Attributes:
        goals: whether pictures mark each player's sides of the board.
    """

    goals: ClassVar[bool] = False

    def indents(self) -> list[int]:
        """Return the indent of each row of a picture, in half cells."""
        return list(range(self.rows))

    def around(self, cells: int) -> int:
        """Return the cells beside given ones."""
        wide = self.columns
        left, right = (cells & ~self.left) >> 1, (cells & ~self.right) << 1
        # Up in the same column and the next, down in the same column and the one before.
        slanted = (cells | right) >> wide | (cells | left) << wide & self.board
        neighbours: int = left | right | slanted
        return neighbours & self.board

    # -- text and pictures ---------------------------------------------------------------------

    def row_cells(self) -> list[list[int]]:
        """Return the cells of each row, from the left."""
        return [
            [cell for cell in range(at, at + self.columns) if self.board >> cell & 1]
            for at in range(0, self.cells, self.columns)
        ]

    def cell_name(self, cell: int) -> str:
        """Return a cell's name: its place in its row, and the row, as ``c2``; row 1 is above."""
        row = cell // self.columns
        return f"{ascii_lowercase[self.row_cells()[row].index(cell)]}{row + 1}"

    def marks(self, p: Sides) -> list[str]:
        """Return each row as text."""
        first, second = self.colours(p)
        return [
            "".join("X" if first >> c & 1 else "O" if second >> c & 1 else "." for c in row)
            for row in self.row_cells()
        ]

    def show(self, p: Sides) -> str:
        """Return a line for each row, ``X`` and ``O`` for the players' stones, and the turn."""
        rows = [" ".join(row) for row in self.marks(p)]
        lines = [" " * indent + row for indent, row in zip(self.indents(), rows, strict=True)]
        return "\n".join([*lines, f"{self.players[p.player]} to move"])

    def svg(self, p: Sides) -> str:
        """Draw the board."""
        rows = self.marks(p)
        names = [[self.cell_name(cell) for cell in row] for row in self.row_cells()]
        return hexes(
            rows,
            title=f"{' / '.join(rows)}, {self.players[p.player]} to move",
            indents=self.indents(),
            discs=self.symbols,
            goals=self.goals,
            moves=names,
        )

    def parse(self, text: str) -> Sides:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        If the text does not have the player to move, it follows from the number of stones.
        """
        board, player = self.read_turn(text)
        rows = ["".join(row.split()) for row in board.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        sizes = [len(row) for row in self.row_cells()]
        if [len(row) for row in rows] != sizes or set("".join(rows)) - set("XO."):
            message = (
                f"{text!r} is not rows of {', '.join(map(str, sizes))} cells; write X and O for "
                "stones and . for an empty cell, rows separated by /"
            )
            raise PositionError(message)
        cells = [cell for row in self.row_cells() for cell in row]
        marks = dict(zip(cells, "".join(rows), strict=True))
        first, second = (sum(1 << cell for cell in cells if marks[cell] == own) for own in "XO")
        if board == text.strip():
            player = int(first.bit_count() > second.bit_count())
        return Sides(second, first, 1) if player else Sides(first, second, 0)


class HexagonGame(HexagonBoard):
    """A game in which two players fill the cells of a board of hexagons."""

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each empty cell."""
        empty = self.board & ~(p.mine | p.theirs)
        while empty:
            yield (empty & -empty).bit_length() - 1
            empty &= empty - 1

    def play(self, p: Sides, cell: int) -> Sides:
        """Return the board with a stone in the cell, as the other player sees it."""
        return Sides(p.theirs, p.mine | 1 << cell, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of stones."""
        return (p.mine | p.theirs).bit_count()
