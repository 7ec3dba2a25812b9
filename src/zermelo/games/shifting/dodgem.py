"""Dodgem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import GridGame, SquareBoard
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import WIN

#: The square that a car leaving the board goes to.
OFF = -1
#: The steps of each player's cars, as rows down and columns right; the first leads off.
WAYS = (((0, 1), (-1, 0), (1, 0)), ((-1, 0), (0, -1), (0, 1)))


class Cars(NamedTuple):
    """The cars' squares, one bit per square, from the top left, row by row.

    Attributes:
        blue: the first player's cars, which go right.
        red: the second player's cars, which go up.
        player: the player to move, 0 or 1.
    """

    blue: int
    red: int
    player: int


@dataclass(frozen=True)
class Dodgem(SquareBoard, GridGame):
    """Blue drives to the right and red drives up; whoever has all cars off the board wins.

    A car steps to an empty square: ahead or to a side, never back. Blue leaves over the right
    edge, red over the upper one. A player who cannot move wins: the other has blocked too much.

    Attributes:
        size: the number of rows and of columns; each player has one car less.
    """

    size: int = 3

    players = ("blue", "red")
    no_moves = WIN
    facts = (
        Fact(
            {"size": 3},
            "win",
            19,
            positions=1963,
            win=1123,
            loss=840,
            tie=0,
            endless=0,
            longest_win=21,
            longest_loss=20,
            source=f"Wikipedia, Dodgem (the winner); {GAMESMAN}",
        ),
        Fact(
            {"size": 4},
            "endless",
            positions=393900,
            win=209489,
            loss=149130,
            tie=0,
            endless=35281,
            longest_win=41,
            longest_loss=42,
            source=f"Wikipedia, Dodgem: des Jardins 1996 (the draw); {ENUMERATED}",
        ),
    )

    def start(self) -> Cars:
        """Return blue on the left edge, red on the lower one, and the corner between them free."""
        n = self.size
        blue = sum(1 << n * row for row in range(n - 1))
        red = sum(1 << n * (n - 1) + column for column in range(1, n))
        return Cars(blue, red, 0)

    def turn(self, p: Cars) -> int:
        """Return the player to move."""
        return p.player

    def winner(self, p: Cars) -> int | None:
        """Return the player who has no car left on the board."""
        if p.blue == 0:
            return 0
        return 1 if p.red == 0 else None

    def moves(self, p: Cars) -> Iterator[tuple[int, int]]:
        """Yield each step, from a square to a square or off the board."""
        for source in range(self.size * self.size):
            if (p.red if p.player else p.blue) >> source & 1:
                for down, right in WAYS[p.player]:
                    row, column = source // self.size + down, source % self.size + right
                    target = row * self.size + column
                    if (row < 0) if p.player else (column == self.size):
                        yield source, OFF
                        continue
                    is_inside = 0 <= row < self.size and 0 <= column < self.size
                    if is_inside and not (p.blue | p.red) >> target & 1:
                        yield source, target

    def play(self, p: Cars, move: tuple[int, int]) -> Cars:
        """Return the board after a step."""
        source, target = move
        changed = 1 << source
        if target != OFF:
            changed |= 1 << target
        if p.player:
            return Cars(p.blue, p.red ^ changed, 0)
        return Cars(p.blue ^ changed, p.red, 1)

    def symmetries(self) -> Symmetry:
        """Return the reflection on the rising diagonal, which exchanges the players."""
        n = self.size
        turned = tuple((n - 1 - cell % n) * n + n - 1 - cell // n for cell in range(n * n))
        return Symmetry(
            (turned,),
            masks=("blue", "red"),
            swap=(("blue", "red"),),
            flip=("player",),
            together=True,
        )

    def space(self) -> Cars:
        """Return the range of each field; no square has two cars."""
        cars: Any = Disjoint(self.size * self.size, (range(self.size), range(self.size)))
        player: Any = range(2)
        return Cars(cars, cars, player)

    def validate(self) -> None:
        """Raise ParameterError unless the board has two to seven rows."""
        check_number("size", self.size, 2, 7)

    def name(self, move: tuple[int, int]) -> str:
        """Return a step as ``a2-b2``, or ``c2-off``."""
        source, target = move
        return f"{self.cell_name(source)}-{'off' if target == OFF else self.cell_name(target)}"

    def show(self, p: Cars) -> str:
        """Return a line for each row, ``X`` for blue and ``O`` for red, and the player to move."""
        rows = [" ".join(row) for row in self.rows_of(("X", p.blue), ("O", p.red))]
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def svg(self, p: Cars) -> str:
        """Draw the board."""
        rows = self.rows_of(("X", p.blue), ("O", p.red))
        title = f"{' / '.join(rows)}, {self.players[p.player]} to move"
        return self.picture(rows, discs="XO", title=title, aside="off")

    def parse(self, text: str) -> Cars:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, player = self.read_turn(text)
        blue, red = self.read_cells(board, "XO")
        return Cars(blue, red, player)
