"""Ultimate tic-tac-toe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import DRAW, LOSS, Outcome


class Boards(NamedTuple):
    """The marks on each small board, one bit per cell from the top left.

    Attributes:
        mine: the marks of the player to move, a number for each small board.
        theirs: the marks of the other player.
        board: the small board to play on; the number of boards stands for any of them.
        player: the player to move, 0 or 1.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    board: int
    player: int


@dataclass(frozen=True)
class UltimateTicTacToe(Game):
    """Tic-tac-toe on boards of a larger tic-tac-toe; each mark says where the other plays next.

    Each cell of the large board is a small board with as many cells. A small board is won by a line
    on it, and the game by a line of small boards. Who marks a cell sends the other player to the
    small board in the same place of the large one, or anywhere if that is won or full. It is a tie
    if all are won or full.

    Attributes:
        size: the number of rows and of columns of the large board, and of each small one.
        length: the number in a line, along a row, a column or a diagonal, that win.
    """

    size: int = 2
    length: int = 2

    players = ("X", "O")
    facts = (
        Fact(
            outcome="win",
            remoteness=11,
            positions=336125,
            win=125305,
            loss=210820,
            tie=0,
            endless=0,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
    )

    @cached_property
    def lines(self) -> list[int]:
        """Each line of a board, one bit per cell."""
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        masks = []
        for row, column in cells:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + down * i, column + right * i) for i in range(self.length)]
                if set(line) <= set(cells):
                    masks.append(sum(1 << cells.index(cell) for cell in line))
        return masks

    @property
    def boards(self) -> int:
        """The number of small boards, and of cells of each."""
        return self.size * self.size

    @property
    def full(self) -> int:
        """All cells of a small board."""
        return (1 << self.size * self.size) - 1

    def start(self) -> Boards:
        """Return the empty boards."""
        empty_boards = (0,) * self.boards
        return Boards(empty_boards, empty_boards, self.boards, 0)

    def turn(self, p: Boards) -> int:
        """Return the player to move."""
        return p.player

    def has_line(self, cells: int) -> bool:
        """Return whether a set of cells contains a line."""
        for line in self.lines:
            if cells & line == line:
                return True
        return False

    def is_open(self, p: Boards, board: int) -> bool:
        """Return whether a small board is neither won nor full."""
        mine, theirs = p.mine[board], p.theirs[board]
        return mine | theirs != self.full and not self.has_line(mine) and not self.has_line(theirs)

    def outcome(self, p: Boards) -> Outcome | None:
        """Return LOSS if the other player has a line of boards, DRAW if no board is open."""
        won = 0
        left = False
        for board in range(self.boards):
            won |= self.has_line(p.theirs[board]) << board
            left |= self.is_open(p, board)
        if self.has_line(won):
            return LOSS
        return None if left else DRAW

    def moves(self, p: Boards) -> Iterator[tuple[int, int]]:
        """Yield each cell that may be marked: the small board, and the cell on it."""
        for board in range(self.boards):
            if p.board in (board, self.boards) and self.is_open(p, board):
                for cell in range(self.boards):
                    if not (p.mine[board] | p.theirs[board]) >> cell & 1:
                        yield board, cell

    def play(self, p: Boards, move: tuple[int, int]) -> Boards:
        """Return the boards after a mark, as the other player sees them."""
        board, cell = move
        mine = put(p.mine, board, p.mine[board] | 1 << cell)
        boards = Boards(p.theirs, mine, cell, 1 - p.player)
        return boards if self.is_open(boards, cell) else boards._replace(board=self.boards)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return rotations and reflections of all boards together, and the exchange of the players.

        Small boards change places as their cells do, so both happen together.
        """
        whole = []
        for cells in grid(self.size, self.size):
            images = [1 << cell for cell in cells]
            marks = [0] * (self.full + 1)
            for old in range(1, self.full + 1):
                lowest = (old & -old).bit_length() - 1
                marks[old] = marks[old & old - 1] | images[lowest]
            relabel = (("mine", tuple(marks)), ("theirs", tuple(marks)))
            whole.append(
                Symmetry(
                    (cells,),
                    squares=("board",),
                    rows=("mine", "theirs"),
                    relabel=relabel,
                    together=True,
                )
            )
        return (*whole, Symmetry(flip=("player",)))

    def space(self) -> Boards:
        """Return the range of each field."""
        cells, board, player = (range(n) for n in (self.full + 1, self.boards + 1, 2))
        fields: Any = (cells, cells, board, player)
        return Boards(*fields)

    def validate(self) -> None:
        """Raise ParameterError unless boards have two to four rows, and lines fit."""
        check_number("size", self.size, 2, 4)
        check_number("length", self.length, 2, 4)
        if self.length > self.size:
            message = f"length={self.length!r} does not fit; give {self.size} or less"
            raise ParameterError(message)

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return the name of a cell, its column and row on the whole board, such as ``c2``."""
        board, cell = move
        row = board // self.size * self.size + cell // self.size
        column = board % self.size * self.size + cell % self.size
        return f"{'abcdefghijklmnop'[column]}{self.boards - row}"

    def text_rows(self, p: Boards) -> list[list[str]]:
        """Return each row of the whole board, as a text for each small board."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        marks = [
            "".join(
                "X" if one >> cell & 1 else "O" if two >> cell & 1 else "."
                for cell in range(self.boards)
            )
            for one, two in zip(first, second, strict=True)
        ]
        size = self.size
        return [
            [marks[big * size + i][row * size : row * size + size] for i in range(size)]
            for big in range(size)
            for row in range(size)
        ]

    def words(self, p: Boards) -> str:
        """Return the player to move and the small board, as text."""
        board_text = "anywhere" if p.board == self.boards else f"on board {p.board + 1}"
        return f"{self.players[p.player]} to move {board_text}"

    def show(self, p: Boards) -> str:
        """Return a line for each row, and the player to move with the small board."""
        return "\n".join([*(" ".join(row) for row in self.text_rows(p)), self.words(p)])

    def svg(self, p: Boards) -> str:
        """Draw the small boards beside each other."""
        size, rows = self.size, self.text_rows(p)
        rows_shown = [" ".join(row) for row in rows]
        names = [
            [
                self.name((r // size * size + c // size, r % size * size + c % size))
                for c in range(self.boards)
            ]
            for r in range(self.boards)
        ]
        moves = [
            [name for i in range(size) for name in (*row[i * size : i * size + size], "")]
            for row in names
        ]
        for gap in range(size - 1, 0, -1):
            rows_shown.insert(gap * size, " ")
            moves.insert(gap * size, [""])
        title = " / ".join([*(" ".join(row) for row in rows), self.words(p)])
        return drawing.grid(rows_shown, title=title, moves=moves)

    def parse(self, text: str) -> Boards:
        """Read boards as ``show`` writes them; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such boards, or lacks the player to move or the small
                board.
        """
        end = re.search(r"([XO]) to move (?:anywhere|on board (\d+))\s*$", text)
        board = text[: end.start()] if end else text
        rows = ["".join(row.split()) for row in board.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        right = [len(row) for row in rows] == [self.boards] * self.boards
        if end is None or not right or set("".join(rows)) - {*"XO."}:
            message = (
                f"{text!r} is not {self.boards} rows of {self.boards} cells X, O or . with an end "
                "such as 'X to move anywhere' or 'O to move on board 2'"
            )
            raise PositionError(message)
        size, sides = self.size, {"X": [0] * self.boards, "O": [0] * self.boards, ".": [0]}
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                if mark != ".":
                    place = r // size * size + c // size
                    sides[mark][place] |= 1 << r % size * size + c % size
        order = "XO" if end[1] == "X" else "OX"
        mine, theirs = (tuple(sides[mark]) for mark in order)
        target = int(end[2]) - 1 if end[2] else self.boards
        return Boards(mine, theirs, min(target, self.boards), "XO".index(end[1]))
