"""Tant Fant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._checks import check_word
from zermelo.games._points import DIAGONAL, EDGES, ORTHOGONAL, PointMen, RowGame
from zermelo.games._sources import GAMESMAN
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, Outcome

#: The lines of the board.
LINES = {
    "lines": (*ORTHOGONAL, *DIAGONAL),
    "diamond": (*ORTHOGONAL, *DIAGONAL, *EDGES),
}
TOP = 0b000_000_111
BOTTOM = 0b111_000_000


@dataclass(frozen=True)
class TantFant(RowGame):
    """Two rows of three men face each other; whoever brings three in a row elsewhere wins.

    Men step along lines to free points. A player who cannot move loses.

    Attributes:
        steps_along: how men step: along the ``lines`` of the board, which are its rows, its columns
            and the diagonals through the centre; or also along a ``diamond`` around the centre.
    """

    steps_along: str = "lines"

    facts = (
        Fact(
            outcome="endless",
            positions=3080,
            win=1646,
            loss=772,
            tie=0,
            endless=662,
            longest_win=11,
            longest_loss=10,
            source=GAMESMAN,
        ),
    )

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins."""
        return LINES[self.steps_along]

    def start(self) -> PointMen:
        """Return the board with the first player's men above and the second's below."""
        return PointMen(TOP, BOTTOM, 0)

    def outcome(self, p: PointMen) -> Outcome | None:
        """Return LOSS if the other player has a row other than the one at the start."""
        home = TOP if p.player else BOTTOM  # the other player's
        return LOSS if p.theirs != home and self.has_row(p.theirs) else None

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflection of left and right, and that of top and bottom with the players."""
        return Symmetry(grid(3, 3, "columns"), masks=("mine", "theirs")), Symmetry(
            grid(3, 3, "rows"), masks=("mine", "theirs"), flip=("player",), together=True
        )

    def validate(self) -> None:
        """Raise ParameterError for an unknown word."""
        check_word("steps_along", self.steps_along, LINES)
