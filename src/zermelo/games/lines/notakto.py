"""Notakto: tic-tac-toe with crosses only, on several boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games.lines.tic_tac_toe import FULL, has_line
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import WIN

MOST_BOARDS = 4


class Crosses(NamedTuple):
    """The cells of each board with a cross, one bit per cell: bit 0 is top left.

    Attributes:
        boards: the crosses of each board.
    """

    boards: tuple[int, ...]


@dataclass(frozen=True)
class Notakto(Game):
    """Both put crosses; a board with a row takes no more, and whoever ends the last board loses.

    Attributes:
        boards: the number of boards.
    """

    boards: int = 2

    no_moves = WIN

    facts = (
        Fact(
            {},
            "loss",
            11,
            positions=202500,
            win=159978,
            loss=42522,
            longest_win=10,
            longest_loss=11,
            note="boards with a row keep their crosses",
            source="GamesmanClassic (b9dd232), mnotakto option 1, run by us",
        ),
    )

    def start(self) -> Crosses:
        """Return the empty boards."""
        return Crosses((0,) * self.boards)

    def moves(self, crosses: Crosses) -> Iterator[tuple[int, int]]:
        """Yield (board, cell) for each empty cell of a board without a row."""
        for board, marked in enumerate(crosses.boards):
            if not has_line(marked):
                for cell in range(9):
                    if not marked >> cell & 1:
                        yield board, cell

    def play(self, crosses: Crosses, move: tuple[int, int]) -> Crosses:
        """Return the boards with one more cross."""
        board, cell = move
        return Crosses(put(crosses.boards, board, crosses.boards[board] | 1 << cell))

    def level(self, crosses: Crosses) -> int:
        """Return the number of crosses."""
        return sum(marked.bit_count() for marked in crosses.boards)

    def space(self) -> Crosses:
        """Return the range of each board."""
        marked: Any = range(FULL + 1)
        return Crosses(marked)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of all boards together."""
        return Symmetry(grid(3, 3), masks=("boards",))

    def validate(self) -> None:
        """Raise ParameterError unless there are a few boards."""
        check_number("boards", self.boards, 1, MOST_BOARDS)

    def show(self, crosses: Crosses) -> str:
        """Return three lines with a row of each board, two spaces between boards."""
        return "\n".join("  ".join(" ".join(row) for row in rows) for rows in self._rows(crosses))

    def svg(self, crosses: Crosses) -> str:
        """Draw the boards side by side."""
        rows = [" ".join(rows) for rows in self._rows(crosses)]
        moves = [
            [
                self.name((at // 4, 3 * row + at % 4)) if at % 4 < 3 else ""
                for at in range(len(marks))
            ]
            for row, marks in enumerate(rows)
        ]
        return drawing.grid(rows, title=f"notakto: {' / '.join(rows)}", moves=moves)

    def name(self, move: tuple[int, int]) -> str:
        """Return the board's letter, if there are several, and the cell: ``B a1``."""
        board, cell = move
        place = "abc"[cell % 3] + "321"[cell // 3]
        return f"{'ABCD'[board]} {place}" if self.boards > 1 else place

    def parse(self, text: str) -> Crosses:
        """Read three lines with a row of each board, separated by line breaks or slashes."""
        lines = ["".join(line.split()) for line in text.strip().replace("/", "\n").split("\n")]
        if [len(line) for line in lines] != [3 * self.boards] * 3 or set("".join(lines)) - set(
            "X."
        ):
            message = (
                f"{text!r} is not 3 rows of {self.boards} boards; write X, and . for an empty one, "
                "rows separated by /"
            )
            raise PositionError(message)
        boards = []
        for board in range(self.boards):
            marks = "".join(line[3 * board : 3 * board + 3] for line in lines)
            boards.append(sum(1 << cell for cell, mark in enumerate(marks) if mark == "X"))
        return Crosses(tuple(boards))

    def _rows(self, crosses: Crosses) -> list[list[str]]:
        return [
            ["".join("X" if marked >> c & 1 else "." for c in row) for marked in crosses.boards]
            for row in (range(3), range(3, 6), range(6, 9))
        ]
