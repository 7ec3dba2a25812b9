"""Shisima."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._points import WHEEL, WHEEL_LINES, PointMen, RowGame
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry, cycle


@dataclass(frozen=True)
class Shisima(RowGame):
    """Three men each on a ring of eight points around a pool; a line across the pool wins.

    Men step to a free point beside theirs on the ring, into the centre or out of it. A player who
    cannot move loses.

    Attributes:
        drop: whether the board is empty at first and the men are put one by one; otherwise each
            player has three points of the ring in a row.
    """

    drop: bool = False

    spots = WHEEL
    labels = tuple("123456789")
    facts = (
        Fact(
            {"drop": True},
            "endless",
            positions=5550,
            win=2608,
            loss=940,
            tie=0,
            endless=2002,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
    )

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins: the ring, and its spokes."""
        return WHEEL_LINES

    @property
    def rows(self) -> Sequence[tuple[int, ...]]:
        """The lines across, from one side of the ring to the other."""
        return tuple((i, 8, i + 4) for i in range(4))

    def start(self) -> PointMen:
        """Return the men in their places, or the empty board."""
        return PointMen(0, 0, 0) if self.drop else PointMen(0b0000_0111, 0b0111_0000, 0)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the ring."""
        return Symmetry(tuple((*turn, 8) for turn in cycle(8)), masks=("mine", "theirs"))
