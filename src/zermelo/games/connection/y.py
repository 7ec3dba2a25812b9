"""The Game of Y."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides
from zermelo.games._hexagons import HexagonGame
from zermelo.games._sources import ENUMERATED
from zermelo.games.connection._triangle import TriangleBoard
from zermelo.values.outcomes import LOSS, WIN, Outcome

STANDARD = "binary of GamesmanClassic at b9dd232 (mgameofy option 0), run by us"
MISERE = "binary of GamesmanClassic at b9dd232 (mgameofy option 4), run by us"


@dataclass(frozen=True)
class Y(TriangleBoard, HexagonGame):
    """Two players fill a triangle of hexagons, and whoever joins all three sides wins.

    One group of a player's stones must touch all three sides; a corner touches two. One of the
    players always has such a group when the board is full.

    Attributes:
        side: the number of cells on a side.
        loses: whether a player who joins the three sides loses.
    """

    side: int = 4
    loses: bool = False

    facts = (
        Fact(
            {"side": 2},
            "win",
            3,
            positions=13,
            win=7,
            loss=6,
            note="3 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"side": 3, "loses": True},
            "win",
            6,
            positions=257,
            win=173,
            loss=84,
            note="3 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"side": 4},
            "win",
            7,
            positions=16_505,
            win=10_630,
            loss=5875,
            note="7 winning openings",
            source=STANDARD,
        ),
        Fact(
            {"side": 4, "loses": True},
            "win",
            10,
            positions=16_505,
            win=10_636,
            loss=5869,
            note="9 winning openings",
            source=MISERE,
        ),
    )

    def outcome(self, p: Sides) -> Outcome | None:
        """Return the result if the other player has just joined the three sides."""
        if self.joined(p.theirs):
            if self.loses:
                return WIN
            return LOSS
        return None
