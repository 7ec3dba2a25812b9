"""Mū Tōrere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._checks import check_word
from zermelo.games._points import WHEEL, WHEEL_LINES, PointGame, PointMen
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.symmetry import Symmetry, cycle

CENTRE = 8


@dataclass(frozen=True)
class MuTorere(PointGame):
    """Four men a side step around a ring of eight points or through its centre; being stuck loses.

    A man steps to the only free point: beside it on the ring, out of the centre, or into the
    centre if an enemy is beside it on the ring.

    Attributes:
        centre: the men that may step into the centre: those beside an ``enemy``, or all (``free``).
    """

    title = "Mū Tōrere"

    centre: str = "enemy"

    men = 4
    spots = WHEEL
    labels = tuple("123456789")
    facts = (
        Fact(
            outcome="endless",
            source="Marcia Ascher, Mu Torere: An Analysis of a Maori Game, 1987 (the draw)",
        ),
        Fact(
            {"centre": "free"},
            "win",
            1,
            positions=1180,
            win=320,
            loss=160,
            tie=0,
            endless=700,
            longest_win=5,
            longest_loss=4,
            source=ENUMERATED,
        ),
        Fact(
            outcome="endless",
            misere=True,
            positions=1180,
            win=80,
            loss=0,
            tie=0,
            endless=1100,
            longest_win=0,
            source=GAMESMAN,
        ),
    )

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins: the ring, and its spokes."""
        return WHEEL_LINES

    def start(self) -> PointMen:
        """Return four neighbouring men each, and the centre free."""
        return PointMen(0b0000_1111, 0b1111_0000, 0)

    def steps(self, p: PointMen) -> Iterator[tuple[int, int]]:
        """Yield each step to the free point; into the centre only if it is allowed."""
        for source, target in super().steps(p):
            is_beside_enemy = p.theirs >> (source + 1) % 8 & 1 or p.theirs >> (source + 7) % 8 & 1
            if target != CENTRE or is_beside_enemy or self.centre == "free":
                yield source, target

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the ring."""
        return Symmetry(tuple((*turn, CENTRE) for turn in cycle(8)), masks=("mine", "theirs"))

    def validate(self) -> None:
        """Raise ParameterError for an unknown word."""
        check_word("centre", self.centre, ("enemy", "free"))
