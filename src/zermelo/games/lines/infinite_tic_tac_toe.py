"""Infinite tic-tac-toe: three marks each, the oldest of which vanishes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_word
from zermelo.games.lines.tic_tac_toe import has_line
from zermelo.symmetry import Symmetry, grid

#: The cell of a mark that is still to come.
NONE = 9


class MarkQueues(NamedTuple):
    """The cells of each player's marks, the oldest first; before them, NONE for marks to come.

    Attributes:
        first: the cells of the first player's marks.
        second: the cells of the second player's marks.
        player: the player to move, 0 or 1.
    """

    first: tuple[int, int, int]
    second: tuple[int, int, int]
    player: int


@dataclass(frozen=True)
class InfiniteTicTacToe(Game):
    """Three in a row win, but a player has three marks: with a fourth, the oldest vanishes.

    Attributes:
        vanish: whether the oldest mark vanishes ``after`` the new one is put, so that the new one
            cannot take its cell, or ``before``.
    """

    title = "Infinite Tic-tac-toe"

    vanish: str = "after"

    players = ("X", "O")

    facts = (
        Fact(
            {},
            "win",
            13,
            positions=128170,
            win=78613,
            loss=36364,
            tie=0,
            endless=13193,
            longest_win=17,
            longest_loss=16,
            note="positions have the order of marks and whose turn it is",
            source="GamesmanClassic (b9dd232), mlite3 option 1, run by us",
        ),
    )

    def start(self) -> MarkQueues:
        """Return the empty board."""
        return MarkQueues((NONE, NONE, NONE), (NONE, NONE, NONE), 0)

    def turn(self, queues: MarkQueues) -> int:
        """Return the player to move."""
        return queues.player

    def winner(self, queues: MarkQueues) -> int | None:
        """Return the player who has just made a row."""
        last = queues.first if queues.player else queues.second
        if has_line(1 << last[0] | 1 << last[1] | 1 << last[2]):
            return 1 - queues.player
        return None

    def moves(self, queues: MarkQueues) -> Iterator[int]:
        """Yield each empty cell, and the cell of the oldest mark if it vanishes before."""
        own_queue = queues.second if queues.player else queues.first
        for cell in range(9):
            free = cell not in queues.first and cell not in queues.second
            if free or (self.vanish == "before" and cell == own_queue[0]):
                yield cell

    def play(self, queues: MarkQueues, cell: int) -> MarkQueues:
        """Return the board with a mark put, and without the oldest of four."""
        if queues.player == 0:
            return MarkQueues((queues.first[1], queues.first[2], cell), queues.second, 1)
        return MarkQueues(queues.first, (queues.second[1], queues.second[2], cell), 0)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        board = Symmetry(grid(3, 3), squares=("first", "second"))
        return board, Symmetry(swap=(("first", "second"),), flip=("player",))

    def space(self) -> MarkQueues:
        """Return the range of each field."""
        cells: Any = range(NONE + 1)
        player: Any = range(2)
        return MarkQueues(cells, cells, player)

    def validate(self) -> None:
        """Raise ParameterError unless marks vanish before or after."""
        check_word("vanish", self.vanish, ("after", "before"))

    def show(self, queues: MarkQueues) -> str:
        """Return three lines of cells, such as ``X1`` for X's next mark to vanish, and the turn."""
        cells = ["."] * 9
        for mark, queue in zip("XO", queues[:2], strict=True):
            for age, cell in enumerate(cell for cell in queue if cell != NONE):
                cells[cell] = f"{mark}{age + 1}"
        rows = [" ".join(f"{cell:2}" for cell in cells[at : at + 3]).rstrip() for at in (0, 3, 6)]
        return "\n".join([*rows, f"{self.players[queues.player]} to move"])

    def svg(self, queues: MarkQueues) -> str:
        """Draw the board; the marks that vanish next are faint."""
        marks = ["."] * 9
        for mark, queue in zip("XO", queues[:2], strict=True):
            for cell in queue:
                if cell != NONE:
                    marks[cell] = mark
            if queue[0] != NONE:
                marks[queue[0]] = mark.lower()
        rows = ["".join(marks[at : at + 3]) for at in (0, 3, 6)]
        moves = [[self.name(3 * row + column) for column in range(3)] for row in range(3)]
        title = f"infinite tic-tac-toe: {self.show(queues)}".replace("\n", " / ")
        return drawing.grid(rows, title=title, moves=moves, faint="xo")

    def name(self, cell: int) -> str:
        """Return the name of a cell, its column and row; ``a1`` is at the bottom left."""
        return "abc"[cell % 3] + "321"[cell // 3]

    def parse(self, text: str) -> MarkQueues:
        """Read three rows of cells as ``show`` writes them, and ``X to move`` or ``O to move``."""
        rows = [row.split() for row in text.strip().replace("/", "\n").split("\n")]
        marks = [cell for row in rows[:3] for cell in row]
        cells_by_mark = {mark: cell for cell, mark in enumerate(marks) if mark != "."}
        queues, is_invalid = [], 0
        for letter in "XO":
            cells = [
                cells_by_mark.pop(f"{letter}{age}")
                for age in (1, 2, 3)
                if f"{letter}{age}" in cells_by_mark
            ]
            needed_marks = [f"{letter}{age + 1}" for age in range(len(cells))]
            if any(name not in marks or marks.count(name) > 1 for name in needed_marks):
                is_invalid = 1
            queues.append((NONE,) * (3 - len(cells)) + tuple(cells))
        last = " ".join(rows[3]) if len(rows) == 4 else "X to move"
        turns = [f"{player} to move" for player in self.players]
        if (
            [len(row) for row in rows[:3]] != [3] * 3
            or cells_by_mark
            or is_invalid
            or last not in turns
        ):
            message = (
                f"{text!r} is not three rows of three cells and whose turn it is; write X1, X2, X3 "
                "from the oldest X on, O1, O2, O3, and . for an empty cell, rows separated by /, "
                "and then 'X to move' or 'O to move'"
            )
            raise PositionError(message)
        first, second = queues
        return MarkQueues(first, second, turns.index(last))  # type: ignore[arg-type]  # three each
