"""The queens game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games.graphs._apart import Free, NodesApart
from zermelo.games.graphs._graph_names import named_graph

#: The largest board whose squares fit the numbers of a position.
MOST_SIZE = 11

NOON = "OEIS A344227 (Noon & Van Brummelen 2006)"
NOON_TOO = "OEIS A344227 (Noon & Van Brummelen 2006); own enumeration"


@dataclass(frozen=True)
class QueensGame(NodesApart):
    """Players put queens on a chessboard, none attacking another; whoever cannot put one loses.

    Attributes:
        size: the number of rows and of columns.
    """

    size: int = 5

    facts = (
        Fact({"size": 1}, "win", nimber=1, source=NOON_TOO),
        Fact({"size": 3}, "win", nimber=2, source=NOON_TOO),
        Fact({"size": 5}, "win", nimber=3, source=NOON_TOO),
        Fact({"size": 7}, "win", nimber=2, source=NOON),
        Fact({"size": 8}, "win", nimber=3, source=NOON),
    )

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The squares that a queen attacks from each square."""
        return named_graph(f"queen {self.size} {self.size}")

    def validate(self) -> None:
        """Raise ParameterError unless the board fits."""
        check_number("size", self.size, 1, MOST_SIZE)

    def rows(self, p: Free) -> list[str]:
        """Return each row as text."""
        n = self.size
        free = self.all_nodes(p)
        marks = "".join("." if free >> square & 1 else "#" for square in range(n * n))
        return [marks[at : at + n] for at in range(0, n * n, n)]

    def show(self, p: Free) -> str:
        """Return a line for each row, ``.`` for a free square, ``#`` for any other."""
        return "\n".join(" ".join(row) for row in self.rows(p))

    def svg(self, p: Free) -> str:
        """Draw the board; squares that are attacked or taken are filled."""
        n, rows = self.size, self.rows(p)
        names = [[self.name(row * n + column) for column in range(n)] for row in range(n)]
        return drawing.grid(rows, filled="#", title=f"queens: {' / '.join(rows)}", moves=names)

    def name(self, square: int) -> str:
        """Return the name of a square, its column and row, such as ``c2``; row 1 is below."""
        row, column = divmod(square, self.size)
        return f"{ascii_lowercase[column]}{self.size - row}"

    def parse(self, text: str) -> Free:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        rows = ["".join(row.split()) for row in text.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        if [len(row) for row in rows] != [self.size] * self.size or set("".join(rows)) - set(".#"):
            message = (
                f"{text!r} is not {self.size} rows of {self.size} squares; write . for a free "
                "square and # for one attacked or taken, rows separated by /"
            )
            raise PositionError(message)
        return self.of_nodes(sum(1 << at for at, mark in enumerate("".join(rows)) if mark == "."))
