"""Pong Hau K'i."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._points import PointGame, PointMen
from zermelo.games._sources import GAMESMAN
from zermelo.symmetry import Symmetry


@dataclass(frozen=True)
class PongHauKi(PointGame):
    """Two men each on five points; a man steps to the free one, and whoever cannot move loses."""

    title = "Pong Hau K'i"

    men = 2
    spots = ((0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (0.0, 2.0), (2.0, 2.0))
    labels = tuple("12345")
    facts = (
        Fact(
            outcome="endless",
            positions=56,
            win=8,
            loss=4,
            tie=0,
            endless=44,
            longest_win=1,
            longest_loss=0,
            source=GAMESMAN,
        ),
    )

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins: no line runs between the two points above."""
        return ((0, 2), (1, 2), (2, 3), (2, 4), (0, 3), (1, 4), (3, 4))

    def start(self) -> PointMen:
        """Return the first player's men above and the second's below."""
        return PointMen(0b00011, 0b11000, 0)

    def symmetries(self) -> Symmetry:
        """Return the reflection of left and right."""
        return Symmetry(((1, 0, 2, 4, 3),), masks=("mine", "theirs"))
