"""Chomp."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED


class Bar(NamedTuple):
    """The rest of a bar of chocolate.

    Attributes:
        rows: the number of squares that each row has, from the left; the top row first.
    """

    rows: tuple[int, ...]


@dataclass(frozen=True)
class Chomp(Game):
    """Bite off a square with all below and to the right of it; the top left one is poisoned.

    It may not be bitten, so a player who has no other square loses.

    Attributes:
        rows: the number of rows of the bar.
        columns: the number of columns of the bar.
    """

    rows: int = 4
    columns: int = 7

    facts = (
        *(
            Fact(
                {"rows": rows, "columns": columns},
                "win",
                plies,
                positions=wins + losses,
                win=wins,
                loss=losses,
                note="one winning first bite",
                source=ENUMERATED,
            )
            for rows, columns, plies, wins, losses in (
                (2, 3, 5, 6, 3),
                (3, 3, 5, 14, 5),
                (3, 4, 7, 27, 7),
                (5, 6, 15, 426, 35),
                (6, 7, 27, 1627, 88),
            )
        ),
        Fact(
            {"rows": 4, "columns": 7},
            "win",
            17,
            positions=329,
            win=299,
            loss=30,
            note="one winning first bite",
            source="GamesCrafters' GamesmanClassic, the game mchomp, run by us",
        ),
    )

    def start(self) -> Bar:
        """Return the whole bar."""
        return Bar((self.columns,) * self.rows)

    def moves(self, bar: Bar) -> Iterator[tuple[int, int]]:
        """Yield each square but the top left one."""
        for row, length in enumerate(bar.rows):
            for column in range(row == 0, length):
                yield row, column

    def play(self, bar: Bar, square: tuple[int, int]) -> Bar:
        """Return the rest of the bar after a bite."""
        row, column = square
        rows = list(bar.rows)
        for lower in range(row, self.rows):
            rows[lower] = min(rows[lower], column)
        return Bar(tuple(rows))

    def space(self) -> Any:
        """Return the range of a row."""
        return Bar(range(self.columns + 1))  # type: ignore[arg-type]  # the range of each row

    def validate(self) -> None:
        """Raise ParameterError unless the bar has 1 to 26 rows and columns."""
        check_number("rows", self.rows, 1, 26)
        check_number("columns", self.columns, 1, 26)

    def show(self, bar: Bar) -> str:
        """Return the rows of squares, ``o`` for one that is left and ``.`` for one that is gone."""
        return "\n".join("o" * length + "." * (self.columns - length) for length in bar.rows)

    def svg(self, bar: Bar) -> str:
        """Draw the bar, the poisoned square with a cross."""
        rows = ["o" * length + "." * (self.columns - length) for length in bar.rows]
        rows[0] = "☠" + rows[0][1:]
        moves = [[self.name((r, c)) for c in range(self.columns)] for r in range(self.rows)]
        letters = [chr(97 + column) for column in range(self.columns)]
        return drawing.grid(rows, title=self.show(bar), discs="o", moves=moves, below=letters)

    def name(self, square: tuple[int, int]) -> str:
        """Return the name of a square, its column and row; ``a1`` is at the top left."""
        return f"{chr(97 + square[1])}{square[0] + 1}"

    def parse(self, text: str) -> Bar:
        """Read rows as ``show`` writes them; a slash may stand between them."""
        rows = text.replace("/", "\n").split()
        lengths = [row.count("o") for row in rows]
        expected = [("o" * length).ljust(self.columns, ".") for length in lengths]
        if expected != rows or len(rows) != self.rows or lengths != sorted(lengths, reverse=True):
            message = (
                f"{text!r} is not a bar of {self.rows} rows of {self.columns} after bites; write o "
                "for a square and . for a missing one, with no row longer than the one above it"
            )
            raise PositionError(message)
        return Bar(tuple(lengths))
