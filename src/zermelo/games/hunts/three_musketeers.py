"""Three Musketeers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ParameterError, PositionError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._grids import GridGame
from zermelo.games._sources import ENUMERATED
from zermelo.games.hunts._text import read_side
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS

MUSKETEERS, ENEMIES = 0, 1
SIDES = ("musketeers", "enemies")
THREE = 3


class Duels(NamedTuple):
    """The men's cells, one bit per cell from the top left, row by row, and the side to move.

    Attributes:
        musketeers: the cells of the musketeers.
        enemies: the cells of the enemies.
        side: 0 if the musketeers are to move, 1 if the enemies are.
    """

    musketeers: int
    enemies: int
    side: int


@dataclass(frozen=True)
class ThreeMusketeers(GridGame):
    """Three musketeers take enemies and try not to be brought into one row or column.

    The board is full at the start. In turn, a musketeer takes an enemy beside it, along a row or a
    column, and an enemy steps to an empty cell beside it. The enemies win as soon as all three
    musketeers are in one row or in one column; the musketeers win if none of them can take.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        musketeers: the cells of the musketeers at the start, as ``"a1 b2 d3"``.
    """

    rows: int = 3
    columns: int = 4
    musketeers: str = "a1 b2 d3"

    players = SIDES
    no_moves = LOSS
    fewest = 4

    facts = (
        Fact(
            {"columns": 3, "musketeers": "a1 b2 c3"},
            "win",
            10,
            positions=1509,
            win=851,
            loss=658,
            longest_win=10,
            longest_loss=9,
            source=ENUMERATED,
        ),
        Fact(
            {},
            "win",
            17,
            positions=33776,
            win=19066,
            loss=14710,
            longest_win=17,
            longest_loss=16,
            source=ENUMERATED,
        ),
        Fact(
            {"columns": 5, "musketeers": "a1 c2 e3"},
            "win",
            23,
            positions=611886,
            win=395053,
            loss=216833,
            longest_win=23,
            longest_loss=22,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 5, "musketeers": "a1 c3 e5"},
            "loss",
            checked=False,
            note="up to 9.6 billion positions",
            source="J. Laire (2009), as Wikipedia reports",
        ),
    )

    def start(self) -> Duels:
        """Return the full board, the musketeers to move."""
        musketeers = sum(1 << self.cell_called(name) for name in self.musketeers.split())
        return Duels(musketeers, self.board & ~musketeers, MUSKETEERS)

    def turn(self, p: Duels) -> int:
        """Return the player to move."""
        return p.side

    def winner(self, p: Duels) -> int | None:
        """Return the winner: the enemies with a row, or the musketeers if they cannot take."""
        if self.in_line(p.musketeers):
            return ENEMIES
        if p.side == MUSKETEERS and self.around(p.musketeers) & p.enemies == 0:
            return MUSKETEERS
        return None

    def in_line(self, cells: int) -> bool:
        """Return whether all these cells are in one row, or in one column."""
        for column in range(self.columns):
            if cells & ~(self.left << column) == 0:
                return True
        for row in range(self.rows):
            if cells & ~((1 << self.columns) - 1 << row * self.columns) == 0:
                return True
        return False

    def moves(self, p: Duels) -> Iterator[tuple[int, int]]:
        """Yield each step: from one place, to another."""
        if p.side == MUSKETEERS:
            men, targets = p.musketeers, p.enemies
        else:
            men, targets = p.enemies, ~(p.musketeers | p.enemies)
        for source in range(self.cells):
            if men >> source & 1:
                neighbours = self.around(1 << source) & targets
                for target in range(self.cells):
                    if neighbours >> target & 1:
                        yield source, target

    def play(self, p: Duels, move: tuple[int, int]) -> Duels:
        """Return the position after a step."""
        source, target = move
        if p.side == MUSKETEERS:
            musketeers = p.musketeers & ~(1 << source) | 1 << target
            return Duels(musketeers, p.enemies & ~(1 << target), ENEMIES)
        return Duels(p.musketeers, p.enemies & ~(1 << source) | 1 << target, MUSKETEERS)

    def level(self, p: Duels) -> int:
        """Return the number of empty cells."""
        return self.cells - (p.musketeers | p.enemies).bit_count()

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.columns, self.rows), masks=("musketeers", "enemies"))

    def space(self) -> Duels:
        """Return the range of each field; no two men share a cell."""
        cells: Any = Disjoint(self.cells, (THREE, range(self.cells - THREE + 1)))
        side: Any = range(2)
        return Duels(cells, cells, side)

    def validate(self) -> None:
        """Raise ParameterError unless the musketeers have three cells, not all in one line."""
        super().validate()
        musketeers = self.musketeers
        names = str(musketeers).split()
        if len(set(names)) != THREE or len(names) != THREE:
            message = f"musketeers {musketeers!r} are not on three cells; write them as 'a1 b2 d3'"
            raise ParameterError(message)
        if self.in_line(self.start().musketeers):
            message = f"musketeers {musketeers!r} are in one line, so all is over; move one of them"
            raise ParameterError(message)

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return both cells of a step, such as ``b2b3``."""
        return "".join(map(self.cell_name, move))

    def show(self, p: Duels) -> str:
        """Return the board, ``M`` for musketeers and ``e`` for enemies, and the side to move."""
        rows = self.rows_of(("M", p.musketeers), ("e", p.enemies))
        return "\n".join([*(" ".join(row) for row in rows), f"{SIDES[p.side]} to move"])

    def svg(self, p: Duels) -> str:
        """Draw the board."""
        rows = self.rows_of(("M", p.musketeers), ("e", p.enemies))
        return self.picture(rows, discs="Me", title=f"{' / '.join(rows)}, {SIDES[p.side]} to move")

    def parse(self, text: str) -> Duels:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board with three musketeers.
        """
        board, side = read_side(text, SIDES)
        musketeers, enemies = self.read_cells(board, "Me")
        if musketeers.bit_count() != THREE:
            message = f"{text!r} has {musketeers.bit_count()} musketeers; place three M"
            raise PositionError(message)
        return Duels(musketeers, enemies, side)
