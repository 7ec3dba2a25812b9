"""Change!"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from zermelo.game.facts import Fact
from zermelo.games._checks import check_word
from zermelo.games._points import PointGame, PointMen
from zermelo.games._sources import GAMESMAN
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, WIN, Outcome

ABOVE = 0b111
BELOW = 0b111 << 11


@dataclass(frozen=True)
class Change(PointGame):
    """Two rows of three men change places; the first player to fill the other's row wins.

    A man slides forward along a line, as far as it is free: X up, O down. It never turns back.

    Attributes:
        trapped: whether a player who cannot move ``wins`` or ``loses``.
    """

    title = "Change!"

    trapped: str = "wins"

    spots = (
        *((float(x), 0.0) for x in (2, 4, 6)),
        *((float(x), 1.0) for x in (1, 3, 5, 7)),
        *((float(x), 2.0) for x in (0, 2, 4, 6)),
        *((float(x), 3.0) for x in (1, 3, 5)),
    )
    labels = tuple(str(1 + i) for i in range(14))
    facts = (
        Fact(
            {"trapped": "wins"},
            "win",
            positions=48029,
            win=31334,
            loss=16695,
            tie=0,
            endless=0,
            source=GAMESMAN,
        ),
    )

    @cached_property
    def slides(self) -> list[list[list[int]]]:
        """The points of the two lines up and the two lines down from each point, in order."""
        point_at = {spot: point for point, spot in enumerate(self.spots)}
        slides = []
        for x, y in self.spots:
            directions = ((-1, -1), (1, -1), (-1, 1), (1, 1))
            rays = [[(x + dx * k, y + dy * k) for k in range(1, 4)] for dx, dy in directions]
            slides.append([[point_at[spot] for spot in ray if spot in point_at] for ray in rays])
        return slides

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins."""
        pairs = ((i, ray[0]) for i, rays in enumerate(self.slides) for ray in rays[2:] if ray)
        return tuple(pairs)

    @property
    def no_moves(self) -> Outcome:  # type: ignore[override]  # a property replaces the class attribute
        """The outcome of a player who has no move."""
        return WIN if self.trapped == "wins" else LOSS

    def start(self) -> PointMen:
        """Return the first player's men below and the second's above."""
        return PointMen(BELOW, ABOVE, 0)

    def outcome(self, p: PointMen) -> Outcome | None:
        """Return LOSS if the other player's men fill the row in which the mover's men began."""
        return LOSS if p.theirs == (ABOVE if p.player else BELOW) else None

    def steps(self, p: PointMen) -> Iterator[tuple[int, int]]:
        """Yield each slide forward."""
        for source in range(self.points):
            if p.mine >> source & 1:
                for line_number in range(2):
                    for target in self.slides[source][2 * p.player + line_number]:
                        if (p.mine | p.theirs) >> target & 1:
                            break
                        yield source, target

    def symmetries(self) -> Symmetry:
        """Return the half-turn of the board, which exchanges the players."""
        turned = tuple(range(13, -1, -1))
        return Symmetry((turned,), masks=("mine", "theirs"), flip=("player",), together=True)

    def validate(self) -> None:
        """Raise ParameterError for an unknown word."""
        check_word("trapped", self.trapped, ("wins", "loses"))
