"""Atari Go, also called Ponnuki-Go or Capture Go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides, SidesGame
from zermelo.games._sources import ENUMERATED
from zermelo.values.outcomes import LOSS, Outcome

PONNUKI = (
    "van der Werf, Uiterwijk & van den Herik, Solving Ponnuki-Go on small boards, "
    'BNAIC 2002, as summarised in a public notes file ("4x4 white wins, 5x5 black '
    'wins")'
)


@dataclass(frozen=True)
class AtariGo(SidesGame):
    """Go in which the first capture wins.

    A stone that leaves a group of the other colour without an empty point beside it wins at once.
    Otherwise it must not leave its own group without one. Nobody may pass, and a player who
    cannot put a stone loses.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    rows: int = 3
    columns: int = 3

    no_moves = LOSS

    facts = (
        Fact(
            {"rows": 2, "columns": 2},
            "loss",
            4,
            positions=33,
            win=20,
            loss=13,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 3},
            "loss",
            6,
            positions=235,
            win=124,
            loss=111,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 3},
            "win",
            7,
            positions=5172,
            win=2773,
            loss=2399,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 4},
            "loss",
            8,
            positions=1791,
            win=942,
            loss=849,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 5},
            "win",
            7,
            positions=14_215,
            win=7581,
            loss=6634,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 4},
            "win",
            9,
            positions=118_433,
            win=63_855,
            loss=54_578,
            source=ENUMERATED,
        ),
        Fact({"rows": 4, "columns": 4}, "loss", source=PONNUKI),
    )

    def outcome(self, p: Sides) -> Outcome | None:
        """Return LOSS if a group of the player to move has just been captured."""
        if not self.all_live(p.mine, p.theirs):
            return LOSS
        return None

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each empty point where a stone captures, or lives."""
        for point in range(self.rows * self.columns):
            if not (p.mine | p.theirs) >> point & 1:
                mine = p.mine | 1 << point
                if self.all_live(mine, p.theirs) or not self.all_live(p.theirs, mine):
                    yield point

    def play(self, p: Sides, point: int) -> Sides:
        """Return the board with the stone on it, as the other player sees it."""
        return Sides(p.theirs, p.mine | 1 << point, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of stones."""
        return (p.mine | p.theirs).bit_count()
