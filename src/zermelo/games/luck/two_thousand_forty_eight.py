"""2048: one player against chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.symmetry import Symmetry, grid

#: The names of the four moves, in the order of their numbers.
DIRECTIONS = ("left", "right", "up", "down")
#: Of ten new tiles on average, the number of twos and of fours.
TWOS, FOURS = 9, 1
#: The most rows and columns; a larger board has far too many positions.
MOST_SIDE = 4

EXPECTIMAX = "expectimax in exact fractions by a program that shares no code with Zermelo"
YAMASHITA = "README of shuymst/solving_2048_on_3x3_board at b696649: about 5,470 for initial boards"


class Tiles(NamedTuple):
    """The tiles on the board.

    Attributes:
        cells: for each cell, row by row from the top, the power of two on its tile: 1 for a 2, 2
            for a 4, 3 for an 8; 0 for an empty cell.
        due: the number of tiles that chance has to put before the player moves.
    """

    cells: tuple[int, ...]
    due: int


@dataclass(frozen=True)
class TwoThousandFortyEight(Game):
    """Slide all tiles to one side; equal tiles that meet merge, and score their sum.

    At the start chance puts two tiles into empty cells, and after each move one: a 2 with
    probability 9/10, or a 4. A move slides all tiles to one side as far as they go. Two equal tiles
    that meet on the way merge into one of twice the value, which does not merge again in the same
    move. A move must change the board; without a move the game is over. A position is worth the
    points still to come.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    title = "2048"

    rows: int = 2
    columns: int = 2

    players = ("player", "nobody")

    facts = (
        Fact({"rows": 1, "columns": 4}, expectation="33.31135", source=EXPECTIMAX),
        Fact({"rows": 2, "columns": 2}, expectation="66.96415", source=EXPECTIMAX),
        Fact({"rows": 3, "columns": 2}, expectation="480.25827", source=EXPECTIMAX),
        Fact({"rows": 3, "columns": 3}, expectation="5470", checked=False, source=YAMASHITA),
    )

    def start(self) -> Tiles:
        """Return the empty board, on which chance puts two tiles."""
        return Tiles((0,) * (self.rows * self.columns), 2)

    def turn(self, p: Tiles) -> int:  # noqa: ARG002  # there is one player
        """Return the only player."""
        return 0

    def chance(self, p: Tiles) -> Iterator[tuple[int, Tiles]]:
        """Yield a 2 and a 4 in each empty cell, if a tile is due."""
        if p.due:
            for cell in range(len(p.cells)):
                if not p.cells[cell]:
                    yield TWOS, Tiles(put(p.cells, cell, 1), p.due - 1)
                    yield FOURS, Tiles(put(p.cells, cell, 2), p.due - 1)

    def moves(self, p: Tiles) -> Iterator[int]:
        """Yield each direction in which a tile can slide or merge."""
        if not p.due:
            for direction in range(4):
                if self.slide(p.cells, direction)[0] != p.cells:
                    yield direction

    def play(self, p: Tiles, direction: int) -> Tiles:
        """Return the board after a move; one tile is due."""
        return Tiles(self.slide(p.cells, direction)[0], 1)

    def gain(self, p: Tiles, direction: int) -> int:
        """Return the sum of the tiles that a move makes by merging."""
        return self.slide(p.cells, direction)[1]

    def slide(self, cells: tuple[int, ...], direction: int) -> tuple[tuple[int, ...], int]:
        """Return the tiles after a slide, and the sum of the merged ones."""
        merged_sum = 0
        for line in self.lines[direction]:
            place = 0
            last = 0  # the tile before that place, if it may still merge
            for cell in line:
                tile = cells[cell]
                if tile:
                    cells = put(cells, cell, 0)
                    if tile == last:
                        cells = put(cells, line[place - 1], tile + 1)
                        merged_sum += 2 << tile
                        last = 0
                    else:
                        cells = put(cells, line[place], tile)
                        place += 1
                        last = tile
        return cells, merged_sum

    def level(self, p: Tiles) -> int:
        """Return the sum of all tiles, which chance alone changes, and the number of tiles due."""
        total = p.due
        for tile in p.cells:
            if tile:
                total += 1 << tile
        return total

    @cached_property
    def lines(self) -> list[list[list[int]]]:
        """For each direction, the cells of each line, those where tiles slide to first."""
        rows = [[r * self.columns + c for c in range(self.columns)] for r in range(self.rows)]
        columns = [list(column) for column in zip(*rows, strict=True)]
        return [
            rows,
            [row[::-1] for row in rows],
            columns,
            [column[::-1] for column in columns],
        ]

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.columns, self.rows), rows=("cells",))

    def space(self) -> Any:
        """Return the range of each field: with n cells no tile exceeds the power n + 1."""
        cells = self.rows * self.columns
        return Tiles((range(cells + 2),) * cells, range(3))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless the board has room for two tiles, and is not too large."""
        check_number("rows", self.rows, 1, MOST_SIDE)
        check_number("columns", self.columns, 2, MOST_SIDE)

    # -- text and pictures ----------------------------------------------------------------------

    def marks(self, p: Tiles) -> list[list[str]]:
        """Return each row as words: the value of each tile, and a dot for an empty cell."""
        words = [str(1 << tile) if tile else "." for tile in p.cells]
        return [words[at : at + self.columns] for at in range(0, len(words), self.columns)]

    def show(self, p: Tiles) -> str:
        """Return a line for each row, and the number of tiles that are due."""
        rows = self.marks(p)
        width = max(len(word) for row in rows for word in row)
        lines = [" ".join(word.rjust(width) for word in row) for row in rows]
        due = {0: "slide", 1: "1 tile due", 2: "2 tiles due"}[p.due]
        return "\n".join([*lines, due])

    def svg(self, p: Tiles) -> str:
        """Draw the board, with arrows around it that can be clicked if the player is to move."""
        title = " / ".join(" ".join(line.split()) for line in self.show(p).splitlines())
        left, right, up, down = "    " if p.due else "\u2190\u2192\u2191\u2193"
        rows = [
            [" ", *up * self.columns, " "],
            *([left, *row, right] for row in self.marks(p)),
            [" ", *down * self.columns, " "],
        ]
        names = dict(zip("\u2190\u2192\u2191\u2193", DIRECTIONS, strict=True))
        moves = [[names.get(word, "") for word in row] for row in rows]
        return drawing.grid(rows, title=title, moves=moves)

    def name(self, direction: int) -> str:
        """Return the side to which the tiles slide."""
        return DIRECTIONS[direction]

    def parse(self, text: str) -> Tiles:
        """Read rows of numbers and dots, separated by line breaks or slashes.

        The number of tiles that are due, such as ``1 tile due``, may follow; without it none is.

        Raises:
            PositionError: the text is not such a board.
        """
        board, due = text.strip(), 0
        for number, words in enumerate(("slide", "1 tile due", "2 tiles due")):
            if board.endswith(words):
                board, due = board.removesuffix(words), number
        rows = [row.split() for row in board.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        words_of = {".": 0} | {
            str(1 << tile): tile for tile in range(1, self.rows * self.columns + 2)
        }
        if [len(row) for row in rows] != [self.columns] * self.rows or any(
            word not in words_of for row in rows for word in row
        ):
            example = self.show(self.start()).replace("\n", " / ")
            message = (
                f"{text!r} is not a board of {self.rows} rows of {self.columns} tiles; write one "
                f"such as {example!r}, with 2, 4, 8 … for tiles"
            )
            raise PositionError(message)
        return Tiles(tuple(words_of[word] for row in rows for word in row), due)
