"""Boards of square cells, for several games: neighbours, names, text and pictures, but no rules.

A cell is a bit: bit 0 is top left, and bits go on row by row. Its name is its column and its row;
``a1`` is at the bottom left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from string import ascii_lowercase
from typing import Any, ClassVar, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.symmetry import Symmetry, grid

#: The most cells of a board, and the most columns, which are letters.
MOST_CELLS = 62
MOST_COLUMNS = 26
_STRAIGHT = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Sides(NamedTuple):
    """The cells of each player, one bit per cell: bit 0 is top left, row by row.

    Attributes:
        mine: the cells of the player to move.
        theirs: those of the other player.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    player: int


class GridGame(Game):
    """A game on a board of square cells: what such games share except rules.

    A subclass is a frozen dataclass with the fields ``rows`` and ``columns``. It may have a field
    ``setup``, the starting position as ``parse`` reads it.

    Attributes:
        fewest_cells: the smallest number of cells that a board may have.
    """

    rows: Any
    columns: Any
    setup: Any = ""
    fewest_cells: ClassVar[int] = 1

    @property
    def cells(self) -> int:
        """The number of cells."""
        return int(self.rows * self.columns)

    @cached_property
    def board(self) -> int:
        """All cells."""
        return (1 << int(self.rows * self.columns)) - 1

    @cached_property
    def left(self) -> int:
        """The leftmost column."""
        return sum(1 << row * self.columns for row in range(self.rows))

    @cached_property
    def right(self) -> int:
        """The rightmost column."""
        return self.left << int(self.columns) - 1

    @cached_property
    def top(self) -> int:
        """The row on top."""
        return (1 << int(self.columns)) - 1

    @cached_property
    def bottom(self) -> int:
        """The row at the bottom."""
        return self.top << int((self.rows - 1) * self.columns)

    def around(self, cells: int) -> int:
        """Return the cells beside given ones, along rows and columns."""
        sides = (cells & ~self.left) >> 1 | (cells & ~self.right) << 1
        neighbours: int = (sides | cells >> self.columns | cells << self.columns) & self.board
        return neighbours

    def grown(self, cells: int, within: int) -> int:
        """Return all cells within some that are joined to given ones."""
        while True:
            grown_cells = cells | self.around(cells) & within
            if grown_cells == cells:
                return cells
            cells = grown_cells

    # -- components: regions of cells, wherever they lie, as one ---------------------------------

    def normal(
        self, region: int, mine: int, theirs: int, *, shifts: tuple[bool, bool], turns: bool
    ) -> tuple[int, int, int]:
        """Return the least of a region's images, as far up and to the left as it may go.

        It is the same image if ``mine`` and ``theirs`` are exchanged, unless the region looks the
        same with them exchanged.

        Args:
            region: the cells, at least one.
            mine: some of them, which have the same image.
            theirs: likewise.
            shifts: whether the region may be moved up and down, and whether left and right.
            turns: whether rows may become columns, where the image fits the board.
        """
        shift = self.corner_shift(region, shifts)
        region, mine, theirs = region >> shift, mine >> shift, theirs >> shift
        least, chosen = (region, min(mine, theirs), max(mine, theirs), mine), theirs
        for image in range(1, 8):
            if image == 4:  # the images before it have the rows as rows
                fits = shifts[0] and shifts[1] and not region & ~self.square
                if not turns or (self.rows != self.columns and not fits):
                    break
                region, mine = self.transposed(region), self.transposed(mine)
                theirs, shifts = self.transposed(theirs), (shifts[1], shifts[0])
            elif image % 2:
                region, mine = self.mirrored(region), self.mirrored(mine)
                theirs = self.mirrored(theirs)
            else:
                region, mine = self.flipped(region), self.flipped(mine)
                theirs = self.flipped(theirs)
            shift = self.corner_shift(region, shifts)
            region, mine, theirs = region >> shift, mine >> shift, theirs >> shift
            order = region, min(mine, theirs), max(mine, theirs), mine
            if order < least:
                least, chosen = order, theirs
        return least[0], least[3], chosen

    def corner_shift(self, region: int, shifts: tuple[bool, bool]) -> int:
        """Return the number of bits to shift a region by, to the top left corner."""
        down, across = shifts
        shift = 0
        while across and not region >> shift & self.left:
            shift += 1
        while down and not region >> shift & self.top:
            shift += self.columns
        return shift

    def mirrored(self, cells: int) -> int:
        """Return the image of cells in a mirror that exchanges left and right."""
        image = 0
        for column in range(self.columns):
            image |= (cells >> column & self.left) << self.columns - 1 - column
        return image

    def flipped(self, cells: int) -> int:
        """Return the image of cells in a mirror that exchanges top and bottom."""
        image = 0
        for row in range(self.rows):
            line = cells >> row * self.columns & self.top
            image |= line << (self.rows - 1 - row) * self.columns
        return image

    def transposed(self, cells: int) -> int:
        """Return the image of cells in a mirror that makes rows columns; they must fit."""
        image = 0
        while cells:
            row, column = divmod((cells & -cells).bit_length() - 1, self.columns)
            image |= 1 << column * self.columns + row
            cells &= cells - 1
        return image

    @cached_property
    def square(self) -> int:
        """The cells whose row and column can be exchanged."""
        side = min(self.rows, self.columns)
        return sum(
            1 << row * self.columns + column for row in range(side) for column in range(side)
        )

    @cached_property
    def straights(self) -> list[list[list[int]]]:
        """For each cell, the cells up, down, left and right of it, nearest first."""
        return [[self.ray(cell, *step) for step in _STRAIGHT] for cell in range(self.cells)]

    @cached_property
    def rays(self) -> list[list[list[int]]]:
        """For each cell, the cells in each of the eight directions from it, nearest first."""
        steps = (*_STRAIGHT, (-1, -1), (-1, 1), (1, -1), (1, 1))
        return [[self.ray(cell, *step) for step in steps] for cell in range(self.cells)]

    def ray(self, cell: int, down: int, right: int) -> list[int]:
        """Return the cells in one direction from a cell, nearest first."""
        row, column = divmod(cell, self.columns)
        cells = []
        while 0 <= row + down < self.rows and 0 <= column + right < self.columns:
            row, column = row + down, column + right
            cells.append(row * self.columns + column)
        return cells

    def validate(self) -> None:
        """Raise ParameterError unless the board has cells, and not too many."""
        check_number("rows", self.rows, 1, MOST_CELLS)
        check_number("columns", self.columns, 1, MOST_COLUMNS)
        if not self.fewest_cells <= self.rows * self.columns <= MOST_CELLS:
            message = (
                f"{self.rows!r} rows of {self.columns!r} cells are {self.rows * self.columns}; "
                f"give a board of {self.fewest_cells} to {MOST_CELLS} cells"
            )
            raise ParameterError(message)
        if not isinstance(self.setup, str):
            message = f"setup must be a text, not {self.setup!r}; write the board, rows by /"
            raise ParameterError(message)
        if self.setup:
            game: Any = self
            try:
                game.parse(self.setup)
            except PositionError as error:
                message = f"setup: {error}"
                raise ParameterError(message) from None

    # -- text and pictures ---------------------------------------------------------------------

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell, its column and row, such as ``c2``; row 1 is below."""
        row, column = divmod(cell, self.columns)
        return f"{ascii_lowercase[column]}{self.rows - row}"

    def cell_names(self) -> list[list[str]]:
        """Return the names of all cells, row by row, for a picture that can be clicked."""
        names = [self.cell_name(cell) for cell in range(self.cells)]
        return [names[at : at + self.columns] for at in range(0, self.cells, self.columns)]

    def cell_called(self, name: Any) -> int:
        """Return the cell with a name, such as ``a1``, that a parameter has.

        Raises:
            ParameterError: no cell has that name.
        """
        names = [name for row in self.cell_names() for name in row]
        if name not in names:
            last = f"{names[-1][0]}{self.rows}"
            message = f"{name!r} is not a cell of this board; give one from 'a1' to {last!r}"
            raise ParameterError(message)
        return names.index(name)

    def rows_of(self, *sets: tuple[str, int]) -> list[str]:
        """Return each row as text: a mark for each set of cells, and a dot for the others."""
        marks = "".join(
            next((mark for mark, cells in sets if cells >> cell & 1), ".")
            for cell in range(self.cells)
        )
        return [marks[at : at + self.columns] for at in range(0, self.cells, self.columns)]

    def read_cells(self, text: str, marks: str) -> tuple[int, ...]:
        """Read rows from the top, separated by line breaks or slashes.

        Args:
            text: the rows, in which spaces are skipped and a dot is an empty cell.
            marks: the other characters that a cell may have.

        Returns:
            For each mark, the cells that have it.

        Raises:
            PositionError: the text is not such a board.
        """
        rows = ["".join(row.split()) for row in text.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        wrong = next((mark for row in rows for mark in row if mark not in f"{marks}."), None)
        marks_text = f"{', '.join(marks)}, and . for an empty cell"
        if wrong is not None:
            message = f"{text!r} has a mark {wrong!r}; write {marks_text}"
            raise PositionError(message)
        if [len(row) for row in rows] != [self.columns] * self.rows:
            message = (
                f"{text!r} is not {self.rows} rows of {self.columns} cells; write {marks_text}, "
                "rows separated by /"
            )
            raise PositionError(message)
        board = "".join(rows)
        return tuple(
            sum(1 << cell for cell, letter in enumerate(board) if letter == mark) for mark in marks
        )

    def read_turn(self, text: str) -> tuple[str, int]:
        """Read the player to move at the end of a text, such as ``black to move``.

        Returns:
            The text before it, and the player: the first one if the text has none.
        """
        text = text.strip()
        for player, name in enumerate(self.players):
            if text.endswith(f"{name} to move"):
                return text.removesuffix(f"{name} to move").rstrip(" ,\n/"), player
        return text, 0

    def picture(self, rows: Sequence[str], **options: Any) -> str:
        """Draw rows of marks, whose cells can be clicked; see ``drawing.grid`` for the options."""
        return drawing.grid(rows, moves=self.cell_names(), **options)


class SquareBoard:
    """A board with as many rows as columns; a class of a game puts it before its other bases.

    Attributes:
        size: the number of cells in a row and in a column.
    """

    size: Any

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.size)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return int(self.size)


class SidesGame(GridGame):
    """A game on a board of square cells on which each player has some.

    Attributes:
        symbols: the marks of the first player's cells and of the second's.
    """

    players: ClassVar[tuple[str, str]] = ("black", "white")
    symbols: ClassVar[str] = "XO"

    def start(self) -> Sides:
        """Return the board as it is set up, by default empty."""
        return self.parse(self.setup) if self.setup else Sides(0, 0, 0)

    def turn(self, p: Sides) -> int:
        """Return the player to move."""
        return p.player

    def pass_turn(self, p: Sides) -> Sides:
        """Return the same board with the other player to move."""
        return Sides(p.theirs, p.mine, 1 - p.player)

    def all_live(self, stones: int, others: int) -> bool:
        """Return whether each group of these stones has an empty cell beside it, as in Go."""
        empty = self.board & ~(stones | others)
        return self.grown(self.around(empty) & stones, stones) == stones

    def symmetries(self) -> Symmetry | tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        board = Symmetry(grid(self.columns, self.rows), masks=("mine", "theirs"))
        return board, Symmetry(flip=("player",))

    def space(self) -> Sides:
        """Return the range of each field; no cell has both players."""
        cells: Any = Disjoint(self.cells)
        player: Any = range(2)
        return Sides(cells, cells, player)

    def checkerboard(self) -> int:
        """Return every other cell, including the one at the bottom left."""
        return sum(
            1 << row * self.columns + column
            for row in range(self.rows)
            for column in range(self.columns)
            if (self.rows - 1 - row + column) % 2 == 0
        )

    def colours(self, p: Sides) -> tuple[int, int]:
        """Return the first player's cells and the second's."""
        return (p.theirs, p.mine) if p.player else (p.mine, p.theirs)

    def rows_of_sides(self, p: Sides) -> list[str]:
        """Return each row as text."""
        first, second = self.colours(p)
        return self.rows_of((self.symbols[0], first), (self.symbols[1], second))

    def show(self, p: Sides) -> str:
        """Return a line for each row, ``X`` and ``O`` for the players' cells, and the turn."""
        rows = [" ".join(row) for row in self.rows_of_sides(p)]
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def svg(self, p: Sides) -> str:
        """Draw the board."""
        rows = self.rows_of_sides(p)
        title = f"{' / '.join(rows)}, {self.players[p.player]} to move"
        return self.picture(rows, discs=self.symbols, title=title)

    def name(self, move: Any) -> str:
        """Return the cells of a move by column and row, such as ``c2``, or ``c2c3``."""
        cells = move if isinstance(move, tuple) else (move,)
        return "".join(self.cell_name(cell) for cell in cells)

    def parse(self, text: str) -> Sides:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, player = self.read_turn(text)
        first, second = self.read_cells(board, self.symbols)
        return Sides(second, first, 1) if player else Sides(first, second, 0)
