"""Tac Tix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import drawing
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.strips._strip import bits, letters, read, written
from zermelo.symmetry import Symmetry, grid

_GAMESMAN = "GamesCrafters' GamesmanClassic, the game mtactix, run by us"


@dataclass(frozen=True)
class TacTix(Game):
    """Take neighbouring counters of one row or column; a player who cannot move loses.

    Attributes:
        size: the number of rows and of columns.
    """

    size: int = 4

    facts = (
        Fact(
            {"size": 2},
            "loss",
            4,
            positions=16,
            win=12,
            loss=4,
            longest_win=3,
            longest_loss=4,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 3},
            "win",
            7,
            positions=512,
            win=424,
            loss=88,
            longest_win=7,
            longest_loss=8,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 4},
            "loss",
            16,
            positions=65536,
            win=57156,
            loss=8380,
            longest_win=15,
            longest_loss=16,
            source=_GAMESMAN,
        ),
        Fact(
            {"size": 4},
            "loss",
            15,
            positions=65536,
            win=56968,
            loss=8568,
            longest_win=14,
            longest_loss=15,
            misere=True,
            source=_GAMESMAN,
        ),
    )

    def start(self) -> int:
        """Return the full board, a bit for each counter."""
        return (1 << self.size * self.size) - 1

    def moves(self, board: int) -> Iterator[int]:
        """Yield the bits of each run of counters."""
        for cell in range(self.size * self.size):
            if board >> cell & 1:
                yield 1 << cell
                for step, longest in (
                    (1, self.size - 1 - cell % self.size),
                    (self.size, self.size - 1 - cell // self.size),
                ):
                    run = 1 << cell
                    for place in range(1, longest + 1):
                        counter = 1 << (cell + step * place)
                        if not board & counter:
                            break
                        run |= counter
                        yield run

    def play(self, board: int, run: int) -> int:
        """Return the board without a run of counters."""
        return board & ~run

    def space(self) -> range:
        """Return the range of a position."""
        return range(1 << self.size * self.size)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.size, self.size), masks=("position",))

    def validate(self) -> None:
        """Raise ParameterError unless there is a board that fits a position."""
        check_number("size", self.size, 1, 7)

    def show(self, board: int) -> str:
        """Return the rows, ``o`` for a counter, the top row first."""
        cells = written(board, self.size * self.size)
        return "\n".join(cells[at : at + self.size] for at in range(0, len(cells), self.size))

    def svg(self, board: int) -> str:
        """Draw the board; clicks on the first and the last counter of a run take it."""
        cells = range(self.size)
        moves = [[self.cell(row * self.size + column) for column in cells] for row in cells]
        rows, column_labels = self.show(board).split(), letters(self.size)
        return drawing.grid(
            rows, title=self.show(board), discs="o", below=column_labels, moves=moves
        )

    def cell(self, cell: int) -> str:
        """Return the name of a cell, its column and row; ``a1`` is at the bottom left."""
        return f"{letters(self.size)[cell % self.size]}{self.size - cell // self.size}"

    def name(self, run: int) -> str:
        """Return the first and the last counter of a run, such as ``a3c3``."""
        first, last = (run & -run).bit_length() - 1, run.bit_length() - 1
        return self.cell(first) + self.cell(last)

    def parse(self, text: str) -> int:
        """Read rows as ``show`` writes them; a slash may stand between them."""
        return bits(read(text.replace("/", ""), self.size * self.size, "o."), "o")
