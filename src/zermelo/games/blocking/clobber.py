"""Clobber."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides, SidesGame
from zermelo.games._sources import CGSUITE, ENUMERATED

SEARCHED = "own alpha-beta search over arrays, in C++"
PROVED = "proved by search"
INTRODUCTION = "Albert, Grossman, Nowakowski and Wolfe 2005, An introduction to Clobber; recalled"


@dataclass(frozen=True)
class Clobber(SidesGame):
    """Stones on a full board take stones beside them; whoever cannot take one loses.

    A move takes a stone of one's own to an orthogonal neighbour of the other colour, which leaves
    the board. The colours alternate at the start, as on a checkerboard, and the first player has
    the cell at the bottom left.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        setup: the board at the start and the player to move, as text, such as
            ``XOX/OX., white to move``; by default a full board.
    """

    rows: int = 3
    columns: int = 4
    setup: str = ""

    facts = (
        Fact(
            {"rows": 2, "columns": 3},
            "win",
            4,
            positions=57,
            win=35,
            loss=22,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 3},
            "loss",
            5,
            positions=761,
            win=432,
            loss=329,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 5},
            "win",
            6,
            positions=1889,
            win=1191,
            loss=698,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 4},
            "win",
            8,
            positions=13_343,
            win=8705,
            loss=4638,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 3, "setup": "XOX/OX."},
            "win",
            partizan="{^^*|*,v}",
            source=CGSUITE,
        ),
        *(
            Fact(
                {"rows": 1, "columns": len(row), "setup": row}, partizan=value, source=INTRODUCTION
            )
            for row, value in (("XO", "*"), ("XXO", "^"), ("XXXO", "^^*"), ("XXXXO", "^3"))
        ),
        Fact({"rows": 1, "columns": 6}, "loss", partizan="0", source=INTRODUCTION),
        Fact({"rows": 3, "columns": 3}, "win", source=SEARCHED),
        Fact({"rows": 3, "columns": 4}, "loss", source=SEARCHED),
        Fact({"rows": 3, "columns": 5}, "win", checked=False, note=PROVED, source=SEARCHED),
        Fact({"rows": 3, "columns": 6}, "loss", checked=False, note=PROVED, source=SEARCHED),
        Fact({"rows": 4, "columns": 4}, "win", checked=False, note=PROVED, source=SEARCHED),
        Fact({"rows": 4, "columns": 5}, "win", checked=False, note=PROVED, source=SEARCHED),
        Fact({"rows": 5, "columns": 5}, "loss", checked=False, note=PROVED, source=SEARCHED),
    )

    def start(self) -> Sides:
        """Return the board as it is set up, by default full."""
        if self.setup:
            return self.parse(self.setup)
        mine = self.checkerboard()
        return Sides(mine, self.board & ~mine, 0)

    def moves(self, p: Sides) -> Iterator[tuple[int, int]]:
        """Yield the cells of each own stone and of each enemy beside it."""
        for source in range(self.rows * self.columns):
            if p.mine >> source & 1:
                enemies = self.around(1 << source) & p.theirs
                while enemies:
                    yield source, (enemies & -enemies).bit_length() - 1
                    enemies &= enemies - 1

    def play(self, p: Sides, move: tuple[int, int]) -> Sides:
        """Return the board after a capture, as the other player sees it."""
        source, target = move
        return Sides(p.theirs & ~(1 << target), p.mine & ~(1 << source) | 1 << target, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of empty cells."""
        return (self.board & ~(p.mine | p.theirs)).bit_count()

    def split(self, p: Sides) -> Iterator[Sides]:
        """Yield each group of stones of both colours, at the top left, the least of its images."""
        left = p.mine | p.theirs
        while left:
            group = self.grown(left & -left, left)
            left &= ~group
            if group & p.mine and group & p.theirs:
                _, mine, theirs = self.normal(
                    group, group & p.mine, group & p.theirs, shifts=(True, True), turns=True
                )
                yield Sides(mine, theirs, p.player)

    # -- hints for zermelo.prove ----------------------------------------------------------------

    def promise(self, p: Sides, move: tuple[int, int]) -> int:
        """Return the priority of a move: the fewer captures it leaves, the higher."""
        source, target = move
        mine, theirs = p.mine & ~(1 << source) | 1 << target, p.theirs & ~(1 << target)
        return -self.captures(mine, theirs)

    def captures(self, mine: int, theirs: int) -> int:
        """Return the number of captures, which is the same for both players."""
        pairs_right = mine & theirs >> 1 & ~self.right
        pairs_left = theirs & mine >> 1 & ~self.right
        pairs_up, pairs_down = mine & theirs >> self.columns, theirs & mine >> self.columns
        return (pairs_right | pairs_left).bit_count() + (pairs_up | pairs_down).bit_count()
