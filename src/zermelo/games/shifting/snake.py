"""Snake."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.shifting._trails import TrailGame, Trodden
from zermelo.symmetry import Symmetry, grid


@dataclass(frozen=True)
class Snake(TrailGame):
    """Two ends of a snake grow in turn; a player whose end cannot grow loses.

    The first player has the head, the second the tail. An end grows by an empty square beside
    it, along rows and columns.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        head: the square of the head, counted row by row from 0 at the top left.
        tail: the square of the tail.
    """

    rows: int = 4
    columns: int = 4
    head: int = 0
    tail: int = 15

    fewest = 2
    players = ("head", "tail")
    facts = (
        Fact(
            {"head": 0, "tail": 15},
            "loss",
            14,
            positions=1633,
            win=738,
            loss=895,
            tie=0,
            endless=0,
            longest_win=13,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"head": 0, "tail": 1},
            "loss",
            6,
            positions=506,
            win=215,
            loss=291,
            tie=0,
            endless=0,
            longest_win=9,
            longest_loss=10,
            source=ENUMERATED,
        ),
    )

    @cached_property
    def reach(self) -> list[list[int]]:
        """The squares beside each square."""
        return [[ray[0] for ray in rays if ray] for rays in self.straights]

    def start(self) -> Trodden:
        """Return the snake that the parameters give."""
        return Trodden(self.head, self.tail, 1 << self.head | 1 << self.tail)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.columns, self.rows), squares=("mine", "theirs"), masks=("used",))

    def validate(self) -> None:
        """Raise ParameterError unless head and tail are two squares of the board."""
        super().validate()
        check_number("head", self.head, 0, self.cells - 1)
        check_number("tail", self.tail, 0, self.cells - 1)
        if self.head == self.tail:
            message = f"head and tail are both {self.head!r}; give them squares of their own"
            raise ParameterError(message)
