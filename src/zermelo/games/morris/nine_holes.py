"""Nine Holes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zermelo.game.facts import Fact
from zermelo.games._points import ACROSS, DOWN, ORTHOGONAL
from zermelo.games._sources import ENUMERATED
from zermelo.games.morris.three_mens_morris import ThreeMensMorris


@dataclass(frozen=True)
class NineHoles(ThreeMensMorris):
    """Two players put three men each into nine holes, then move them; a row or a column wins.

    A player who cannot move loses.

    Attributes:
        steps_along: how men move: ``anywhere``, that is into any empty hole; or, as in Three Men's
            Morris, along ``lines``, ``orthogonal`` or ``king``.
        centre_first: whether the very first man may be put in the centre.
        row: whether three in a row ``wins``, or ``loses``, when a player who cannot move wins.
    """

    steps_along: str = "anywhere"

    facts: ClassVar[tuple[Fact, ...]] = (
        Fact(
            outcome="endless",
            positions=5470,
            win=2502,
            loss=522,
            tie=0,
            endless=2446,
            longest_win=3,
            longest_loss=2,
            source=ENUMERATED,
        ),
    )

    @property
    def rows(self) -> Sequence[tuple[int, ...]]:
        """The points of each row that counts; diagonals do not count."""
        return (*ACROSS, *DOWN)

    drawn: ClassVar[Sequence[tuple[int, int]]] = ORTHOGONAL
