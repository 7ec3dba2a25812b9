"""Three Men's Morris."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from zermelo.game.facts import Fact
from zermelo.games._checks import check_word
from zermelo.games._points import DIAGONAL, EDGES, ORTHOGONAL, PointMen, RowGame
from zermelo.games._sources import GAMESMAN
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, WIN, Outcome

#: The lines along which men step.
STEPS = {
    "lines": (*ORTHOGONAL, *DIAGONAL),
    "orthogonal": ORTHOGONAL,
    "king": (*ORTHOGONAL, *DIAGONAL, *EDGES),
    "anywhere": tuple((a, b) for b in range(9) for a in range(b)),
}
CENTRE = 4


@dataclass(frozen=True)
class ThreeMensMorris(RowGame):
    """Two players put three men each on nine points, then step; three in a row win.

    A player who cannot move loses.

    Attributes:
        steps_along: how men step: along the ``lines`` of the board, which are its rows, its columns
            and the diagonals through the centre; ``orthogonal``, rows and columns alone; ``king``,
            to any of the points around; ``anywhere``.
        centre_first: whether the very first man may be put in the centre.
        row: whether three in a row ``wins``, or ``loses``, when a player who cannot move wins.
    """

    title = "Three Men's Morris"

    steps_along: str = "lines"
    centre_first: bool = True
    row: str = "wins"

    drawn: ClassVar[Sequence[tuple[int, int]]] = (*ORTHOGONAL, *DIAGONAL)
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact(
            outcome="win",
            remoteness=9,
            positions=5390,
            win=2997,
            loss=1185,
            endless=1208,
            tie=0,
            longest_win=9,
            longest_loss=10,
            source=GAMESMAN,
        ),
        Fact(
            {"steps_along": "king"},
            "endless",
            positions=5390,
            win=2914,
            loss=900,
            endless=1576,
            tie=0,
            longest_win=7,
            longest_loss=6,
            source=GAMESMAN,
        ),
        Fact(
            {"row": "loses"},
            "endless",
            positions=5390,
            win=416,
            loss=0,
            endless=4974,
            tie=0,
            longest_win=0,
            source=GAMESMAN,
        ),
    )

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points between which men step."""
        return STEPS[self.steps_along]

    @property
    def no_moves(self) -> Outcome:  # type: ignore[override]  # it may be a property
        """The outcome of a player who has no move."""
        return WIN if self.row == "loses" else LOSS

    def outcome(self, p: PointMen) -> Outcome | None:
        """Return LOSS if the other player has a row, or WIN if a row loses."""
        if self.has_row(p.theirs):
            return WIN if self.row == "loses" else LOSS
        return None

    def moves(self, p: PointMen) -> Iterator[tuple[int, int]]:
        """Yield each free point for a man from hand, or the steps once all men are put."""
        for source, target in super().moves(p):
            if self.centre_first or target != CENTRE or p.mine | p.theirs:
                yield source, target

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(3, 3), masks=("mine", "theirs"))

    def validate(self) -> None:
        """Raise ParameterError for unknown words."""
        check_word("steps_along", self.steps_along, STEPS)
        check_word("row", self.row, ("wins", "loses"))
