"""Cat and Mouse on a grid: a race for the food, in which the cat wins endless play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number

MOUSE, CAT = 0, 1
_1728 = "LeetCode 1728, the problem statement"


class Whereabouts(NamedTuple):
    """The cells of the cat and the mouse, and the player to move.

    Attributes:
        mouse: the cell the mouse is on; cells count from 0, row by row from the top left.
        cat: the cell the cat is on.
        turn: 0 if the mouse moves next, 1 if the cat does.
    """

    mouse: int
    cat: int
    turn: int


@dataclass(frozen=True)
class CatAndMouseGrid(Game):
    """A mouse and a cat race for the food on a grid, and time is on the cat's side.

    The two take turns, the mouse first. Each jumps along its row or column, as far as it can and
    not through walls, or stays. The mouse has won when it is at the food; the cat, when it is
    there, or on the mouse's cell. If the mouse never gets to the food, the cat wins.

    Attributes:
        grid: the rows from the top: ``M`` mouse, ``C`` cat, ``F`` food, ``#`` wall, ``.`` floor.
        cat: the most cells that the cat jumps.
        mouse: the most cells that the mouse jumps.
    """

    title = "Cat and Mouse on a Grid"

    grid: Sequence[str] = ("####F", "#C...", "M....")
    cat: int = 1
    mouse: int = 2

    players = ("mouse", "cat")
    endless = CAT

    facts = (
        Fact({"grid": ("####F", "#C...", "M...."), "cat": 1, "mouse": 2}, "win", source=_1728),
        Fact({"grid": ("M.C...F",), "cat": 1, "mouse": 4}, "win", source=_1728),
        Fact({"grid": ("M.C...F",), "cat": 1, "mouse": 3}, "loss", source=_1728),
        Fact(
            {"grid": ("C...#", "...#F", "....#", "M...."), "cat": 2, "mouse": 5},
            "loss",
            source=_1728,
        ),
        Fact(
            {"grid": (".M...", "..#..", "#..#.", "C#.#.", "...#F"), "cat": 3, "mouse": 1},
            "win",
            source=_1728,
        ),
    )

    def start(self) -> Whereabouts:
        """Return the position that the grid shows, the mouse to move."""
        return Whereabouts(self._cell("M"), self._cell("C"), MOUSE)

    def turn(self, position: Whereabouts) -> int:
        """Return the player to move."""
        return position.turn

    def winner(self, position: Whereabouts) -> int | None:
        """Return the winner: the cat on the mouse or the food, the mouse on the food, or None."""
        if position.cat in (position.mouse, self.food):
            return CAT
        if position.mouse == self.food:
            return MOUSE
        return None

    def moves(self, position: Whereabouts) -> Iterator[int]:
        """Yield the cells that the player to move can jump to; its own cell is to stay."""
        if position.turn == MOUSE:
            for cell in self.mouse_reach[position.mouse]:
                yield cell
        else:
            for cell in self.cat_reach[position.cat]:
                yield cell

    def play(self, position: Whereabouts, cell: int) -> Whereabouts:
        """Return the position after the player to move has jumped."""
        if position.turn == MOUSE:
            return Whereabouts(cell, position.cat, CAT)
        return Whereabouts(position.mouse, cell, MOUSE)

    @cached_property
    def food(self) -> int:
        """The cell of the food."""
        return self._cell("F")

    @cached_property
    def cat_reach(self) -> tuple[tuple[int, ...], ...]:
        """The cells that the cat can jump to from each cell."""
        return self._reach(self.cat)

    @cached_property
    def mouse_reach(self) -> tuple[tuple[int, ...], ...]:
        """The cells that the mouse can jump to from each cell."""
        return self._reach(self.mouse)

    def space(self) -> Whereabouts:
        """Return the range of each field."""
        cells: Any = range(len(self.grid) * len(self.grid[0]))
        return Whereabouts(cells, cells, range(2))  # type: ignore[arg-type]  # ranges, by contract

    def validate(self) -> None:
        """Raise ParameterError unless the grid has one mouse, one cat and one food."""
        rows: Any = self.grid
        if not isinstance(rows, tuple) or not rows or not all(isinstance(r, str) for r in rows):
            message = f'grid must be a list of rows, not {rows!r}; give one such as ["M.F", "..C"]'
            raise ParameterError(message)
        width = len(rows[0])
        wrong_row = next((row for row in rows if len(row) != width or not row), None)
        if wrong_row is not None or width > len(ascii_lowercase):
            row = rows[0] if wrong_row is None else wrong_row
            message = f"grid has a row {row!r}; give all rows the same length, of 1 to 26 cells"
            raise ParameterError(message)
        wrong_mark = next((mark for row in rows for mark in row if mark not in "MCF#."), None)
        if wrong_mark is not None:
            message = f"grid has a mark {wrong_mark!r}; use 'M', 'C', 'F', '#' and '.'"
            raise ParameterError(message)
        for mark in "MCF":
            count = "".join(rows).count(mark)
            if count != 1:
                message = f"grid has {mark!r} {count} times; put it on one cell"
                raise ParameterError(message)
        check_number("cat", self.cat, 0)
        check_number("mouse", self.mouse, 0)

    def show(self, position: Whereabouts) -> str:
        """Return the rows with the mouse, the cat and the food, and the player to move."""
        cells = ["." if mark in "MC" else mark for mark in "".join(self.grid)]
        cells[position.mouse] = "M"
        cells[position.cat] = "C"
        width = len(self.grid[0])
        rows = ["".join(cells[at : at + width]) for at in range(0, len(cells), width)]
        return "\n".join([*rows, f"{self.players[position.turn]} to move"])

    def svg(self, position: Whereabouts) -> str:
        """Draw the grid, with the moves to each cell."""
        *rows, turn_text = self.show(position).splitlines()
        width = len(rows[0])
        moves = [[self.name(r * width + c) for c in range(width)] for r in range(len(rows))]
        letters = list(ascii_lowercase[:width])
        return drawing.grid(rows, title=f"{'/'.join(rows)} {turn_text}", below=letters, moves=moves)

    def name(self, cell: int) -> str:
        """Return the name of a cell, its column and row; ``a1`` is at the top left."""
        row, column = divmod(cell, len(self.grid[0]))
        return f"{ascii_lowercase[column]}{row + 1}"

    def parse(self, text: str) -> Whereabouts:
        """Read a position as ``show`` writes it; the rows may also be separated by slashes."""
        *rows, turn_text = [
            part for part in text.replace("/", "\n").split("\n") if part.strip()
        ] or [""]
        cells, player = (
            "".join(row.strip() for row in rows),
            turn_text.strip().removesuffix(" to move"),
        )
        walls = {at for at, mark in enumerate("".join(self.grid)) if mark == "#"}
        right = len(cells) == len(self.grid) * len(self.grid[0]) and cells.count("C") == 1
        right = right and {at for at, mark in enumerate(cells) if mark == "#"} == walls
        if not right or cells.count("M") > 1 or player not in self.players:
            message = (
                f"{text!r} is not a position; write the rows, and then 'mouse to move' or "
                "'cat to move'"
            )
            raise PositionError(message)
        cat = cells.index("C")
        mouse = cells.index("M") if "M" in cells else cat
        return Whereabouts(mouse, cat, self.players.index(player))

    def _cell(self, mark: str) -> int:
        return "".join(self.grid).index(mark)

    def _reach(self, limit: int) -> tuple[tuple[int, ...], ...]:
        height, width = len(self.grid), len(self.grid[0])
        reach = []
        for row in range(height):
            for column in range(width):
                cells = [row * width + column]
                for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
                    r, c = row + down, column + right
                    while (
                        0 <= r < height
                        and 0 <= c < width
                        and self.grid[r][c] != "#"
                        and max(abs(r - row), abs(c - column)) <= limit
                    ):
                        cells.append(r * width + c)
                        r, c = r + down, c + right
                reach.append(tuple(cells))
        return tuple(reach)
