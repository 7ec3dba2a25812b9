"""Othello, of any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.symmetry import Symmetry, grid

MOST_SQUARES = 62
PASS = -1


class Discs(NamedTuple):
    """Where the discs are, one bit a square: bit 0 is top left, row by row.

    Attributes:
        mine: the discs of the player to move.
        theirs: those of the other.
        player: who is to move, 0 or 1.
    """

    mine: int
    theirs: int
    player: int


@dataclass(frozen=True)
class Othello(Game):
    """Two players put discs on a board and turn those that they enclose; more discs win.

    A move puts a disc on an empty square so that at least one straight row of the other player's
    discs lies between it and another of the player's own; all such rows are turned over. A player
    who has no such move passes. The game ends when neither has one. The score is the difference in
    discs; squares that stay empty count for nobody.

    Attributes:
        rows: the number of rows, which is even.
        columns: the number of columns, which is even.
        parallel: whether the four discs at the start stand side by side, black's above, and not
            crosswise, with black's on the rising diagonal.
        fewest: whether fewer discs win.
    """

    rows: int = 4
    columns: int = 4
    parallel: bool = False
    fewest: bool = False

    players = ("black", "white")

    def start(self) -> Discs:
        """Return the four discs in the middle, black to move."""
        corner = (self.rows // 2 - 1) * self.columns + self.columns // 2 - 1
        upper, lower = 0b01 << corner, 0b01 << corner + self.columns
        if self.parallel:
            return Discs(upper * 0b11, lower * 0b11, 0)
        return Discs(upper << 1 | lower, upper | lower << 1, 0)

    def turn(self, p: Discs) -> int:
        """Return who is to move."""
        return p.player

    def moves(self, p: Discs) -> Iterator[int]:
        """Yield each square where a disc turns others, or a pass if there is none for this side."""
        if self.can_move(p.mine, p.theirs):
            for square in range(self.rows * self.columns):
                if self.turned(p.mine, p.theirs, square):
                    yield square
        elif self.can_move(p.theirs, p.mine):
            yield PASS

    def play(self, p: Discs, square: int) -> Discs:
        """Return the discs after a move, as the other player sees them."""
        if square == PASS:
            return Discs(p.theirs, p.mine, 1 - p.player)
        turned = self.turned(p.mine, p.theirs, square)
        return Discs(p.theirs & ~turned, p.mine | turned | 1 << square, 1 - p.player)

    def score(self, p: Discs) -> int:
        """Return by how many discs the player to move is ahead, once the game is over."""
        ahead = p.mine.bit_count() - p.theirs.bit_count()
        return -ahead if self.fewest else ahead

    def can_move(self, mine: int, theirs: int) -> bool:
        """Whether whoever has these discs can turn any."""
        for square in range(self.rows * self.columns):
            if self.turned(mine, theirs, square):
                return True
        return False

    def turned(self, mine: int, theirs: int, square: int) -> int:
        """Return the discs that a disc on a square turns; none if the square is not empty."""
        discs = 0
        if not (mine | theirs) >> square & 1:
            for ray in self.rays[square]:
                row = 0
                for cell in ray:
                    if not theirs >> cell & 1:
                        if mine >> cell & 1:
                            discs |= row
                        break
                    row |= 1 << cell
        return discs

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the turns and mirrors of the board, and the exchange of the players."""
        board = Symmetry(grid(self.columns, self.rows), masks=("mine", "theirs"))
        return board, Symmetry(flip=("player",))

    def space(self) -> Discs:
        """Return that no square has two discs, and the range of the player."""
        discs: Any = Disjoint(self.rows * self.columns)
        player: Any = range(2)
        return Discs(discs, discs, player)

    @cached_property
    def rays(self) -> list[list[list[int]]]:
        """For each square, the squares in each direction from it, nearest first."""
        steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
        return [
            [self.ray(row, column, down, right) for down, right in steps]
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    def ray(self, row: int, column: int, down: int, right: int) -> list[int]:
        """Return the squares in one direction from a square."""
        squares = []
        while 0 <= row + down < self.rows and 0 <= column + right < self.columns:
            row, column = row + down, column + right
            squares.append(row * self.columns + column)
        return squares

    def validate(self) -> None:
        """Raise ParameterError unless the board has a middle and fits."""
        for name in ("rows", "columns"):
            number = getattr(self, name)
            check_number(name, number, 2, MOST_SQUARES)
            if number % 2:
                message = f"{name} must be even, not {number!r}; give an even number"
                raise ParameterError(message)
        if self.rows * self.columns > MOST_SQUARES:
            message = (
                f"{self.rows!r} rows of {self.columns!r} squares are more than the "
                f"{MOST_SQUARES} that fit; use a smaller board"
            )
            raise ParameterError(message)

    def show(self, p: Discs) -> str:
        """Return a line of ``X`` (black), ``O`` (white) and ``.`` for each row, and the turn."""
        black, white = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        marks = "".join(
            "X" if black >> square & 1 else "O" if white >> square & 1 else "."
            for square in range(self.rows * self.columns)
        )
        wide = self.columns
        rows = [" ".join(marks[at : at + wide]) for at in range(0, len(marks), wide)]
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def svg(self, p: Discs) -> str:
        """Draw the board."""
        *rows, mover = self.show(p).split("\n")
        rows = [row.replace(" ", "") for row in rows]
        wide = self.columns
        names = [[self.name(row * wide + c) for c in range(wide)] for row in range(self.rows)]
        title = f"othello: {' / '.join(rows)}, {mover}"
        return drawing.grid(rows, discs="XO", title=title, moves=names, aside="pass")

    def name(self, square: int) -> str:
        """Return a square by its column and its row, such as ``d3``; row 1 is above."""
        if square == PASS:
            return "pass"
        row, column = divmod(square, self.columns)
        return f"{chr(ord('a') + column)}{row + 1}"

    def parse(self, text: str) -> Discs:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, player = text.strip(), 0
        for number, name in enumerate(self.players):
            if board.endswith(f"{name} to move"):
                board, player = board.removesuffix(f"{name} to move"), number
        rows = ["".join(row.split()) for row in board.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        if [len(row) for row in rows] != [self.columns] * self.rows or set(board) - set("XO./ \n"):
            message = (
                f"{text!r} is not {self.rows} rows of {self.columns} squares; write X for black, O "
                "for white and ., rows separated by /, and then 'black to move' or 'white to move'"
            )
            raise PositionError(message)
        marks = "".join(rows)
        black, white = (sum(1 << s for s, m in enumerate(marks) if m == own) for own in "XO")
        return Discs(white, black, 1) if player else Discs(black, white, 0)
