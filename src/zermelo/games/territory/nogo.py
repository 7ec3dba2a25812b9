"""NoGo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides, SidesGame
from zermelo.games._sources import ENUMERATED


@dataclass(frozen=True)
class Nogo(SidesGame):
    """Two players put stones on a board and may not capture; a player who cannot move loses.

    A stone may be put only if every group of stones, of either colour, still has an empty point
    beside it. Groups are joined along rows and columns.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        setup: the board at the start and the player to move, as text, such as
            ``X.O/..., white to move``; by default an empty board.
    """

    title = "NoGo"

    rows: int = 3
    columns: int = 3
    setup: str = ""

    facts = (
        Fact(
            {"rows": 2, "columns": 2},
            "loss",
            3,
            positions=25,
            win=12,
            loss=13,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 3},
            "loss",
            5,
            positions=177,
            win=112,
            loss=65,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 3},
            "win",
            8,
            positions=3884,
            win=2571,
            loss=1313,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 2, "columns": 5},
            "win",
            8,
            positions=10_311,
            win=6255,
            loss=4056,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 4},
            "win",
            10,
            positions=87_361,
            win=56_024,
            loss=31_337,
            misere=True,
            source=ENUMERATED,
        ),
    )

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each empty point that takes the last liberty of no group."""
        for point in range(self.rows * self.columns):
            if not (p.mine | p.theirs) >> point & 1:
                mine = p.mine | 1 << point
                if self.all_live(mine, p.theirs) and self.all_live(p.theirs, mine):
                    yield point

    def play(self, p: Sides, point: int) -> Sides:
        """Return the board with the stone on it, as the other player sees it."""
        return Sides(p.theirs, p.mine | 1 << point, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of stones."""
        return (p.mine | p.theirs).bit_count()
