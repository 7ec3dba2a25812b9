"""Ho-Bag Gonu."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._points import PointGame, PointMen
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry

ABOVE = 0b111
BELOW = 0b111 << 8


@dataclass(frozen=True)
class HoBagGonu(PointGame):
    """Three men each leave their yards for a ring of paths; a player who cannot move loses.

    A man steps along a line to a free point, also into the other player's yard. A man that has
    left its own yard does not come back to it.
    """

    spots = (
        *((float(x), 0.0) for x in range(3)),
        (1.0, 1.0),
        *((float(x), 2.0) for x in range(3)),
        (1.0, 3.0),
        *((float(x), 4.0) for x in range(3)),
    )
    labels = tuple(str(1 + i) for i in range(11))
    facts = (
        Fact(
            outcome="endless",
            positions=16160,
            win=764,
            loss=354,
            tie=0,
            endless=15042,
            longest_win=9,
            longest_loss=8,
            note="a run of GamesmanClassic counts 15,962 positions; its source has the rules here",
            source=ENUMERATED,
        ),
    )

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins."""
        ring = ((3, 4), (3, 5), (3, 6), (4, 5), (5, 6), (4, 7), (5, 7), (6, 7))
        return ((0, 1), (1, 2), (1, 3), *ring, (7, 9), (8, 9), (9, 10))

    def start(self) -> PointMen:
        """Return the first player's men above and the second's below."""
        return PointMen(ABOVE, BELOW, 0)

    def steps(self, p: PointMen) -> Iterator[tuple[int, int]]:
        """Yield each step to a free point, except back into the own yard."""
        home = BELOW if p.player else ABOVE
        for source, target in super().steps(p):
            if home >> source & 1 or not home >> target & 1:
                yield source, target

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflection of left and right, and the one that exchanges the players."""
        mirrored = (2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8)
        upturned = (8, 9, 10, 7, 4, 5, 6, 3, 0, 1, 2)
        return (
            Symmetry((mirrored,), masks=("mine", "theirs")),
            Symmetry((upturned,), masks=("mine", "theirs"), flip=("player",), together=True),
        )
