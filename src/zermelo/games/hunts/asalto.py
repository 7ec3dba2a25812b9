"""Asalto."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ParameterError, PositionError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._alquerque import AlquerqueGame
from zermelo.games._checks import check_number
from zermelo.games._sources import GAMESMAN
from zermelo.games.hunts._text import read_side
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS

GEESE, FOXES = 0, 1
SIDES = ("geese", "foxes")
#: The points of the castle: the two lowest rows without their ends.
CASTLE = (16, 17, 18, 21, 22, 23)
#: The value of ``fox`` if no fox may go on jumping.
NONE = 25


class Siege(NamedTuple):
    """The animals' points, one bit per point from the top left, row by row, and the side to move.

    Attributes:
        geese: the points of the geese.
        foxes: the points of the foxes.
        fox: the point of the fox that has just jumped and may jump again; 25 for none.
        side: 0 if the geese are to move, 1 if the foxes are.
    """

    geese: int
    foxes: int
    fox: int
    side: int


@dataclass(frozen=True)
class Asalto(AlquerqueGame):
    """Geese walk into a castle that two foxes guard, which take them by jumping.

    A goose steps along a line to the next point, down or sideways, and not away from the middle
    column. A fox steps any way, or jumps over a goose beside it to the free point beyond on the
    line, and takes it; it must if it can, and may then jump on. The geese win when enough of
    them are in the castle, or if no fox can move; the foxes win when too few geese are left for
    that, or if no goose can move.

    Attributes:
        geese: the points of the geese at the start.
        foxes: the points of the foxes at the start.
        needed: the number of geese in the castle that win.
    """

    geese: str = "b5 c5 d5"
    foxes: str = "b1 d1"
    needed: int = 3

    rows = 5
    columns = 5
    missing = frozenset({0, 4, 20, 24})
    players = SIDES
    no_moves = LOSS
    facts = (
        Fact(
            outcome="loss",
            remoteness=12,
            positions=139430,
            win=77649,
            loss=61781,
            tie=0,
            endless=0,
            longest_win=15,
            longest_loss=16,
            source=GAMESMAN,
        ),
    )

    def start(self) -> Siege:
        """Return the board with all animals on their points, the geese to move."""
        return Siege(self.points(self.geese), self.points(self.foxes), NONE, GEESE)

    def points(self, names: str) -> int:
        """Return the points of a list of names, one bit each."""
        return sum(1 << self.cell_called(name) for name in names.split())

    def turn(self, p: Siege) -> int:
        """Return the player to move."""
        return p.side

    def winner(self, p: Siege) -> int | None:
        """Return the winner if the castle is taken, or too few geese are left for that."""
        if p.geese.bit_count() < self.needed:
            return FOXES
        geese_in_castle = 0
        for point in CASTLE:
            geese_in_castle += p.geese >> point & 1
        return GEESE if geese_in_castle >= self.needed else None

    def moves(self, p: Siege) -> Iterator[tuple[int, ...]]:
        """Yield each step or jump as two points, or (point,) for a fox that stops."""
        free = ~(p.geese | p.foxes)
        if p.side == GEESE:
            for source, target in self.steps(p.geese, free):
                if self.goes_in(source, target):
                    yield source, target
        elif p.fox < NONE:
            yield from self.leaps(1 << p.fox, p.geese, free)
            yield (p.fox,)
        else:
            has_leap = False
            for source, target in self.leaps(p.foxes, p.geese, free):
                has_leap = True
                yield source, target
            if not has_leap:
                yield from self.steps(p.foxes, free)

    def goes_in(self, here: int, there: int) -> bool:
        """Return whether a goose's step is neither up nor away from the middle column."""
        column, aim = here % 5, there % 5
        return there // 5 >= here // 5 and (column == 2 or abs(aim - 2) <= abs(column - 2))

    def play(self, p: Siege, move: tuple[int, ...]) -> Siege:
        """Return the position after a step, a jump, or after a fox has stopped."""
        if len(move) == 1:
            return Siege(p.geese, p.foxes, NONE, GEESE)
        source, target = move
        if p.side == GEESE:
            return Siege(p.geese & ~(1 << source) | 1 << target, p.foxes, NONE, FOXES)
        foxes = p.foxes & ~(1 << source) | 1 << target
        if self.near[source] >> target & 1:
            return Siege(p.geese, foxes, NONE, GEESE)
        geese = p.geese & ~(1 << (source + target) // 2)
        for _ in self.leaps(1 << target, geese, ~(geese | foxes)):
            return Siege(geese, foxes, target, FOXES)
        return Siege(geese, foxes, NONE, GEESE)

    def symmetries(self) -> Symmetry:
        """Return the reflection of left and right."""
        return Symmetry(grid(5, 5, "columns"), masks=("geese", "foxes"), squares=("fox",))

    def space(self) -> Siege:
        """Return the range of each field; no two animals share a point."""
        goose_count, foxes = self.start().geese.bit_count(), self.start().foxes.bit_count()
        animals: Any = Disjoint(self.cells, (range(self.needed - 1, goose_count + 1), foxes))
        fox: Any = range(NONE + 1)
        side: Any = range(2)
        return Siege(animals, animals, fox, side)

    def validate(self) -> None:
        """Raise ParameterError unless the animals are on different points."""
        names = f"{self.geese} {self.foxes}".split()
        for name in names:
            if self.cell_called(name) in self.missing or names.count(name) > 1:
                message = f"{name!r} is a corner, or is given twice; give each animal its own point"
                raise ParameterError(message)
        if not str(self.foxes).split():
            message = f"foxes={self.foxes!r} are none; name the point of one at least"
            raise ParameterError(message)
        check_number("needed", self.needed, 1, min(len(self.geese.split()), len(CASTLE)))

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, ...]) -> str:
        """Return both points, such as ``b5-b4``, or ``stop``."""
        return "stop" if len(move) == 1 else "-".join(map(self.cell_name, move))

    def text_rows(self, p: Siege) -> list[str]:
        """Return each row as text, with spaces in the corners, which have no points."""
        corners = sum(1 << point for point in self.missing)
        return self.rows_of((" ", corners), ("G", p.geese), ("F", p.foxes))

    def going(self, p: Siege) -> str:
        """Return the fox that goes on as text, or nothing."""
        return f"fox on {self.cell_name(p.fox)} goes on, " if p.fox < NONE else ""

    def show(self, p: Siege) -> str:
        """Return the board, ``G`` for geese and ``F`` for foxes, and the side to move."""
        rows = [" ".join(row).rstrip() for row in self.text_rows(p)]
        return "\n".join([*rows, f"{self.going(p)}{SIDES[p.side]} to move"])

    def svg(self, p: Siege) -> str:
        """Draw the board."""
        rows = self.text_rows(p)
        words = [*(row.strip() for row in rows), f"{self.going(p)}{SIDES[p.side]} to move"]
        stop_name = "stop" if p.fox < NONE else ""
        return self.board_picture(rows, "GF", " / ".join(words), stop_name)

    def parse(self, text: str) -> Siege:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board with all foxes.
        """
        board, side = read_side(text, SIDES)
        on = re.search(r"[\n/]?\s*fox on (\w+) goes on$", board)
        lines = (board[: on.start()] if on else board).replace("/", "\n").splitlines()
        rows = ["".join(line.split()) for line in lines]
        ends = (0, len(rows) - 1)
        whole = [f".{row}." if i in ends and len(row) == 3 else row for i, row in enumerate(rows)]
        geese, foxes = self.read_cells("/".join(whole), "GF")
        start = self.start()
        names = [name for row in self.cell_names() for name in row]
        fox = names.index(on[1]) if on and on[1] in names else NONE
        wrong = (
            foxes.bit_count() != start.foxes.bit_count()
            or geese.bit_count() > start.geese.bit_count()
            or (on is not None and not (fox < NONE and foxes >> fox & 1))
        )
        if wrong:
            message = (
                f"{text!r} is not a board with {start.foxes.bit_count()} F and up to "
                f"{start.geese.bit_count()} G; write three points in the first and the last row"
            )
            raise PositionError(message)
        return Siege(geese, foxes, fox, side)
