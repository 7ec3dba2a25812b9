"""Tic-tac-toe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import read_rows
from zermelo.values.outcomes import DRAW, LOSS, Outcome

#: one octal digit per row: the three rows, the three columns, the two diagonals.
LINES = (0o700, 0o070, 0o007, 0o111, 0o222, 0o444, 0o124, 0o421)
FULL = 0o777


class Board(NamedTuple):
    """The cells of each player's marks, one bit per cell: bit 0 is top left, bit 8 is bottom right.

    Attributes:
        mine: the marks of the player to move.
        theirs: the marks of the other player.
    """

    mine: int
    theirs: int


@dataclass(frozen=True)
class TicTacToe(Game):
    """Two players mark the cells of a three by three board, and three in a row win."""

    title = "Tic-tac-toe"

    players = ("X", "O")

    facts = (
        Fact(
            outcome="tie",
            remoteness=9,
            positions=5478,
            win=2836,
            loss=1574,
            tie=1068,
            endless=0,
            longest_win=5,
            longest_loss=4,
            source="GamesmanClassic (mttt), run by us; OEIS A008907 counts 765 under symmetry",
        ),
    )

    def start(self) -> Board:
        """Return the empty board."""
        return Board(0, 0)

    def outcome(self, board: Board) -> Outcome | None:
        """Return LOSS if the last mark made a line, DRAW if the board is full without one."""
        if has_line(board.theirs):
            return LOSS
        if board.mine | board.theirs == FULL:
            return DRAW
        return None

    def moves(self, board: Board) -> Iterator[int]:
        """Yield each empty cell."""
        for cell in range(9):
            if not (board.mine | board.theirs) >> cell & 1:
                yield cell

    def play(self, board: Board, cell: int) -> Board:
        """Return the board with the cell marked, as the other player sees it."""
        return Board(board.theirs, board.mine | 1 << cell)

    def level(self, board: Board) -> int:
        """Return the number of marked cells."""
        return (board.mine | board.theirs).bit_count()

    def space(self) -> Board:
        """Return the range of each field."""
        marks: Any = range(FULL + 1)
        return Board(marks, marks)

    def show(self, board: Board) -> str:
        """Return three lines of ``X``, ``O`` and ``.``."""
        even = board.mine.bit_count() == board.theirs.bit_count()
        first, second = board if even else board[::-1]
        return "\n".join(
            " ".join("X" if first >> c & 1 else "O" if second >> c & 1 else "." for c in row)
            for row in (range(3), range(3, 6), range(6, 9))
        )

    def svg(self, board: Board) -> str:
        """Draw the board."""
        rows = self.show(board).replace(" ", "").split("\n")
        moves = [[self.name(3 * row + column) for column in range(3)] for row in range(3)]
        return drawing.grid(rows, title=f"tic-tac-toe: {' / '.join(rows)}", moves=moves)

    def name(self, cell: int) -> str:
        """Return the name of a cell, its column and row; ``a1`` is at the bottom left."""
        return "abc"[cell % 3] + "321"[cell // 3]

    def parse(self, text: str) -> Board:
        """Read three rows of ``X``, ``O`` and ``.``, separated by line breaks or slashes."""
        marks = "".join(read_rows(text, 3, 3))
        first, second = (
            sum(1 << cell for cell in range(9) if marks[cell] == mark) for mark in "XO"
        )
        even = marks.count("X") == marks.count("O")
        return Board(first, second) if even else Board(second, first)


def has_line(cells: int) -> bool:
    """Return whether three of these cells are in a row."""
    for line in LINES:
        if cells & line == line:
            return True
    return False
