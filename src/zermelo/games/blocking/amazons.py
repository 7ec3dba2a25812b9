"""The Game of the Amazons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._grids import GridGame
from zermelo.games._sources import CGSUITE, ENUMERATED
from zermelo.symmetry import Symmetry, grid


class Archers(NamedTuple):
    """The cells of the amazons and of the arrows, one bit per cell.

    Attributes:
        mine: the amazons of the player to move: bit 0 is top left, row by row.
        theirs: those of the other player.
        arrows: the cells with an arrow in them.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    arrows: int
    player: int


@dataclass(frozen=True)
class Amazons(GridGame):
    """Amazons move like queens and then shoot an arrow; whoever cannot move loses.

    An amazon moves any number of free cells in one of the eight directions. From where she
    arrives she shoots an arrow likewise, and it stays where it lands. Nothing passes over amazons
    or arrows.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        first: the cells of the first player's amazons; if none are given, one at the bottom left.
        second: the cells of the second player's amazons; by default one at the top right.
        setup: the board at the start and the player to move, as text, such as ``X.#/..O``, in place
            of ``first`` and ``second``.
    """

    rows: int = 3
    columns: int = 3
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    setup: str = ""

    fewest_cells = 2
    players = ("white", "black")

    facts = (
        Fact(
            {"rows": 3, "columns": 3, "first": ["a1"], "second": ["c3"]},
            "win",
            7,
            positions=6692,
            win=4721,
            loss=1971,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 4, "first": ["a1"], "second": ["d2"]},
            "win",
            3,
            positions=2098,
            win=1272,
            loss=826,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 1, "columns": 6, "first": ["a1"], "second": ["f1"]},
            "win",
            1,
            positions=73,
            win=25,
            loss=48,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 4, "first": ["a2"], "second": ["a1"]},
            "win",
            partizan="±{3,{4|0,{1|0,*}},{4|{0,{1/2|0}|v},±1,±{1,{2|0}}}}",
            source=CGSUITE,
        ),
    )

    def start(self) -> Archers:
        """Return the amazons at their places, without arrows unless the board is set up."""
        if self.setup:
            return self.parse(self.setup)
        first = sum(1 << self.cell_called(name) for name in self.first)
        second = sum(1 << self.cell_called(name) for name in self.second)
        corner = (self.rows - 1) * self.columns
        return Archers(first or 1 << corner, second or 1 << self.columns - 1, 0, 0)

    def turn(self, p: Archers) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Archers) -> Iterator[tuple[int, int, int]]:
        """Yield each move: the amazon's cell, the cell that she moves to, and the arrow's cell."""
        occupied = p.mine | p.theirs | p.arrows
        for source in range(self.rows * self.columns):
            if p.mine >> source & 1:
                for walk in self.rays[source]:
                    for target in walk:
                        if occupied >> target & 1:
                            break
                        for flight in self.rays[target]:
                            for arrow in flight:
                                if (occupied & ~(1 << source)) >> arrow & 1:
                                    break
                                yield source, target, arrow

    def play(self, p: Archers, move: tuple[int, int, int]) -> Archers:
        """Return the board after a move, as the other player sees it."""
        source, target, arrow = move
        mine = p.mine & ~(1 << source) | 1 << target
        return Archers(p.theirs, mine, p.arrows | 1 << arrow, 1 - p.player)

    def level(self, p: Archers) -> int:
        """Return the number of arrows that have been shot."""
        return p.arrows.bit_count()

    def pass_turn(self, p: Archers) -> Archers:
        """Return the same board with the other player to move."""
        return Archers(p.theirs, p.mine, p.arrows, 1 - p.player)

    def split(self, p: Archers) -> Iterator[Archers]:
        """Yield each region without arrows, at the top left, the least of its images.

        A region is joined by steps in eight directions. One that is full, or has no amazons, has no
        moves and is left out.
        """
        left = self.board & ~p.arrows
        while left:
            region, grown = left & -left, 0
            while grown != region:
                grown = region
                beside = (grown & ~self.left) >> 1 | grown | (grown & ~self.right) << 1
                region = left & (beside | beside >> self.columns | beside << self.columns)
            left &= ~region
            men = region & (p.mine | p.theirs)
            if men and men != region:
                region, mine, theirs = self.normal(
                    region, region & p.mine, region & p.theirs, shifts=(True, True), turns=True
                )
                yield Archers(mine, theirs, self.board & ~region, p.player)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        board = Symmetry(grid(self.columns, self.rows), masks=("mine", "theirs", "arrows"))
        return board, Symmetry(flip=("player",))

    def space(self) -> Archers:
        """Return the range of each field; no cell holds two things."""
        cells: Any = Disjoint(self.cells)
        player: Any = range(2)
        return Archers(cells, cells, cells, player)

    def validate(self) -> None:
        """Raise ParameterError unless the board fits and the amazons stand on cells of it."""
        super().validate()
        for name, cells in (("first", self.first), ("second", self.second)):
            if not isinstance(cells, tuple):
                message = f"{name} must be a list of cells, not {cells!r}; give one such as ['a1']"
                raise ParameterError(message)
        if self.setup:
            return
        start = self.start()
        men = (len(self.first) or 1) + (len(self.second) or 1)
        if (start.mine | start.theirs).bit_count() != men:
            message = (
                f"amazons at {list(self.first)!r} and {list(self.second)!r} share a cell; give "
                "each one of her own"
            )
            raise ParameterError(message)

    def marked(self, p: Archers) -> list[str]:
        """Return each row as text."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        return self.rows_of(("X", first), ("O", second), ("#", p.arrows))

    def show(self, p: Archers) -> str:
        """Return a line for each row, ``X`` and ``O`` for amazons, ``#`` for arrows; the turn."""
        rows = [" ".join(row) for row in self.marked(p)]
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def svg(self, p: Archers) -> str:
        """Draw the board."""
        rows = self.marked(p)
        title = f"amazons: {' / '.join(rows)}, {self.players[p.player]} to move"
        rows = [row.replace("X", "\u2655").replace("O", "\u265b") for row in rows]
        return self.picture(rows, filled="#", title=title)

    def name(self, move: tuple[int, int, int]) -> str:
        """Return the names of a move's three cells, such as ``a1c3b2``."""
        return "".join(self.cell_name(cell) for cell in move)

    def parse(self, text: str) -> Archers:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, player = self.read_turn(text)
        first, second, arrows = self.read_cells(board, "XO#")
        mine, theirs = (second, first) if player else (first, second)
        return Archers(mine, theirs, arrows, player)
