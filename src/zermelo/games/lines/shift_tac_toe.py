"""Shift-tac-toe: tic-tac-toe in an upright frame with sliding rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games.lines.tic_tac_toe import has_line
from zermelo.symmetry import Symmetry

#: Moves: a column from 0 to 2, or one of these and the row, counted from below.
LEFT, RIGHT = 3, 6
BOTTOM_ROW = 0o111


class Frame(NamedTuple):
    """The marks in the frame, one bit per cell: bit 0 is bottom left; bits go up the columns.

    Attributes:
        first: the marks of the first player.
        second: the marks of the second player.
        sliders: the position of each row, from 0 to 2 to the right, the bottom row first.
        player: the player to move, 0 or 1.
    """

    first: int
    second: int
    sliders: tuple[int, int, int]
    player: int


@dataclass(frozen=True)
class ShiftTacToe(Game):
    """Drop a mark into a column, or slide a row by a cell; three in a row win.

    A row stands in the middle at first, and slides a cell to either side of it. A mark that leaves
    the frame is gone, and those above an empty cell fall. If both have three in a row, whoever has
    just moved wins.
    """

    title = "Shift-tac-toe"

    players = ("O", "X")

    facts = (
        Fact(
            outcome="win",
            positions=108786,
            win=57548,
            loss=48894,
            tie=0,
            endless=2344,
            longest_win=19,
            longest_loss=20,
            source="GamesmanClassic (b9dd232), mstt, run by us",
        ),
    )

    def start(self) -> Frame:
        """Return the empty frame with all rows in the middle."""
        return Frame(0, 0, (1, 1, 1), 0)

    def turn(self, frame: Frame) -> int:
        """Return the player to move."""
        return frame.player

    def winner(self, frame: Frame) -> int | None:
        """Return the player with three in a row; if both have, the one who has just moved."""
        last, next_up = (frame.first, frame.second) if frame.player else (frame.second, frame.first)
        if has_line(last):
            return 1 - frame.player
        if has_line(next_up):
            return frame.player
        return None

    def moves(self, frame: Frame) -> Iterator[int]:
        """Yield each column with room, and each way that a row can slide."""
        marks = frame.first | frame.second
        for column in range(3):
            if not marks >> (3 * column + 2) & 1:
                yield column
        for row in range(3):
            if frame.sliders[row] > 0:
                yield LEFT + row
            if frame.sliders[row] < 2:
                yield RIGHT + row

    def play(self, frame: Frame, move: int) -> Frame:
        """Return the frame after a drop or a slide."""
        first, second, sliders = frame.first, frame.second, frame.sliders
        if move < LEFT:
            column = 7 << 3 * move
            marks = (first | second) & column
            mark = marks + (1 << 3 * move) & ~marks
            if frame.player == 0:
                first |= mark
            else:
                second |= mark
            return Frame(first, second, sliders, 1 - frame.player)
        row = (move - LEFT) % 3
        cells = BOTTOM_ROW << row
        if move >= RIGHT:
            first = first & ~cells | (first & cells) << 3 & cells
            second = second & ~cells | (second & cells) << 3 & cells
            sliders = put(sliders, row, sliders[row] + 1)
        else:
            first = first & ~cells | (first & cells) >> 3
            second = second & ~cells | (second & cells) >> 3
            sliders = put(sliders, row, sliders[row] - 1)
        for _ in range(2):
            # What stands above an empty cell falls by one, all at once.
            marks = first | second
            empty = ~marks & (marks >> 1 & 0o333)
            first = first & ~(empty << 1) | first >> 1 & empty
            second = second & ~(empty << 1) | second >> 1 & empty
        return Frame(first, second, sliders, 1 - frame.player)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflection, with slides the other way, and the exchange of the players."""
        columns = tuple(3 * (2 - cell // 3) + cell % 3 for cell in range(9))
        mirror = Symmetry(
            (columns,), masks=("first", "second"), relabel=(("sliders", (2, 1, 0)),), together=True
        )
        return mirror, Symmetry(swap=(("first", "second"),), flip=("player",))

    def space(self) -> Frame:
        """Return the range of each field; no cell has both marks."""
        marks: Any = Disjoint(9)
        slider: Any = range(3)
        player: Any = range(2)
        return Frame(marks, marks, slider, player)

    def show(self, frame: Frame) -> str:
        """Return the rows from the top, each with its slider's ends, and the player to move."""
        rows = [
            f"{'=' * at:2}|{row}|{'=' * (2 - at)}".rstrip()
            for row, at in zip(self._rows(frame), reversed(frame.sliders), strict=True)
        ]
        return "\n".join([*rows, f"{self.players[frame.player]} to move"])

    def svg(self, frame: Frame) -> str:
        """Draw the frame; marks beside it show how far each row may slide either way."""
        rows = self._rows(frame)
        rows_shown, moves = [], []
        for row, marks in zip((2, 1, 0), rows, strict=True):
            position = frame.sliders[row]
            rows_shown.append(f"{'<' if position else ' '}{marks}{'>' if position < 2 else ' '}")
            moves.append([self.name(LEFT + row), *map(self.name, range(3)), self.name(RIGHT + row)])
        title = "shift-tac-toe: " + self.show(frame).replace("\n", " / ")
        return drawing.grid(rows_shown, discs="OX", title=title, moves=moves)

    def name(self, move: int) -> str:
        """Return a column, ``a`` to ``c``, or a row and the way it slides: ``2<``, ``3>``."""
        if move < LEFT:
            return "abc"[move]
        return f"{(move - LEFT) % 3 + 1}{'>' if move >= RIGHT else '<'}"

    def parse(self, text: str) -> Frame:
        """Read the frame as ``show`` writes it; rows may be separated by slashes."""
        lines = ["".join(line.split()) for line in text.strip().replace("/", "\n").split("\n")]
        turns = [f"{player}tomove" for player in self.players]
        player = turns.index(lines.pop()) if lines[-1] in turns else 0
        rows = [line.split("|") for line in lines]
        right = len(rows) == 3 and all(
            len(row) == 3 and len(row[1]) == 3 and row[0] + row[2] == "==" for row in rows
        )
        if not right or set("".join(row[1] for row in rows)) - set("XO."):
            message = (
                f"{text!r} is not three rows such as =|X.O|=, with a = for each cell that the row "
                "may slide left or right; write X, O and . for an empty cell, rows separated by /, "
                "and then 'O to move' or 'X to move'"
            )
            raise PositionError(message)
        cells_by_mark = dict.fromkeys("XO.", 0)
        for height, (_, marks, _) in enumerate(reversed(rows)):
            for column, mark in enumerate(marks):
                cells_by_mark[mark] |= 1 << 3 * column + height
        if cells_by_mark["."] & (cells_by_mark["X"] | cells_by_mark["O"]) >> 1 & 0o333:
            message = f"{text!r} has a mark above an empty cell; let it drop"
            raise PositionError(message)
        bottom, middle, top = (len(row[0]) for row in reversed(rows))
        return Frame(cells_by_mark["O"], cells_by_mark["X"], (bottom, middle, top), player)

    def _rows(self, frame: Frame) -> list[str]:
        return [
            "".join(
                "O" if frame.first >> bit & 1 else "X" if frame.second >> bit & 1 else "."
                for bit in range(height, 9, 3)
            )
            for height in (2, 1, 0)
        ]
