"""Picaria."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._points import HAND, PointMen, RowGame
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry

#: The points: nine in rows and columns, and one in the middle of each of the four squares.
SPOTS = tuple((x / 2, y / 2) for y in range(5) for x in range(5) if (x + y) % 2 == 0)
#: Three points each of the lines that men can move along.
ROWS = tuple(
    tuple(SPOTS.index((x + dx * i, y + dy * i)) for i in range(3))
    for x, y in SPOTS
    for dx, dy in ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.5, -0.5))
    if {(x + dx * i, y + dy * i) for i in range(3)} <= {*SPOTS}
)
CENTRE = SPOTS.index((1.0, 1.0))


@dataclass(frozen=True)
class Picaria(RowGame):
    """Two players put three men each on thirteen points, then step; three in a row win.

    A player who cannot move loses.

    Attributes:
        centre: whether men may be put in the centre. They may always step there.
    """

    centre: bool = True

    spots = SPOTS
    labels = tuple(f"{'abcde'[round(2 * x)]}{5 - round(2 * y)}" for x, y in SPOTS)
    facts = (
        Fact(
            outcome="win",
            remoteness=5,
            positions=82988,
            win=52067,
            loss=16229,
            tie=0,
            endless=14692,
            longest_win=15,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"centre": False},
            outcome="win",
            remoteness=7,
            positions=76495,
            win=46369,
            loss=16096,
            tie=0,
            endless=14030,
            longest_win=17,
            longest_loss=16,
            source=ENUMERATED,
        ),
    )

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins."""
        pairs = ((a, b) for row in ROWS for a, b in (row[:2], row[1:]))
        return tuple(dict.fromkeys((min(a, b), max(a, b)) for a, b in pairs))

    @property
    def rows(self) -> Sequence[tuple[int, ...]]:
        """The points of each row that counts."""
        return ROWS

    def moves(self, p: PointMen) -> Iterator[tuple[int, int]]:
        """Yield each free point for a man from hand, or the steps once all men are put."""
        for source, target in super().moves(p):
            if self.centre or source != HAND or target != CENTRE:
                yield source, target

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        turned = tuple(SPOTS.index((2.0 - y, x)) for x, y in SPOTS)
        mirrored = tuple(SPOTS.index((2.0 - x, y)) for x, y in SPOTS)
        return Symmetry((turned, mirrored), masks=("mine", "theirs"))
