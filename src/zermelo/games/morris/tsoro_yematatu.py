"""Tsoro Yematatu."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._checks import check_word
from zermelo.games._points import PointMen, RowGame
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.symmetry import Symmetry

LINES = (
    (0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (1, 4), (2, 5), (3, 6), (4, 5), (5, 6),
)  # fmt: skip
#: From the apex down each side and the middle, and the two lines across.
ROWS = ((1, 2, 3), (4, 5, 6), (0, 1, 4), (0, 2, 5), (0, 3, 6))


@dataclass(frozen=True)
class TsoroYematatu(RowGame):
    """Two players put three men each on the seven points of a triangle; three in a row win.

    Then one point is free, and men step or jump to it. A player who cannot move loses.

    Attributes:
        jumps: when a man may jump along a line over a man beside it: if the player is ``blocked``
            and has no step, ``always``, or ``never``.
    """

    jumps: str = "blocked"

    spots = ((2.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (0.0, 2.0), (2.0, 2.0), (4.0, 2.0))
    labels = tuple("1234567")
    facts = (
        Fact(
            outcome="win",
            remoteness=11,
            positions=806,
            win=435,
            loss=240,
            tie=0,
            endless=131,
            longest_win=11,
            longest_loss=10,
            source=GAMESMAN,
        ),
        Fact(
            {"jumps": "never"},
            "endless",
            positions=804,
            win=398,
            loss=194,
            tie=0,
            endless=212,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
    )

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins."""
        return LINES

    @property
    def rows(self) -> Sequence[tuple[int, ...]]:
        """The points of each row that counts."""
        return ROWS

    def steps(self, p: PointMen) -> Iterator[tuple[int, int]]:
        """Yield each step to the free point, and each jump if jumps are allowed."""
        steps = 0
        for source, target in super().steps(p):
            steps += 1
            yield source, target
        if self.jumps == "always" or (self.jumps == "blocked" and steps == 0):
            for end, _, far_end in ROWS:
                for source, target in ((end, far_end), (far_end, end)):
                    if p.mine >> source & 1 and not (p.mine | p.theirs) >> target & 1:
                        yield source, target

    def symmetries(self) -> Symmetry:
        """Return the reflection of left and right."""
        return Symmetry(((0, 3, 2, 1, 6, 5, 4),), masks=("mine", "theirs"))

    def validate(self) -> None:
        """Raise ParameterError for an unknown word."""
        check_word("jumps", self.jumps, ("blocked", "always", "never"))
