"""Hex."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides
from zermelo.games._sources import ENUMERATED
from zermelo.games.connection._hexagons import HexagonGame
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, WIN, Outcome

HENDERSON = "OEIS A212188 (Henderson, Arneson & Hayward 2009)"
REVERSE = (
    "Lagarias and Sleator 1999: the first player wins Reverse Hex of even size, the "
    "second of odd size, and the loser can fill the board"
)


@dataclass(frozen=True)
class Hex(HexagonGame):
    """Two players fill a rhombus of hexagons, and whoever joins the own two sides wins.

    The first player joins the top and the bottom, the second player the left and the right side.
    One of them always does.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        loses: whether whoever joins the own sides loses, as in Reverse Hex.
    """

    rows: int = 3
    columns: int = 3
    loses: bool = False

    goals = True

    facts = (
        Fact(
            {"rows": 4, "columns": 4},
            "win",
            9,
            positions=9_386_235,
            wins=5_896_679,
            losses=3_489_556,
            longest_win=13,
            longest_loss=12,
            note="4 winning openings",
            source="OEIS A212188 (Henderson, Arneson & Hayward 2009); own enumeration",
        ),
        Fact(
            {"rows": 2, "columns": 3},
            "win",
            3,
            positions=221,
            wins=106,
            losses=115,
            note="6 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 2},
            "loss",
            4,
            positions=243,
            wins=131,
            losses=112,
            note="0 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 4},
            "win",
            5,
            positions=126_003,
            wins=69_666,
            losses=56_337,
            note="12 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 3},
            "loss",
            8,
            positions=130_844,
            wins=78_194,
            losses=52_650,
            note="0 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 5},
            "win",
            checked=False,
            note="13 winning openings",
            source=HENDERSON,
        ),
        Fact(
            {"rows": 6, "columns": 6},
            "win",
            checked=False,
            note="24 winning openings",
            source=HENDERSON,
        ),
        Fact({"rows": 2, "columns": 2, "loses": True}, "win", 4, source=REVERSE),
        Fact({"rows": 3, "columns": 3, "loses": True}, "loss", 9, source=REVERSE),
        Fact({"rows": 4, "columns": 4, "loses": True}, "win", 16, source=REVERSE),
    )

    def outcome(self, p: Sides) -> Outcome | None:
        """Return the result if the other player has just joined the own sides."""
        if self.joined(p.theirs, 1 - p.player):
            if self.loses:
                return WIN
            return LOSS
        return None

    def joined(self, stones: int, player: int) -> bool:
        """Whether these stones of a player reach from one of that player's sides to the other."""
        side, other = self.top, self.top << (self.rows - 1) * self.columns
        if player == 1:
            side, other = self.left, self.right
        return self.grown(stones & side, stones) & other != 0

    @property
    def top(self) -> int:
        """The top row."""
        return (1 << self.columns) - 1

    def symmetries(self) -> Symmetry:
        """Return the half-turn of the board."""
        return Symmetry(grid(self.columns, self.rows, "half-turn"), masks=("mine", "theirs"))
